import type { Tool } from './tool.ts'
import { listRepositories } from './tools/repositories.ts'
import { getThread } from './tools/thread.ts'
import { listThreadsTool } from './tools/threads.ts'

/** Every tool by its name, in the order in which clients see them. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  list_repositories: listRepositories,
  list_threads: listThreadsTool,
  get_thread: getThread,
}

import type { Tool } from './tool.ts'
import { about, getPerson } from './tools/about.ts'
import { blame, listFiles, log, readFile, showCommit } from './tools/git.ts'
import { query, savedQuestion, schema } from './tools/query.ts'
import { listRepositories } from './tools/repositories.ts'
import { search } from './tools/search.ts'
import { getThread } from './tools/thread.ts'
import { listThreadsTool } from './tools/threads.ts'

/** Every tool by its name, in the order in which clients see them. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  list_repositories: listRepositories,
  search,
  list_threads: listThreadsTool,
  get_thread: getThread,
  query,
  schema,
  saved_question: savedQuestion,
  list_files: listFiles,
  read_file: readFile,
  log,
  show_commit: showCommit,
  blame,
  get_person: getPerson,
  about,
}

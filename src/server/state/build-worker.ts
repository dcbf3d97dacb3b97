/** Builds archives in a worker thread, one after the other, so that no request waits for them. */

import { type MessagePort, parentPort } from 'node:worker_threads'
import { ArchiveError, describePlace } from '../../errors.ts'
import { type BuildOrder, buildMigration } from './build-migration.ts'

/** A message to the thread: what to build next, or to stop what it builds. */
export type BuildMessage = BuildOrder | 'stop'

/** A message of the thread when a build has ended. */
export type BuildReport =
  | { size: number; sha256: string; problems: number }
  | { failure: string; interrupted: boolean }

const port = parentPort as MessagePort
let current = new AbortController()

port.on('message', async (message: BuildMessage) => {
  if (message === 'stop') {
    current.abort()
    return
  }
  current = new AbortController()
  port.postMessage(await build(message, current.signal))
})

async function build(order: BuildOrder, signal: AbortSignal): Promise<BuildReport> {
  let problems = 0
  const report = () => {
    problems++
  }
  try {
    return { ...(await buildMigration(order, { report, signal })), problems }
  } catch (error) {
    return { failure: reasonOf(error), interrupted: signal.aborted }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ArchiveError))
    return (error instanceof Error && error.stack) || String(error)
  const place = describePlace(error.place)
  return `${error.code}: ${error.message}${place === '' ? '' : ` (${place})`}`
}

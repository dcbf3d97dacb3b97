/** Builds one archive in a thread of its own, so that no request waits for it. */

import { parentPort, workerData } from 'node:worker_threads'
import { ArchiveError, describePlace } from '../../errors.ts'
import { type BuildOrder, buildMigration } from './build-migration.ts'

/** What the thread says when it ends. */
export type BuildReport =
  | { size: number; sha256: string; problems: number }
  | { failure: string; interrupted: boolean }

const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

let problems = 0
const report = () => {
  problems++
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof ArchiveError)) return String((error as Error).stack ?? error)
  const place = describePlace(error.place)
  return `${error.code}: ${error.message}${place === '' ? '' : ` (${place})`}`
}

async function build(): Promise<BuildReport> {
  try {
    const built = await buildMigration(workerData as BuildOrder, { report, signal: stop.signal })
    return { ...built, problems }
  } catch (error) {
    return { failure: reasonOf(error), interrupted: stop.signal.aborted }
  }
}

parentPort?.postMessage(await build())
parentPort?.close()

/** Programs in place of `marc export`. */

import { ArchiveError, type ErrorCode } from '../../../src/base/errors.ts'
import { AdvisedError } from '../../../src/cli/command/usage-error.ts'
import type { ExportSources } from '../../../src/cli/process/export-jobs.ts'

const got: string[] = []

/** Says which sources its process got, and comes to the end that the name of a source asks for. */
const exportSources: ExportSources = async ({ sources, options }, { progress }) => {
  for (const source of sources) progress((await exportOne(source, options)) as never)
}

async function exportOne(source: string, options: object) {
  got.push(source)
  if (source === 'killed') process.kill(process.pid, 'SIGKILL')
  if (source === 'crash') {
    process.stderr.write('out of memory')
    process.exit(134)
  }
  if (source === 'bug') throw new TypeError('x is not a function')
  if (source === 'refused') throw advised('tar-damaged', 'no', 'Look.')
  if (source === 'full') throw advised('output-full', 'no space', 'Free.')
  if (source === 'never') return new Promise(() => {})
  return { name: source, pid: process.pid, got, options }
}

const advised = (code: ErrorCode, message: string, advice: string) =>
  new AdvisedError(new ArchiveError(code, message), advice)

export const PROGRAMS = { export: async () => exportSources }

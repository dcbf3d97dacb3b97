/** What must hold of any database, whatever is wrong with it. Throws an `Error` that says what does not. */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../support/run-command.ts'

const REPOSITORY = 'mona-lindqvist/tea-timer'
const ISSUE = `https://github.com/${REPOSITORY}/issues/1`

/** Command lines that touch everything a database holds; those that change it at the end. */
export const COMMAND_LINES: readonly (readonly string[])[] = [
  ['tables', 'it.db', '--all'],
  ['schema', 'it.db'],
  ['query', 'it.db', 'SELECT * FROM threads'],
  ['query', 'it.db', 'SELECT * FROM timeline', '--csv'],
  ['query', 'it.db', '--saved', 'reviewers', '-t'],
  ['shell', 'it.db', '.tables\nSELECT * FROM people'],
  ...['text', 'markdown', 'json'].flatMap((format) => [
    ['show', 'it.db', `${REPOSITORY}#3`, '--format', format],
    ['show', 'it.db', `${REPOSITORY}#2`, '--format', format],
  ]),
  ['show', 'it.db', ISSUE],
  ['show', 'it.db', `${REPOSITORY}@v1.0.0`],
  ['show', 'it.db', REPOSITORY],
  ['show', 'it.db', 'mona-lindqvist'],
  ['cat', 'it.db', 'issues_000001.json'],
  ['cat', 'it.db', ISSUE],
  ['cat', 'it.db', 'attachments/5f1c7a52-9d0e-4b61-8f3a-2c6d1e0b7a94/two-rings.png'],
  ['check', 'it.db'],
  ['check', 'it.db', '--format', 'sarif', '--profile', 'strict'],
  ['doctor', 'it.db'],
  ['attachments', 'list', 'it.db', '-t'],
  ['attachments', 'check', 'it.db'],
  ['attachments', 'extract', 'it.db', 'attached'],
  ['repo', 'list', 'it.db', '-t'],
  ['repo', 'refs', 'it.db', REPOSITORY],
  ['repo', 'log', 'it.db', REPOSITORY],
  ['repo', 'show', 'it.db', REPOSITORY, 'main'],
  ['repo', 'show', 'it.db', REPOSITORY, 'main:'],
  ['repo', 'cat', 'it.db', REPOSITORY, 'main:README.md'],
  ['repo', 'fsck', 'it.db'],
  ['repo', 'clone', 'it.db', REPOSITORY, 'clone.git'],
  ['repo', 'clone', 'it.db', REPOSITORY, 'clone', '--worktree'],
  ['build', 'it.db', '-o', 'built.tar.gz'],
  ['build', 'it.db', '-o', 'forced.tar.gz', '--force', '--allow-invalid', '--level', '1'],
  ['build', 'it.db', '-o', 'part.tar.gz', '--force', '--allow-invalid', '--repo', REPOSITORY],
  ['__complete', 'bash', '3', 'marc', 'show', 'it.db', 'mona'],
  ['search', 'it.db', 'tea OR timer', '--repo', REPOSITORY],
  ['search', 'it.db', 'tea', '--nl', '--since', '2020-01-01'],
  ['repo', 'index', 'it.db'],
  ['doctor', 'it.db', '--repair'],
  ['load', 'more.tar.gz', '-o', 'it.db', '-q'],
  ['load', 'more.tar.gz', '-o', 'it.db', '-q', '--force'],
]

/** Milliseconds of CPU time that a command may take with a database of some hundred KiB; others may keep the machine busy. */
const LONGEST = 20_000

/**
 * Runs every command, or some, on a database in a folder, which is empty again after that. Nothing may be a fault of
 * ours, or be written outside of the folder that the commands run in. Answers how many commands gave an answer.
 */
export async function tryDatabase(
  bytes: Uint8Array,
  more: Uint8Array,
  folder: string,
  lines: readonly (readonly string[])[] = COMMAND_LINES,
): Promise<number> {
  const inside = join(folder, 'a', 'b', 'c')
  mkdirSync(inside, { recursive: true })
  const before = process.cwd()
  process.chdir(inside)
  let answers = 0
  try {
    writeFileSync('it.db', bytes)
    writeFileSync('more.tar.gz', more)
    for (const line of lines) {
      const start = process.cpuUsage()
      const { code, stderr } = await run(line)
      if (/This is a bug/.test(stderr)) throw new Error(`marc ${line.join(' ')}: ${stderr}`)
      if (code === 0 || code === 1) answers++
      const { user, system } = process.cpuUsage(start)
      const duration = Math.round((user + system) / 1000)
      if (duration > LONGEST) throw new Error(`marc ${line.join(' ')}: ${duration} ms`)
    }
    const outside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !/^a([/\\]b([/\\]c([/\\].*)?)?)?$/.test(path),
    )
    if (outside.length > 0) throw new Error(`written outside of the folder: ${outside.join(', ')}`)
  } finally {
    process.chdir(before)
    rmSync(join(folder, 'a'), { recursive: true, force: true })
  }
  return answers
}

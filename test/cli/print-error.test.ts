import { expect, test } from 'vitest'
import { ERRORS, type ErrorCode } from '../../src/base/error-codes.ts'
import { ArchiveError } from '../../src/base/errors.ts'
import { printError } from '../../src/cli/print-error.ts'
import { REMEDIES } from '../../src/cli/remedies.ts'
import { collector } from '../support/run-command.ts'

const printed = (error: ArchiveError) => {
  const { stream, text } = collector()
  const io = { stdout: stream, stderr: stream, stdin: process.stdin, env: {} }
  const code = printError(error, io as never, { json: false })
  return { code, text: text() }
}

test('an error is printed with its place and remedy', () => {
  const { code, text } = printed(
    new ArchiveError('json-not-array', 'found {}', { entry: 'a_1.json' }),
  )
  expect(code).toBe(3)
  expect(text).toMatch(/^marc: a_1\.json: found \{\}\nA record file holds one array/)
})

test('D5: an error that quotes megabytes of an archive is cut', () => {
  const { text } = printed(new ArchiveError('usage', `url ${'\0'.repeat(3_000_000)}`))
  expect(text.length).toBeLessThan(10_000)
  expect(text).toMatch(/^marc: url \\x00.*…\n/)
})

test('the remedy for an address in the place of a file is a download that a shell takes', () => {
  const place = { archive: 'https://host.example/a.tar.gz?x=1&y' }
  const { text } = printed(new ArchiveError('archive-not-found', 'no such file', place))
  expect(text).toMatch(
    /\nDownload it first: curl -fLO 'https:\/\/host.example\/a.tar.gz\?x=1&y'\n$/,
  )
})

test('the remedy for too many levels names --max-depth only where that allows more', () => {
  const remedyAt = (allowed: number) =>
    printed(new ArchiveError('limit-depth', 'too deep').over({ allowed })).text
  expect(remedyAt(512)).toContain('\nRaise --max-depth')
  expect(remedyAt(1000)).toContain('\nSQLite reads no deeper JSON, so --max-depth cannot allow it')
})

test('every error has a one-line remedy', () => {
  for (const code of Object.keys(ERRORS) as ErrorCode[])
    expect(REMEDIES[code], code).toMatch(/^[A-Z].*\S$/)
})

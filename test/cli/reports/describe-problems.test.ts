import { resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Problem } from '../../../src/base/errors.ts'
import { describeProblems } from '../../../src/cli/reports/describe-problems.ts'
import { inFolder, run } from '../../support/run-command.ts'

/** The lines of the section Problems, to the next line that is not indented. */
function problemsIn(stdout: string): string[] {
  const lines = stdout.split('\n')
  const section = lines.slice(lines.indexOf('Problems') + 1)
  const end = section.findIndex((line) => !line.startsWith('  '))
  // Only a load has a member that is kept in _extra.
  return section.slice(0, end).filter((line) => !line.startsWith('  member-unknown × '))
}

test('load, inspect and build say the same of what a source lacks, the most frequent first', async () => {
  const source = resolve('samples/backups/bitbucket-issues.zip')
  inFolder()
  const expected = [
    '  source-made × 7: harbour/kettle: labels were made of fields of issues: db-1.0.json (bug, priority: blocker, component: lid) and others',
    '  text-rewritten × 2: harbour/kettle: links to attachments were added to descriptions: db-1.0.json (issue 1, issue 7)',
    '  text-rewritten × 1: harbour/kettle: code is marked as in Markdown: db-1.0.json (issue 1)',
    '  date-estimated × 1: harbour/kettle: milestones have the dates of their issues: db-1.0.json (Spring)',
    '  date-estimated × 1: harbour/kettle: created_at is the earliest date of a record: db-1.0.json',
  ]
  for (const words of [
    ['load', source, '-o', 'it.db'],
    ['inspect', source],
    ['inspect', 'it.db'],
    ['build', source, '-o', 'it.tar.gz'],
    ['build', 'it.db', '-o', 'again.tar.gz'],
  ]) {
    const { code, stdout } = await run(words)
    expect({ words, code, problems: problemsIn(stdout) }).toEqual({
      words,
      code: 0,
      problems: expected,
    })
  }
})

test('load, inspect and build list the same reasons as JSON', async () => {
  const source = resolve('samples/backups/github-metadata-backup.tar.gz')
  inFolder()
  const json = async (...words: string[]) => JSON.parse((await run([...words, '--json'])).stdout)
  const loaded = await json('load', source, '-o', 'it.db')
  const built = await json('build', source, '-o', 'it.tar.gz')
  const told = (problems: Problem[]) =>
    problems.map(({ code, message, times }) => ({ code, message, times }))
  const reasons = told(loaded.archives[0].reasons)
  expect(reasons).toContainEqual({
    code: 'source-incomplete',
    message:
      'harbour/kettle: the backup could not save issues or pull requests: state.json (failed_issues 3, failed_issues 4)',
    times: 2,
  })
  expect(told(built.reasons)).toEqual(reasons)
  expect(told((await json('inspect', source)).problems)).toEqual(reasons)
  expect(told((await json('inspect', 'it.db')).problems)).toEqual(expect.arrayContaining(reasons))
})

test('Reasons have a line each in a terminal, and those of many are counted', () => {
  const reasons = Array.from(
    { length: 12 },
    (_, i): Problem => ({
      code: 'source-made',
      place: {},
      message: `reason ${i} is told at length`,
      times: i + 1,
    }),
  )
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 36 })
  const counts = { 'source-made': 78, 'kind-unknown': 1 }
  const lines = describeProblems(counts, reasons, { stdout, env: { NO_COLOR: '1' } })
  expect(lines).toEqual([
    'Problems',
    '  kind-unknown × 1: records of an unknown kind were kept in a table of their own',
    ...Array.from({ length: 10 }, (_, i) =>
      expect.stringMatching(`^  source-made × ${12 - i}: reason ${11 - i} .*…$`),
    ),
    '  and 2 more, in the table problems',
  ])
  expect(lines[2]).toHaveLength(36)
})

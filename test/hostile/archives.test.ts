import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseLossless } from '../../src/records/json/parse-lossless.ts'
import { inFolder, run } from '../support/run-command.ts'
import { firstOfEach, THOROUGH } from '../support/thorough.ts'
import type { HostileCase, Verdict } from './case.ts'
import { GZIP_CASES } from './gzip-cases.ts'
import { JSON_CASES } from './json-cases.ts'
import { REFERENCE_CASES } from './reference-cases.ts'
import { TAR_CASES } from './tar-cases.ts'

const CASES: readonly HostileCase[] = [
  ...TAR_CASES,
  ...GZIP_CASES,
  ...JSON_CASES,
  ...REFERENCE_CASES,
]

const NAME = 'it.tar.gz'

const wordsOf = (verdict: Verdict): string =>
  verdict === 'read'
    ? 'is read'
    : 'refused' in verdict
      ? `is refused: ${verdict.refused}`
      : `is reported: ${verdict.reported.join(', ')}`

const titled = (cases: readonly HostileCase[]) =>
  cases.map((each) => [`${each.code}: ${each.name} ${wordsOf(each.verdict)}`, each] as const)

const isRefused = ({ verdict }: HostileCase) => verdict !== 'read' && 'refused' in verdict
const read = CASES.filter((each) => !isRefused(each))
const refused = CASES.filter(isRefused)

const firstBy = (keyOf: (each: HostileCase) => string) =>
  new Map(CASES.toReversed().map((each) => [keyOf(each), each])).values()

/** The first case of each code, read or refused, and the first of each outcome. */
const everyDay = new Set([
  ...firstBy((each) => each.code + isRefused(each)),
  ...firstBy(({ verdict }) => wordsOf(verdict)),
])
// It takes as long as ten others; test/archive/gzip/gunzip.test.ts has a smaller one every day.
for (const each of everyDay) if (each.name === 'a thousand to one') everyDay.delete(each)
const divided = (cases: readonly HostileCase[]) =>
  [
    titled(cases.filter((each) => everyDay.has(each))),
    titled(cases.filter((each) => !everyDay.has(each))),
  ] as const

describe('Of a hostile archive', () => {
  type Titled = ReturnType<typeof titled>[number]
  const expectRead = async (
    _title: string,
    { archive, verdict, options = [], keeps = [] }: Titled[1],
  ) => {
    inFolder({ [NAME]: archive })
    const { code, stdout, stderr } = await run(['load', NAME, '-o', 'it.db', '--json', ...options])
    const left = readdirSync('.').sort()
    expect({ code, stderr, left }).toEqual({ code: 0, stderr: '', left: ['it.db', NAME] })
    const problems = Object.keys(JSON.parse(stdout).archives[0].problems).sort()
    const reported = verdict !== 'read' && 'reported' in verdict ? verdict.reported : []
    expect(problems).toEqual([...reported].sort())
    for (const { entry, json } of keeps) {
      const printed = await run(['cat', 'it.db', entry])
      expect(compact(printed.stdout)).toBe(compact(json))
    }
    expect(await run(['ls', NAME, ...options])).toMatchObject({ code: 0, stderr: '' })
  }
  const [firstRead, otherRead] = divided(read)
  test.each(firstRead)('%s', expectRead)
  test.each(otherRead)('%s', THOROUGH, expectRead)

  const expectRefused = async (_title: string, each: HostileCase) => {
    inFolder({ [NAME]: each.archive })
    await expectRefusal('ls', each)
  }
  const [firstRefused, otherRefused] = divided(refused)
  test.each(firstRefused)('%s', expectRefused)
  test.each(otherRefused)('%s', THOROUGH, expectRefused)

  // To make a database takes ten times as long as to read a small archive: once for each error.
  const byError = new Map(refused.map((each) => [wordsOf(each.verdict), each]))
  const expectNothing = async (_title: string, each: HostileCase) => {
    inFolder({ [NAME]: each.archive })
    await expectRefusal('load', each)
    expect(readdirSync('.')).toEqual([NAME])
  }
  // Errors of gzip, of tar, of JSON and so on, by the first word of their code.
  const [[firstOfLayer], [others]] = firstOfEach([...byError], ([words]) => words.split('-')[0])
  test.each(firstOfLayer)('what %s leaves no database behind', expectNothing)
  test.each(others)('what %s leaves no database behind', THOROUGH, expectNothing)
})

async function expectRefusal(command: 'ls' | 'load', { verdict, options = [] }: HostileCase) {
  const { code, stderr } = await run([command, NAME, '--json', ...options])
  expect(code).toBe(3)
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ place: { archive: NAME } })
  expect(`is refused: ${error.code}`).toBe(wordsOf(verdict))
}

const compact = (json: string): string =>
  JSON.stringify(parseLossless(json, { maxDepth: Number.POSITIVE_INFINITY }))

import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/errors.ts'
import { type ReadRecordsOptions, readRecordBatches } from '../../src/records/read-records.ts'
import { openSurveyReader, type SurveyReader } from '../../src/records/read-surveyed.ts'
import { listOf } from '../support/entries.ts'
import { inPiecesOf } from '../support/pieces.ts'

/** Urls of records by their place, and what is reported, or the code of what is thrown. */
async function read(
  reader: SurveyReader,
  json: string | Buffer,
  limits: ReadRecordsOptions['limits'],
) {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  try {
    const batches = await listOf(
      reader(inPiecesOf(json, 1000), 'issues_000001.json', { limits, report }),
    )
    const urls = batches.flat().map(({ record, entry, index }) => [entry, index, record.url])
    return { urls, problems }
  } catch (error) {
    return { problems, code: (error as { code?: string }).code }
  }
}

describe('What a survey asks of records', () => {
  const issues = [{ url: 'a' }, { url: 'é' }, {}]
  test.each([
    ['plain', JSON.stringify(issues)],
    ['with a byte order mark', `\ufeff${JSON.stringify(issues)}`],
    ['not in UTF-8', Buffer.from(JSON.stringify(issues), 'latin1')],
    ['with a member twice', '[{"url":"a","url":"b"}]'],
    ['beside a number', '[{"url":"a"}, 7]'],
    ['written with escapes', String.raw`[{"url":"\u0061\/b"}]`],
    ['cut short', '[{"url":"a"}'],
    ['nested too deep', '[{"url":"a","b":[[[[]]]]}]'],
    [
      'more than are read at once',
      JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ url: `${i}` }))),
    ],
  ])('is the same of records %s as of their objects', async (_title, json) => {
    const limits = { depth: 4, record: 2 ** 20 }
    expect(await read(openSurveyReader(), json, limits)).toEqual(
      await read(readRecordBatches, json, limits),
    )
  })

  test('is the same whatever was read before', async () => {
    const reader = openSurveyReader()
    for (const json of ['[{"b":1,"url":"a"}]', '[{"url":"c"', '[{"b":1,"url":"d"}]', '[]']) {
      expect(await read(reader, json, {})).toEqual(await read(readRecordBatches, json, {}))
    }
  })
})

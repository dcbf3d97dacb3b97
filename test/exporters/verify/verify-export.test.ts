import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { ENGINE_NAMES } from '../../../src/exporters/ddl/engine.ts'
import { FOLDER_FORMATS, type FolderFormat } from '../../../src/exporters/export-options.ts'
import { verifyExport } from '../../../src/exporters/verify/verify-export.ts'
import { type ExportDataOptions, exportData } from '../../../src/index.ts'
import { filesOfKinds, recordsOfKinds } from '../../support/any-records.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, firstOfEach, THOROUGH } from '../../support/thorough.ts'
import { differencesIn } from '../../support/verified.ts'

const ISSUES = [issue(1, 'One'), issue(2, 'Two')]

const shared = mkdtempSync(join(tmpdir(), 'migration-archive-'))
afterAll(() => rmSync(shared, { recursive: true }))
/** Folders with an archive and its dataset, each made once. */
const made = new Map<string, string>()

/** A dataset with one partition, and the archive that it is from. */
async function datasetOf(
  options: ExportDataOptions = { format: 'ndjson' },
  issues: unknown[] = ISSUES,
) {
  const folder = await folderOf()
  const archive = join(folder, 'it.tar.gz')
  const lake = join(folder, 'lake')
  const key = JSON.stringify([options, issues])
  const known = made.get(key) ?? (await mkdtemp(join(shared, 'it-')))
  if (!made.has(key)) {
    const from = join(known, 'it.tar.gz')
    writeFileSync(from, smallArchive({ 'issues_000001.json': issues }))
    await exportData(from, join(known, 'lake'), options)
    made.set(key, known)
  }
  cpSync(known, folder, { recursive: true, preserveTimestamps: true })
  // The views name the folder.
  for (const engine of ENGINE_NAMES) {
    const path = join(lake, '_marc', `${engine}.sql`)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(join(known, 'lake'), lake))
  }
  const file = join(lake, `kind=issues/archive=it/data.${options.format ?? 'parquet'}`)
  return { archive, lake, file }
}

type Issue = ReturnType<typeof issue>

/** An issue with a value in each type of column. */
const full = (number: number, more: object = {}) =>
  issue(number, `Number ${number}`, {
    body: '',
    assignee: null,
    assignees: [],
    milestone: null,
    closed_at: null,
    labels: ['https://H/l/a', 'https://H/l/b'],
    reactions: [
      {
        user: 'https://H/ada',
        content: '+1',
        subject_type: 'Issue',
        created_at: '2021-01-01T00:00:00Z',
      },
    ],
    updated_at: '2022-02-02T02:02:02Z',
    ...more,
  }) as Issue & Record<string, unknown>

const RECORDS = [full(1), full(2, { body: null }), full(3)]

const altered = (more: (first: (typeof RECORDS)[0]) => object) => (records: typeof RECORDS) =>
  records.map((one, i) => (i === 0 ? { ...one, ...more(one) } : one))

/** An alteration of issues, and what is said of which record: its number and the columns. */
const ALTERED: Record<string, [(records: typeof RECORDS) => object[], ...string[]]> = {
  'another title': [altered(() => ({ title: '1 rebmuN' })), '1 title'],
  'a time a day later': [altered(() => ({ created_at: '2021-01-02T00:00:00Z' })), '1 created_at'],
  'null in place of an empty text': [altered(() => ({ body: null })), '1 body'],
  'an empty text in place of null': [
    ([one, two, ...rest]) => [one as object, { ...two, body: '' }, ...rest],
    '2 body',
  ],
  'a list in another order': [
    altered(({ labels }) => ({ labels: (labels as string[]).toReversed() })),
    '1 labels',
  ],
  'another member in a list of objects': [
    altered(({ reactions }) => ({
      reactions: (reactions as object[]).map((one) => ({ ...one, content: '-1' })),
    })),
    '1 reactions',
  ],
  'a member without a column': [altered(() => ({ mood: 'calm' })), '1 _extra', '1 _member_order'],
  'a state that follows from another time': [
    altered(() => ({ closed_at: '2021-01-03T00:00:00Z' })),
    '1 closed_at',
    '1 state',
  ],
  'the title of another record': [
    ([one, two, three]) =>
      [{ ...one, title: two?.title }, { ...two, title: one?.title }, three] as object[],
    '1 title',
    '2 title',
  ],
}

/** NDJSON has a column only: its lines. */
const asLine = (told: string) => told.replace(/ .*/, ' line')

const testFormat = (format: FolderFormat) => {
  test('is as its source, with whatever options it was made', THOROUGH, async () => {
    const selection = { kinds: ['issues'] }
    for (const options of [{}, { derived: false, raw: true, selection }]) {
      const { archive, lake } = await datasetOf({ format, ...options })
      const same = { it: [], rest: [] }
      expect(differencesIn(await verifyExport(archive, lake, { format }))).toEqual(same)
      expect(differencesIn(await verifyExport(undefined, lake, { format }))).toEqual(same)
    }
  })

  test(
    'differs from its source and its manifest after any change of a file',
    THOROUGH,
    async () => {
      const { archive, lake, file } = await datasetOf({ format })
      const bytes = readFileSync(file)
      bytes[20] = (bytes[20] as number) ^ 1
      writeFileSync(file, bytes)
      for (const source of [archive, undefined]) {
        const [{ differences } = { differences: [] }] = await verifyExport(source, lake, { format })
        expect(differences[0]).toEqual({
          table: 'issues',
          fact: 'sha256',
          expected: expect.stringMatching(/^\w{64}$/),
          found: expect.stringMatching(/^\w{64}$/),
        })
      }
    },
  )

  test('is proved for any record of each kind', THOROUGH, async () => {
    const records = recordsOfKinds(10)
    const files = Object.entries(filesOfKinds(records))
    const archive = join(await folderOf(), 'any.tar.gz')
    writeFileSync(archive, smallArchive(Object.fromEntries(files)))
    const lake = join(await folderOf(), 'lake')
    await exportData(archive, lake, { format, raw: true })
    expect(differencesIn(await verifyExport(archive, lake))).toEqual({ any: [], rest: [] })
  })

  everyDay(1)(Object.entries(ALTERED))(
    'names a record with %s',
    async (_what, [alter, ...told]) => {
      const { archive } = await datasetOf({ format }, RECORDS)
      const { lake } = await datasetOf({ format }, alter(RECORDS))
      const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
      const named = differences.filter(({ table, record }) => table === 'issues' && record)
      const facts = named.map(({ record, fact }) => `${record?.split('/').at(-1)} ${fact}`)
      expect(facts).toEqual(format === 'ndjson' ? [...new Set(told.map(asLine))] : told)
    },
  )
}
const [[firstFormats], [otherFormats]] = firstOfEach(FOLDER_FORMATS.toReversed(), () => 'folder')
describe.each(firstFormats)('A dataset of %s', testFormat)
describe.each(otherFormats)('A dataset of %s', THOROUGH, testFormat)

test('A file that is gone, and one that nobody wrote, are differences', THOROUGH, async () => {
  const { archive, lake, file } = await datasetOf()
  const other = join(lake, 'kind=teams/archive=it/data.ndjson')
  mkdirSync(dirname(other), { recursive: true })
  writeFileSync(other, '{}')
  rmSync(file)
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  expect(differences.map(({ table, fact, found }) => [table, fact, found !== null])).toEqual(
    expect.arrayContaining([
      ['issues', 'sha256', false],
      ['teams', 'sha256', true],
    ]),
  )
})

everyDay(1)([
  'kind=issues/archive=it/more.ndjson',
  'kind=issues/archive=it/data.parquet',
  'kind=issues/archive=it/deeper/data.ndjson',
  'kind=issues/more.ndjson',
  'kind=issues/archive=other/data.ndjson',
  'kind=teams/archive=other/data.ndjson',
])('%s, which engines would read and no export wrote, is a difference', async (path) => {
  const { archive, lake, file } = await datasetOf()
  mkdirSync(dirname(join(lake, path)), { recursive: true })
  cpSync(file, join(lake, path))
  writeFileSync(join(lake, 'kind=issues/.data.ndjson.partial'), '')
  for (const source of [archive, undefined]) {
    const { rest } = differencesIn(await verifyExport(source, lake))
    expect(rest).toEqual([{ fact: 'file', expected: null, found: path }])
  }
})

test('Another archive than the source has differences in bytes', THOROUGH, async () => {
  const { lake } = await datasetOf()
  const { archive } = await datasetOf(undefined, [issue(1, 'Something that is much longer')])
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  expect(differences.filter(({ table }) => table === 'issues').length).toBeGreaterThan(0)
})

everyDay(1)([
  ['missing', [issue(1, 'One')], 1, 0, '2'],
  ['foreign', [...ISSUES, issue(3, 'Three')], 0, 1, '3'],
])('A record that is %s is named', async (_what, others, expected, found, number) => {
  const { archive } = await datasetOf()
  const { lake } = await datasetOf(undefined, others)
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  const record = expect.stringMatching(`/issues/${number}$`)
  expect(differences).toContainEqual({ table: 'issues', record, fact: 'rows', expected, found })
})

test('A record in any page of a row group is named', THOROUGH, async () => {
  const many = Array.from({ length: 18_000 }, (_, i) => issue(i + 1, `Number ${i}`))
  const wrong = new Set([5, 16_384, 16_385, 18_000])
  const { archive } = await datasetOf({ format: 'parquet' }, many)
  const { lake } = await datasetOf(
    { format: 'parquet' },
    many.map((one, i) => (wrong.has(i + 1) ? { ...one, title: 'Another' } : one)),
  )
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  const named = differences.filter(({ record }) => record !== undefined)
  expect(new Set(named.map(({ fact }) => fact))).toEqual(new Set(['title']))
  expect(new Set(named.map(({ record }) => Number(record?.split('/').at(-1))))).toEqual(wrong)
})

test('A record that is repeated is named', THOROUGH, async () => {
  const { archive, lake, file } = await datasetOf()
  const lines = readFileSync(file, 'utf8')
  writeFileSync(file, lines + lines.slice(0, lines.indexOf('\n') + 1))
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  const record = expect.stringMatching('/issues/1$')
  const rows = { fact: 'rows', expected: 1, found: 2 }
  expect(differences).toContainEqual({ table: 'issues', record, ...rows })
})

test('CSV for spreadsheets is as its source, and differs from plain CSV', THOROUGH, async () => {
  const issues = ['=1+1', '+1', '-1', '@a', '\ta', '\ra', 'a=1'].map((title, i) =>
    issue(i + 1, title),
  )
  const { archive, lake, file } = await datasetOf({ format: 'csv', csvSafe: true }, issues)
  expect(differencesIn(await verifyExport(archive, lake))).toEqual({ it: [], rest: [] })
  const rows = parse(readFileSync(file), { columns: true }) as { title: string }[]
  const titles = rows.map(({ title }) => title)
  expect(titles).toEqual(["'=1+1", "'+1", "'-1", "'@a", "'\ta", "'\ra", 'a=1'])
  await exportData(archive, lake, { format: 'csv' })
  expect(readFileSync(file, 'utf8')).toContain(',=1+1,')
})

test('A file that cannot be read is a difference', THOROUGH, async () => {
  const { archive, lake, file } = await datasetOf({ format: 'parquet' })
  writeFileSync(file, 'PAR1, but only at first sight')
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  expect(differences).toContainEqual({
    table: 'issues',
    fact: 'values',
    expected: 'readable',
    found: expect.any(String),
  })
})

test('Times in any form are as in their source', THOROUGH, async () => {
  const times = ['00:00Z', '00:00.5Z', '00:00.500Z', '00:00.000Z', '00:00+02:00', '00Z']
  const issues = times.map((time, i) =>
    issue(i + 1, 'One', { updated_at: `2024-01-31T00:${time}` }),
  )
  const { archive, lake } = await datasetOf({ format: 'parquet' }, issues)
  expect(differencesIn(await verifyExport(archive, lake))).toEqual({ it: [], rest: [] })
})

test('The database of an archive has the same files', THOROUGH, async () => {
  const { archive, lake } = await datasetOf()
  const { database } = await loaded(readFileSync(archive))
  expect(differencesIn(await verifyExport(database, lake, { as: 'it' }))).toEqual({
    it: [],
    rest: [],
  })
})

test('An archive that repeats a record is loaded first, as for its export', THOROUGH, async () => {
  const { archive, lake } = await datasetOf(undefined, [...ISSUES, issue(1, 'One, again')])
  expect(differencesIn(await verifyExport(archive, lake))).toEqual({ it: [], rest: [] })
})

test.each([
  ['a partition that is being written', '"complete"', '"writing"', 'state'],
  ['a partition of another version', '"version":"', '"version":"0', 'version'],
])('%s is a difference', async (_what, old, made, fact) => {
  const { archive, lake } = await datasetOf()
  const path = join(lake, '_marc/archives/it.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace(old, made))
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  expect(differences.map((one) => one.fact)).toEqual([fact])
})

test('A partition that is not there is a difference', async () => {
  const { archive, lake } = await datasetOf()
  expect(differencesIn(await verifyExport(archive, lake, { as: 'other' }))).toEqual({
    other: [{ fact: 'state', expected: 'complete', found: null }],
    rest: [],
  })
})

test('dataset-foreign: a folder without exports cannot be verified', async () => {
  await expect(verifyExport(undefined, await folderOf())).rejects.toMatchObject({
    code: 'dataset-foreign',
  })
})

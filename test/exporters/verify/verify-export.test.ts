import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { FOLDER_FORMATS, type FolderFormat } from '../../../src/exporters/export-options.ts'
import { verifyExport } from '../../../src/exporters/verify/verify-export.ts'
import { type ExportDataOptions, exportData } from '../../../src/index.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { firstOfEach, THOROUGH } from '../../support/thorough.ts'

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
  const file = join(lake, `kind=issues/archive=it/data.${options.format ?? 'parquet'}`)
  return { archive, lake, file }
}

const testFormat = (format: FolderFormat) => {
  test('is as its source, with whatever options it was made', async () => {
    const selection = { kinds: ['issues'] }
    for (const options of [{}, { derived: false, raw: true, selection }]) {
      const { archive, lake } = await datasetOf({ format, ...options })
      const expected = [{ name: 'it', differences: [] }]
      expect(await verifyExport(archive, lake, { format })).toEqual(expected)
      expect(await verifyExport(undefined, lake, { format })).toEqual(expected)
    }
  })

  test('differs from its source and its manifest after any change of a file', async () => {
    const { archive, lake, file } = await datasetOf({ format })
    const bytes = readFileSync(file)
    bytes[20] = (bytes[20] as number) ^ 1
    writeFileSync(file, bytes)
    for (const source of [archive, undefined]) {
      const [{ differences } = { differences: [] }] = await verifyExport(source, lake, { format })
      expect(differences).toEqual([
        {
          table: 'issues',
          fact: 'sha256',
          expected: expect.stringMatching(/^\w{64}$/),
          found: expect.stringMatching(/^\w{64}$/),
        },
      ])
    }
  })
}
const [[everyDay], [others]] = firstOfEach(FOLDER_FORMATS.toReversed(), () => 'folder')
describe.each(everyDay)('A dataset of %s', testFormat)
describe.each(others)('A dataset of %s', THOROUGH, testFormat)

test('A file that is gone, and one that nobody wrote, are differences', async () => {
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

test('Another archive than the source has differences in bytes', async () => {
  const { lake } = await datasetOf()
  const { archive } = await datasetOf(undefined, [issue(1, 'Something that is much longer')])
  const [{ differences } = { differences: [] }] = await verifyExport(archive, lake)
  expect(differences.filter(({ table }) => table === 'issues').length).toBeGreaterThan(0)
})

test('The database of an archive has the same files', async () => {
  const { archive, lake } = await datasetOf()
  const { database } = await loaded(readFileSync(archive))
  expect(await verifyExport(database, lake, { as: 'it' })).toEqual([
    { name: 'it', differences: [] },
  ])
})

test('An archive that repeats a record is loaded first, as for its export', async () => {
  const { archive, lake } = await datasetOf(undefined, [...ISSUES, issue(1, 'One, again')])
  expect(await verifyExport(archive, lake)).toEqual([{ name: 'it', differences: [] }])
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
  expect(await verifyExport(archive, lake, { as: 'other' })).toEqual([
    { name: 'other', differences: [{ fact: 'state', expected: 'complete', found: null }] },
  ])
})

test('dataset-foreign: a folder without exports cannot be verified', async () => {
  await expect(verifyExport(undefined, await folderOf())).rejects.toMatchObject({
    code: 'dataset-foreign',
  })
})

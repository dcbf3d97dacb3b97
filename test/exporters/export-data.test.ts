import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect } from '../../src/base/streams.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { readManifest } from '../../src/exporters/dataset/manifest.ts'
import { exportData, removePartition } from '../../src/exporters/export-data.ts'
import type { ExportDataOptions } from '../../src/exporters/export-options.ts'
import { ownProcess } from '../../src/files/partial-file.ts'
import { generateArchive } from '../bench/generate-archive.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { loaded, sourceOf } from '../support/load.ts'
import { runs } from '../support/property-runs.ts'
import { goodWorld } from '../support/small-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const SAMPLES = ['hello', 'organization'].map((name) => `samples/${name}.tar.gz`)

/** Paths and bytes of the files with records, but for their manifests. */
function filesOf(dataset: string): Record<string, string> {
  const paths = readdirSync(dataset, { recursive: true, encoding: 'utf8' })
  const files = paths.filter((path) => /\/data\.[\w.]+$/.test(path)).sort()
  return Object.fromEntries(
    files.map((path) => [path, readFileSync(join(dataset, path)).toString('latin1')]),
  )
}

/** The fastest format, for behaviour that all formats share. */
const NDJSON = { as: 'it', format: 'ndjson' } as const

/** A dataset with one partition, from these bytes. */
async function datasetOf(archive: Buffer, options: ExportDataOptions = {}) {
  const folder = await folderOf()
  const summary = await exportData(await fileOf(archive), folder, { ...NDJSON, ...options })
  return { folder, summary }
}

/** The dataset of a small archive, which is made once: a copy of it for each test. */
const small = mkdtempSync(join(tmpdir(), 'migration-archive-'))
beforeAll(async () => {
  const archive = join(small, 'it.tar.gz')
  writeFileSync(archive, smallArchive())
  await exportData(archive, join(small, 'dataset'), NDJSON)
})
afterAll(() => rmSync(small, { recursive: true }))

async function smallDataset() {
  const folder = await folderOf()
  cpSync(join(small, 'dataset'), folder, { recursive: true })
  return { folder }
}

const fileOf = async (archive: Buffer): Promise<string> =>
  join(await folderOf({ 'it.tar.gz': archive }), 'it.tar.gz')

/** The same from a database. */
async function datasetOfLoaded(archive: Buffer, options: ExportDataOptions = {}) {
  const folder = await folderOf()
  const { database } = await loaded(archive)
  const summary = await exportData(database, folder, { ...NDJSON, ...options })
  return { folder, summary, database }
}

const generated = (seed: number): Promise<Buffer> =>
  collect(generateArchive({ records: 100, seed }))

describe('An archive and a database loaded from it make the same files', () => {
  test.each(SAMPLES)('%s', THOROUGH, async (path) => {
    const archive = readFileSync(path)
    const straight = filesOf((await datasetOf(archive)).folder)
    expect(Object.keys(straight).length).toBeGreaterThan(10)
    expect(straight).toEqual(filesOf((await datasetOfLoaded(archive)).folder))
  })

  test('an archive with a record of each kind', THOROUGH, async () => {
    const records = Object.entries(goodWorld().records)
    const files = records.map(([stem, each]) => [`${stem}_000001.json`, each] as const)
    const archive = smallArchive(Object.fromEntries(files))
    const options = { format: 'ndjson', raw: true } as const
    const straight = filesOf((await datasetOf(archive, options)).folder)
    expect(Object.keys(straight).length).toBeGreaterThan(10)
    expect(straight).toEqual(filesOf((await datasetOfLoaded(archive, options)).folder))
  })

  test('generated archives', { ...THOROUGH, timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const archive = await generated(seed)
        const straight = await datasetOf(archive, { format: 'parquet' })
        const through = await datasetOfLoaded(archive, { format: 'parquet' })
        expect(filesOf(straight.folder)).toEqual(filesOf(through.folder))
        expect(straight.summary.tables).toEqual(through.summary.tables)
        through.database.close()
        for (const { folder } of [straight, through]) rmSync(folder, { recursive: true })
      }),
      { numRuns: runs(200) },
    )
  })

  test('an archive that repeats a record, of which the later one counts', async () => {
    const archive = smallArchive({
      'issues_000002.json': [issue(2, 'Second, again'), issue(4, 'Fourth')],
    })
    const { folder, summary } = await datasetOf(archive, { format: 'ndjson' })
    expect(summary.tables.issues?.rows).toBe(4)
    const text = filesOf(folder)['kind=issues/archive=it/data.ndjson'] as string
    expect(text).toContain('Second, again')
    expect(text).not.toContain('"title":"Second"')
  })

  test('the bytes of an archive', THOROUGH, async () => {
    const folder = await folderOf()
    await exportData(sourceOf(smallArchive()), folder, NDJSON)
    const path = await datasetOf(smallArchive())
    expect(filesOf(folder)).toEqual(filesOf(path.folder))
  })

  test('an archive with records of unknown kinds', THOROUGH, async () => {
    const archive = smallArchive({ 'gadgets_000001.json': [{ type: 'gadget', url: 'a', size: 1 }] })
    const options = { format: 'csv', raw: true } as const
    const straight = await datasetOf(archive, options)
    expect(straight.summary.tables.gadgets).toMatchObject({
      rows: 1,
      extra: { rows: 1, members: { type: 1, size: 1 } },
    })
    const through = await datasetOfLoaded(archive, options)
    expect(filesOf(straight.folder)).toEqual(filesOf(through.folder))
  })
})

test('NDJSON has each record as it stood', THOROUGH, async () => {
  const archive = smallArchive({
    'issues_000001.json': '[{"type":"issue","n":1.0,"url":"\\u0061"}]',
  })
  const { folder } = await datasetOf(archive, { format: 'ndjson' })
  expect(filesOf(folder)['kind=issues/archive=it/data.ndjson']).toBe(
    '{"type":"issue","n":1.0,"url":"a"}\n',
  )
})

test('CSV tells NULL from an empty text, and quotes what has to be', THOROUGH, async () => {
  const archive = smallArchive({
    'issues_000001.json': [issue(1, 'say "hi", twice\n', { body: '', labels: ['a'] })],
  })
  const { folder } = await datasetOf(archive, { format: 'csv', derived: false })
  const [head = '', ...rest] = (filesOf(folder)['kind=issues/archive=it/data.csv'] as string).split(
    '\r\n',
  )
  expect(head.split(',').slice(3, 9).join()).toBe('title,body,assignee,assignees,milestone,labels')
  expect(rest.join('\r\n')).toContain('"say ""hi"", twice\n","",,,,"[""a""]"')
})

test('CSV has the lists within an object as lists', async () => {
  const folder = await folderOf()
  await exportData('samples/organization.tar.gz', folder, { format: 'csv' })
  const file = readFileSync(
    join(folder, 'kind=organizations/archive=organization/data.csv'),
    'utf8',
  )
  const [row] = parse<Record<string, string>>(file, { columns: true })
  expect(JSON.parse(row?.repository_defaults ?? '').repository_labels[0].name).toBe('bug')
})

test('Compressed text is one gzip member', async () => {
  const { folder } = await datasetOf(smallArchive(), { format: 'csv', compression: 'gzip' })
  const file = filesOf(folder)['kind=users/archive=it/data.csv.gz'] as string
  expect(Buffer.from(file, 'latin1').readUInt16BE()).toBe(0x1f8b)
})

describe('A partition', () => {
  test('is written once from the same source', THOROUGH, async () => {
    const { folder, database } = await datasetOfLoaded(smallArchive())
    const path = join(folder, 'kind=issues/archive=it/data.ndjson')
    const before = statSync(path).mtimeMs
    const again = await exportData(database, folder, NDJSON)
    expect(again.outcome).toBe('unchanged')
    expect(statSync(path).mtimeMs).toBe(before)
  })

  test(
    'is written again with force, with other options, and after a change',
    THOROUGH,
    async () => {
      const { folder, database } = await datasetOfLoaded(smallArchive())
      const outcome = async (options: ExportDataOptions) =>
        (await exportData(database, folder, { ...NDJSON, ...options })).outcome
      expect(await outcome({ force: true })).toBe('written')
      expect(await outcome({ raw: true })).toBe('written')
      expect(await outcome({ raw: true })).toBe('unchanged')
      database.exec("UPDATE issues SET title = 'Other' WHERE number = 1")
      expect(await outcome({ raw: true })).toBe('written')
    },
  )

  test('stays the same after VACUUM', THOROUGH, async () => {
    const { folder, database } = await datasetOfLoaded(smallArchive())
    database.exec('VACUUM')
    expect((await exportData(database, folder, NDJSON)).outcome).toBe('unchanged')
  })

  test(
    'loses the files of tables without rows, and those of another compression',
    THOROUGH,
    async () => {
      const { folder, database } = await datasetOfLoaded(smallArchive())
      database.exec('DELETE FROM users')
      await exportData(database, folder, { ...NDJSON, compression: 'gzip' })
      expect(Object.keys(filesOf(folder))).toEqual([
        'kind=files/archive=it/data.ndjson.gz',
        'kind=issues/archive=it/data.ndjson.gz',
      ])
      expect(existsSync(join(folder, 'kind=users'))).toBe(false)
    },
  )

  test('has a manifest that says what it was made of', async () => {
    const { folder } = await smallDataset()
    expect(readManifest(folder, 'it')).toMatchObject({
      state: 'complete',
      source: { name: 'it.tar.gz', schemaVersion: '1.0.1', newest: '2021-03-01T00:00:00Z' },
      tables: { issues: { rows: 3 } },
    })
  })

  test(
    'has a manifest that every engine reads, whatever the members of records are called',
    THOROUGH,
    async () => {
      const archive = smallArchive({
        'issues_000001.json':
          '[{"type":"issue","url":"a","\\ud800":1,"x\\u0000":1,"\\\\u0000":1,"é":1}]',
      })
      const { folder } = await datasetOf(archive, { format: 'csv' })
      const text = readFileSync(join(folder, '_marc/archives/it.json'), 'utf8')
      expect(text).not.toMatch(/[^\\]\\u(?:0000|d[89a-f])/)
      const names = ['\ufffd', 'x\ufffd', '\\u0000', 'é']
      const { members } = readManifest(folder, 'it')?.tables.issues?.extra ?? {}
      expect(Object.keys(members ?? {})).toEqual(expect.arrayContaining(names))
    },
  )

  test('goes away with its manifest', async () => {
    const { folder } = await smallDataset()
    expect(await removePartition(folder, 'it')).toBe(true)
    expect(filesOf(folder)).toEqual({})
    expect(await removePartition(folder, 'it')).toBe(false)
  })

  test('is unfinished, and written again, if its removal was cut off', THOROUGH, async () => {
    const { folder } = await smallDataset()
    const file = join(folder, 'kind=issues/archive=it/data.ndjson')
    rmSync(file)
    mkdirSync(file)
    await expect(removePartition(folder, 'it')).rejects.toThrow()
    expect(readManifest(folder, 'it')?.state).toBe('writing')
    rmSync(file, { recursive: true })
    const again = await exportData(sourceOf(smallArchive()), folder, NDJSON)
    expect(again.outcome).toBe('written')
  })

  test('stays as it was if reading the source again fails', async () => {
    const { folder } = await smallDataset()
    const before = filesOf(folder)
    const cut = smallArchive().subarray(0, 300)
    await expect(exportData(await fileOf(cut), folder, NDJSON)).rejects.toThrow()
    expect(filesOf(folder)).toEqual(before)
    expect(readManifest(folder, 'it')?.state).toBe('complete')
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(names.filter((name) => /partial|lock/.test(name))).toEqual([])
  })

  test(
    'that failed or was interrupted leaves nothing of a dataset that it began',
    THOROUGH,
    async () => {
      const folder = await folderOf({ 'mine/': '' })
      const cut = await fileOf(tarOf({ 'issues_000001.json': [issue(1, 'One')] }).subarray(0, 900))
      const stop = new AbortController()
      async function* interrupted() {
        yield tarOf({ 'issues_000001.json': [issue(1, 'One')], 'users_000001.json': [] })
        stop.abort()
      }
      const { signal } = stop
      for (const name of ['new', 'above/it/new', 'mine']) {
        const dataset = join(folder, name)
        await expect(exportData(cut, dataset, NDJSON)).rejects.toMatchObject({
          code: 'tar-truncated',
        })
        const late = exportData({ name: 'it.tar', bytes: interrupted() }, dataset, {
          ...NDJSON,
          signal,
        })
        await expect(late).rejects.toMatchObject({ code: 'interrupted' })
      }
      expect(readdirSync(folder, { recursive: true })).toEqual(['mine'])
    },
  )

  test('that was killed goes with the next export, of whatever archive', THOROUGH, async () => {
    const { folder } = await smallDataset()
    const before = readdirSync(folder, { recursive: true })
    const gone = ownProcess().replace(/\d+$/, '4194305')
    const left = {
      '_marc/archives/killed.json.lock': JSON.stringify({ owner: gone, host: 'a', token: 'b' }),
      [`_marc/archives/.killed.json.${gone}-0a1b2c3d.partial`]: '{',
      [`kind=issues/archive=killed/.data.ndjson.${gone}-0a1b2c3d.partial`]: '{',
      [`kind=gadgets/archive=killed/.data.ndjson.${gone}-0a1b2c3d.partial`]: '{',
    }
    for (const [path, text] of Object.entries(left)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await exportData(sourceOf(smallArchive()), folder, NDJSON)
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(before.sort())
  })

  test('does not read what somebody put in the place of a lock', THOROUGH, async () => {
    const { folder } = await smallDataset()
    const planted = join(folder, '_marc/archives/evil.json.lock')
    symlinkSync('/dev/zero', planted)
    const again = await exportData(sourceOf(smallArchive()), folder, { ...NDJSON, as: 'other' })
    expect(again.outcome).toBe('written')
  })

  test('lets a reader tell a salvaged archive', async () => {
    const whole = tarOf({ 'issues_000001.json': [issue(1, 'One')], 'attachments/1/a': 'x' })
    const { summary } = await datasetOf(whole.subarray(0, -2000), { salvage: true })
    expect(summary.state).toBe('salvaged')
  })
})

test('A selection leaves out what nothing chosen refers to', THOROUGH, async () => {
  const comment = { type: 'issue_comment', url: 'c', issue: issue(1, 'First').url }
  const archive = smallArchive({ 'issue_comments_000001.json': [comment] })
  const { database } = await loaded(archive)
  const folder = await folderOf()
  const selection = { kinds: ['issues'] }
  const { tables } = await exportData(database, folder, { ...NDJSON, selection })
  expect(tables.issue_comments).toBeUndefined()
  expect(tables.issues?.rows).toBeGreaterThan(0)
  const straight = await exportData(await fileOf(archive), await folderOf(), {
    format: 'ndjson',
    selection,
  })
  expect(straight.name).toBe('it')
  expect(straight.tables.issues?.sha256).not.toBe(undefined)
})

describe('Refused', () => {
  test('dataset-foreign: a folder with something else in it', async () => {
    const folder = await folderOf({ 'thesis.txt': 'mine' })
    await expect(exportData(sourceOf(smallArchive()), folder)).rejects.toMatchObject({
      code: 'dataset-foreign',
    })
    expect(readdirSync(folder)).toEqual(['thesis.txt'])
  })

  test('dataset-foreign: a dataset of another format, which keeps its files', async () => {
    const { folder } = await smallDataset()
    const before = filesOf(folder)
    for (const as of ['it', 'other']) {
      await expect(exportData(SAMPLES[0] as string, folder, { as })).rejects.toMatchObject({
        code: 'dataset-foreign',
        message: expect.stringContaining('this is a dataset of ndjson, and takes no parquet'),
      })
    }
    expect(filesOf(folder)).toEqual(before)
  })

  test('dataset-foreign: a file in place of a folder', async () => {
    const file = join(await folderOf({ 'thesis.txt': 'mine' }), 'thesis.txt')
    await expect(exportData(sourceOf(smallArchive()), file)).rejects.toMatchObject({
      code: 'dataset-foreign',
      message: 'this is a file, not a folder',
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('dataset-newer: a dataset of a newer version', async () => {
    const { folder } = await smallDataset()
    const path = join(folder, '_marc/archives/it.json')
    writeFileSync(path, readFileSync(path, 'utf8').replace('"dataset":1', '"dataset":99'))
    await expect(exportData(sourceOf(smallArchive()), folder)).rejects.toMatchObject({
      code: 'dataset-newer',
    })
  })

  test.each(['', '.', '..', 'x'.repeat(201), 'a\ud800', 'Null', '__HIVE_DEFAULT_PARTITION__'])(
    'option-invalid: a partition named %j',
    async (as) => {
      const folder = await folderOf()
      await expect(exportData(sourceOf(smallArchive()), folder, { as })).rejects.toMatchObject({
        code: 'option-invalid',
      })
    },
  )

  test('option-invalid: a name that differs from another in case only', async () => {
    const { folder } = await smallDataset()
    await expect(
      exportData(sourceOf(smallArchive()), folder, { ...NDJSON, as: 'IT' }),
    ).rejects.toMatchObject({
      code: 'option-invalid',
    })
  })

  test('A name never leads out of the dataset', THOROUGH, async () => {
    const folder = await folderOf()
    await exportData(sourceOf(smallArchive()), folder, { ...NDJSON, as: '../../a/b\n' })
    expect(readdirSync(join(folder, 'kind=issues'))).toEqual(['archive=..%2F..%2Fa%2Fb%0A'])
    expect(basename(folder)).not.toBe('a')
  })
})

describe('A lock', () => {
  const lock = (folder: string) => join(folder, '_marc/archives/it.json.lock')
  const holder = (pid: number, owner = ownProcess()) =>
    JSON.stringify({ owner: owner.replace(/\d+$/, String(pid)), host: 'it', token: 'x' })

  test('partition-busy: another process writes the same partition', THOROUGH, async () => {
    const { folder } = await smallDataset()
    writeFileSync(lock(folder), holder(process.pid))
    await expect(
      exportData(sourceOf(smallArchive()), folder, { ...NDJSON, wait: false }),
    ).rejects.toMatchObject({ code: 'partition-busy' })
  })

  test('of a process that is gone is broken', async () => {
    const { folder } = await smallDataset()
    writeFileSync(lock(folder), holder(2 ** 30))
    const options = { ...NDJSON, wait: false }
    await expect(exportData(sourceOf(smallArchive()), folder, options)).resolves.toMatchObject({
      outcome: 'written',
    })
    expect(existsSync(lock(folder))).toBe(false)
  })

  test('of another machine holds', async () => {
    const { folder } = await smallDataset()
    writeFileSync(lock(folder), holder(2 ** 30, '00000000-1'))
    await expect(
      exportData(sourceOf(smallArchive()), folder, { ...NDJSON, wait: false }),
    ).rejects.toMatchObject({ code: 'partition-busy' })
  })

  test('makes the second of two writers wait', THOROUGH, async () => {
    const folder = await folderOf()
    const { path } = await loaded(smallArchive())
    const write = () => exportData(openDatabase(path), folder, NDJSON)
    const outcomes = await Promise.all([write(), write()])
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['unchanged', 'written'])
  })
})

import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folderName } from '../../src/exporters/dataset/partition-name.ts'
import { exportData, removePartition } from '../../src/exporters/export-data.ts'
import { FOLDER_FORMATS } from '../../src/exporters/export-options.ts'
import { type ObjectStore, openObjectStore } from '../../src/exporters/targets/s3/object-store.ts'
import { openS3Target } from '../../src/exporters/targets/s3/s3.ts'
import { uploadFile } from '../../src/exporters/targets/s3/upload-file.ts'
import { verifyExport } from '../../src/exporters/verify/verify-export.ts'
import { keepsThePromises } from '../exporters/exporter-contract.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { run } from '../support/run-command.ts'
import { differencesIn } from '../support/verified.ts'
import { describeWith, statementsOf } from './engines.ts'
import { type S3Server, startS3 } from './s3-server.ts'

const ARCHIVE = 'samples/organization.tar.gz'

describeWith('An object store', ['fauxqs', '@aws-sdk/client-s3'], () => {
  const folder = mkdtempSync(join(tmpdir(), 'marc-s3-'))
  let server: S3Server
  let lakes = 0
  const newLake = () => `s3://bucket/lakes/${lakes++}`
  const write = (source: string, to: string, options: Parameters<typeof exportData>[2] = {}) =>
    exportData(source, to, { s3: server.credentials, ...options })
  const open = (place: string): ObjectStore =>
    openObjectStore(place, { credentials: server.credentials })
  const fileOf = (archive: Buffer, name = 'it.tar.gz') => {
    writeFileSync(join(folder, name), archive)
    return join(folder, name)
  }
  const one = () => fileOf(smallArchive({ 'issues_000001.json': [issue(1, 'One')] }))

  beforeAll(async () => {
    server = await startS3()
  })
  afterAll(async () => {
    await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(['parquet', 'ndjson'] as const)(
    'keeps the promises of a target of %s:',
    (format) => {
      keepsThePromises({
        format,
        place: async () => newLake(),
        options: () => ({ s3: server.credentials }),
        async titles(place, partition) {
          const found = await open(place).get(
            `kind=issues/archive=${folderName(partition)}/data.${format}`,
          )
          if (!found) return []
          if (format === 'ndjson') {
            const lines = found.bytes.toString().trimEnd().split('\n')
            return lines.map((line) => JSON.parse(line).title).sort()
          }
          const file = new Uint8Array(found.bytes).buffer
          const rows = await parquetReadObjects({ file, compressors, columns: ['title'] })
          return rows.map(({ title }) => title as string).sort()
        },
      })
    },
  )

  test('has the same bytes as a folder', async () => {
    const [lake, local] = [newLake(), join(folder, 'local')]
    await write(ARCHIVE, lake)
    await exportData(ARCHIVE, local)
    const store = open(lake)
    const keys = [...(await store.list('')).keys()]
    expect(keys.length).toBeGreaterThan(20)
    for (const key of keys.filter((one) => !one.endsWith('.sql'))) {
      const found = await store.get(key)
      expect(found?.bytes.equals(readFileSync(join(local, key))), key).toBe(true)
    }
  })

  test.each(FOLDER_FORMATS)('of %s shows an altered value, with its record', async (format) => {
    const lake = newLake()
    const records = [1, 2, 3].map((number) => issue(number, `Number ${number}`))
    const archiveOf = (issues: object[]) => fileOf(smallArchive({ 'issues_000001.json': issues }))
    await write(
      archiveOf(records.map((one, i) => (i === 1 ? { ...one, title: 'Another' } : one))),
      lake,
      { format },
    )
    const archive = archiveOf(records)
    const [{ differences } = { differences: [] }] = await verifyExport(archive, lake, {
      format,
      s3: server.credentials,
    })
    const named = differences.filter(({ record }) => record !== undefined)
    expect(named.map(({ record, fact }) => `${record?.split('/').at(-1)} ${fact}`)).toEqual([
      `2 ${format === 'ndjson' ? 'line' : 'title'}`,
    ])
  })

  test('writes nothing for a source that is there', async () => {
    const lake = newLake()
    await write(ARCHIVE, lake)
    server.asked()
    expect((await write(ARCHIVE, lake)).outcome).toBe('unchanged')
    const written = server.asked().filter((line) => !line.startsWith('GET '))
    expect(written).toEqual([
      expect.stringMatching(/^PUT .*organization\.json\.lock$/),
      expect.stringMatching(/^DELETE .*organization\.json\.lock$/),
    ])
  })

  test('repeats an export that was cut off, and says until then that it is being written', async () => {
    const lake = newLake()
    await write(ARCHIVE, lake)
    let files = 0
    server.intercept((line) => {
      if (!/^PUT .*data\.parquet$/.test(line)) return undefined
      if (++files > 3) throw new Error('the power is gone')
      return undefined
    })
    const cut = write(ARCHIVE, lake, { derived: false })
    await expect(cut).rejects.toMatchObject({ code: 'target-failed' })
    server.intercept(undefined)
    const target = await openS3Target(lake, { s3: server.credentials })
    expect(await target.readManifest('organization')).toMatchObject({ state: 'writing' })
    expect((await write(ARCHIVE, lake)).outcome).toBe('written')
    expect(differencesIn(await verifyExport(ARCHIVE, lake, { s3: server.credentials }))).toEqual({
      organization: [],
      rest: [],
    })
    const keys = [...(await open(lake).list('')).keys()]
    expect(keys.filter((key) => key.endsWith('.lock'))).toEqual([])
  })

  test('removes the files of kinds that are gone', async () => {
    const lake = newLake()
    await write(ARCHIVE, lake, { as: 'it' })
    await write(one(), lake, { as: 'it' })
    const keys = [...(await open(lake).list('kind=')).keys()]
    expect(keys).toContain('kind=issues/archive=it/data.parquet')
    expect(keys.some((key) => key.startsWith('kind=teams/'))).toBe(false)
  })

  test('says that a partition is unfinished whose removal was cut off', async () => {
    const lake = newLake()
    await write(one(), lake)
    server.intercept((line) => (/^DELETE .*data\.parquet$/.test(line) ? 403 : undefined))
    const removing = removePartition(lake, 'it', { s3: server.credentials })
    await expect(removing).rejects.toMatchObject({ code: 'target-failed' })
    server.intercept(undefined)
    expect((await write(one(), lake)).outcome).toBe('written')
  })

  test('gets a large file in parts, which nobody sees before all are there', async () => {
    const store = open(newLake())
    const partBytes = 5 * 2 ** 20
    const bytes = Buffer.alloc(2.5 * partBytes, 'A text that is long. ')
    const path = fileOf(bytes, 'large')
    server.asked()
    await uploadFile(store, 'large', { path, sha256: '', partBytes })
    expect(server.asked().map((line) => line.replace(/Id=.*/, 'Id'))).toEqual([
      expect.stringMatching(/^POST .*\?uploads=$/),
      ...[1, 2, 3].map((n) => expect.stringMatching(`^PUT .*partNumber=${n}&uploadId$`)),
      expect.stringMatching(/^POST .*\?uploadId$/),
    ])
    expect((await store.get('large'))?.bytes.equals(bytes)).toBe(true)
    server.intercept((line) => (line.includes('partNumber=3') ? 400 : undefined))
    const failed = uploadFile(store, 'other', { path, sha256: '', partBytes })
    await expect(failed).rejects.toMatchObject({ code: 'target-failed' })
    server.intercept(undefined)
    expect(server.asked().at(-1)).toMatch(/^DELETE .*uploadId=/)
    expect(await store.get('other')).toBeUndefined()
  })

  test('lists more than a page', async () => {
    const store = open(newLake())
    const keys = Array.from({ length: 1003 }, (_, i) => `many/${String(i).padStart(4, '0')} &é`)
    for (const key of keys) await store.put(key, 'x')
    expect([...(await store.list('many/')).keys()]).toEqual(keys)
    expect(await store.folders()).toEqual(['many'])
  })

  describe('A lock', () => {
    const lockKey = '_marc/archives/it.json.lock'

    test('of a process that is gone is broken', async () => {
      const lake = newLake()
      await write(one(), lake)
      const target = await openS3Target(lake, { s3: server.credentials })
      await target.lock('it', {})
      const store = open(lake)
      const holder = JSON.parse(String((await store.get(lockKey))?.bytes))
      const owner = holder.owner.replace(/\d+$/, String(2 ** 30))
      await store.put(lockKey, JSON.stringify({ ...holder, owner }))
      expect((await write(one(), lake, { force: true, wait: false })).outcome).toBe('written')
      expect(await store.get(lockKey)).toBeUndefined()
    })

    test('of another machine holds', async () => {
      const lake = newLake()
      await write(one(), lake)
      const holder = { owner: '00000000-1', host: 'elsewhere', token: 'x' }
      await open(lake).put(lockKey, JSON.stringify(holder))
      await expect(write(one(), lake, { force: true, wait: false })).rejects.toMatchObject({
        code: 'partition-busy',
        message: 'process 1 on elsewhere writes this partition',
      })
    })

    test('has one holder of several that want it at once', async () => {
      const lake = newLake()
      await write(one(), lake)
      const targets = await Promise.all(
        [1, 2, 3, 4].map(() => openS3Target(lake, { s3: server.credentials })),
      )
      const outcomes = await Promise.allSettled(
        targets.map((target) => target.lock('it', { wait: false })),
      )
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    })

    test('works in a store that ignores conditions, for writers one after the other', async () => {
      const other = await startS3()
      other.ignoreConditions()
      const s3 = other.credentials
      await exportData(one(), 's3://bucket/it', { s3 })
      const target = await openS3Target('s3://bucket/it', { s3 })
      const release = await target.lock('it', {})
      const busy = exportData(one(), 's3://bucket/it', { s3, force: true, wait: false })
      await expect(busy).rejects.toMatchObject({ code: 'partition-busy' })
      await release()
      expect((await exportData(one(), 's3://bucket/it', { s3 })).outcome).toBe('unchanged')
      await other.close()
    })
  })

  describe('refuses', () => {
    test('dataset-foreign: a folder that holds something else', async () => {
      const lake = newLake()
      await open(lake).put('thesis.txt', 'my thesis')
      await expect(write(one(), lake)).rejects.toMatchObject({ code: 'dataset-foreign' })
      const removing = removePartition(newLake(), 'it', { s3: server.credentials })
      await expect(removing).rejects.toMatchObject({ code: 'dataset-foreign' })
      expect([...(await open(lake).list('')).keys()]).toEqual(['thesis.txt'])
    })

    test('dataset-foreign: a dataset of another format', async () => {
      const lake = newLake()
      await write(one(), lake)
      const s3 = server.credentials
      const other = exportData(one(), lake, { as: 'other', format: 'csv', s3 })
      await expect(other).rejects.toMatchObject({ code: 'dataset-foreign' })
      expect((await open(lake).folders()).join()).not.toContain('other')
    })

    test('dataset-newer: a dataset that a newer version made', async () => {
      const lake = newLake()
      await open(lake).put('_marc/schema.json', '{"dataset":99}')
      await expect(write(one(), lake)).rejects.toMatchObject({ code: 'dataset-newer' })
    })

    test('option-invalid: a name that differs from another in case only', async () => {
      const lake = newLake()
      await write(one(), lake, { as: 'it' })
      await expect(write(one(), lake, { as: 'IT' })).rejects.toMatchObject({
        code: 'option-invalid',
      })
    })

    test.each([
      ['a bucket that is not there', 's3://nowhere/it', {}, 'NoSuchBucket'],
      ['a wrong key', 's3://bucket/it', { secretAccessKey: 'guessed' }, 'SignatureDoesNotMatch'],
      [
        'a store that is not there',
        's3://bucket/it',
        { endpoint: 'http://127.0.0.1:9' },
        /REFUSED|bad port/,
      ],
    ])('target-failed: %s', async (_what, place, other, message) => {
      const s3 = { ...server.credentials, ...other }
      await expect(exportData(one(), place, { s3 })).rejects.toMatchObject({
        code: 'target-failed',
        message: expect.stringMatching(message),
      })
    })
  })

  test('is written, verified, described and emptied by the command, which never prints keys', async () => {
    const lake = newLake()
    const { accessKeyId, secretAccessKey, endpoint } = server.credentials
    const env = {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_ENDPOINT_URL: endpoint,
    }
    const lines = [
      [[one(), '--parquet', lake], `Wrote 1 partition of ${lake} in`],
      [[one(), '--parquet', lake, '--verify'], 'it is as it should be.'],
      [
        ['--parquet', lake, '--ddl', '--engine', 'spark'],
        `${lake.replace('s3:', 's3a:')}/kind=issues`,
      ],
      [['--parquet', lake, '--remove', 'it'], 'Removed it.'],
    ] as const
    for (const [words, expected] of lines) {
      const { code, stdout, stderr } = await run(['export', ...words], { env })
      expect([code, stderr, stdout]).toEqual([0, '', expect.stringContaining(expected)])
      expect(stdout).not.toContain(secretAccessKey)
    }
  })

  describeWith('read by ClickHouse', ['chdb'], () => {
    test('has the rows of the archive', async () => {
      const lake = newLake()
      await write(ARCHIVE, lake)
      const { accessKeyId, secretAccessKey } = server.credentials
      const key = `'${accessKeyId}', '${secretAccessKey}', `
      const views = String((await open(lake).get('_marc/clickhouse.sql'))?.bytes)
      // A server has the key in its configuration.
      const script = views.replaceAll(/(FROM s3\('[^']*', )/g, `$1${key}`)
      // ClickHouse keeps its process busy, so that the store could not answer in the same one.
      const statements = statementsOf(`CREATE DATABASE lake;\nUSE lake;\n${script}`)
      const question =
        'SELECT (SELECT count() FROM issues) AS issues, (SELECT count() FROM archives) AS archives'
      const program = `const { Session } = require('chdb')
        const session = new Session(${JSON.stringify(join(folder, 'clickhouse'))})
        for (const one of ${JSON.stringify(statements)}) session.query(one)
        console.log(session.query(${JSON.stringify(question)}, 'JSONEachRow'))`
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', program])
      const { tables } = await write(ARCHIVE, lake)
      const numbers = Object.values(JSON.parse(stdout)).map(Number)
      expect(numbers).toEqual([tables.issues?.rows, 1])
    })
  })
})

import { createHash } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ArchiveError } from '../../../base/errors.ts'
import { quoteName, quoteText } from '../../../database/quote.ts'
import { partialOf, removeStale } from '../../../files/partial-file.ts'
import { publishFile } from '../../../files/write-file.ts'
import {
  DATASET_VERSION,
  formatManifest,
  type Manifest,
  newer,
  parseManifest,
} from '../../dataset/manifest.ts'
import { lockPartition, takeStaleLocks } from '../../dataset/partition-lock.ts'
import { datasetTables, plainGlob } from '../../ddl/dataset-views.ts'
import type { PartitionWriter, Target, TargetOptions } from '../../exporter.ts'
import { countRows } from '../../read-back/count-rows.ts'
import { tablesOfAll } from '../../read-back/definitions.ts'
import { createSqlReader } from '../../read-back/sql-reader.ts'
import { SQL_TEXTS } from '../../read-back/sql-texts.ts'
import { type StagedParquet, type StagedTable, stageParquet } from '../parquet/staged-parquet.ts'
import { type Connection, isDuckDb, loadDuckDb, withDuckDb } from './connection.ts'
import { inspectDuckDb } from './inspect.ts'
import { addColumn, createSchema, createTable, unknownTable } from './schema.ts'

/** Bytes of values that wait to be loaded, at most, beside the partition that reaches them. */
const MOST_WAITING = 64 * 2 ** 20

/** Partitions that wait to be loaded: a commit takes DuckDB longer than the rows of a small archive. */
interface Batch {
  readonly staged: StagedParquet
  /** The options that decide on columns: files have those of all their rows. */
  readonly content: string
  readonly manifests: Map<string, Manifest>
  /** Partitions that failed. Some of their rows are in the files. */
  readonly abandoned: Set<string>
  /** Functions that release the locks of the partitions. */
  readonly releases: (() => void)[]
}

/**
 * Opens a DuckDB file as a target. Several processes may encode partitions at the same time. The file itself is opened
 * only to read its manifests and to load partitions, under a lock, because DuckDB lets one process at a time write to
 * it. Small partitions are loaded together, in one transaction.
 *
 * @throws `package-missing`, `dataset-foreign` for a file that holds something else
 */
export function openDuckDbTarget(
  place: string,
  { existing = false, signal }: TargetOptions,
): Target {
  loadDuckDb()
  const file = resolve(place)
  const isThere = () => existsSync(file)
  if (existing ? !isThere() || !isDuckDb(file) : isThere() && !isDuckDb(file)) {
    throw new ArchiveError('dataset-foreign', 'this is not a DuckDB file', { archive: place })
  }
  const lockOf = (...names: string[]) =>
    join(dirname(file), `.${[basename(file), ...names.map(shorten)].join('.')}.lock`)
  const isLock = (name: string) =>
    name.startsWith(`.${basename(file)}.`) && /\.[0-9a-f]{16}\.lock$/.test(name)
  const exclusively = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await lockPartition(lockOf(), { signal })
    try {
      return await work()
    } finally {
      release()
    }
  }
  const write = (temporary: string, work: (connection: Connection) => Promise<void>) =>
    exclusively(() => inTransaction(file, place, temporary, work))
  let known: { state: string; manifests: ReadonlyMap<string, string> } | undefined
  /** The manifests of all partitions, which are read once as long as the file does not change. */
  const readManifests = async (): Promise<ReadonlyMap<string, string>> => {
    if (!isThere()) return new Map()
    if (known?.state === stateOf(file)) return known.manifests
    return exclusively(async () => {
      // A process that was killed left its log: it belongs into the file, also if nothing else is to be written.
      const readOnly = existing || !existsSync(`${file}.wal`)
      const manifests = await withDuckDb(file, { readOnly, name: place }, async (connection) => {
        if (!readOnly) await connection.run('CHECKPOINT')
        const isOwn = (await ownHash(connection, place)) !== undefined
        return isOwn ? listManifests(connection) : new Map<string, string>()
      })
      known = { state: stateOf(file), manifests }
      return manifests
    })
  }
  const readManifest = async (name: string): Promise<Manifest | undefined> => {
    const waits = batch?.manifests.get(name)
    if (waits) return waits
    const text = (await readManifests()).get(name)
    return text === undefined ? undefined : parseManifest(text)
  }
  let batch: Batch | undefined
  const waiting = new Set<string>()
  const forgetBatch = () => {
    batch?.staged.remove()
    for (const release of batch?.releases ?? []) release()
    batch = undefined
  }
  const loadBatch = async (): Promise<void> => {
    if (!batch) return
    const { staged, manifests, abandoned } = batch
    try {
      const tables = staged.finish()
      await takeStaleLocks(dirname(file), isLock)
      await write(staged.folder, async (connection) => {
        const earlier = await listManifests(connection)
        for (const [name] of manifests) await removeRows(connection, name, earlier.get(name))
        for (const table of tables) await loadTable(connection, table, { manifests, abandoned })
        await writeManifests(connection, [...manifests])
      })
      for (const name of manifests.keys()) waiting.delete(name)
    } finally {
      forgetBatch()
    }
  }
  const read = <T>(work: (connection: Connection) => Promise<T>) =>
    exclusively(() => withDuckDb(file, { readOnly: true }, work))
  const askOf = (name: string) => (list: string, table: string, rest: string) =>
    read((connection) =>
      connection.query<Record<string, unknown>>(
        `SELECT ${list} FROM ${table} WHERE _archive = $1 ${rest}`,
        [name],
      ),
    )
  return {
    async lock(name, options) {
      let release: () => void
      try {
        // A process never waits for another one while that may wait for its partitions.
        release = await lockPartition(lockOf(name), batch ? { ...options, wait: false } : options)
      } catch (error) {
        const isBusy = error instanceof ArchiveError && error.code === 'partition-busy'
        if (!isBusy || options.wait === false) throw error
        await loadBatch()
        release = await lockPartition(lockOf(name), options)
      }
      return () => {
        if (batch?.manifests.has(name)) batch.releases.push(release)
        else release()
      }
    },
    readManifest,
    async openPartition(name, content): Promise<PartitionWriter> {
      const columns = JSON.stringify(content)
      const isBegun = batch?.manifests.has(name) || batch?.abandoned.has(name)
      if (isBegun || (batch && batch.content !== columns)) await loadBatch()
      batch ??= {
        staged: await stageParquet({ compression: 'zstd' }),
        content: columns,
        manifests: new Map(),
        abandoned: new Set(),
        releases: [],
      }
      const { staged, manifests, abandoned } = batch
      const { summaries, ...rows } = staged.addPartition(name)
      return {
        ...rows,
        async commit(describe) {
          const manifest = describe(summaries())
          manifests.set(name, manifest)
          waiting.add(name)
          if (staged.bytes >= MOST_WAITING) await loadBatch()
          return manifest
        },
        async abort() {
          abandoned.add(name)
          if (manifests.size === 0) forgetBatch()
        },
      }
    },
    publish: loadBatch,
    waiting: () => [...waiting],
    names: async () => [...(await readManifests()).keys()].sort(),
    survey: (name, asked) => countRows(asked, quoteName, askOf(name)),
    async inspect(names) {
      const tables = await tablesOfAll(names, readManifest)
      return read((connection) => inspectDuckDb(connection, tables))
    },
    read: (name) => createSqlReader(SQL_TEXTS.duckdb, askOf(name)),
    settle: async () => {},
    async remove(name) {
      const found = (await readManifests()).get(name)
      if (found === undefined) return false
      await write(dirname(file), async (connection) => {
        await removeRows(connection, name, found)
        await connection.run('DELETE FROM _exports WHERE name = $1', [name])
      })
      return true
    },
    close: async () => forgetBatch(),
  }
}

/** A text that changes with the file or its log. */
const stateOf = (file: string): string =>
  [file, `${file}.wal`]
    .map((path) => {
      const stats = statSync(path, { throwIfNoEntry: false, bigint: true })
      return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`
    })
    .join()

/** A partition has a lock of its own; its name may be too long for that of a file. */
const shorten = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 16)

/** Changes the file in one transaction. A new file gets its name when it is complete. */
async function inTransaction(
  file: string,
  place: string,
  temporary: string,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const isNew = !existsSync(file)
  if (isNew) removeStale(file)
  const path = isNew ? partialOf(file) : file
  try {
    await withDuckDb(path, { temporary, name: place }, async (connection) => {
      await connection.run('BEGIN')
      await prepare(connection, place)
      await work(connection)
      await connection.run('COMMIT')
      // Closing does this too, but tells nobody if the disk is full, and a new file would get its name without its rows.
      await connection.run('CHECKPOINT')
    })
    if (isNew) publishFile(path, file, { force: false })
  } finally {
    if (isNew) for (const ending of ['', '.wal']) rmSync(`${path}${ending}`, { force: true })
    else removeEmptyLog(file)
  }
}

/** On a full disk DuckDB leaves a log without a byte. */
function removeEmptyLog(file: string): void {
  const log = `${file}.wal`
  if (statSync(log, { throwIfNoEntry: false })?.size === 0) rmSync(log, { force: true })
}

/** Makes the tables and views that the file lacks. */
async function prepare(connection: Connection, place: string): Promise<void> {
  const statements = createSchema()
  const hash = shorten(statements)
  if ((await ownHash(connection, place)) === hash) return
  await addColumns(connection)
  await connection.run(statements)
  await connection.run(
    `COMMENT ON TABLE _exports IS ${quoteText(`migration-archive ${DATASET_VERSION} ${hash}`)}`,
  )
}

/** Adds the columns that the tables of an older version lack. */
async function addColumns(connection: Connection): Promise<void> {
  const rows = await connection.query<{ name: string; table: string }>(
    `SELECT column_name AS name, table_name AS "table" FROM duckdb_columns()
     WHERE schema_name = 'main'`,
  )
  const there = Map.groupBy(rows, ({ table }) => table)
  for (const { name: table, columns } of datasetTables([])) {
    const names = there.get(table)?.map(({ name }) => name)
    for (const column of names ? columns : []) {
      if (!names?.includes(column.name)) await connection.run(addColumn(table, column))
    }
  }
}

/**
 * A hash of the statements that made the tables; undefined if there are no tables.
 *
 * @throws `dataset-foreign`, `dataset-newer`
 */
async function ownHash(connection: Connection, place: string): Promise<string | undefined> {
  const tables = await connection.query<{ name: string; comment: string | null }>(
    "SELECT table_name AS name, comment FROM duckdb_tables() WHERE schema_name = 'main'",
  )
  const exports = tables.find(({ name }) => name === '_exports')
  const [, version, hash] = /^migration-archive (\d+) (\w+)$/.exec(exports?.comment ?? '') ?? []
  if (!hash && tables.length > 0) {
    const message = 'the file holds tables of something else'
    throw new ArchiveError('dataset-foreign', message, { archive: place })
  }
  if (Number(version) > DATASET_VERSION) throw newer(place)
  return hash
}

/** The texts of the manifests of all partitions. */
async function listManifests(connection: Connection): Promise<Map<string, string>> {
  const rows = await connection.query<{ name: string; manifest: string }>(
    'SELECT name, manifest::VARCHAR AS manifest FROM _exports ORDER BY name',
  )
  return new Map(rows.map(({ name, manifest }) => [name, manifest]))
}

/** Manifests that one statement writes. */
const AT_ONCE = 100

async function writeManifests(
  connection: Connection,
  manifests: readonly (readonly [name: string, Manifest])[],
): Promise<void> {
  for (let from = 0; from < manifests.length; from += AT_ONCE) {
    const part = manifests.slice(from, from + AT_ONCE)
    const rows = part.map((_, i) => `($${2 * i + 1}, $${2 * i + 2})`).join(', ')
    const values = part.flatMap(([name, manifest]) => [name, formatManifest(manifest)])
    await connection.run(`INSERT OR REPLACE INTO _exports VALUES ${rows}`, values)
  }
}

/** Removes the rows of the tables that an earlier manifest names. */
async function removeRows(
  connection: Connection,
  name: string,
  manifest: string | undefined,
): Promise<void> {
  const tables = manifest === undefined ? {} : (parseManifest(manifest)?.tables ?? {})
  for (const table of Object.keys(tables)) {
    await connection.run(`DELETE FROM ${quoteName(table)} WHERE _archive = $1`, [name])
  }
}

async function loadTable(
  connection: Connection,
  { table: { name }, path }: StagedTable,
  { manifests, abandoned }: Pick<Batch, 'manifests' | 'abandoned'>,
): Promise<void> {
  const expected = [...manifests.values()].reduce(
    (sum, { tables }) => sum + (tables[name]?.rows ?? 0),
    0,
  )
  if (expected === 0) return
  const known = await connection.query(
    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND table_name = $1",
    [name],
  )
  if (known.length === 0) await connection.run(createTable(unknownTable(name)))
  const without = [...abandoned].map(quoteText).join(', ')
  const counted = await connection.run(
    `INSERT INTO ${quoteName(name)} BY NAME
     SELECT * FROM read_parquet(${quoteText(plainGlob(path))}, hive_partitioning = false)
     ${without && `WHERE _archive NOT IN (${without})`}`,
  )
  if (counted === expected) return
  const message = `DuckDB counts ${counted} rows in ${name}, expected ${expected}`
  throw new ArchiveError('target-failed', message)
}

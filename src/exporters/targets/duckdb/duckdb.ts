import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
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
import { lockPartition } from '../../dataset/partition-lock.ts'
import { datasetTables, plainGlob } from '../../ddl/dataset-views.ts'
import type { PartitionWriter, Target, TargetOptions } from '../../exporter.ts'
import { countRows } from '../../verify/count-rows.ts'
import { tablesOfAll } from '../../verify/definitions.ts'
import { createSqlReader } from '../../verify/sql-reader.ts'
import { SQL_TEXTS } from '../../verify/sql-texts.ts'
import { type StagedTable, stageParquet } from '../parquet/staged-parquet.ts'
import { type Connection, isDuckDb, loadDuckDb, withDuckDb } from './connection.ts'
import { inspectDuckDb } from './inspect.ts'
import { addColumn, createSchema, createTable, unknownTable } from './schema.ts'

/**
 * Opens a DuckDB file as a target. Several processes may encode partitions at the same time. The file itself is opened
 * only to read its manifests and to load a partition, under a lock, because DuckDB lets one process at a time write to
 * it.
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
  const readManifest = async (name: string): Promise<Manifest | undefined> => {
    if (!isThere()) return undefined
    // A process that was killed left its log: it belongs into the file, also if nothing else is to be written.
    const readOnly = existing || !existsSync(`${file}.wal`)
    return exclusively(() =>
      withDuckDb(file, { readOnly, name: place }, async (connection) => {
        if (!readOnly) await connection.run('CHECKPOINT')
        if ((await ownHash(connection, place)) === undefined) return undefined
        return findManifest(connection, name)
      }),
    )
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
    lock: (name, options) => lockPartition(lockOf(name), options),
    readManifest,
    async openPartition(name): Promise<PartitionWriter> {
      const staged = await stageParquet(name, { compression: 'zstd' })
      return {
        addRecord: staged.addRecord,
        addScanned: staged.addScanned,
        addRow: staged.addRow,
        async commit(describe) {
          const tables = staged.finish()
          const summaries = tables.map(({ table, summary }) => [table.name, summary])
          const manifest = describe(Object.fromEntries(summaries))
          await write(staged.folder, async (connection) => {
            await removeRows(connection, name)
            for (const table of tables) await loadTable(connection, table)
            const values = [name, formatManifest(manifest)]
            await connection.run('INSERT OR REPLACE INTO _exports VALUES ($1, $2)', values)
          })
          staged.remove()
          return manifest
        },
        abort: async () => staged.remove(),
      }
    },
    names: () =>
      read(async (connection) => {
        const rows = await connection.query<{ name: string }>(
          'SELECT name FROM _exports ORDER BY 1',
        )
        return rows.map(({ name }) => name)
      }),
    survey: (name, asked) => countRows(asked, quoteName, askOf(name)),
    inspect: (names) =>
      read(async (connection) => {
        const tables = await tablesOfAll(names, (name) => findManifest(connection, name))
        return inspectDuckDb(connection, tables)
      }),
    read: (name) => createSqlReader(SQL_TEXTS.duckdb, askOf(name)),
    settle: async () => {},
    async remove(name) {
      const found = await readManifest(name)
      if (!found) return false
      await write(dirname(file), async (connection) => {
        await removeRows(connection, name)
        await connection.run('DELETE FROM _exports WHERE name = $1', [name])
      })
      return true
    },
    close: async () => {},
  }
}

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
  }
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

async function findManifest(connection: Connection, name: string): Promise<Manifest | undefined> {
  const [row] = await connection.query<{ manifest: string }>(
    'SELECT manifest::VARCHAR AS manifest FROM _exports WHERE name = $1',
    [name],
  )
  return row && parseManifest(row.manifest)
}

async function removeRows(connection: Connection, name: string): Promise<void> {
  const manifest = await findManifest(connection, name)
  for (const table of Object.keys(manifest?.tables ?? {})) {
    await connection.run(`DELETE FROM ${quoteName(table)} WHERE _archive = $1`, [name])
  }
}

async function loadTable(
  connection: Connection,
  { table: { name }, path, summary }: StagedTable,
): Promise<void> {
  const known = await connection.query(
    "SELECT 1 FROM duckdb_tables() WHERE schema_name = 'main' AND table_name = $1",
    [name],
  )
  if (known.length === 0) await connection.run(createTable(unknownTable(name)))
  const counted = await connection.run(
    `INSERT INTO ${quoteName(name)} BY NAME
     SELECT * FROM read_parquet(${quoteText(plainGlob(path))}, hive_partitioning = false)`,
  )
  if (counted === summary.rows) return
  const message = `DuckDB counts ${counted} rows in ${name}, expected ${summary.rows}`
  throw new ArchiveError('target-failed', message)
}

import { createHash } from 'node:crypto'
import { ArchiveError } from '../../../base/errors.ts'
import {
  DATASET_VERSION,
  formatManifest,
  type Manifest,
  newer,
  parseManifest,
  unfinished,
} from '../../dataset/manifest.ts'
import { CLICKHOUSE_DIALECT } from '../../dialect.ts'
import type { PartitionKey, PartitionWriter, Target, TargetOptions } from '../../exporter.ts'
import { countRows } from '../../read-back/count-rows.ts'
import { tablesOfAll } from '../../read-back/definitions.ts'
import { createSqlReader } from '../../read-back/sql-reader.ts'
import { SQL_TEXTS } from '../../read-back/sql-texts.ts'
import { type StagedTable, stageParquet } from '../parquet/staged-parquet.ts'
import { type Connection, openConnection } from './connection.ts'
import { inspectClickHouse } from './inspect.ts'
import { takeLock } from './lock-table.ts'
import {
  createDatabase,
  createSchema,
  createTable,
  quote,
  SHARD,
  text,
  unknownTable,
} from './schema.ts'

/**
 * Opens a database of a ClickHouse server as a target, and creates missing tables and views.
 *
 * @throws `option-invalid`, `target-failed`, `dataset-foreign` for a database with tables of others, `dataset-newer`
 */
export async function openClickHouseTarget(
  url: string,
  {
    existing = false,
    readOnly = false,
    schema = 'marc',
    shard,
    partitionBy,
    user,
    password,
    signal,
  }: TargetOptions,
): Promise<Target> {
  const connection = openConnection(url, { database: schema, user, password, signal })
  // A database that is not there cannot be named with a request.
  const server = openConnection(url, { database: 'system', user, password, signal })
  const key = await prepare(server, connection, {
    database: schema,
    existing,
    readOnly,
    partitionBy,
  })
  const readManifest = async (name: string): Promise<Manifest | undefined> => {
    const [row] = await connection.query<{ manifest: string }>(
      `SELECT manifest FROM _exports FINAL WHERE name = ${text(name)} AND manifest != ''`,
    )
    if (!row) return undefined
    const manifest = parseManifest(row.manifest)
    if (Number(manifest?.dataset) > DATASET_VERSION) throw newer(connection.shown)
    return manifest
  }
  const writeManifest = (name: string, manifest: string) =>
    connection.run(
      `INSERT INTO _exports SELECT ${text(name)}, ${text(manifest)}, (SELECT max(version) + 1 FROM _exports)`,
    )
  const dropRows = async (name: string, tables: readonly string[]) => {
    for (const table of tables) {
      await connection.run(
        key === 'archive'
          ? `ALTER TABLE ${quote(table)} DROP PARTITION ${text(name)}`
          : `DELETE FROM ${quote(table)} WHERE _archive = ${text(name)}`,
      )
    }
  }
  const askOf = (name: string) => (list: string, table: string, rest: string) =>
    connection.query<Record<string, unknown>>(
      `SELECT ${list} FROM ${table} WHERE _archive = ${text(name)} ${rest}`,
    )
  return {
    async lock(name, options) {
      const release = await takeLock(connection, `_lock_${shorten(name)}`, options)
      try {
        // Who holds the lock is the only writer: these are of one that was killed.
        await dropTwins(connection, name)
      } catch (error) {
        await release()
        throw error
      }
      return release
    },
    readManifest,
    async openPartition(name): Promise<PartitionWriter> {
      const options = { dialect: CLICKHOUSE_DIALECT, compression: 'zstd' } as const
      const staged = await stageParquet(options)
      const { addRecord, addScanned, addRow } = staged.addPartition(name)
      return {
        addRecord,
        addScanned,
        addRow,
        async commit(describe) {
          const tables = staged.finish()
          const summaries = tables.map(({ table, summary }) => [table.name, summary])
          const manifest = describe(Object.fromEntries(summaries))
          const earlier = (await readManifest(name))?.tables ?? {}
          const twinOf = (table: string) => `${twinPrefix(name)}${table}`
          for (const table of tables) {
            await fillTwin(connection, table, { twin: twinOf(table.table.name), key, shard })
          }
          // From here to the end a reader may find tables of both exports. The manifest names both, in case this
          // process is killed.
          const both = { ...earlier, ...manifest.tables }
          await writeManifest(name, formatManifest({ ...unfinished(manifest), tables: both }))
          for (const { table } of tables) {
            const twin = quote(twinOf(table.name))
            if (key === 'archive') {
              await connection.run(
                `ALTER TABLE ${quote(table.name)} REPLACE PARTITION ${text(name)} FROM ${twin}`,
              )
              continue
            }
            // A partition also has rows of other archives. For a moment the table has no rows of this one.
            if (table.name in earlier) await dropRows(name, [table.name])
            await connection.run(`INSERT INTO ${quote(table.name)} SELECT * FROM ${twin}`)
          }
          const gone = Object.keys(earlier).filter((table) => !(table in manifest.tables))
          await dropRows(name, gone)
          await writeManifest(name, formatManifest(manifest))
          await dropTwins(connection, name)
          staged.remove()
          return manifest
        },
        async abort() {
          staged.remove()
          await dropTwins(connection, name).catch(() => {})
        },
      }
    },
    async names() {
      const sql = "SELECT name FROM _exports FINAL WHERE manifest != '' ORDER BY name"
      return (await connection.query<{ name: string }>(sql)).map(({ name }) => name)
    },
    survey: (name, asked) => countRows(asked, quote, askOf(name)),
    inspect: async (names) =>
      inspectClickHouse(connection, {
        server,
        twin: (database) => openConnection(url, { database, user, password, signal }),
        key,
        database: schema,
        tables: await tablesOfAll(names, readManifest),
      }),
    read: (name) => createSqlReader(SQL_TEXTS.clickhouse, askOf(name)),
    settle: async () => {},
    async remove(name) {
      const manifest = await readManifest(name)
      if (!manifest) return false
      // If this process is killed, the partition does not count as complete.
      const writing = { ...unfinished(manifest), tables: manifest.tables }
      await writeManifest(name, formatManifest(writing))
      await dropRows(name, Object.keys(manifest.tables))
      await writeManifest(name, '')
      return true
    },
    close: async () => {},
  }
}

/** Names of partitions are longer, and of any characters. */
const shorten = (name: string) => createHash('sha256').update(name).digest('hex').slice(0, 16)

/**
 * Creates the database, its tables and views, or checks existing ones. Returns the key by which the tables are
 * partitioned.
 */
async function prepare(
  server: Connection,
  connection: Connection,
  {
    database,
    existing,
    readOnly,
    partitionBy,
  }: {
    database: string
    existing: boolean
    readOnly: boolean
    partitionBy: PartitionKey | undefined
  },
): Promise<PartitionKey> {
  const tables = await server.query<{ name: string; comment: string; partition_key: string }>(
    `SELECT name, comment, partition_key FROM system.tables WHERE database = ${text(database)}`,
  )
  const exports = tables.find(({ name }) => name === '_exports')
  const own = /^migration-archive (\d+) (\w+)$/.exec(exports?.comment ?? '')
  const place = { archive: connection.shown }
  // Until the table of a first export has its comment, its name says what it is.
  if (existing ? !exports : !exports && tables.some(({ name }) => !name.startsWith('_lock_'))) {
    const message = existing ? 'it holds no exports' : 'it holds tables of something else'
    throw new ArchiveError('dataset-foreign', `database ${database}: ${message}`, place)
  }
  if (Number(own?.[1] ?? 0) > DATASET_VERSION) throw newer(connection.shown)
  const made = tables.find(({ name }) => name === 'issues')?.partition_key
  const there = made === undefined ? undefined : made === '_shard' ? 'shard' : 'archive'
  const key = there ?? partitionBy ?? 'archive'
  if (partitionBy !== undefined && partitionBy !== key) {
    const message = `the tables are partitioned by ${key}, which was fixed when they were made`
    throw new ArchiveError('option-invalid', message, place)
  }
  const statements = createSchema(key)
  const hash = shorten(statements.join('\n'))
  if (readOnly || own?.[2] === hash) return key
  await server.run(createDatabase(database))
  for (const statement of statements) await connection.run(statement)
  const comment = text(`migration-archive ${DATASET_VERSION} ${hash}`)
  await connection.run(`ALTER TABLE _exports MODIFY COMMENT ${comment}`)
  return key
}

/** Tables that hold the rows of a partition until they replace those of an earlier export begin with this. */
const twinPrefix = (name: string) => `_new_${shorten(name)}_`

async function dropTwins(connection: Connection, name: string): Promise<void> {
  const twins = await connection.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, ${text(twinPrefix(name))})`,
  )
  for (const twin of twins) await connection.run(`DROP TABLE IF EXISTS ${quote(twin.name)}`)
}

/** Fills a second table of the same kind. */
async function fillTwin(
  connection: Connection,
  { table: { name, kind }, path, summary }: StagedTable,
  { twin, key, shard }: { twin: string; key: PartitionKey; shard: string | undefined },
): Promise<void> {
  if (kind && kind.type === '') {
    for (const statement of createTable(unknownTable(name), key)) await connection.run(statement)
  }
  await connection.run(`CREATE TABLE ${quote(twin)} AS ${quote(name)}`)
  if (shard !== undefined) {
    await connection.run(`ALTER TABLE ${quote(twin)} MODIFY COLUMN ${SHARD} DEFAULT ${text(shard)}`)
  }
  await connection.insert(quote(twin), path)
  const [row] = await connection.query<{ rows: number }>(
    `SELECT toUInt32(count()) AS rows FROM ${quote(twin)}`,
  )
  if (row?.rows === summary.rows) return
  const message = `the server counts ${row?.rows} rows in ${name}, expected ${summary.rows}`
  throw new ArchiveError('target-failed', message, { archive: connection.shown })
}

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError } from '../../../base/errors.ts'
import { quoteName, quoteText } from '../../../database/quote.ts'
import { DATASET_VERSION, type Manifest, newer, parseManifest } from '../../dataset/manifest.ts'
import type { Target, TargetOptions } from '../../exporter.ts'
import { countRows } from '../../read-back/count-rows.ts'
import { tablesOfAll } from '../../read-back/definitions.ts'
import { createSqlReader } from '../../read-back/sql-reader.ts'
import { SQL_TEXTS } from '../../read-back/sql-texts.ts'
import type { ExportTable } from '../../table.ts'
import { type Connection, connect, withoutPassword } from './connection.ts'
import { inspectPostgres } from './inspect.ts'
import { openPostgresPartition } from './partition.ts'
import { createSchema, createTable, indexesOf, schemaTables, unknownTable } from './schema.ts'

/** Milliseconds between two looks at a lock. */
const POLL = 200

/**
 * Opens a schema of a server as a target, and creates missing tables and views.
 *
 * @throws `package-missing`, `target-failed`, `dataset-foreign` for a schema with tables of others, `dataset-newer`
 */
export async function openPostgresTarget(
  url: string,
  { existing = false, readOnly = false, schema = 'marc', shard, indexes = true }: TargetOptions,
): Promise<Target> {
  const connection = await connect(url)
  const place = { archive: `${withoutPassword(url)}, schema ${schema}` }
  const tables = new Map(schemaTables().map((table) => [table.name, table]))
  /** One process at a time. */
  const exclusively = async (key: string, work: () => Promise<void>) => {
    await connection.query(`SELECT pg_advisory_lock(${key})`)
    try {
      await work()
    } finally {
      await connection.query(`SELECT pg_advisory_unlock(${key})`).catch(() => {})
    }
  }
  try {
    await exclusively(keyOf(schema), () =>
      prepare(connection, schema, { existing, readOnly, place }),
    )
    await connection.query(`SET search_path = ${quoteName(schema)}`)
  } catch (error) {
    await connection.close()
    throw error
  }
  const readManifest = async (name: string): Promise<Manifest | undefined> => {
    const query = 'SELECT manifest::text FROM _exports WHERE name = $1'
    const [row] = await connection.query<{ manifest: string }>(query, [name])
    if (!row) return undefined
    const manifest = parseManifest(row.manifest)
    if (Number(manifest?.dataset) > DATASET_VERSION) throw newer(place.archive)
    return manifest
  }
  const askOf = (name: string) => (list: string, table: string, rest: string) =>
    connection.query<Record<string, unknown>>(
      `SELECT ${list} FROM ${table} WHERE _archive = $1 ${rest}`,
      [name],
    )
  return {
    async lock(name, { wait = true, signal }) {
      const key = keyOf(schema, name)
      const attempt = `SELECT pg_try_advisory_lock(${key}) AS done`
      while (!(await connection.query<{ done: boolean }>(attempt))[0]?.done) {
        if (!wait) {
          throw new ArchiveError('partition-busy', 'another process writes this partition', place)
        }
        await sleep(POLL, undefined, { signal })
      }
      return async () => {
        await connection.query(`SELECT pg_advisory_unlock(${key})`).catch(() => {})
      }
    },
    readManifest,
    async openPartition(name) {
      const earlier = await readManifest(name)
      return openPostgresPartition(connection, {
        name,
        shard,
        replaced: Object.keys(earlier?.tables ?? {}),
        async tableOf(table) {
          const known = tables.get(table)
          if (known) return known
          const made = unknownTable(table)
          // In a connection of its own: the transaction of the rows may yet fail.
          const other = await connect(url)
          try {
            await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${keyOf(schema)});
SET LOCAL search_path = ${quoteName(schema)}; ${createTable(made)} COMMIT`)
          } finally {
            await other.close()
          }
          tables.set(table, made)
          return made
        },
      })
    },
    async names() {
      const sql = 'SELECT name FROM _exports ORDER BY 1'
      return (await connection.query<{ name: string }>(sql)).map(({ name }) => name)
    },
    survey: (name, asked) => countRows(asked, quoteName, askOf(name)),
    inspect: async (names) =>
      inspectPostgres(connection, { schema, tables: await tablesOfAll(names, readManifest) }),
    read: (name) => createSqlReader(SQL_TEXTS.postgres, askOf(name)),
    // Not under the lock for tables: creating an index waits for writers, which may wait for a table.
    async settle() {
      if (!indexes) return
      await exclusively(keyOf(schema, ''), () =>
        makeIndexes(connection, schema, [...tables.values()]),
      )
    },
    async remove(name) {
      const manifest = await readManifest(name)
      if (!manifest) return false
      const rows = Object.keys(manifest.tables).map(
        (table) => `DELETE FROM ${quoteName(table)} WHERE _archive = ${quoteText(name)};`,
      )
      await connection.query(
        `BEGIN; ${rows.join(' ')} DELETE FROM _exports WHERE name = ${quoteText(name)}; COMMIT`,
      )
      return true
    },
    close: () => connection.close(),
  }
}

/** The key of an advisory lock: a number for a schema, or for a partition in it. */
const keyOf = (...names: readonly string[]): string =>
  String(
    createHash('sha256')
      .update(['marc', ...names].join('\0'))
      .digest()
      .readBigInt64BE(),
  )

async function prepare(
  connection: Connection,
  schema: string,
  {
    existing,
    readOnly,
    place,
  }: { existing: boolean; readOnly: boolean; place: { archive: string } },
): Promise<void> {
  const [found] = await connection.query<{ comment: string | null; used: boolean }>(
    `SELECT obj_description(oid, 'pg_namespace') AS comment,
       EXISTS (SELECT FROM pg_class WHERE relnamespace = n.oid) AS used
     FROM pg_namespace AS n WHERE nspname = $1`,
    [schema],
  )
  const statements = createSchema(schema)
  const hash = createHash('sha256').update(statements).digest('hex').slice(0, 16)
  const own = /^migration-archive (\d+) (\w+)$/.exec(found?.comment ?? '')
  if (!own && (existing || found?.used)) {
    const message = found ? 'the schema holds tables of something else' : 'there is no such schema'
    throw new ArchiveError('dataset-foreign', message, place)
  }
  if (Number(own?.[1] ?? 0) > DATASET_VERSION) throw newer(place.archive)
  if (readOnly || own?.[2] === hash) return
  const comment = quoteText(`migration-archive ${DATASET_VERSION} ${hash}`)
  await connection.query(
    `BEGIN;\n${statements}\nCOMMENT ON SCHEMA ${quoteName(schema)} IS ${comment};\nCOMMIT`,
  )
}

/** Makes the indexes that are missing. */
async function makeIndexes(
  connection: Connection,
  schema: string,
  tables: readonly ExportTable[],
): Promise<void> {
  const rows = await connection.query<{ indexname: string }>(
    'SELECT indexname FROM pg_indexes WHERE schemaname = $1',
    [schema],
  )
  const there = new Set(rows.map(({ indexname }) => indexname))
  for (const table of tables) {
    for (const [name, statement] of indexesOf(table)) {
      // The server cuts names after 63 bytes.
      if (!there.has(name.slice(0, 63))) await connection.query(statement)
    }
  }
}

import { crc32 } from 'node:zlib'
import { describeAuditLog } from './audit-log.ts'
import { hasArchives } from './find-archive.ts'
import type { Database } from './open-database.ts'
import { prepareOnce } from './prepare-once.ts'
import { quoteName } from './quote.ts'
import { hasRows } from './rows/read-record.ts'
import { AUDIT_LOG } from './schema/audit-log.ts'
import { COMMIT_RELATIONS } from './schema/commits-table.ts'
import { hasRelation } from './schema/schema.ts'
import { SYSTEM_TABLES } from './schema/system-tables.ts'

const TABLE = 'row_checksums'

/** Files are compared with `entries`, and their contents with their SHA-256. */
const COMPARED_OTHERWISE = ['files', 'file_chunks', 'chunks', TABLE]

/** The other tables that hold no records. */
const TABLES = [...SYSTEM_TABLES, ...COMMIT_RELATIONS].filter(
  ({ name, type }) => type === 'table' && !COMPARED_OTHERWISE.includes(name),
)

const NAMES = [...TABLES.map(({ name }) => name), AUDIT_LOG]

/** Documents, which are compared with `entries` as well. */
const DOCUMENTS = ['schema', 'urls']

/** How the rows of a table differ from those that were loaded. */
export interface RowEdits {
  table: string
  changed: number
  added: number
  removed: number
}

/**
 * Notes what is to be stored in a database, so that `marc doctor` finds later edits of the tables without records. Open it
 * in the transaction before the first change, and finish it after the last. What was edited by then stays an edit.
 */
export function openRowChecksums(
  database: Database,
  tables: readonly string[] = NAMES,
): { finish(): void } {
  const isNew = !hasArchives(database) && !hasRows(database, TABLE)
  const before = new Map(isNew ? [] : differences(database, tables))
  return {
    finish() {
      for (const name of tables) {
        const edits = before.get(name)
        // An earlier version loaded the others: what they held then is unknown.
        if (isNew || edits) store(database, name, without(checksumsOf(database, name), edits))
      }
    },
  }
}

function store(database: Database, name: string, checksums: Uint32Array): void {
  prepareOnce(
    database,
    `INSERT INTO ${TABLE} VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET checksums = excluded.checksums WHERE checksums <> excluded.checksums`,
  ).run(name, toBytes(checksums))
}

/** Edits of the tables without records, and the tables that nothing can be compared with. */
export function findRowEdits(database: Database): { edits: RowEdits[]; unknown: string[] } {
  const found = new Map(differences(database, NAMES))
  const edits = [...found].map(([table, { added, removed }]) => {
    const changed = Math.min(added.length, removed.length)
    return { table, changed, added: added.length - changed, removed: removed.length - changed }
  })
  const unknown = NAMES.filter((name) => !found.has(name) && checksumsOf(database, name).length > 0)
  if (found.size === 0) return { edits, unknown }
  // All of them are written together.
  edits.push({ table: TABLE, changed: 0, added: 0, removed: unknown.length })
  return { edits, unknown: [] }
}

/** Checksums of rows that are there and were not loaded, and of those that were loaded and are gone. */
interface Difference {
  added: number[]
  removed: number[]
}

function* differences(
  database: Database,
  names: readonly string[],
): Generator<[table: string, Difference]> {
  if (!hasRelation(database, TABLE)) return
  const find = `SELECT checksums FROM ${TABLE} WHERE name = ?`
  const stored = database.prepare<[string], unknown>(find).pluck()
  for (const name of names) {
    const bytes = stored.get(name)
    if (bytes instanceof Uint8Array) {
      yield [name, compare(fromBytes(bytes), checksumsOf(database, name))]
    }
  }
}

/** Compares two ascending lists. */
function compare(loaded: Uint32Array, found: Uint32Array): Difference {
  const difference: Difference = { added: [], removed: [] }
  for (let i = 0, j = 0; i < loaded.length || j < found.length; ) {
    const [left = Infinity, right = Infinity] = [loaded[i], found[j]]
    if (left < right) difference.removed.push(left)
    if (right < left) difference.added.push(right)
    if (left <= right) i++
    if (right <= left) j++
  }
  return difference
}

/** The checksums as if nothing had been edited. */
function without(all: Uint32Array, { added, removed }: Difference = { added: [], removed: [] }) {
  if (added.length + removed.length === 0) return all
  const kept = compare(Uint32Array.from(added), all).added
  return Uint32Array.from([...kept, ...removed]).sort()
}

function checksumsOf(database: Database, table: string): Uint32Array {
  const relation =
    table === AUDIT_LOG ? describeAuditLog(database) : TABLES.find(({ name }) => name === table)
  if (!relation || !hasRelation(database, table)) return new Uint32Array()
  const columns = relation.columns
    .filter(({ name }) => table !== 'archives' || !DOCUMENTS.includes(name))
    .map(({ name, type }) => {
      const column = quoteName(name)
      return type.startsWith('BLOB') ? `typeof(${column}) || hex(${column})` : column
    })
  const rows = database.prepare(`SELECT ${columns.join(', ')} FROM ${quoteName(table)}`).raw()
  let sums = new Uint32Array(1024)
  let count = 0
  for (const row of rows.iterate()) {
    if (count === sums.length) {
      const larger = new Uint32Array(2 * count)
      larger.set(sums)
      sums = larger
    }
    sums[count++] = crc32(JSON.stringify(row))
  }
  return sums.subarray(0, count).sort()
}

function toBytes(sums: Uint32Array): Buffer {
  const bytes = Buffer.alloc(sums.length * 4)
  for (const [i, sum] of sums.entries()) bytes.writeUInt32BE(sum, i * 4)
  return bytes
}

function fromBytes(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, i) => view.getUint32(i * 4)).sort()
}

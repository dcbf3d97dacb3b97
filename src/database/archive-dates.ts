import { UNPACKED_CONTAINERS } from '../archive/entry.ts'
import { formatTime } from '../base/format-time.ts'
import type { JsonObject } from '../records/json/json.ts'
import { newestDate } from './newest-date.ts'
import type { Database } from './open-database.ts'
import { recordTables } from './rows/read-record.ts'

/** Determines when an archive was exported from the dates in it. */
export interface ArchiveDates {
  /** Notes the dates of a record. Not needed for the first archive of a database. */
  note(record: JsonObject): void
  /** Stores the date as `archives.exported_at`. Returns the archives exported later. */
  finish(container: string | undefined): ReadonlySet<number>
}

/** Members with a time before the export. `due_on` may be in the future. */
const DATES = ['created_at', 'updated_at', 'closed_at', 'merged_at', 'submitted_at', 'published_at']

/** Earlier times are placeholders of tools that write no times. */
const EARLIEST = Date.UTC(2000)
const DAY = 86_400_000

/**
 * Collects the dates of an archive being loaded. The times of its record files count, because GitHub writes real ones. If
 * they are older than a record, equal to those of another archive, or those of a copied folder, the newest record counts.
 * Finding that takes a pass over the first archive, so the load of the second one does it.
 */
export function openArchiveDates(
  database: Database,
  { archive, isFirst }: { archive: number; isFirst: boolean },
): ArchiveDates {
  const latest = new Date(Date.now() + DAY)
  const isPossible = (time: number) => time >= EARLIEST && time <= latest.getTime()
  const store = database.prepare('UPDATE archives SET exported_at = ? WHERE id = ?')
  const first = isFirst ? undefined : checkFirst(database, archive, latest)
  let text = ''
  let newest = 0

  return {
    note(record) {
      for (const name of DATES) {
        const value = record[name]
        if (typeof value !== 'string' || value <= text) continue
        const time = Date.parse(value)
        if (!isPossible(time)) continue
        text = value
        newest = Math.max(newest, time)
      }
    },
    finish(container) {
      const isUnpacked = UNPACKED_CONTAINERS.includes(container ?? '')
      const files = isUnpacked ? undefined : timeOfFiles(database, archive)
      let made = files !== undefined && isPossible(files) && files >= newest ? files : newest
      const time = formatDate(made)
      const others = made > newest ? withFilesOf(database, time, archive) : []
      if (others.length > 0) made = newest
      // Only the first of them still has that date.
      const dated = others.find(({ exportedAt }) => exportedAt === time)
      if (dated) {
        const { id } = dated
        const own =
          id === first?.id ? first.newest : newestRecord(database, { until: latest, archive: id })
        store.run(formatDate(own), id)
      }
      store.run(formatDate(made), archive)
      return new Set(
        database
          .prepare<[string | null], number>('SELECT id FROM archives WHERE exported_at > ?')
          .pluck()
          .all(formatDate(made)),
      )
    },
  }
}

const formatDate = (time: number): string | null => (time === 0 ? null : formatTime(time))

/** The time of the newest record, by the dates that an export has: ms since 1970, 0 without one. */
export const newestRecord = (
  database: Database,
  { until = new Date(Date.now() + DAY), archive }: { until?: Date; archive?: number } = {},
): number =>
  newestDate(database, recordTables(database), { members: DATES, until, archive })?.getTime() ?? 0

/** The other archives whose latest record files have this time, and when they are said to be exported. */
const withFilesOf = (database: Database, time: string | null, archive: number) =>
  database
    .prepare<[number, string | null], { id: number; exportedAt: string | null }>(
      `SELECT id, exported_at AS exportedAt FROM record_files AS f JOIN archives AS a ON a.id = f.archive
       WHERE id <> ? GROUP BY id HAVING substr(max(modified_at), 1, 19) || 'Z' = ?`,
    )
    .all(archive, time)

/** The latest time of the record files, in whole seconds. */
function timeOfFiles(database: Database, archive: number): number | undefined {
  const last = database
    .prepare<[number], string | null>('SELECT max(modified_at) FROM record_files WHERE archive = ?')
    .pluck()
    .get(archive)
  return last == null ? undefined : Math.floor(Date.parse(last) / 1000) * 1000
}

/** Compares the date of the only archive so far with its records. */
function checkFirst(
  database: Database,
  archive: number,
  latest: Date,
): { id: number; newest: number } | undefined {
  const [one, another] = database
    .prepare<[number], { id: number; exportedAt: string | null }>(
      'SELECT id, exported_at AS exportedAt FROM archives WHERE id <> ? LIMIT 2',
    )
    .all(archive)
  if (!one || another) return undefined
  const newest = newestRecord(database, { until: latest })
  if (newest > Date.parse(one.exportedAt ?? '1970-01-01T00:00:00Z')) {
    database
      .prepare('UPDATE archives SET exported_at = ? WHERE id = ?')
      .run(formatDate(newest), one.id)
  }
  return { id: one.id, newest }
}

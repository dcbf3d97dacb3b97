import type { Report } from '../../base/errors.ts'
import { PEOPLE_TABLES } from '../../records/people-tables.ts'
import type { Database } from '../open-database.ts'
import { quoteName } from '../quote.ts'
import { readPages } from '../read-pages.ts'
import { createRecordReader } from './read-record.ts'
import type { ReplacementCounter } from './replacement-counter.ts'

const PAGE = 500

/** All pairs of kinds of people, the rarer kind first. */
const PAIRS = PEOPLE_TABLES.flatMap((more, i) =>
  PEOPLE_TABLES.slice(i + 1).map((fewer) => [fewer, more] as const),
)

interface Found {
  table: string
  rowid: bigint
  archive: number | null
  entry: string | null
  record: number | null
}

interface Pair {
  left: Found
  right: Found
  /** Whether `one` came later. */
  isLater: boolean
}

/**
 * Keeps one of two records of different kinds with the same URL, such as a user of an earlier archive who is a bot in
 * this one: the later one, or that of a `newer` archive. Calls `note` with the outcome for the record of this archive.
 * Considers only people of this archive; their tables must have indexes.
 */
export function mergePeople(
  database: Database,
  {
    archive,
    newer,
    report,
    replaced,
  }: { archive: number; newer: ReadonlySet<number>; report: Report; replaced: ReplacementCounter },
  note: (table: string, outcome: 'replaced' | 'outdated') => void,
): void {
  for (const [fewer, more] of PAIRS) {
    for (const { left, right, isLater } of pairsOf(database, { archive, newer }, [fewer, more])) {
      const [kept, dropped] = isLater ? [left, right] : [right, left]
      if (dropped.archive === kept.archive) reportDropped(database, report, dropped, kept)
      replaced.note(dropped.archive, dropped.entry)
      database.prepare(`DELETE FROM ${quoteName(dropped.table)} WHERE rowid = ?`).run(dropped.rowid)
      if (kept.archive === archive) note(kept.table, 'replaced')
      else note(dropped.table, 'outdated')
    }
  }
}

/** Pairs of records with the same URL, in pages: records of a page may be deleted. */
function* pairsOf(
  database: Database,
  { archive, newer }: { archive: number; newer: ReadonlySet<number> },
  [left, right]: readonly [string, string],
): Generator<Pair> {
  // Rows added with SQL have no archive, and any archive is later.
  const place = (row: string) => `coalesce(${row}._archive IN (${[...newer].join(', ')}), 0),
    coalesce(${row}._archive, 0),
    (SELECT max(s.rowid) FROM record_files AS s WHERE s.archive = ${row}._archive AND s.path = ${row}._entry),
    ${row}._record_number`
  const pages = readPages<PairRow>(database, {
    columns: `o._archive, o._entry, o._record_number, p.rowid AS otherRowid, p._archive AS otherArchive,
      p._entry AS otherEntry, p._record_number AS otherRecord, (${place('o')}) > (${place('p')}) AS isLater`,
    from: `${quoteName(left)} AS o CROSS JOIN ${quoteName(right)} AS p ON p.url = o.url`,
    where: `o._archive = ${archive} OR p._archive = ${archive}`,
    key: 'o.rowid',
    bigints: ['otherRowid'],
    size: PAGE,
  })
  for (const rows of pages) {
    for (const row of rows) {
      const { position: rowid, _archive, _entry: entry, _record_number: record } = row
      const { otherRowid, otherArchive, otherEntry, otherRecord } = row
      yield {
        left: { table: left, rowid, archive: _archive, entry, record },
        right: {
          table: right,
          rowid: otherRowid,
          archive: otherArchive,
          entry: otherEntry,
          record: otherRecord,
        },
        isLater: row.isLater === 1,
      }
    }
  }
}

interface PairRow {
  _archive: number | null
  _entry: string | null
  _record_number: number | null
  otherRowid: bigint
  otherArchive: number | null
  otherEntry: string | null
  otherRecord: number | null
  isLater: number | null
}

function reportDropped(database: Database, report: Report, dropped: Found, kept: Found): void {
  const record = createRecordReader(database, dropped.table)(dropped.rowid)
  report({
    code: 'record-duplicate',
    place: { entry: String(dropped.entry), record: Number(dropped.record) },
    message: `${JSON.stringify(record?.url)} is repeated later, in ${kept.table}`,
    content: JSON.stringify(record),
  })
}

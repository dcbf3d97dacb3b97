import { anOpenDatabase, checkArguments, checkOptions } from '../../base/check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import { openPair } from '../../database/open-pair.ts'
import { SELECTION_SHAPES } from '../../database/rows/selection.ts'
import { toRecord } from '../../database/rows/to-record.ts'
import { changedBytes } from './changed-bytes.ts'
import { asChange, changedFiles, changedRefs, changeOf } from './changed-files.ts'
import { type ChangedRow, changedRows, pairTables } from './changed-rows.ts'
import { allMembers, compareRecords } from './compare-records.ts'
import { type Change, DIFF_SHAPES, type DiffOptions } from './diff-options.ts'
import { lostObjects } from './lost-objects.ts'
import { memberFilter } from './member-patterns.ts'
import { createMovedCommits } from './ref-commits.ts'
import { selectPair } from './select-pair.ts'

/**
 * Compares two databases record by record. Records with the same URL within a kind are the same record. Differences in white
 * space, in the file that a record stood in, or in how Git packs its objects are none. Of a ref that is the same in both, it is
 * compared whether its object is there.
 *
 * @param a an open database in a file
 * @param b another one
 * @param options what to compare, and what to leave out
 * @returns the changes from `a` to `b`, by kind, then files and refs; memory does not grow with their number
 * @throws `option-invalid`, `database-damaged` or `database-busy`; with a selection, or with `bytes`, those of
 *   `buildArchive`
 * @example
 * for await (const { change, url } of diffDatabases(before, after)) changes.push([change, url])
 */
export async function* diffDatabases(
  a: Database,
  b: Database,
  options: DiffOptions = {},
): AsyncGenerator<Change> {
  checkArguments({ a, b }, { a: anOpenDatabase, b: anOpenDatabase })
  checkOptions(options, DIFF_SHAPES)
  const { only, members, refs = true, files = true, bytes = false } = options
  const counts = memberFilter(options)
  const pair = openPair(a, b)
  try {
    const selected = selectPair(pair, [a, b], options)
    for (const table of pairTables(pair)) {
      for (const row of changedRows(pair, table, { selected })) {
        if (only && !only.includes(changeOf(row))) continue
        const change = describeRow(row, counts, members !== undefined)
        if (change) yield change
      }
    }
    const isWanted = ({ change }: Change) => only === undefined || only.includes(change)
    // Files and refs have no members that could be asked for.
    if (files && !members) {
      for (const { path, ...sides } of changedFiles(pair, { selected })) {
        const change = asChange('files', path, sides, ['size', 'sha256'])
        if (isWanted(change)) yield change
      }
    }
    if (refs && !members) {
      const commitsOf = createMovedCommits([a, b], options.commits ?? 'count')
      for (const ref of changedRefs(pair, { selected })) {
        const change = asChange('refs', `${ref.repository} ${ref.name}`, ref, ['oid', 'target'])
        if (!isWanted(change)) continue
        const commits = commitsOf(ref)
        yield commits ? { ...change, commits } : change
      }
      for (const ref of lostObjects(pair, [a, b], { selected })) {
        const change = asChange('refs', `${ref.repository} ${ref.name}`, ref, ['object'])
        if (isWanted(change)) yield change
      }
    }
    if (!bytes) return
    const selection = Object.fromEntries(
      Object.entries(options).filter(([name]) => name in SELECTION_SHAPES),
    )
    for await (const change of changedBytes(pair, [a, b], { ...selection, files })) {
      if (isWanted(change)) yield change
    }
  } finally {
    pair.close()
  }
}

/**
 * The change of a record; undefined if its rows differ only in how they are stored, or in what does not count. Of a record on
 * one side all members count, or with `isPart` only those that are asked for.
 */
function describeRow(
  row: ChangedRow,
  counts: (kind: string, path: string) => boolean,
  isPart: boolean,
): Change | undefined {
  const { table, kind, before, after } = row
  const [old, now] = [before, after].map((side) => side && toRecord(kind, side.row))
  const all =
    old && now
      ? compareRecords(kind, old, now, (name) => counts(table, name))
      : allMembers(old ?? now ?? {}, old ? 'before' : 'after')
  const isFiltered = isPart || (old && now)
  const members = isFiltered ? filterMembers(table, all, counts) : all
  if (isFiltered && Object.keys(members).length === 0) return undefined
  const url = (now ?? old)?.url
  return { kind: table, url: typeof url === 'string' ? url : null, change: changeOf(row), members }
}

const filterMembers = (
  kind: string,
  members: Change['members'],
  counts: (kind: string, path: string) => boolean,
) => Object.fromEntries(Object.entries(members).filter(([path]) => counts(kind, path)))

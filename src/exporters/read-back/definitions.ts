import { ArchiveError } from '../../base/errors.ts'
import { isReadable, type Manifest } from '../dataset/manifest.ts'
import { datasetTables } from '../ddl/dataset-views.ts'
import type { Engine } from '../ddl/engine.ts'
import type { ExportTable } from '../table.ts'
import type { ExportDifference } from './export-difference.ts'
import { SHOWN } from './table-reader.ts'

/** A fact of the catalog of an engine, such as a column with its type, or a view with its statement. */
export interface Definition {
  readonly table: string
  /** Such as `table`, `view`, `column title` or `index issues_url`. */
  readonly fact: string
  readonly text: string
}

/** What a target holds apart from the rows of partitions. */
export interface Inspection {
  readonly differences: readonly ExportDifference[]
  /** What was not compared, for people. */
  readonly notCompared: readonly string[]
  /** Whether a column is as it has to be, so that its values can be compared. */
  isReadable(table: string, column: string): boolean
  /** The tables of an engine, also those of unknown kinds. */
  readonly tables: readonly ExportTable[]
}

/** Facts that do not change what readers find. A target may have more of them than ours. */
const MAY_BE_ADDED = /^index /

/**
 * Compares the catalog of a target with that of one made anew. Tables and views of others are left alone; whatever is on
 * ours is not.
 */
export function compareDefinitions(
  expected: readonly Definition[],
  found: readonly Definition[],
): Pick<Inspection, 'differences' | 'isReadable' | 'notCompared'> {
  const [should, does] = [textsOf(expected), textsOf(found)]
  const ours = new Set(expected.map(({ table }) => table))
  const isSame = (table: string, fact: string) => {
    const text = should.get(keyOf(table, fact))
    return text !== undefined && text === does.get(keyOf(table, fact))
  }
  const isWhole = (table: string) => isSame(table, 'table') || isSame(table, 'view')
  /** Whether more is said than follows from another difference: of a table, its columns; of a column, its comment. */
  const isNews = ({ table, fact }: Definition) => {
    if (isSame(table, fact) || !ours.has(table)) return false
    if (fact === 'table' || fact === 'view') return true
    const [, column] = /^comment on (.*)$/s.exec(fact) ?? []
    return isWhole(table) && (column === undefined || isSame(table, `column ${column}`))
  }
  const differences = expected.filter(isNews).map(({ table, fact, text }): ExportDifference => {
    const [left, right] = excerpts(text, does.get(keyOf(table, fact)) ?? null)
    return { table, fact, expected: left, found: right }
  })
  for (const one of found) {
    const { table, fact, text } = one
    if (should.has(keyOf(table, fact)) || MAY_BE_ADDED.test(fact) || !isNews(one)) continue
    differences.push({ table, fact, expected: null, found: excerpts(text, null)[0] })
  }
  return {
    differences,
    notCompared: [],
    isReadable: (table, column) => isWhole(table) && isSame(table, `column ${column}`),
  }
}

/**
 * What can be said without tables made anew to compare with, because whoever asks may not make any: which columns there are.
 *
 * @throws the error, unless it is a refusal of the server
 */
export function uncompared(
  found: readonly Definition[],
  error: unknown,
): Pick<Inspection, 'differences' | 'isReadable' | 'notCompared'> {
  if (!(error instanceof ArchiveError && error.code === 'target-failed')) throw error
  const does = textsOf(found)
  return {
    differences: [],
    notCompared: [`tables and views (${error.message})`],
    isReadable: (table, column) =>
      does.has(keyOf(table, 'table')) && does.has(keyOf(table, `column ${column}`)),
  }
}

const keyOf = (table: string, fact: string) => `${table}\0${fact}`

const textsOf = (definitions: readonly Definition[]) =>
  new Map(definitions.map(({ table, fact, text }) => [keyOf(table, fact), text]))

/** Two texts, cut around the place where they first differ. */
export function excerpts(left: string, right: string | null): [left: string, right: string | null] {
  if (Math.max(left.length, right?.length ?? 0) <= SHOWN) return [left, right]
  let same = 0
  while (right !== null && same < left.length && left[same] === right[same]) same++
  const start = Math.max(0, same - SHOWN / 3)
  const cut = (text: string) =>
    `${start > 0 ? '…' : ''}${text.slice(start, start + SHOWN)}${text.length > start + SHOWN ? '…' : ''}`.replace(
      /\s+/g,
      ' ',
    )
  return [cut(left), right === null ? null : cut(right)]
}

/** All tables of an engine: those that it always has, and those that manifests name. */
export async function tablesOfAll(
  names: readonly string[],
  readManifest: (name: string) => Promise<Manifest | undefined>,
): Promise<ExportTable[]> {
  const present = new Set<string>()
  for (const name of names) {
    const manifest = await readManifest(name)
    if (!manifest || !isReadable(manifest)) continue
    for (const table of Object.keys(manifest.tables)) present.add(table)
  }
  return datasetTables([...present])
}

/** Tables with such rows that are named. */
const MOST_STRAY = 20

/**
 * Finds rows that belong to none of the partitions, which readers of a table find as well.
 *
 * @param exported a SELECT of the names of partitions
 */
export async function findStrayRows(
  tables: readonly ExportTable[],
  {
    exported,
    engine: { quote, text },
    ask,
  }: {
    exported: string
    engine: Pick<Engine, 'quote' | 'text'>
    ask(sql: string): Promise<readonly Readonly<Record<'in' | 'archive' | 'n', unknown>>[]>
  },
): Promise<ExportDifference[]> {
  if (tables.length === 0) return []
  const parts = tables.map(
    ({ name }) => `SELECT ${text(name)} AS ${quote('in')}, _archive AS archive, count(*) AS n
FROM ${quote(name)} WHERE _archive IS NULL OR _archive NOT IN (${exported}) GROUP BY _archive`,
  )
  const rows = await ask(
    `SELECT * FROM (${parts.join('\nUNION ALL\n')}) AS stray ORDER BY 1, 2 LIMIT ${MOST_STRAY}`,
  )
  return rows.map((row) => ({
    table: String(row.in),
    fact: `rows of ${row.archive ?? 'NULL'}, which is no partition`,
    expected: 0,
    found: Number(row.n),
  }))
}

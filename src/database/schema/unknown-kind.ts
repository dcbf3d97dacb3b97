import type { Kind } from '../../records/kinds/kind.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { SHARED } from './kind-table.ts'
import { RELATIONS } from './schema.ts'

/** Tables that archives may add to a database before the rest share one. */
const MOST = 100

/** Temporary tables and named parts of statements, which hide a table of their name. */
const HIDING = [
  ...['chosen', 'chosen_files', 'counted', 'deleted_files', 'dropped', 'first_links', 'found'],
  ...['happened', 'held', 'known_files', 'label_urls', 'listed', 'named', 'named_files', 'names'],
  ...['packed', 'places', 'ranked'],
  ...['repositories_asked', 'review_threads', 'shown', 'stored', 'written'],
]

const TAKEN = new Set([
  ...RELATIONS.filter(({ name }) => kindNamed(name) === undefined).map(({ name }) => name),
  ...HIDING,
])

// Indexes share one space of names with tables, as do tables that come later; and a table takes the place of a function.
const isTaken = (name: string) =>
  TAKEN.has(name) || /_by_|^search_|^(jsonb?|pragma|fts\d*|rtree|geopoly|dbstat)(_|$)/.test(name)

/**
 * The table for records of a kind this program does not know: named like the kind where that is a plain name
 * that is free, else shared. `tables` are those there already; a new one is put to them.
 */
export function tableForUnknown(stem: string, tables: Set<string>): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(stem) || /^sqlite(_|$)/.test(stem)) return SHARED
  // The table of this name is that of another kind.
  if (stem.endsWith('_records') && isTaken(stem.slice(0, -'_records'.length))) return SHARED
  const name = isTaken(stem) ? `${stem}_records` : stem
  if (!tables.has(name) && tables.size >= MOST) return SHARED
  tables.add(name)
  return name
}

/** A kind of which nothing is known but that its records have a url; all else is in `_extra`. */
export const unknownKind = (stem: string): Kind => ({
  type: '',
  summary: `Records of the kind ${stem}, which this program does not know.`,
  columns: {
    url: {
      storage: 'text',
      description: "Identity. All other members are in _extra: _extra ->> 'name'.",
      optional: true,
    },
  },
  derived: {},
})

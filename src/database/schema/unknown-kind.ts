import type { Kind } from '../../records/kinds/kind.ts'
import { kindNamed } from '../../records/kinds/kind-of-record.ts'
import { AUDIT_LOG } from './audit-log.ts'
import { SHARED } from './kind-table.ts'
import { RELATIONS } from './schema.ts'

/** Tables for unknown kinds, at most. Further kinds share one. */
const MOST = 100

/** Temporary tables and common table expressions: each would hide a table of its name. */
const HIDING = [
  'chosen',
  'chosen_files',
  'counted',
  'deleted_files',
  'dropped',
  'failing',
  'first_links',
  'found',
  'git_faults',
  'happened',
  'held',
  'known_files',
  'label_urls',
  'listed',
  'named',
  'named_files',
  'names',
  'packed',
  'places',
  'ranked',
  'removed',
  'removed_files',
  'some',
  'known_repositories',
  'rows_of_repositories',
  'dates_made',
  'written_rows',
  'own_objects',
  'renamed_objects',
  'kept_objects',
  'rewritten_objects',
  'waiting_objects',
  'written_objects',
  'repositories_asked',
  'owners_asked',
  'labels_asked',
  'authors_asked',
  'urls_asked',
  'linked_urls',
  'review_threads',
  'shown',
  'stored',
  'written',
  'built_entries',
  'changed_files',
  'changed_refs',
  'loose',
  'selected',
  'selected_files',
  'one_sided',
  'patched_entries',
  'entry_pairs',
  'entry_room',
  'closings',
  'other_logins',
  'relations',
  'kinds',
  'labelled',
  'made',
  'repeated_numbers',
  'rivals',
  'selected_repositories',
  'drafts',
  'numbered',
  'ordered',
  'sorted',
  'thread_urls',
]

const TAKEN = new Set([
  AUDIT_LOG,
  ...RELATIONS.filter(({ name }) => kindNamed(name) === undefined).map(({ name }) => name),
  ...HIDING,
])

// Indexes share a namespace with tables, future tables included, and a table hides a table-valued function.
const isTaken = (name: string) =>
  TAKEN.has(name) || /_by_|^search_|^(jsonb?|pragma|fts\d*|rtree|geopoly|dbstat)(_|$)/.test(name)

/**
 * The table for records of an unknown kind: named like the kind if that is a free, plain name, else shared. Adds a
 * new table to `tables`.
 */
export function tableForUnknown(stem: string, tables: Set<string>): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(stem) || /^sqlite(_|$)/.test(stem)) return SHARED
  // That is the table of another kind.
  if (stem.endsWith('_records') && isTaken(stem.slice(0, -'_records'.length))) return SHARED
  const name = isTaken(stem) ? `${stem}_records` : stem
  if (!tables.has(name) && tables.size >= MOST) return SHARED
  tables.add(name)
  return name
}

/** Whether the records of an unknown kind may be in a table of this name. */
export const isTableOfUnknown = (name: string): boolean =>
  name === SHARED ||
  [name, name.replace(/_records$/, '')].some((stem) => tableForUnknown(stem, new Set()) === name)

/** An unknown kind: `url` is its only column, and all other members are in `_extra`. */
export const unknownKind = (stem: string): Kind => ({
  type: '',
  summary: `Records of the kind ${stem}, which this program does not know.`,
  columns: {
    url: {
      storage: 'text',
      description: "URL of the record. All other members are in _extra: _extra ->> 'name'.",
      optional: true,
    },
  },
  derived: {},
})

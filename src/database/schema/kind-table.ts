import type { Column, Kind, Storage } from '../../records/kinds/kind.ts'
import { quoteName, quoteText } from '../quote.ts'
import { deriveColumn } from './derive-column.ts'
import type { Index, Relation, RelationColumn } from './relation.ts'

// Dates are texts, so that they stay as they were written; flags are 0 and 1.
const TYPES: Record<Storage, string> = {
  text: 'TEXT',
  time: 'TEXT',
  flag: 'INTEGER',
  integer: 'INTEGER',
  json: 'TEXT',
}

/** The columns beside those of the kind, in the order in which they are stored. */
export const BOOKKEEPING: readonly RelationColumn[] = [
  {
    name: '_extra',
    type: 'TEXT',
    description: 'Members that no column foresees, or of another type: JSON.',
  },
  {
    name: '_member_order',
    type: 'TEXT',
    description: 'Names of the members in their order, where unusual: JSON.',
  },
  {
    name: '_archive',
    type: 'INTEGER',
    description: 'The archive it came from.',
    refersTo: ['archives'],
  },
  { name: '_entry', type: 'TEXT', description: 'The entry of the archive it stood in.' },
  { name: '_record_number', type: 'INTEGER', description: 'Its place in that entry, from 1.' },
]

/** The table of a kind. */
export function kindTable(name: string, kind: Kind): Relation {
  const members = Object.entries(kind.columns)
  return {
    name,
    type: 'table',
    summary: kind.summary,
    columns: [
      ...members.map(([member, column]) => memberColumn(member, column)),
      ...Object.entries(kind.derived).map(([derived, { storage, description, from }]) => ({
        name: derived,
        type: TYPES[storage],
        description,
        generated: deriveColumn(from),
      })),
      typeColumn(kind),
      ...BOOKKEEPING,
    ],
    indexes: [
      { name: `${name}_by_url`, on: identityIn(name), unique: true },
      ...members.filter(([, column]) => column.refersTo).map(([member]) => lookup(name, member)),
      ...Object.entries(kind.derived)
        .filter(([, { from }]) => from.how === 'first-of' && from.of.length > 1)
        .map(([derived]) => lookup(name, derived)),
    ],
  }
}

// Records of two kinds may have one url.
const identityIn = (table: string): string =>
  table === SHARED ? `${quoteName('url')}, ${KIND_OF_ENTRY}` : quoteName('url')

function memberColumn(name: string, { storage, description, refersTo }: Column): RelationColumn {
  return { name, type: TYPES[storage], description, ...(refersTo && { refersTo }) }
}

// A record names its type, which is its kind's but for oddities, so it is not stored a second time.
const typeColumn = (kind: Kind): RelationColumn => ({
  name: 'type',
  type: 'TEXT',
  description: 'The type that the record names.',
  generated: `coalesce(${quoteName('_extra')} ->> 'type', ${quoteText(kind.type)})`,
})

// Most references are NULL in most rows, and nobody looks for these.
const lookup = (table: string, member: string): Index => ({
  name: `${table}_by_${member}`,
  on: quoteName(member),
  where: `${quoteName(member)} IS NOT NULL`,
})

/** The table of all unknown kinds that have none of their own. */
export const SHARED = 'unknown_records'

/** In SQL, what tells the kinds in the shared table apart: the name of the file up to its number. */
export const KIND_OF_ENTRY = `rtrim("_entry", replace("_entry", '_', ''))`

/** The same of one entry. */
export const kindOfEntry = (entry: string): string => entry.slice(0, entry.lastIndexOf('_') + 1)

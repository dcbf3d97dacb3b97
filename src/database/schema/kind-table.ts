import type { Column, Kind, Storage } from '../../records/kinds/kind.ts'
import { quoteName, quoteText } from '../quote.ts'
import { deriveColumn } from './derive-column.ts'
import type { Index, Relation, RelationColumn } from './relation.ts'

// Dates are stored as text, unchanged; flags as 0 and 1.
const TYPES: Record<Storage, string> = {
  text: 'TEXT',
  time: 'TEXT',
  flag: 'INTEGER',
  integer: 'INTEGER',
  json: 'TEXT',
}

/** The columns that every kind has besides its own, in storage order. */
export const BOOKKEEPING: readonly RelationColumn[] = [
  {
    name: '_extra',
    type: 'TEXT',
    description: 'Members without a column or with an unexpected type: a JSON object.',
  },
  {
    name: '_member_order',
    type: 'TEXT',
    description: 'Names of all members in order, if it is unusual: a JSON array.',
  },
  {
    name: '_archive',
    type: 'INTEGER',
    description: 'The archive it was loaded from.',
    refersTo: ['archives'],
  },
  { name: '_entry', type: 'TEXT', description: 'The record file in the archive.' },
  {
    name: '_record_number',
    type: 'INTEGER',
    description: 'Its number in the record file, from 1.',
  },
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

/** The table of a kind with only the index that finds a record again. */
export const withIdentity = (table: Relation): Relation => ({
  ...table,
  indexes: table.indexes?.filter(({ unique }) => unique) ?? [],
})

// Records of two kinds may have the same URL.
const identityIn = (table: string): string =>
  table === SHARED ? `${quoteName('url')}, ${KIND_OF_ENTRY}` : quoteName('url')

function memberColumn(name: string, { storage, description, refersTo }: Column): RelationColumn {
  return { name, type: TYPES[storage], description, ...(refersTo && { refersTo }) }
}

// A record's type almost always follows from its kind, so it is stored only if it differs.
const typeColumn = (kind: Kind): RelationColumn => ({
  name: 'type',
  type: 'TEXT',
  description: 'The type in the record.',
  generated: `coalesce(${quoteName('_extra')} ->> 'type', ${quoteText(kind.type)})`,
})

// Most references are NULL in most rows, and no query looks for NULL.
const lookup = (table: string, member: string): Index => ({
  name: `${table}_by_${member}`,
  on: quoteName(member),
  where: `${quoteName(member)} IS NOT NULL`,
})

/** The table shared by unknown kinds without a table of their own. */
export const SHARED = 'unknown_records'

/** SQL for the kind of a row of the shared table: the file name up to its number. */
export const KIND_OF_ENTRY = `rtrim("_entry", replace("_entry", '_', ''))`

/** The same for the path of an entry. */
export const kindOfEntry = (entry: string): string => entry.slice(0, entry.lastIndexOf('_') + 1)

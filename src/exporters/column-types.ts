import type { Column, Kind, Members } from '../records/kinds/kind.ts'

/**
 * The type of an exported column. It follows from the table of kinds, never from data, so that each file of a kind has
 * the same schema. Each target has its own word for it.
 */
export type ExportType =
  | { readonly is: 'text' | 'time' | 'flag' | 'integer' | 'json' }
  | { readonly is: 'list'; readonly element: ExportType }
  | { readonly is: 'struct'; readonly members: readonly ExportMember[] }

export interface ExportMember {
  readonly name: string
  readonly type: ExportType
  /** Real records may leave it out; NULL means absent. */
  readonly optional: boolean
}

export interface ExportColumn {
  readonly name: string
  readonly type: ExportType
  readonly description: string
}

const TEXT: ExportType = { is: 'text' }
const INTEGER: ExportType = { is: 'integer' }
const JSON_TEXT: ExportType = { is: 'json' }

/** Columns that every table has in addition to those of its kind. Their values come from the record's place. */
const SYSTEM_COLUMNS = [
  {
    name: '_extra',
    type: TEXT,
    description:
      'Members that their columns cannot give back exactly, as the JSON text of an object; NULL if there are none.',
  },
  {
    name: '_member_order',
    type: { is: 'list', element: TEXT },
    description: 'The names of the members in order; NULL for the usual order.',
  },
  { name: '_entry', type: TEXT, description: 'The record file that the record stood in.' },
  { name: '_record_number', type: INTEGER, description: 'Its position in that file, from 1.' },
  { name: '_archive', type: TEXT, description: 'The partition: the archive that it is from.' },
] as const satisfies readonly ExportColumn[]

const TYPE_COLUMN: ExportColumn = {
  name: 'type',
  type: TEXT,
  description: 'The type in the record.',
}

/** The whole record, for `raw`. */
export const RAW_COLUMN: ExportColumn = {
  name: '_record',
  type: TEXT,
  description: 'The exact JSON text of the record.',
}

export interface ColumnOptions {
  /** Columns that follow from others, such as `number` and `state`. Default true. */
  derived?: boolean | undefined
  /** The column `_record`. Default false. */
  raw?: boolean | undefined
}

/** The columns of a table of records, in order: members, derived columns, system columns. */
export function exportColumns(
  kind: Kind,
  { derived = true, raw = false }: ColumnOptions = {},
): ExportColumn[] {
  const members = Object.entries(kind.columns).map(
    ([name, column]): ExportColumn => ({
      name,
      type: typeOf(column),
      description: column.description,
    }),
  )
  const followed = Object.entries(kind.derived).map(
    ([name, { storage, description }]): ExportColumn => ({
      name,
      type: { is: storage },
      description,
    }),
  )
  return [
    ...members,
    ...(derived ? [...followed, TYPE_COLUMN] : []),
    ...SYSTEM_COLUMNS,
    ...(raw ? [RAW_COLUMN] : []),
  ]
}

/** The type of a member of a record. */
export function typeOf({ storage, list, members }: Column): ExportType {
  if (list) {
    const { element } = list
    return { is: 'list', element: isColumn(element) ? nestedType(element) : structOf(element) }
  }
  if (members) return structOf(members)
  return { is: storage }
}

const structOf = (members: Members): ExportType => ({
  is: 'struct',
  members: Object.entries(members).map(([name, column]) => ({
    name,
    type: nestedType(column),
    optional: column.optional,
  })),
})

// Times inside of lists have milliseconds and an offset, so they stay text. Types are nested once; below that, JSON.
const nestedType = ({ storage }: Column): ExportType =>
  storage === 'time' ? TEXT : storage === 'json' ? JSON_TEXT : { is: storage }

const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'

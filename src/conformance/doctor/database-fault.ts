/** The faults of databases by code: what each means, and whether `--repair` fixes it. */
export const DATABASE_FAULTS = {
  'pages-damaged': { summary: 'the file is corrupt', repair: false },
  'index-damaged': { summary: 'an index does not match its table', repair: true },
  'index-missing': {
    summary: 'an index is missing or has another definition, so queries are slow',
    repair: true,
  },
  'view-changed': {
    summary: 'a view is missing or differs from the one of this version',
    repair: true,
  },
  'table-missing': { summary: 'a table is missing', repair: false },
  'table-changed': { summary: 'a table lacks columns', repair: false },
  'url-repeated': { summary: 'two rows of a table have the same URL', repair: false },
  'json-damaged': { summary: 'a JSON column holds invalid JSON, so views fail', repair: false },
  'value-invalid': {
    summary: 'a value that loading never writes and commands that write files refuse',
    repair: false,
  },
  'origin-unknown': {
    summary: 'rows refer to an archive that is not in archives',
    repair: false,
  },
  'file-incomplete': {
    summary: 'a file lacks chunks, or has the wrong ones',
    repair: false,
  },
  'chunk-damaged': { summary: 'a chunk does not match its SHA-256', repair: false },
  'search-damaged': {
    summary: 'the index of searches does not have the words of the records',
    repair: true,
  },
  'chunk-orphaned': { summary: 'chunks belong to no file', repair: true },
} as const satisfies Record<string, { summary: string; repair: boolean }>

/** The code of a fault of a database. */
export type DatabaseFaultCode = keyof typeof DATABASE_FAULTS

/** A fault of a database: the table, view or file (`where`), and what was found. */
export interface DatabaseFault {
  /** The code of the fault. */
  code: DatabaseFaultCode
  /** The table, view, index or file that has it. */
  where: string
  /** The description of the fault. */
  message: string
}

/** The number of records, files, rows or definitions that differ from what was loaded. */
export interface Edit {
  /**
   * Whether these are records, files, rows of a table without records, or definitions of tables, columns, indexes, views
   * and triggers.
   */
  what: 'records' | 'files' | 'rows' | 'schema'
  /**
   * The table of the records or rows; the role of the files, as in `files`, or `schema` or `urls`; the type and name of a
   * definition, as in `trigger mine` or `column issues.mine`.
   */
  kind: string
  /** How many have another content than when they were loaded. */
  changed: number
  /** How many were not loaded. */
  added: number
  /** How many were loaded and are gone. */
  removed: number
}

/** What may be wrong with a database, by code: what it means, and whether `--repair` makes it right. */
export const DATABASE_FAULTS = {
  'pages-damaged': { summary: 'bytes of the file are not what SQLite wrote', repair: false },
  'index-damaged': { summary: 'an index does not have what its table has', repair: true },
  'index-missing': { summary: 'an index is not there, so that queries are slow', repair: true },
  'view-changed': { summary: 'a view is not there, or not as this version makes it', repair: true },
  'table-missing': { summary: 'a table is not there', repair: false },
  'table-changed': { summary: 'a table is without columns that it should have', repair: false },
  'url-repeated': { summary: 'one url stands twice in a table', repair: false },
  'json-damaged': { summary: 'what should be JSON is none, so that views fail', repair: false },
  'value-invalid': {
    summary: 'loading never writes such a value, and nothing that writes files takes it',
    repair: false,
  },
  'origin-unknown': {
    summary: 'rows name an archive that is not among the archives',
    repair: false,
  },
  'file-incomplete': {
    summary: 'a file lacks chunks, or has the wrong ones',
    repair: false,
  },
  'chunk-damaged': { summary: 'a chunk does not match its SHA-256', repair: false },
  'chunk-orphaned': { summary: 'chunks belong to no file', repair: true },
} as const satisfies Record<string, { summary: string; repair: boolean }>

export type DatabaseFaultCode = keyof typeof DATABASE_FAULTS

/** Something wrong with a database: the table, view or file it is in, and what was found. */
export interface DatabaseFault {
  code: DatabaseFaultCode
  where: string
  message: string
}

/** How many records of a kind, or files of a role, are not as they were loaded. */
export interface Edit {
  what: 'records' | 'files'
  /** The table of the records; or the role of the files as in the table `files`, `schema` and `urls` included. */
  kind: string
  changed: number
  added: number
  removed: number
}

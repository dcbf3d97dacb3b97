import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { SIGNS, uploadLinks } from './upload-links.ts'

/** A link to an upload, and the record whose text has it. */
interface UploadLink {
  link: string
  /** Table of the record, and its kind. */
  table: KindName
  kind: string
  url: string | null
  full_name: string | null
  /** Number of the issue, pull request or discussion. */
  number: number | null
  entry: string | null
  /** Place of the record in that entry, from 1. */
  record: number | null
}

type Found = Omit<UploadLink, 'link' | 'table' | 'kind'> & { body: string }

const PAGE = 1_000

/** Every link to an upload in the texts of issues, pull requests, comments, reviews, releases and discussions. */
export function* findUploadLinks(database: Database): Generator<UploadLink> {
  for (const [table, kind] of Object.entries(KINDS) as [KindName, Kind][]) {
    if (!('body' in kind.columns)) continue
    const page = database
      .prepare<[number], number>(
        `SELECT rowid FROM ${table} WHERE rowid > ? AND typeof(body) = 'text'
         AND (${SIGNS.map((sign) => `instr(body, '${sign}')`).join(' OR ')}) LIMIT ${PAGE}`,
      )
      .pluck()
    const read = database.prepare<[number], Found>(
      `SELECT body, url, ${columnOf(kind, 'full_name')}, ${columnOf(kind, 'number')},
         _entry AS entry, _record_number AS record FROM ${table} WHERE rowid = ?`,
    )
    for (let last = 0; ; ) {
      const rows = page.all(last)
      for (const row of rows) {
        // One by one: a text may be as large as a record may be.
        const { body, ...place } = read.get(row) as Found
        for (const link of uploadLinks(body)) yield { link, table, kind: kind.type, ...place }
      }
      if (rows.length < PAGE) break
      last = rows.at(-1) as number
    }
  }
}

const columnOf = ({ derived }: Kind, name: string) =>
  name in derived ? quoteName(name) : `NULL AS ${quoteName(name)}`

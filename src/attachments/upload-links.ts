import type { Database } from '../database/open-database.ts'
import { quoteName } from '../database/quote.ts'
import { readPages } from '../database/read-pages.ts'
import type { Kind } from '../records/kinds/kind.ts'
import { KINDS, type KindName } from '../records/kinds/kinds.ts'
import { SIGNS, uploadLinks } from '../records/upload-links.ts'

/** A link to an upload, and the record whose text contains it. */
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
  /** Position of the record in that entry, from 1. */
  record: number | null
}

type Found = Omit<UploadLink, 'link' | 'table' | 'kind'> & { body: string }

const PAGE = 1_000

/** Finds all links to uploads in the texts of issues, pull requests, comments, reviews, releases and discussions. */
export function* findUploadLinks(database: Database): Generator<UploadLink> {
  for (const [table, kind] of Object.entries(KINDS) as [KindName, Kind][]) {
    if (!('body' in kind.columns)) continue
    const pages = readPages(database, {
      columns: 'NULL',
      from: table,
      size: PAGE,
      where: `typeof(body) = 'text'
        AND (${SIGNS.map((sign) => `instr(body, '${sign}')`).join(' OR ')})`,
    })
    const read = database.prepare<[bigint], Found>(
      `SELECT body, url, ${columnOf(kind, 'full_name')}, ${columnOf(kind, 'number')},
         _entry AS entry, _record_number AS record FROM ${table} WHERE rowid = ?`,
    )
    for (const rows of pages) {
      for (const { position } of rows) {
        // One at a time: a text may be as large as a record.
        const { body, ...place } = read.get(position) as Found
        for (const link of uploadLinks(body)) yield { link, table, kind: kind.type, ...place }
      }
    }
  }
}

const columnOf = ({ derived }: Kind, name: string) =>
  name in derived ? quoteName(name) : `NULL AS ${quoteName(name)}`

import { linksOfKind } from '../../database/schema/uploads-view.ts'
import { uploadLinks } from '../../records/upload-links.ts'
import type { Store } from '../store.ts'
import { asInteger, asObject, objectsOf, parseJson } from '../values.ts'
import type { Reactions, Text, Upload } from './thread.ts'

/** A row of a table of records that has a text. */
export interface TextRow {
  url: string | null
  author: string | null
  created_at: string | null
  body: string | null
  reactions: string | null
}

/** The reactions in a row `o`: those that its record has, or else the counts that a backup keeps. */
export const REACTIONS = `CASE WHEN coalesce(o.reactions, '[]') = '[]' AND json_valid(o._extra)
  THEN o._extra -> 'reaction_counts' ELSE o.reactions END AS reactions`

type UploadRow = Omit<Upload, 'state'> & { present: number }

const COLUMNS = 'url, name, media_type, size, present'
const OF_PARENT = `SELECT ${COLUMNS} FROM ${linksOfKind('attachment')} WHERE parent = ?`
// Most texts have none, and this query takes a fiftieth of the time.
const HAS_UPLOADS = 'SELECT 1 FROM attachments WHERE parent = ?'
// No record says where these belong, so links in the text are followed.
const LINKED = `SELECT ${COLUMNS} FROM ${linksOfKind('repository_file')} WHERE url = ?`

/** Which of several texts have uploads. */
export const textsWithUploads = (store: Store, urls: readonly string[]): ReadonlySet<string> =>
  new Set(
    store
      .all<{ parent: string }>(
        'SELECT DISTINCT parent FROM attachments WHERE parent IN (SELECT value FROM json_each(?))',
        JSON.stringify(urls),
      )
      .map(({ parent }) => parent),
  )

/** The text in a row, with its reactions and uploads. */
export function toText(
  store: Store,
  { url, author, created_at, body, reactions }: TextRow,
  hasUploads = (parent: string): boolean => store.get(HAS_UPLOADS, parent) !== undefined,
): Text {
  const links = body === null ? [] : uploadLinks(body)
  const uploads = [
    ...(url !== null && hasUploads(url) ? store.all<UploadRow>(OF_PARENT, url) : []),
    ...links.flatMap((link) => store.all<UploadRow>(LINKED, link)),
  ]
  return {
    url,
    author,
    created_at,
    body,
    reactions: countReactions(reactions),
    attachments: uploads.map(({ present, ...upload }) => ({
      ...upload,
      state: present ? 'present' : 'missing',
    })),
  }
}

function countReactions(json: string | null): Reactions {
  const counts = new Map<string, number>()
  for (const [content, count] of Object.entries(asObject(parseJson(json)))) {
    if (content !== 'total_count' && asInteger(count) > 0) counts.set(content, asInteger(count))
  }
  for (const { content } of objectsOf(json)) {
    if (typeof content === 'string') counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

import type { Database } from '../database/open-database.ts'
import { linksOfKind } from '../database/schema/uploads-view.ts'
import { uploadLinks } from '../records/upload-links.ts'
import { objectsOf } from './names.ts'
import type { Reactions, Text, Upload } from './thread.ts'

/** A row of a table of records that has a text. */
export interface TextRow {
  url: string | null
  author: string | null
  created_at: string | null
  body: string | null
  reactions: string | null
}

type UploadRow = Omit<Upload, 'state'> & { present: number }

/** Turns rows into texts with their reactions and uploads. */
export function createTexts(database: Database): (row: TextRow) => Text {
  const columns = 'url, name, media_type, size, present'
  const ofParent = database.prepare<[string], UploadRow>(
    `SELECT ${columns} FROM ${linksOfKind('attachment')} WHERE parent = ?`,
  )
  // Most texts have none, and this query takes a fiftieth of the time.
  const hasUploads = database.prepare<[string]>('SELECT 1 FROM attachments WHERE parent = ?')
  // No record says where these belong, so links in the text are followed.
  const linked = database.prepare<[string], UploadRow>(
    `SELECT ${columns} FROM ${linksOfKind('repository_file')} WHERE url = ?`,
  )
  return ({ url, author, created_at, body, reactions }) => {
    const links = body === null ? [] : uploadLinks(body)
    const uploads = [
      ...(url !== null && hasUploads.get(url) ? ofParent.all(url) : []),
      ...links.flatMap((link) => linked.all(link)),
    ]
    return {
      ...{ url, author, created_at, body },
      reactions: countReactions(reactions),
      attachments: uploads.map(({ present, ...upload }) => ({
        ...upload,
        state: present ? 'present' : 'missing',
      })),
    }
  }
}

function countReactions(json: string | null): Reactions {
  const counts = new Map<string, number>()
  for (const { content } of objectsOf(json)) {
    if (typeof content === 'string') counts.set(content, (counts.get(content) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

import type { Database } from '../database/open-database.ts'
import { endingOf, foldName, numberedName, safeName } from '../files/safe-name.ts'
import type { Attachment } from './list-attachments.ts'

/** The ways to lay out extracted files, each with a line of help. */
export const LAYOUTS = {
  issue: 'grouped by issue or pull request: owner/name/issues/7/picture.png',
  path: 'as in the archive: attachments/5f1c7a52-…/picture.png',
  hash: 'deduplicated, named by SHA-256: 35/35ded017….png',
} as const

/** How extracted files are laid out: by issue or pull request, by path in the archive, or by content. */
export type Layout = keyof typeof LAYOUTS

/** The path of an extracted file: safe, and always of the same depth, so that no file is where a folder must be. */
export function placeAttachment(attachment: Attachment, layout: Layout): string[] {
  return partsOf[layout](attachment).map(safeName)
}

const partsOf: Record<Layout, (attachment: Attachment) => string[]> = {
  issue(attachment) {
    const { full_name, parent } = attachment
    const [owner, name] = String(full_name ?? '').split('/')
    // Without a repository there is no issue either.
    if (!owner || !name) return ['unlinked', 'files', ...inArchive(attachment)]
    const [, subject, of] = SUBJECT.exec(String(parent ?? '')) ?? []
    if (!subject || !of) {
      const [folder, id, file] = inArchive(attachment)
      return [owner, name, folder, id, fileNameOf(attachment) || file]
    }
    return [owner, name, subject.split('/')[0] as string, of, fileNameOf(attachment)]
  },
  path: (attachment) => inArchive(attachment),
  hash({ sha256, name, path }) {
    const hash = String(sha256)
    return [hash.slice(0, 2), hash + endingOf(String(name ?? path ?? ''))]
  },
}

const SUBJECT =
  /\/(issues|pull|discussions|commit|releases\/tag)\/([^?#]+?)(?:\/files)?(?:[?#].*)?$/s

const fileNameOf = ({ name, path }: Attachment): string =>
  String(
    name ||
      String(path ?? '')
        .split('/')
        .at(-1),
  )

/** `attachments`, the id, and the name, which may contain folders. */
function inArchive({ path }: Attachment): [string, string, string] {
  const [folder = '', id = '', ...name] = String(path ?? '').split('/')
  return [folder, id, name.join('/')]
}

/** The names given to extracted files. No two are equal on any system. */
interface Names {
  /** Returns a unique path, or undefined if the same content already has the name `wanted`, which defaults to the path. */
  take(parts: readonly string[], sha256: string, wanted?: string): string[] | undefined
}

/** Names are kept in a temporary table, so that memory does not grow with their number. */
export function createUniqueNames(database: Database): Names {
  database.exec(`
    CREATE TEMP TABLE names (
      path TEXT PRIMARY KEY, wanted TEXT NOT NULL, number INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX temp.names_by_content ON names (wanted, sha256);
    CREATE INDEX temp.names_by_number ON names (wanted, number);`)
  const isTaken = database.prepare('SELECT 1 FROM temp.names WHERE path = ?')
  const isSame = database.prepare('SELECT 1 FROM temp.names WHERE wanted = ? AND sha256 = ?')
  const last = database.prepare('SELECT max(number) FROM temp.names WHERE wanted = ?').pluck()
  const insert = database.prepare('INSERT INTO temp.names VALUES (?, ?, ?, ?)')
  return {
    take(parts, sha256, name = parts.join('/')) {
      const wanted = foldName(name)
      if (isSame.get(wanted, sha256)) return undefined
      const folder = parts.slice(0, -1)
      const file = parts.at(-1) as string
      for (let number = ((last.get(wanted) as number | null) ?? 0) + 1; ; number++) {
        const path = [...folder, number === 1 ? file : numberedName(file, number)]
        const folded = foldName(path.join('/'))
        if (isTaken.get(folded)) continue
        insert.run(folded, wanted, number, sha256)
        return path
      }
    },
  }
}

import { asBytes } from '../../../base/streams.ts'
import { readFile, readWholeFile } from '../../../database/contents/read-file.ts'
import type { Database } from '../../../database/open-database.ts'
import { isPackFile } from '../../../git/objects/pack-index.ts'
import { gitPath } from '../../../git/objects/repository-files.ts'
import { editBytes } from '../../../git/rewrite/rewrite-text.ts'
import { replaceContent } from '../../replace-content.ts'
import { formOf } from '../files/form-of.ts'
import type { Redaction } from '../redact-records.ts'
import { redactGitText, redactRefName } from './git-edits.ts'
import { type GitPart, partOfGitFile } from './git-parts.ts'

/** Larger ones are no configuration of a repository. */
const LONGEST = 16 * 2 ** 20

interface FileRow {
  id: number
  path: string
  repository: string
  size: number
}

/** Files of repositories that were not searched. */
export interface PassedFiles {
  /** Logs, which are left out. */
  logs: number
  /** Others that stay. */
  others: number
  /** Others that are left out. */
  leftOut: number
}

/** Files among objects: indexes, which have no texts; settings; and what Git reads as objects, which is rewritten elsewhere. */
const INDEX =
  /^objects\/(?:pack\/(?:[^/]+\.(?:rev|bitmap|mtimes)|multi-pack-index\S*)|info\/commit-graphs?(?:\/\S*)?)$/
const SETTING = /^objects\/(?:info\/[\w-]+|pack\/[^/]+\.(?:keep|promisor))$/
const LOOSE = /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/

/**
 * Takes values out of what a repository has beside its objects: names of refs, config, description and other settings. Leaves
 * out logs, which say who did what and when, what Git left among its objects, such as a pack without an index, and unless such
 * files are to stay, what is too large to be searched, or no text.
 */
export async function redactGitFiles(
  database: Database,
  redaction: Redaction,
): Promise<PassedFiles> {
  const passed: PassedFiles = { logs: 0, others: 0, leftOut: 0 }
  const keepsUnread = redaction.report.files.unread.kept
  const rename = ['files', 'entries'].map((table) =>
    database.prepare(
      `UPDATE ${table} SET path = ?${table === 'entries' ? ', whole_header = NULL' : ''} WHERE path = ?`,
    ),
  )
  const remove = [
    'DELETE FROM file_chunks WHERE file IN (SELECT id FROM files WHERE path = ?)',
    "DELETE FROM files WHERE path = ? AND role = 'git'",
    "DELETE FROM entries WHERE path = ? AND role = 'git'",
  ].map((sql) => database.prepare(sql))
  for (const { file, folder, name, part, isLeftover } of filesOf(database)) {
    const isRead = !isLeftover && (await isReadable(database, file, part))
    if (part === 'logs' || isLeftover || !(isRead || keepsUnread)) {
      for (const statement of remove) statement.run(file.path)
      passed[part === 'logs' ? 'logs' : 'leftOut']++
      continue
    }
    if (part === 'refs' || part === 'others') {
      const now = folder + redactPath(name, part, redaction)
      if (now !== file.path) for (const statement of rename) statement.run(now, file.path)
    }
    if (!isRead) {
      passed.others++
      continue
    }
    const text = Buffer.concat([...readWholeFile(database, file)]).toString('latin1')
    const now = redactPart(text, part, redaction)
    if (now !== text) replaceContent(database, file.id, Buffer.from(now, 'latin1'))
  }
  const update = database.prepare('UPDATE OR REPLACE refs SET name = ? WHERE name = ?')
  for (const name of database.prepare<[], string>('SELECT DISTINCT name FROM refs').pluck().all()) {
    const now = redactRefName(name, redaction)
    if (now !== name) update.run(now, name)
  }
  return passed
}

/** Counts the values in the same files, and in logs. Returns how many are too large to be searched, or no texts. */
export async function countInGitFiles(
  database: Database,
  redaction: Redaction,
): Promise<PassedFiles> {
  const passed: PassedFiles = { logs: 0, others: 0, leftOut: 0 }
  for (const { file, name, part, isLeftover } of filesOf(database)) {
    if (part === 'refs' || part === 'others') redactPath(name, part, redaction)
    if (isLeftover || !(await isReadable(database, file, part))) {
      passed.others++
      continue
    }
    const text = Buffer.concat([...readWholeFile(database, file)]).toString('latin1')
    redactPart(text, part, redaction)
  }
  return passed
}

/** The files of all repositories, but for objects and indexes. A leftover is among objects, but none for Git. */
function* filesOf(database: Database) {
  const rows = database
    .prepare<[], FileRow>(
      `SELECT id, path, repository, size FROM files
       WHERE role = 'git' AND repository IS NOT NULL AND stored ORDER BY id`,
    )
    .iterate()
  const files: FileRow[] = []
  for (const file of rows) {
    const name = nameOf(file)
    if (!LOOSE.test(name) && !INDEX.test(name)) files.push(file)
  }
  const packs = new Set(
    files.map(({ path }) => path).filter((path) => /\.(?:pack|idx)$/.test(path)),
  )
  for (const file of files) {
    const name = nameOf(file)
    const [, pack = ''] = /^objects\/pack\/(.*)$/.exec(name) ?? []
    if (
      isPackFile(pack) &&
      PAIR.every((ending) => packs.has(file.path.replace(/(?<=\.)(?:pack|idx)$/, ending)))
    ) {
      continue
    }
    const isLeftover = name.startsWith('objects/') && !SETTING.test(name)
    yield { file, folder: folderOf(file), name, part: partOfGitFile(name), isLeftover }
  }
}

const PAIR = ['pack', 'idx']
const folderOf = ({ repository }: FileRow): string => gitPath(repository, '')
const nameOf = (file: FileRow): string => file.path.slice(folderOf(file).length)

/** Whether a file is a text that is not too large. What Git does not know may be anything, such as compressed, without a zero. */
async function isReadable(
  database: Database,
  { id, size }: FileRow,
  part: GitPart,
): Promise<boolean> {
  if (size > LONGEST) return false
  for (const bytes of readFile(database, id)) if (bytes.includes(0)) return false
  if (part !== 'others') return true
  return (await formOf(() => asBytes(readFile(database, id)))).is === 'text'
}

function redactPath(path: string, part: GitPart, redaction: Redaction): string {
  const bytes = Buffer.from(path).toString('latin1')
  const now = redactPart(bytes, part, redaction)
  return now === bytes ? path : Buffer.from(now, 'latin1').toString()
}

function redactPart(text: string, part: GitPart, redaction: Redaction): string {
  return part === 'refs' ? redactRefs(text, redaction) : redactBytes(part)(text, redaction)
}

/** Settings are texts, here with one character for each byte. */
const redactBytes =
  (part: GitPart) =>
  (bytes: string, redaction: Redaction): string =>
    editBytes(bytes, (text) => redactGitText(text, part, redaction))

/** The name of a ref, or the id that it has, in a line of its own, in HEAD or packed refs. */
const REFS = /(refs\/[^\n^]+|\^?(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])[ \n]?)/

/** Replaces values in names of refs: each is a name of its own, in a path, HEAD or packed refs. Other words are a text. */
function redactRefs(text: string, redaction: Redaction): string {
  const now = text
    .split(REFS)
    .map((part, i) => {
      if (part.trim() === '' || /^\^?[0-9a-f]{40}[ \n]?$/.test(part)) return part
      return i % 2 === 0
        ? redactBytes('refs')(part, redaction)
        : editBytes(part, (name) => redactRefName(name, redaction))
    })
    .join('')
  // The new names have another order.
  return now === text ? text : now.replace(/^(# pack-refs with:.*?) sorted/, '$1')
}

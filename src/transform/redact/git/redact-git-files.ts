import { asBytes } from '../../../base/streams.ts'
import { readFile, readWholeFile } from '../../../database/contents/read-file.ts'
import type { Database } from '../../../database/open-database.ts'
import { isPackFile } from '../../../git/objects/pack-index.ts'
import { gitPath } from '../../../git/objects/repository-files.ts'
import { editBytes } from '../../../git/rewrite/rewrite-text.ts'
import { replaceContent } from '../../replace-content.ts'
import { formOf } from '../files/form-of.ts'
import { type GitPart, partOfGitFile } from '../git-parts.ts'
import {
  type GitRedaction,
  redactAsName,
  redactGitText,
  redactPersonName,
  redactRefName,
} from './git-edits.ts'
import { LONGEST_LINE, linesOf, withoutOrder } from './replace-objects.ts'
import { repositoriesOf } from './repositories-of.ts'

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
const SETTING = /^objects\/(?:info\/(?!commit-graph)[\w-]+|pack\/[^/]+\.(?:keep|promisor))$/
const LOOSE = /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/
/** Whatever an index begins with: its kind and version, or the names of those that follow each other. */
const INDEX_BEGINS = /^(?:(?:RIDX|BITM|MIDX|MTME|CGPH)\p{Cc}|(?:[0-9a-f]{40}\n)*$)/u
/** Folders of submodules and of working copies on somebody's machine, which no bare repository needs. */
const FOREIGN = /^(?:modules|worktrees)\//
/** What Git notes in a working copy while a merge, rebase or search goes on, and for a while afterwards: ids and texts. */
const IN_PROGRESS =
  /^(?:(?:sequencer|rebase-(?:merge|apply)|rr-cache)\/.*|[A-Z_]+_HEAD|(?:BISECT|MERGE)_[A-Z_]+|[A-Z_]*MSG|AUTO_MERGE|index|gitk\.cache)$/s

/**
 * Takes values out of what a repository has beside its objects: names of refs, config, description and other settings. Leaves
 * out logs, which say who did what and when, what Git left among its objects, such as a pack without an index, submodules,
 * working copies and what goes on in one, and unless such files are to stay, what is too large to be searched, or no text.
 */
export async function redactGitFiles(
  database: Database,
  redaction: GitRedaction,
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
    const edited = () => textsOf(database, file).map((text) => redactPart(text, part, redaction))
    const texts = textsOf(database, file)
    let isChanged = false
    for (const now of edited()) isChanged = isChanged || now !== texts.next().value
    if (!isChanged) continue
    // New names of refs have another order.
    const now = part === 'refs' ? edited().map(withoutOrder) : edited()
    replaceContent(
      database,
      file.id,
      now.map((text) => Buffer.from(text, 'latin1')),
    )
  }
  redactFolders(database, redaction)
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
  redaction: GitRedaction,
): Promise<PassedFiles> {
  const passed: PassedFiles = { logs: 0, others: 0, leftOut: 0 }
  for (const { file, name, part, isLeftover } of filesOf(database)) {
    if (part === 'refs' || part === 'others') redactPath(name, part, redaction)
    const isPassed = isLeftover && !IN_PROGRESS.test(name)
    if (isPassed || !(await isReadable(database, file, part))) {
      passed.others++
      continue
    }
    for (const text of textsOf(database, file)) redactPart(text, part, redaction)
  }
  return passed
}

/** A file as one text, with a character for each byte; a large one, which is a list of refs, by its lines. */
function* textsOf(database: Database, file: FileRow): Generator<string> {
  if (file.size > LONGEST) yield* linesOf(database, file.id)
  else yield Buffer.concat([...readWholeFile(database, file)]).toString('latin1')
}

/** Leaves out the entries of folders with values in their names: a tar needs none, and names of files have been replaced. */
function redactFolders(database: Database, redaction: GitRedaction): void {
  const remove = database.prepare('DELETE FROM entries WHERE id = ?')
  for (const repository of repositoriesOf(database)) {
    const folder = gitPath(repository, '')
    const rows = database
      .prepare<[string, string], { id: number; path: string }>(
        `SELECT id, path FROM entries WHERE role = 'directory' AND path > ? AND path < ?`,
      )
      .all(folder, `${folder}\u{10ffff}`)
    for (const { id, path } of rows) {
      const name = path.slice(folder.length)
      const part = partOfGitFile(name)
      if (
        FOREIGN.test(name) ||
        IN_PROGRESS.test(name) ||
        redactPath(name, part, redaction) !== name
      )
        remove.run(id)
    }
  }
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
    const name = baseNameOf(file)
    if (!LOOSE.test(name)) files.push(file)
  }
  const packs = new Set(
    files.map(({ path }) => path).filter((path) => /\.(?:pack|idx)$/.test(path)),
  )
  for (const file of files) {
    const name = baseNameOf(file)
    const [, pack = ''] = /^objects\/pack\/(.*)$/.exec(name) ?? []
    if (
      isPackFile(pack) &&
      PAIR.every((ending) => packs.has(file.path.replace(/(?<=\.)(?:pack|idx)$/, ending)))
    ) {
      continue
    }
    if (INDEX.test(name) && isIndex(database, file)) continue
    const isAmongObjects = name.startsWith('objects/') && !SETTING.test(name)
    const isLeftover = isAmongObjects || FOREIGN.test(name) || IN_PROGRESS.test(name)
    yield { file, folder: folderOf(file), name, part: partOfGitFile(name), isLeftover }
  }
}

const PAIR = ['pack', 'idx']

/** Whether a file begins as an index does. */
function isIndex(database: Database, { id }: FileRow): boolean {
  for (const bytes of readFile(database, id)) {
    return INDEX_BEGINS.test(bytes.toString('latin1', 0, LONGEST_CHAIN))
  }
  return true
}

/** Bytes of a list of indexes that follow each other, at most. */
const LONGEST_CHAIN = 2 ** 16

const folderOf = ({ repository }: FileRow): string => gitPath(repository, '')
const baseNameOf = (file: FileRow): string => file.path.slice(folderOf(file).length)

/** Whether a file is a text that is not too large. What Git does not know may be anything, such as compressed, without a zero. */
async function isReadable(
  database: Database,
  { id, size }: FileRow,
  part: GitPart,
): Promise<boolean> {
  if (size > LONGEST && (part !== 'refs' || hasLongLine(database, id))) return false
  for (const bytes of readFile(database, id)) if (bytes.includes(0)) return false
  if (part !== 'others') return true
  return (await formOf(() => asBytes(readFile(database, id)))).is === 'text'
}

function hasLongLine(database: Database, id: number): boolean {
  for (const line of linesOf(database, id)) if (line.length > LONGEST_LINE) return true
  return false
}

/** Replaces values in the path of a file: of a ref, the name; of others, each name in it. */
function redactPath(path: string, part: GitPart, redaction: GitRedaction): string {
  const bytes = Buffer.from(path).toString('latin1')
  const asName = (text: string) => editBytes(text, (name) => redactAsName(name, part, redaction))
  const now =
    part === 'refs'
      ? redactRefs(bytes, redaction)
      : redactBytes(part)(bytes, redaction).split('/').map(asName).join('/')
  return now === bytes ? path : Buffer.from(now, 'latin1').toString()
}

function redactPart(text: string, part: GitPart, redaction: GitRedaction): string {
  if (part === 'refs') return redactRefs(text, redaction)
  const now = part === 'config' ? redactConfig(text, redaction) : text
  return redactBytes(part)(now, redaction)
}

/** Sections of a config that name a person. */
const PEOPLE = new Set(['user', 'author', 'committer', 'gitweb'])
/** The name in a line of a section, which may be the first line of it. */
const PERSON = /^((?:[ \t]*\[[^\]\n]*\])?[ \t]*(?:name|owner)[ \t]*=[ \t]*"?)([^"#;\n]+)/i

/** Replaces names of people in settings. Such a name may have one word, and is searched for nowhere else. */
function redactConfig(text: string, redaction: GitRedaction): string {
  let isOfPerson = false
  return text
    .split(/(?<=\n)/)
    .map((line) => {
      const [, section] = /^[ \t]*\[([\w.-]*)/.exec(line) ?? []
      if (section !== undefined) isOfPerson = PEOPLE.has(section.toLowerCase())
      if (!isOfPerson) return line
      return line.replace(PERSON, (_, before: string, bytes: string) => {
        const name = editBytes(bytes.trim(), (text) => redactPersonName(text, 'config', redaction))
        return before + name
      })
    })
    .join('')
}

/** Settings are texts, here with one character for each byte. */
const redactBytes =
  (part: GitPart) =>
  (bytes: string, redaction: GitRedaction): string =>
    editBytes(bytes, (text) => redactGitText(text, part, redaction))

/** The name of a ref, or the id that it has, in a line of its own, in HEAD or packed refs. */
const REFS = /(refs\/[^\n^]+|\^?(?<![0-9a-f])[0-9a-f]{40}(?![0-9a-f])[ \n]?)/

/** Replaces values in names of refs: each is a name of its own, in a path, HEAD or packed refs. Other words are a text. */
function redactRefs(text: string, redaction: GitRedaction): string {
  return text
    .split(REFS)
    .map((part, i) => {
      if (part.trim() === '' || /^\^?[0-9a-f]{40}[ \n]?$/.test(part)) return part
      return i % 2 === 0
        ? redactBytes('refs')(part, redaction)
        : editBytes(part, (name) => redactRefName(name, redaction))
    })
    .join('')
}

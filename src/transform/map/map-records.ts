import { readFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { editRecords, type StringEdit } from '../edit-records.ts'
import { removeOrphanedChunks, replaceContent } from '../replace-content.ts'
import { findNames, loginsIn, PEOPLE, refuseTaken, spelledAsRecords, texts } from './find-names.ts'
import { createMapHints } from './hints.ts'
import { createLookup, type IdentityMap, type Renaming } from './identity-map.ts'
import { createTextMapper, type Mentions } from './map-texts.ts'
import { createUrlMapper, type MapNotes, type UrlMapper } from './map-urls.ts'

export interface MapOptions {
  /** Where `@login` is replaced in texts. Default `text`: not in code. */
  mentions?: Mentions | undefined
  /** How to treat people without a new name, if anybody has one: `refuse` throws `map-incomplete`. Default `keep`. */
  unmapped?: 'keep' | 'refuse' | undefined
  /** Also replace URLs within texts of members and kinds that are not known. */
  textsEverywhere?: boolean | undefined
}

/** The result of renaming. */
export interface MapReport extends MapNotes {
  /** Changed records by table. */
  records: Record<string, number>
  /** Files whose path or content changed. */
  files: number
  /** Strings of unknown members that contain an old URL and were left alone. */
  leftAlone: number
  /** Logins without a new name, if anybody has one: the first thousand. */
  unmapped: string[]
  /** The map that leads back. */
  inverse: Record<keyof IdentityMap, { old: string; new: string }[]>
}

/** Members with Markdown or other text of people, wherever they stand. */
const TEXTS = new Set([
  ...['body', 'title', 'title_was', 'title_is', 'description', 'bio', 'message', 'note'],
  'milestone_title',
])

/**
 * Renames people, organizations, repositories and hosts wherever a database has them: in URLs and references, in the members
 * that hold names, in texts, and in the paths of Git data. Git objects and the contents of other files stay. Throws
 * `map-invalid` if two things would have one name, and `map-incomplete`.
 */
export function mapRecords(
  database: Database,
  map: IdentityMap,
  { mentions = 'text', unmapped = 'keep', textsEverywhere = false }: MapOptions = {},
): MapReport {
  const names = findNames(database)
  const asSpelled = spelledAsRecords(map, names)
  const lookup = createLookup(asSpelled)
  refuseTaken(asSpelled, names)
  const without =
    map.logins.length > 0
      ? names.people.filter((login) => !lookup.logins.has(login.toLowerCase()))
      : []
  if (unmapped === 'refuse' && without.length > 0) {
    const shown = without.slice(0, 20).join(', ')
    throw new ArchiveError('map-incomplete', `${without.length} people have no new name: ${shown}`)
  }
  const notes: MapNotes = { respelt: 0, taken: 0 }
  const urls = createUrlMapper(lookup, new Set([...names.hosts, ...lookup.hosts.keys()]), notes)
  const organizations = new Set(
    loginsIn(database, 'organizations').map((login) => login.toLowerCase()),
  )
  const mapText = createTextMapper(urls, lookup, {
    mentions,
    isOrganization: (login) => organizations.has(login.toLowerCase()),
  })
  const hints = createMapHints(lookup)
  let leftAlone = 0
  const edit: StringEdit = (value, { table, path, name, extra }) => {
    if (TEXTS.has(name) && (!extra || textsEverywhere)) return mapText(value)
    if (path === 'login' && PEOPLE.includes(table)) return urls.mapLogin(value)
    if (value.startsWith('tarball://')) return urls.mapPath(value)
    if (!value.includes('://')) return value
    if (/^https?:\/\//i.test(value)) return urls.mapUrl(value)
    if (urls.mapUrls(value) === value) return value
    if (textsEverywhere) return urls.mapUrls(value)
    leftAlone++
    return value
  }
  const work = database.transaction(() => {
    const records = editRecords(database, edit, {
      mayHold: (json) => /[@#]|:\/\//.test(json),
      // Logins of people stand alone.
      hints: (table) => (PEOPLE.includes(table) ? undefined : hints),
    })
    renameRepositories(database, asSpelled)
    return { records, files: mapFiles(database, urls) }
  })
  const done = work.immediate()
  return {
    ...done,
    ...notes,
    leftAlone,
    unmapped: without.slice(0, 1000),
    inverse: {
      hosts: invert(asSpelled.hosts),
      logins: invert(asSpelled.logins),
      repositories: invert(asSpelled.repositories),
    },
  }
}

const invert = (renamings: readonly Renaming[]) =>
  renamings.map((each) => ({ old: each.new, new: each.old }))

/** Gives repositories their new names, which follow from their new URLs. */
function renameRepositories(database: Database, map: IdentityMap): void {
  const update = database.prepare(
    'UPDATE repositories SET name = ? WHERE lower(full_name) = ? AND lower(name) = ?',
  )
  for (const each of map.repositories) {
    const [was = '', now = ''] = [each.old, each.new].map((name) => name.split('/')[1] as string)
    update.run(now, each.new.toLowerCase(), was.toLowerCase())
  }
}

/** Renames Git data: paths, names of repositories, and the file in which GitHub notes the name. */
function mapFiles(database: Database, urls: UrlMapper): number {
  let files = 0
  for (const table of ['files', 'refs', 'git_packs', 'commits']) {
    const update = database.prepare(`UPDATE ${table} SET repository = ? WHERE repository = ?`)
    const names = texts(
      database,
      `SELECT DISTINCT repository FROM ${table} WHERE repository IS NOT NULL`,
    )
    // Names may be exchanged: each gets a name that nothing has in between.
    const changes = names.map((name) => [name, urls.mapRepository(name)] as const)
    for (const [old, now] of changes) if (old !== now) update.run(`\n${old}`, old)
    for (const [old, now] of changes) if (old !== now) update.run(now, `\n${old}`)
  }
  for (const [table, column] of [
    ['files', 'path'],
    ['git_packs', 'path'],
    ['entries', 'path'],
    ['problems', 'entry'],
  ] as const) {
    const rows = database
      .prepare<[], [bigint, string]>(
        `SELECT rowid, ${column} FROM ${table} WHERE ${column} LIKE 'repositories/%'`,
      )
      .raw()
      .safeIntegers()
      .all()
    // A complete header has the old path in it.
    const header = table === 'entries' ? ', whole_header = NULL' : ''
    const update = database.prepare(`UPDATE ${table} SET ${column} = ?${header} WHERE rowid = ?`)
    for (const [rowid, path] of rows) {
      const now = urls.mapPath(path)
      if (now === path) continue
      update.run(now, rowid)
      if (table === 'files') files++
    }
  }
  return files + mapNotes(database, urls) + mapDocuments(database, urls)
}

function mapNotes(database: Database, urls: UrlMapper): number {
  const files = database
    .prepare<[], { id: number; stored: number }>(
      `SELECT id, stored FROM files WHERE path LIKE 'repositories/%.git/info/nwo' AND size < 1000`,
    )
    .all()
  let count = 0
  for (const { id } of files.filter(({ stored }) => stored)) {
    const text = Buffer.concat([...readFile(database, id)]).toString('utf8')
    const [, name = '', end = ''] = /^([^/\s]+\/[^/\s]+)(\s*)$/.exec(text) ?? []
    const now = urls.mapRepository(name)
    if (name === '' || now === name) continue
    replaceContent(database, id, Buffer.from(now + end))
    count++
  }
  if (count > 0) removeOrphanedChunks(database)
  return count
}

/** The templates of URLs in urls.json. */
function mapDocuments(database: Database, urls: UrlMapper): number {
  const rows = database
    .prepare<[], { id: number; urls: string }>(
      'SELECT id, urls FROM archives WHERE urls IS NOT NULL',
    )
    .all()
  const update = database.prepare('UPDATE archives SET urls = ? WHERE id = ?')
  let count = 0
  for (const row of rows) {
    const now = urls.mapUrls(row.urls)
    if (now === row.urls) continue
    update.run(now, row.id)
    count++
  }
  return count
}

import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { isOfPeople, PEOPLE_TABLES } from '../../records/people-tables.ts'
import { editRecords, type StringEdit, type StringPlace } from '../edit-records.ts'
import type { EditedRows } from '../edited-rows.ts'
import {
  findNames,
  loginsIn,
  type Names,
  refuseSameRepositories,
  refuseTaken,
  spelledAsRecords,
} from './find-names.ts'
import { createMapHints } from './hints.ts'
import { createLookup, type IdentityMap, type Lookup, type Renaming } from './identity-map.ts'
import { mapFiles } from './map-files.ts'
import {
  countCommits,
  describePlaces,
  type MapReport,
  MOST_PLACES,
  type Noted,
  unknownNames,
} from './map-report.ts'
import { createTextMapper, type Mentions } from './map-texts.ts'
import { createUrlMapper, type MapNotes } from './map-urls.ts'
import { findMerged, mergePeople } from './merge-people.ts'
import { removeUnmapped } from './remove-unmapped.ts'

export const UNMAPPED = ['keep', 'refuse', 'ghost'] as const
/** How to treat people without a new name: `keep`, `refuse` or `ghost` (see `MapOptions`). */
export type Unmapped = (typeof UNMAPPED)[number]

/** How to rename. */
export interface MapOptions {
  /** Where `@login` is replaced in texts. Default `text`: not in code. */
  mentions?: Mentions | undefined
  /**
   * How to treat people without a new name, if others have one: `refuse` throws `map-incomplete`, `ghost` removes them and
   * makes references to them null. Default `keep`.
   */
  unmapped?: Unmapped | undefined
  /** Let several people become one. Default: a map in which two have one new name is refused. */
  merge?: boolean | undefined
  /** Also replace URLs within texts of members and kinds that are not known. */
  textsEverywhere?: boolean | undefined
}

/** Members with Markdown or other text of people, wherever they stand. */
const TEXTS = new Set([
  'body',
  'title',
  'title_was',
  'title_is',
  'description',
  'bio',
  'message',
  'note',
  'milestone_title',
  'company',
])

/**
 * Renames people, organizations, repositories and hosts wherever a database has them: in URLs and references, in the members
 * that hold names, in texts, and in the paths of Git data. Git objects and the contents of other files stay. Throws
 * `map-invalid`, `map-collision` if two things would have one name, and `map-incomplete`.
 */
export function mapRecords(
  database: Database,
  map: IdentityMap,
  { mentions = 'text', unmapped = 'keep', merge = false, textsEverywhere = false }: MapOptions = {},
  edited?: EditedRows,
): MapReport {
  const { asSpelled, lookup, organizations, merged, hosts, ahead, without, unknown } = prepare(
    database,
    map,
    { unmapped, merge },
  )
  const notes: MapNotes = { respelt: 0, taken: 0 }
  const urls = createUrlMapper(lookup, hosts, notes)
  const mapText = createTextMapper(urls, lookup, {
    mentions,
    isOrganization: (login) => organizations.has(login.toLowerCase()),
  })
  const hints = createMapHints(lookup)
  let leftAlone = 0
  const change: StringEdit = (value, { table, path, name, extra }) => {
    if (TEXTS.has(name) && (!extra || textsEverywhere)) return mapText(value)
    if (path === 'login' && isOfPeople(table)) return urls.mapLogin(value)
    if (value.startsWith('tarball://')) return urls.mapPath(value)
    if (!value.includes('://')) return value
    if (/^https?:\/\//i.test(value)) return urls.mapUrl(value)
    if (urls.mapUrls(value) === value) return value
    if (textsEverywhere) return urls.mapUrls(value)
    leftAlone++
    return value
  }
  const places: Record<Noted, StringPlace[]> = { respelt: [], taken: [], leftAlone: [] }
  const note = (list: Noted, place: StringPlace) => {
    if (places[list].length < MOST_PLACES) places[list].push(place)
  }
  const edit: StringEdit = (value, place) => {
    const { respelt, taken } = notes
    const before = leftAlone
    const now = change(value, place)
    if (notes.respelt > respelt) note('respelt', place)
    if (notes.taken > taken) note('taken', place)
    if (leftAlone > before) note('leftAlone', place)
    return now
  }
  const work = database.transaction(() => {
    const doubles = mergePeople(database, merged, ahead)
    const ghosts =
      unmapped === 'ghost' && without.length > 0
        ? removeUnmapped(database, lookup, { hosts, organizations })
        : {}
    const records = editRecords(database, edit, {
      mayHold: (json) => /[@#]|:\/\//.test(json),
      // Logins of people stand alone.
      hints: (table) => (isOfPeople(table) ? undefined : hints),
      edited,
    })
    edited?.addAny(merged.length > 0 || unmapped === 'ghost' ? undefined : 'repositories')
    const ownersMissing = renameRepositories(database, asSpelled, lookup)
    return { records, doubles, ghosts, ownersMissing, ...mapFiles(database, urls) }
  })
  const done = work.immediate()
  const joined = new Set(merged.flatMap(({ old }) => old))
  return {
    ...done,
    ...notes,
    leftAlone,
    places: {
      respelt: describePlaces(database, places.respelt),
      taken: describePlaces(database, places.taken),
      leftAlone: describePlaces(database, places.leftAlone),
    },
    unknown,
    commits: countCommits(
      database,
      createTextMapper(ahead, lookup, { mentions, isOrganization: () => true }),
    ),
    unmapped: { count: without.length, logins: without.slice(0, 1000) },
    merged,
    inverse: {
      hosts: invert(asSpelled.hosts),
      logins: invert(asSpelled.logins).filter(
        (each) => each.new !== each.old && !joined.has(each.new),
      ),
      repositories: invert(asSpelled.repositories),
    },
  }
}

/** Compares a map with the names of a database, which are not kept: there may be hundreds of thousands. */
function prepare(
  database: Database,
  map: IdentityMap,
  { unmapped, merge }: { unmapped: Unmapped; merge: boolean },
) {
  const names = findNames(database, { inLists: unmapped !== 'keep' })
  const asSpelled = spelledAsRecords(map, names)
  const lookup = createLookup(asSpelled, { merge })
  refuseTaken(asSpelled, names, { merge })
  const organizations = new Set(
    loginsIn(database, 'organizations').map((login) => login.toLowerCase()),
  )
  const merged = merge ? findMerged(asSpelled, names, organizations) : []
  const hosts = new Set([...names.hosts, ...lookup.hosts.keys()])
  // Its notes do not count: it replaces nothing.
  const ahead = createUrlMapper(lookup, hosts, { respelt: 0, taken: 0 })
  refuseSameRepositories(names, ahead.mapRepository)
  const without = map.logins.length > 0 ? peopleWithout(names, lookup, organizations) : []
  if (unmapped === 'refuse' && without.length > 0) {
    const shown = without.slice(0, 20).join(', ')
    throw new ArchiveError('map-incomplete', `${without.length} people have no new name: ${shown}`)
  }
  const unknown = unknownNames(database, map, names)
  return { asSpelled, lookup, organizations, merged, hosts, ahead, without, unknown }
}

/** The people who have no new name, and are none. Organizations are no people. */
const peopleWithout = (
  { people }: Names,
  { logins, newLogins, kept }: Lookup,
  organizations: ReadonlySet<string>,
): string[] => {
  const others = [logins, newLogins, kept, organizations]
  return people.filter((login) => !others.some((names) => names.has(login.toLowerCase())))
}

const invert = (renamings: readonly Renaming[]) =>
  renamings.map((each) => ({ old: each.new, new: each.old }))

/** Gives repositories their new names and owners, which follow from their new URLs. Returns the owners without a record. */
function renameRepositories(database: Database, map: IdentityMap, { logins }: Lookup): string[] {
  const update = database.prepare(
    'UPDATE repositories SET name = ? WHERE lower(full_name) = ? AND lower(name) = ?',
  )
  const people = PEOPLE_TABLES.map((table) => `SELECT url, login FROM ${table}`).join(' UNION ALL ')
  // An owner without a record gets the URL that begins that of the repository.
  const move = database.prepare(
    `UPDATE repositories SET owner = coalesce(
       (SELECT url FROM (${people}) WHERE lower(login) = :now),
       substr(url, 1, length(url) - length(name) - 1))
     WHERE lower(full_name) = :name AND lower(substr(owner, -length(:was) - 1)) = '/' || :was`,
  )
  const find = database.prepare<[string]>(`SELECT 1 FROM (${people}) WHERE lower(login) = ?`)
  const missing = new Set<string>()
  for (const each of map.repositories) {
    const [[oldOwner = '', was = ''], [newOwner = '', now = '']] = [each.old, each.new].map(
      (name) => name.split('/'),
    ) as [string[], string[]]
    const name = each.new.toLowerCase()
    update.run(now, name, was.toLowerCase())
    // The owner may have been renamed as well.
    const owner = logins.get(oldOwner.toLowerCase())?.new ?? oldOwner
    const owners = { was: owner.toLowerCase(), now: newOwner.toLowerCase() }
    if (owners.was === owners.now) continue
    const { changes } = move.run({ name, ...owners })
    if (changes > 0 && !find.get(owners.now)) missing.add(newOwner)
  }
  return [...missing]
}

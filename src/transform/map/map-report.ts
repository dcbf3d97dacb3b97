import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { parseNoreply } from '../../git/parse/parse-person.ts'
import type { StringPlace } from '../edit-records.ts'
import { findNames, type Names } from './find-names.ts'
import type { IdentityMap } from './identity-map.ts'
import type { MapNotes } from './map-urls.ts'
import type { MergedPeople } from './merge-people.ts'

/** The findings that a report lists with their places. */
export type Noted = keyof MapNotes | 'leftAlone'

/** Where a string stands. */
export interface MapPlace {
  /** The kind of the record: its table. */
  kind: string
  /** URL of the record, null if it has none. */
  url: string | null
  /** `body`, `emails[].address`. */
  member: string
}

/** The result of renaming. */
export interface MapReport extends MapNotes {
  /** Changed records by table. */
  records: Record<string, number>
  /** Files whose path or content changed. */
  files: number
  /** Entries whose own tar headers had no room for the new path, and became usual ones: mapping back does not restore them. */
  usualHeaders: number
  /** Strings of unknown members that contain an old URL and were left alone. */
  leftAlone: number
  /** Where the inverse map would not write the same, and what was left alone: the first thousand of each. */
  places: Record<Noted, MapPlace[]>
  /** Old names that no record has, as the map has them. */
  unknown: string[]
  /** New owners of repositories that no record of a user or organization has. */
  ownersMissing: string[]
  /** The number of commits, and of those that have an old name; null if commits are not indexed. */
  commits: { count: number; withOldNames: number } | null
  /** People without a new name, if others have one: their number, and the first thousand. */
  unmapped: { count: number; logins: string[] }
  /** People who became one. They cannot be told apart again. */
  merged: MergedPeople[]
  /** Elements of lists that would have been there twice after that, by kind and member: `issues.assignees`. */
  doubles: Record<string, number>
  /** Records of people without a new name, and references to them, that were removed, by kind and member. */
  ghosts: Record<string, number>
  /** The map that leads back, without people who became one. */
  inverse: Record<keyof IdentityMap, { old: string; new: string }[]>
}

/** Places that are listed, at most. */
export const MOST_PLACES = 1000

/** The places with the URLs of their records. */
export function describePlaces(database: Database, places: readonly StringPlace[]): MapPlace[] {
  return places.map(({ table, rowid, path }) => {
    const url = database
      .prepare<[bigint], string | null>(`SELECT url FROM ${quoteName(table)} WHERE rowid = ?`)
      .pluck()
      .get(rowid)
    return { kind: table, url: url ?? null, member: path }
  })
}

/** The old names of a map that no record has or refers to: most often they are misspelled. */
export function unknownNames(database: Database, map: IdentityMap, names: Names): string[] {
  const without = (olds: readonly string[], known: Iterable<string>): string[] => {
    const keys = new Set<string>()
    for (const name of known) keys.add(name.toLowerCase())
    return olds.filter((old) => !keys.has(old.toLowerCase()))
  }
  const oldsOf = (kind: keyof IdentityMap) => map[kind].map(({ old }) => old)
  const hosts = [...names.hosts].flatMap((host) => [`https://${host}`, `http://${host}`])
  let logins = without(oldsOf('logins'), names.people)
  // Only lists may name them.
  if (logins.length > 0) logins = without(logins, findNames(database, { inLists: true }).people)
  return [
    ...logins,
    ...without(oldsOf('repositories'), names.repositories),
    ...without(
      oldsOf('hosts').map((host) => host.replace(/(?<!\/)\/+$/, '')),
      hosts,
    ),
  ]
}

/** Counts the commits whose message, or address of the author, has an old name: nothing is renamed in them. */
export function countCommits(
  database: Database,
  mapText: (text: string) => string,
): MapReport['commits'] {
  const rows = database
    .prepare<[], [message: string, email: string]>('SELECT message, author_email FROM commits')
    .raw()
  let count = 0
  let withOldNames = 0
  for (const [message, email] of rows.iterate()) {
    count++
    const { login } = parseNoreply(email) ?? {}
    const texts = [message, ...(login === undefined ? [] : [`@${login}`])]
    if (texts.some((text) => mapText(text) !== text)) withOldNames++
  }
  return count === 0 ? null : { count, withOldNames }
}

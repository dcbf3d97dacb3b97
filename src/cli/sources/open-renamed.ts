import type { Database } from '../../database/open-database.ts'
import { originsOf } from '../../transform/map/find-names.ts'
import type { Renaming } from '../../transform/map/identity-map.ts'
import { mapRecords } from '../../transform/map/map-records.ts'
import { openWorkingCopy, type WorkingCopy } from '../../transform/working-copy.ts'
import { UsageError } from '../command/usage-error.ts'
import { MAP_OPTIONS, readMap, readMapReport } from '../options/map-options.ts'

/** Options that give everything in the first of two sources its new name before they are compared. */
export const RENAMED_OPTIONS = {
  users: {
    ...MAP_OPTIONS.users,
    describe: 'Rename people in the first: CSV with the columns old,new',
  },
  url: {
    ...MAP_OPTIONS.url,
    describe: 'Rename a host in the first: https://a.example=https://b.example; repeatable',
  },
  rename: {
    ...MAP_OPTIONS.rename,
    describe: 'Rename a login or repository in the first; repeatable',
  },
  map: {
    type: 'string',
    value: '<file>',
    describe: 'Rename in the first as a report of marc map (.json) says',
  },
  by: {
    choices: ['url', 'path'],
    default: 'url',
    value: '<what>',
    describe: 'Match records by their whole URL, or only by its path, if the hosts differ',
  },
} as const

/** A copy of the first database in which everything has its new name; undefined if nothing was given one. */
export async function openRenamed(
  database: Database,
  second: Database,
  { users, url, rename, map, by }: Renames,
): Promise<WorkingCopy | undefined> {
  const typed = await readMap(users, url, rename)
  const reported = map === undefined ? undefined : await readMapReport(map)
  const names = {
    hosts: [...typed.hosts, ...(reported?.hosts ?? [])],
    logins: [...typed.logins, ...(reported?.logins ?? [])],
    repositories: [...typed.repositories, ...(reported?.repositories ?? [])],
  }
  if (by === 'path') names.hosts.push(...pairHosts(database, second, names.hosts))
  if (Object.values(names).every((list) => list.length === 0)) return undefined
  const copy = await openWorkingCopy(database)
  try {
    mapRecords(copy.database, names, { merge: reported !== undefined })
    return copy
  } catch (error) {
    copy.close()
    throw error
  }
}

interface Renames extends Record<'url' | 'rename', string[] | undefined> {
  users: string | undefined
  map: string | undefined
  by: string
}

/** Gives the host of the first database the name of that of the other, if each has one of its own. Throws `UsageError`. */
function pairHosts(
  database: Database,
  second: Database,
  renamed: readonly Renaming[],
): readonly Renaming[] {
  const hostOf = (url: string) => url.replace(/^https?:\/\/|\/$/gi, '').toLowerCase()
  const hosts = [database, second].map(
    (each) => new Map(originsOf(each).map((origin) => [hostOf(origin), origin])),
  )
  const [left, right] = hosts.map((own, i) =>
    [...own].flatMap(([host, origin]) => {
      const isRenamed = renamed.some((each) => hostOf(i === 0 ? each.old : each.new) === host)
      return hosts[1 - i]?.has(host) || isRenamed ? [] : [origin]
    }),
  ) as [string[], string[]]
  const [old, now] = [left[0], right[0]]
  if (old === undefined || now === undefined) return []
  if (left.length === 1 && right.length === 1) return [{ old, new: now, place: '--by path' }]
  throw new UsageError(
    `--by path takes one host on each side, found ${left.join(', ')} and ${right.join(', ')}`,
    'Name pairs of them with: --url https://a.example=https://b.example',
  )
}

import { ArchiveError } from '../../base/errors.ts'
import type { IdentityMap, Renaming } from '../../transform/map/identity-map.ts'
import type { MapReport } from '../../transform/map/map-report.ts'
import { parseUsers } from '../../transform/map/parse-users.ts'
import { UsageError } from '../command/usage-error.ts'
import { readNamed } from './copy-options.ts'

const list = { type: 'string', array: true, nargs: 1 } as const

/** Options that say who and what has which new name. */
export const MAP_OPTIONS = {
  users: { type: 'string', value: '<file>', describe: 'CSV with the columns old,new: logins' },
  url: {
    ...list,
    value: '<old=new>',
    describe: 'A host: https://a.example=https://b.example; repeatable',
  },
  rename: {
    ...list,
    value: '<old=new>',
    describe: 'A login, or owner/name=owner/name; repeatable',
  },
} as const

/** Reads the old and new names that these options give. Throws `UsageError`, or `map-invalid` with the line. */
export async function readMap(
  users: string | undefined,
  urls: readonly string[] = [],
  renames: readonly string[] = [],
): Promise<IdentityMap> {
  const found: { [Kind in keyof IdentityMap]: Renaming[] } = {
    hosts: [],
    logins: [],
    repositories: [],
  }
  if (users !== undefined) {
    const lines = await parseUsers(await readNamed(users, '--users'), users)
    // As arguments of `push`, a file of many lines would not fit the stack.
    found.logins = lines.logins
    found.repositories = lines.repositories
  }
  for (const typed of urls) found.hosts.push(parsePair('url', typed))
  for (const typed of renames) {
    const renaming = parsePair('rename', typed)
    const [isOld, isNew] = [renaming.old.includes('/'), renaming.new.includes('/')]
    if (isOld !== isNew) {
      throw new UsageError(
        `--rename takes two logins or two repositories, not ${JSON.stringify(typed)}`,
      )
    }
    found[isOld ? 'repositories' : 'logins'].push(renaming)
  }
  return found
}

/**
 * Reads the map that a report of `marc map` is about, from the old names to the new ones, also of people who became one. Throws
 * `UsageError`, or `map-invalid`.
 */
export async function readMapReport(path: string): Promise<IdentityMap> {
  const text = (await readNamed(path, '--map')).toString('utf8')
  const isText = (value: unknown) => typeof value === 'string'
  try {
    const { inverse, merged } = JSON.parse(text) as Pick<MapReport, 'inverse' | 'merged'>
    const forth = (renamings: readonly { old: string; new: string }[]) =>
      renamings.map((each) => ({ old: each.new, new: each.old, place: path }))
    const joined = merged.flatMap((each) =>
      each.old.map((old) => ({ old, new: each.new, place: path })),
    )
    const map = {
      hosts: forth(inverse.hosts),
      logins: [...forth(inverse.logins), ...joined],
      repositories: forth(inverse.repositories),
    }
    const all = Object.values(map).flat()
    if (all.every((each) => isText(each.old) && isText(each.new))) return map
  } catch {
    // Any error means that this is not a report.
  }
  const message = 'expected a report that marc map wrote as JSON'
  throw new ArchiveError('map-invalid', message, { entry: path })
}

function parsePair(option: string, text: string): Renaming {
  const [old = '', now = '', ...more] = text.split('=')
  if (old !== '' && now !== '' && more.length === 0) {
    return { old, new: now, place: `--${option} ${text}` }
  }
  throw new UsageError(`--${option} takes old=new, not ${JSON.stringify(text)}`)
}

import { readFile } from 'node:fs/promises'
import type { IdentityMap, Renaming } from '../../transform/map/identity-map.ts'
import { parseUsers } from '../../transform/map/parse-users.ts'
import { UsageError } from '../command/usage-error.ts'

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
    ...{ hosts: [], logins: [], repositories: [] },
  }
  if (users !== undefined) {
    const bytes = await readFile(users).catch((error: NodeJS.ErrnoException) => {
      const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
      throw new UsageError(message, 'Check the path after --users.', { archive: users })
    })
    const lines = await parseUsers(bytes, users)
    found.logins.push(...lines.logins)
    found.repositories.push(...lines.repositories)
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

function parsePair(option: string, typed: string): Renaming {
  const [old = '', now = '', ...more] = typed.split('=')
  if (old !== '' && now !== '' && more.length === 0) {
    return { old, new: now, place: `--${option} ${typed}` }
  }
  throw new UsageError(`--${option} takes old=new, not ${JSON.stringify(typed)}`)
}

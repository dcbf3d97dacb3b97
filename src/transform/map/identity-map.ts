import { ArchiveError } from '../../base/errors.ts'

/** One identity under its old and its new name, and where that was said. */
export interface Renaming {
  /** The old name. */
  old: string
  /** The new name. */
  new: string
  /** `users.csv, line 3`, `--rename ada=grace`. */
  place: string
}

/** The names to replace, and the new ones. */
export interface IdentityMap {
  /** Hosts, such as `https://a.example` to `https://b.example`. */
  hosts: readonly Renaming[]
  /** Logins of people and organizations. */
  logins: readonly Renaming[]
  /** Repositories, `owner/name`. */
  repositories: readonly Renaming[]
}

/** The new name of a host and port, and the schemes that the map has for the old and the new one. */
export interface HostRenaming {
  host: string
  oldScheme: string
  newScheme: string
}

/** The new names by the old ones in lower case. There may be hundreds of thousands of logins. */
export interface Lookup {
  /** By host and port. */
  hosts: ReadonlyMap<string, HostRenaming>
  /** The renaming of each login: its old name is spelled as the map has it. */
  logins: ReadonlyMap<string, Renaming>
  repositories: ReadonlyMap<string, string>
  /** The new names, in lower case: occurrences before the change cannot be told from those that it made. */
  newHosts: ReadonlySet<string>
  newLogins: ReadonlySet<string>
  /** Logins that are to stay as they are, in lower case: the map has them with themselves. */
  kept: ReadonlySet<string>
}

const fault = (
  message: string,
  { place }: Renaming,
  code: 'map-invalid' | 'map-collision' = 'map-invalid',
) => new ArchiveError(code, message, { entry: place })

/**
 * The map with all names replaced in one step, so that chains and swaps are safe. With `merge`, several people may have one new
 * name. Throws `map-invalid` or `map-collision`.
 */
export function createLookup(
  { hosts, logins, repositories }: IdentityMap,
  { merge = false } = {},
): Lookup {
  const byHost = new Map<string, HostRenaming>()
  for (const host of hosts) {
    const [old, now] = [hostOf(host.old, host), hostOf(host.new, host)]
    if (now.includes(old) && now !== old) {
      throw fault(`the old host ${JSON.stringify(old)} is a part of the new one`, host)
    }
    byHost.set(old, { host: now, oldScheme: schemeOf(host.old), newScheme: schemeOf(host.new) })
  }
  refuseTwo(hosts)
  refuseTwo(logins, merge ? ['old'] : undefined)
  refuseTwo(repositories)
  for (const each of logins) {
    for (const login of [each.old, each.new]) {
      if (!isLogin(login)) throw fault(`expected a login, found ${JSON.stringify(login)}`, each)
    }
  }
  for (const each of repositories) {
    for (const name of [each.old, each.new]) {
      if (!REPOSITORY.test(name)) {
        throw fault(`expected owner/name, found ${JSON.stringify(name)}`, each)
      }
    }
  }
  const byLogin = new Map<string, Renaming>()
  const newLogins = new Set<string>()
  const kept = new Set<string>()
  for (const each of logins) {
    if (each.old === each.new) kept.add(each.old.toLowerCase())
    else {
      byLogin.set(each.old.toLowerCase(), each)
      newLogins.add(each.new.toLowerCase())
    }
  }
  return {
    hosts: byHost,
    logins: byLogin,
    repositories: new Map(repositories.map((each) => [each.old.toLowerCase(), each.new])),
    newHosts: new Set(hosts.map((each) => hostOf(each.new, each))),
    newLogins,
    kept,
  }
}

// Other hosts allow full stops; a path that ends in .git would be that of a repository.
const LOGIN = /^(?!.*\.git$)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_])?(?:\[bot\])?$/i

/** Whether a host may have given a login. */
export const isLogin = (text: string): boolean => LOGIN.test(text)
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/(?!\.{1,2}$)[A-Za-z0-9_.-]{1,100}$/

const schemeOf = (address: string) => address.slice(0, address.indexOf('//') + 2)

/** The host and port of an address that has nothing else. Throws `map-invalid`. */
function hostOf(address: string, renaming: Renaming): string {
  const match = /^https?:\/\/([A-Za-z0-9.-]+(?::\d{1,5})?)\/?$/.exec(address)
  if (match?.[1] !== undefined) return match[1].toLowerCase()
  throw fault(
    `expected a host such as https://a.example, found ${JSON.stringify(address)}`,
    renaming,
  )
}

/** Refuses to give one thing two new names, or two things one. */
function refuseTwo(
  renamings: readonly Renaming[],
  sides: readonly ('old' | 'new')[] = ['old', 'new'],
): void {
  for (const side of sides) {
    const known = new Map<string, Renaming>()
    for (const each of renamings) {
      const name = each[side].toLowerCase()
      const other = known.get(name)
      if (other) {
        const isSame = other.new.toLowerCase() === each.new.toLowerCase()
        const [what, code] =
          side === 'old'
            ? ([isSame ? 'is there twice' : 'has two new names', 'map-invalid'] as const)
            : (['is the new name of two', 'map-collision'] as const)
        throw fault(`${JSON.stringify(each[side])} ${what}: see also ${other.place}`, each, code)
      }
      known.set(name, each)
    }
  }
}

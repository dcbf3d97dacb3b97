import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { People } from '../people.ts'

/** The people of an export, by what it calls them. */
export interface Names {
  /** The login of a person; null for none, undefined for what is no person. */
  loginOf(person: JsonValue | undefined): string | null | undefined
  /** The login of somebody with this id. */
  loginWithId(id: string): string | undefined
  /** Adds to the records of people what the export says of them. */
  describe(people: People): void
}

/** Nobody, in changes of who is responsible. */
const NOBODY = new Set(['', 'None'])

/**
 * Gives everybody a login. In exports since 2018 people have names, and ids that nobody would recognize: a login is made
 * of the name, with a number if another person has it.
 */
export function collectNames() {
  const named = new Map<string, Named>()
  return {
    /** Notes the value of a member that names a person. */
    note(person: JsonValue | undefined): void {
      if (!isObject(person)) return
      const { account_id: id, display_name, ...more } = person
      if (typeof id !== 'string') return
      const known = named.get(id)
      const name = typeof display_name === 'string' ? display_name : known?.name
      if (known && known.name === name && Object.keys(more).length === 0) return
      named.set(id, { name: name ?? '', kept: { ...known?.kept, ...more } })
    },
    finish: (): Names => nameEverybody(named),
  }
}

interface Named {
  name: string
  /** The members that an account has in an export, without its name and id. */
  kept: JsonObject
}

/** @param named the people by their ids */
function nameEverybody(named: ReadonlyMap<string, Named>): Names {
  const logins = new Map<string, string>()
  const byName = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const id of [...named.keys()].sort()) {
    const name = named.get(id)?.name ?? ''
    const base = asLogin(name)
    let login = base
    while (taken.has(login)) {
      const number = (taken.get(base) ?? 1) + 1
      taken.set(base, number)
      login = `${base}-${number}`
    }
    taken.set(login, 1)
    logins.set(id, login)
    byName.set(name, login)
  }
  return {
    loginOf(person) {
      if (person === null || person === undefined) return null
      if (typeof person === 'string') {
        if (NOBODY.has(person)) return null
        return logins.size === 0 ? person : (logins.get(person) ?? byName.get(person))
      }
      if (!isObject(person)) return undefined
      const { account_id: id } = person
      return typeof id === 'string' ? logins.get(id) : undefined
    },
    loginWithId: (id) => logins.get(id),
    describe(people) {
      for (const [id, login] of logins) {
        const { name = '', kept } = named.get(id) ?? {}
        people.describe(login, { name: name || null, bitbucket: { account_id: id, ...kept } })
      }
    },
  }
}

/** A login of letters, digits and hyphens. */
function asLogin(name: string): string {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'user'
}

/** References to people in a text, as `@login`. */
export function withMentions(text: string, names: Names): string {
  if (!text.includes('@')) return text
  const login = (all: string, id: string) => {
    const found = names.loginWithId(id)
    return found === undefined ? all : `@${found}`
  }
  return text
    .replace(/@\{([^{}\s]+)\}/g, login)
    .replace(/@\[[^[\]\n]{1,200}\]\(account_id:([^()\s]+)\)/g, login)
}

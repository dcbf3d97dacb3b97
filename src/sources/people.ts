import type { JsonObject, JsonValue } from '../records/json/json.ts'
import { isObject } from '../records/json/json.ts'

/** The accounts that a source names. */
export interface People {
  /**
   * The url of an account. Null for none, and for the one that stands for deleted accounts; undefined for what is none.
   *
   * @param at when it is seen
   */
  urlOf(account: JsonValue | undefined, at: string | null): string | null | undefined
  /** Adds members to the record of an account that was seen. */
  describe(login: string, members: JsonObject): void
  /** Notes the owner of a repository, of whom there may be no account. */
  owner(login: string, at: string): string
  /** Says that an owner without an account is a person. */
  notePerson(login: string): void
  /** Records of all accounts, and the number of those whose date is estimated. */
  records(): Generator<[kind: 'users' | 'bots' | 'organizations', record: JsonObject]>
}

interface Account {
  login: string
  url: string
  avatar: string
  type: string
  at: string | null
  name: string | null
  /** Whether anything names it but a repository that it owns. */
  hasActed: boolean
  more: JsonObject
}

/** @param host the address of the host, such as `https://github.com` */
export function collectPeople(host: string): People {
  const accounts = new Map<string, Account>()
  const note = (login: string, type: string, at: string | null): Account => {
    const key = login.toLowerCase()
    let account = accounts.get(key)
    if (account === undefined) {
      const url = `${host}/${partOfUrl(login)}`
      account = { login, url, avatar: '', type, at, name: null, hasActed: false, more: {} }
      accounts.set(key, account)
    }
    if (account.type === '') account.type = type
    if (at !== null && (account.at === null || at < account.at)) account.at = at
    return account
  }
  return {
    urlOf(value, at) {
      if (value === null || value === undefined) return null
      if (!isObject(value) || typeof value.login !== 'string' || value.login === '')
        return undefined
      const login = value.login.toWellFormed()
      if (login === 'ghost') return null
      // The host's other interface, which discussions come from, has other names.
      const { type = value.__typename, avatar_url = value.avatarUrl } = value
      const account = note(login, typeof type === 'string' ? type : '', at)
      account.hasActed = true
      if (account.avatar === '' && typeof avatar_url === 'string') account.avatar = avatar_url
      if (account.name === null && typeof value.name === 'string') account.name = value.name
      return account.url
    },
    describe(login, members) {
      Object.assign(accounts.get(login.toLowerCase())?.more ?? {}, members)
    },
    owner: (login, at) => note(login, '', at).url,
    notePerson: (login) => {
      const account = accounts.get(login.toLowerCase())
      if (account?.type === '') account.type = 'User'
    },
    *records() {
      for (const account of accounts.values()) yield recordOf(account)
    },
  }
}

/** A name as a part of an address. */
export const partOfUrl = (name: string): string =>
  name
    .toWellFormed()
    .replace(UNFIT, (text) =>
      [...Buffer.from(text)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    )

/** What a part of an address cannot be or have. */
const UNFIT = /^\.{1,2}$|[/?#%\s\p{Cc}]/gu

function recordOf(account: Account): ['users' | 'bots' | 'organizations', JsonObject] {
  const { login, url, avatar, type, name, more } = account
  const created_at = account.at ?? UNKNOWN
  if (type === 'Organization' || (type === '' && !account.hasActed)) {
    const record: JsonObject = {
      type: 'organization',
      url,
      login,
      name,
      description: null,
      website: null,
      location: null,
      email: null,
      members: [],
      owners_team: null,
      webhooks: [],
      created_at,
    }
    return ['organizations', record]
  }
  const record: JsonObject = {
    type: 'user',
    url,
    avatar_url: avatar,
    login,
    name,
    bio: null,
    company: null,
    website: null,
    location: null,
    emails: [],
    billing_plan: null,
    created_at,
    ...more,
  }
  return [type === 'Bot' || login.endsWith('[bot]') ? 'bots' : 'users', record]
}

/** The time of what has none anywhere. */
export const UNKNOWN = '1970-01-01T00:00:00Z'

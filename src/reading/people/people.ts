import { lastPart } from '../../base/text.ts'
import { GHOST } from '../index/index-schema.ts'
import type { IndexedLibrary } from '../library.ts'
import { foldCase, hostOf } from '../names.ts'
import { madeNumber, numberByRule } from '../numbers.ts'
import { Memo } from '../remembered.ts'
import type { Row } from '../store.ts'
import { asInteger, asText } from '../values.ts'
import { HAS_LOGIN } from './logins.ts'
import type { AccountFacts } from './viewer.ts'

export type PersonKind = 'User' | 'Bot' | 'Organization'

/** A user, a bot or an organization, with a record or without. */
export interface Person {
  /** Its place in the index; undefined for people whom the index does not know. */
  readonly id: number | undefined
  readonly url: string
  readonly login: string
  readonly kind: PersonKind
  readonly number: number
  /** Where its record is; undefined without one. */
  readonly record: { readonly database: number; readonly row: number } | undefined
}

const COLUMNS = 'id, url, login, kind, number, database, row'

/** About how many bytes a person takes in memory. */
const PERSON_BYTES = 600

/** Finds people by login and by url, and knows their numbers. */
export class People {
  readonly #library: IndexedLibrary
  #pins = new Map<string, number>()
  #pinned = new Set<number>()
  /** Logins of accounts in their own spelling, by login in lower case. */
  #accounts = new Map<string, string>()
  /** Logins of organizations in their own spelling. */
  #organizations = new Map<string, string>()
  #admins = new Set<string>()
  #mannequins: () => ReadonlySet<string> = () => new Set()
  #emails = new Map<string, readonly string[]>()

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** Takes numbers and addresses from the accounts file. */
  useAccounts({ accounts, organizations, mannequins = () => [] }: AccountFacts): void {
    const pins = [...accounts, ...organizations].flatMap(({ login, id }) =>
      id === undefined ? [] : [[foldCase(login), id] as const],
    )
    this.#pins = new Map(pins)
    this.#pinned = new Set(this.#pins.values())
    this.#accounts = new Map(accounts.map(({ login }) => [foldCase(login), login]))
    this.#organizations = new Map(organizations.map(({ login }) => [foldCase(login), login]))
    const admins = accounts.filter(({ siteAdmin }) => siteAdmin)
    this.#admins = new Set(admins.map(({ login }) => foldCase(login)))
    let logins: ReadonlySet<string> | undefined
    this.#mannequins = () => {
      logins ??= new Set(mannequins().map(foldCase))
      return logins
    }
    this.#emails = new Map(
      accounts.flatMap(({ login, emails }) => (emails ? [[foldCase(login), emails] as const] : [])),
    )
  }

  /**
   * The person with this login; of several, the one that `HAS_LOGIN` takes.
   */
  findByLogin(login: string): Person | undefined {
    const folded = foldCase(login)
    if (folded === GHOST.login) return this.ghost(this.#host())
    return this.#library.remember(BY_LOGIN, folded, () => {
      const row = this.#library.index.row(
        `SELECT ${COLUMNS} FROM people WHERE ${HAS_LOGIN}`,
        folded,
      )
      return row && this.#toPerson(row)
    })
  }

  /** The organization with this login, which may be in the accounts file alone. */
  findOrganization(login: string): Person | undefined {
    const row = this.#library.index.row(
      `SELECT ${COLUMNS} FROM people WHERE lower(login) = ? AND kind = 'Organization'
      ORDER BY url LIMIT 1`,
      foldCase(login),
    )
    if (row) return this.#toPerson(row)
    const spelled = this.#organizations.get(foldCase(login))
    return spelled === undefined ? undefined : this.ofAccount(spelled, 'Organization')
  }

  /** The organization with this number. */
  findOrganizationByNumber(number: number): Person | undefined {
    return this.#loginsOf('Organization', number, this.#organizations.values())
      .map((login) => this.findOrganization(login))
      .find((one) => one?.number === number)
  }

  /** The user with this number: one of a record, or of the accounts file. */
  findUserByNumber(number: number): Person | undefined {
    return this.#loginsOf('User', number, this.#accounts.values())
      .map((login) => this.findByLogin(login) ?? this.ofAccount(login))
      .find((one) => one.number === number)
  }

  /** Logins that may have a number: those of records, and all of the accounts file, which may give them another one. */
  #loginsOf(kind: PersonKind, number: number, accounts: Iterable<string>): string[] {
    const sql = 'SELECT login FROM people WHERE number = ? AND kind = ?'
    const ofRecords = this.#library.index.rows(sql, number, kind).map(([login]) => asText(login))
    return [...accounts, ...ofRecords]
  }

  byId(id: number, host: string): Person {
    if (id === GHOST.id) return this.ghost(host)
    return this.#library.remember(BY_ID, String(id), () => {
      const row = this.#library.index.row(`SELECT ${COLUMNS} FROM people WHERE id = ?`, id)
      return row ? this.#toPerson(row) : this.ghost(host)
    })
  }

  /** The person with this url; the ghost if there is none. `host` is that of the repository. */
  byUrl(url: unknown, host: string): Person {
    if (typeof url !== 'string') return this.ghost(host)
    const login = lastPart(url)
    if (login === '' || foldCase(login) === GHOST.login) return this.ghost(host)
    return this.#library.remember(BY_URL, url, () => this.#findByUrl(url, login))
  }

  #findByUrl(url: string, login: string): Person {
    const row = this.#library.index.row(`SELECT ${COLUMNS} FROM people WHERE url = ?`, url)
    if (row) return this.#toPerson(row)
    const kind = login.endsWith('[bot]') ? 'Bot' : 'User'
    return this.#pin({
      id: undefined,
      url,
      login,
      kind,
      record: undefined,
      number: this.numberOf(kind, url),
    })
  }

  /** Who stands for deleted accounts. */
  ghost = (host: string): Person => ({
    id: GHOST.id,
    url: `https://${host}/${GHOST.login}`,
    login: GHOST.login,
    kind: 'User',
    number: GHOST.number,
    record: undefined,
  })

  /** The user or organization of the accounts file that no database knows. */
  ofAccount(login: string, kind: PersonKind = 'User'): Person {
    return this.#library.remember(OF_ACCOUNT, `${kind} ${login}`, () => {
      const url = `https://${this.#host()}/${login}`
      return this.#pin({
        id: undefined,
        url,
        login,
        kind,
        record: undefined,
        number: this.numberOf(kind, url),
      })
    })
  }

  /** The host of the archives, for people who have no record. */
  #host(): string {
    const url = this.#library.index.row('SELECT url FROM repositories ORDER BY id LIMIT 1')?.[0]
    return hostOf(asText(url)) || 'github.com'
  }

  /** The number of a record that no table of the index has. */
  numberOf(type: string, url: string): number {
    const row = this.#library.index.row(
      'SELECT number FROM numbers WHERE type = ? AND url = ?',
      type,
      url,
    )
    return row ? asInteger(row[0]) : numberByRule(type, url)
  }

  /** Whether an import brought a person who has no account. */
  isMannequin = ({ kind, login }: Person): boolean =>
    kind === 'User' && !this.isAccount(login) && this.#mannequins().has(foldCase(login))

  isSiteAdmin = (login: string): boolean => this.#admins.has(foldCase(login))

  /** The addresses that the accounts file gives an account; undefined if it does not say. */
  emailsOf = (login: string): readonly string[] | undefined => this.#emails.get(foldCase(login))

  /** Whether the accounts file has this login. */
  isAccount = (login: string): boolean => this.#accounts.has(foldCase(login))

  #toPerson([id, url, login, kind, number, database, row]: Row): Person {
    return this.#pin({
      id: asInteger(id),
      url: asText(url),
      login: asText(login),
      kind: kind as PersonKind,
      number: asInteger(number),
      record:
        database === null ? undefined : { database: asInteger(database), row: asInteger(row) },
    })
  }

  /** The accounts file may give a login a number. The person who had that number before gets a new one. */
  #pin(person: Person): Person {
    if (this.#pins.size === 0) return person
    const pin = this.#pins.get(foldCase(person.login))
    if (pin !== undefined) return { ...person, number: pin }
    if (!this.#pinned.has(person.number)) return person
    return { ...person, number: madeNumber(person.kind, person.url) }
  }
}

const OF_ACCOUNT = new Memo<Person>(() => PERSON_BYTES)

const BY_URL = new Memo<Person>(() => PERSON_BYTES)

const BY_ID = new Memo<Person>(() => PERSON_BYTES)

const BY_LOGIN = new Memo<Person | undefined>(() => PERSON_BYTES)

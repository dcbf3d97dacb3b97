import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { People } from '../people.ts'
import { isSecret } from '../secrets.ts'

/** The people of an export, who are numbers in most of it. */
export class Accounts {
  readonly #logins = new Map<number, string>()
  readonly #emails = new Map<number, string>()
  readonly #names = new Map<number, string>()
  readonly #more = new Map<number, JsonObject>()
  readonly #unnamed = new Set<number>()

  /** Notes an account that tells its login. */
  note(account: JsonValue | undefined): void {
    if (!isObject(account)) return
    const { id, username, public_email, email, name, ...more } = account
    if (!isId(id)) return
    if (typeof username === 'string' && username !== '') this.#logins.set(id, username)
    for (const address of [public_email, email]) {
      if (typeof address === 'string' && address !== '' && !this.#emails.has(id)) {
        this.#emails.set(id, address)
      }
    }
    if (typeof name === 'string') this.noteName(id, name)
    const said = Object.entries(more).filter(
      ([member, value]) => value !== null && !isSecret(member, value),
    )
    if (said.length > 0) this.#more.set(id, { ...this.#more.get(id), ...Object.fromEntries(said) })
  }

  noteName(id: JsonValue | undefined, name: JsonValue | undefined): void {
    if (isId(id) && typeof name === 'string' && name !== '') this.#names.set(id, name)
  }

  /** Notes a login that a text tells. */
  noteLogin(id: number, login: string): void {
    if (!this.#logins.has(id)) this.#logins.set(id, login)
  }

  /** The login of a number; a made one if nobody tells it. */
  loginOf(id: number): string {
    const login = this.#logins.get(id)
    if (login !== undefined) return login
    this.#unnamed.add(id)
    return `user-${id}`
  }

  /** Adds to the records of people what the export says of them. Returns the number of those whose login nobody tells. */
  describe(people: People): number {
    const known = [this.#logins, this.#names, this.#more].flatMap((each) => [...each.keys()])
    for (const id of new Set([...known, ...this.#unnamed])) {
      const login = this.#logins.get(id) ?? `user-${id}`
      const address = this.#emails.get(id)
      const record: JsonObject = {
        name: this.#names.get(id) ?? null,
        ...(address !== undefined && { emails: [{ address, primary: true, verified: true }] }),
        gitlab: { id, ...this.#more.get(id) },
      }
      people.describe(login, record)
    }
    return this.#unnamed.size
  }
}

export const isId = (value: JsonValue | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0

import { createTextSet } from '../text-set.ts'
import type { Finding, ValueType } from './finding.ts'

/** A value that was removed. */
export interface RemovedValue {
  type: ValueType
  value: string
}

/** Values that were removed: an array, or what keeps very many in less memory. */
export interface RemovedList extends Iterable<RemovedValue> {
  at(index: number): RemovedValue | undefined
}

/** The values that were taken out, to be looked for in the end. */
export interface RemovedValues extends RemovedList {
  /** Adds what was found in a text. One that is doubtful stays, and is not looked for. */
  add(finding: Finding, text: string): void
  /** Adds a value that was a member as a whole. */
  addWhole(type: ValueType, value: string): void
  /** Adds the login of a person, which is looked for in mentions and in URLs of these hosts. */
  addLogin(login: string, hosts: Iterable<string>): void
  /** Values that stay in some places, such as versions that look like addresses. */
  doubtful: ReadonlySet<string>
  secrets: KnownSecrets
}

/** Secrets by the text that is looked for. It has more than the secret if that may be a word. */
export type KnownSecrets = ReadonlyMap<string, KnownSecret>

/** A secret, and where it begins and ends in the text that is looked for, which may have it with escapes. */
export type KnownSecret = Pick<Finding, 'value' | 'name' | 'start' | 'end'>

/** Characters before a short password that are looked for with it. */
const BEFORE = 8

export function createRemovedValues(): RemovedValues {
  const values = createTextSet()
  /** By index. */
  const types: ValueType[] = []
  const set = (value: string, type: ValueType) => {
    types[values.add(value)] = type
  }
  const doubtful = new Set<string>()
  const secrets = new Map<string, KnownSecret>()
  const valueAt = (index: number): RemovedValue | undefined => {
    const type = types[index]
    return type && { type, value: values.at(index) }
  }
  return {
    doubtful,
    secrets,
    at: valueAt,
    add({ type, value, name, start, end, doubtful: isDoubtful }, text) {
      if (isDoubtful) doubtful.add(value)
      // Added for all people.
      else if (type === 'login') return
      else if (type === 'secret') {
        // The password `postgres` is also a word: only where it follows the same text is it a password.
        const from = Math.max(0, start - BEFORE)
        const [searched, at] = isCommon(value)
          ? [text.slice(from, end + 1), { start: start - from, end: end - from }]
          : [value, { start: 0, end: value.length }]
        set(searched, type)
        secrets.set(searched, { value, ...at, ...(name !== undefined && { name }) })
      } else set(value, type)
    },
    addWhole(type, value) {
      // A name of one word is often a login or a common word, and one with other signs is not looked for in texts.
      const isFull = value.includes(' ') && FULL_NAME.test(value)
      if (type === 'email' || (type === 'name' && isFull)) set(value, type)
    },
    addLogin(login, hosts) {
      set(`@${login}`, 'login')
      for (const host of hosts) set(`${host}/${login}`, 'login')
    },
    *[Symbol.iterator]() {
      for (let i = 0; i < types.length; i++) yield valueAt(i) as RemovedValue
    },
  }
}

const FULL_NAME = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}'’-]|\.? (?=[\p{L}\p{N}])){2,100}$/u

/** Whether a secret may be a word that stands elsewhere for itself. */
const isCommon = (value: string): boolean =>
  value.length < 12 || (value.length < 20 && !(/[a-z]/i.test(value) && /\d/.test(value)))

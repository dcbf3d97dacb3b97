import { REST_MEMBERS, type RestValue } from '../../records/rest-members.ts'
import type { Members } from '../members.ts'

type Kind = keyof typeof REST_MEMBERS

interface Values {
  text: string
  'text?': string | null
  flag: boolean | null
  'integer?': number | null
  'time?': string | null
  'commit?': string | null
  'side?': string | null
  person: string | null
}

/** The members of a kind that the interface has with the same value. */
export type FromRest<K extends Kind> = {
  [Row in (typeof REST_MEMBERS)[K][number] as Row[0]]: Values[Row[2]]
}

/** Reads a value, or one of the type if it is of another. */
type Read = (members: Members, name: string) => string | number | boolean | null

const READERS: { readonly [value in Exclude<RestValue, 'person'>]: Read } = {
  text: (members, name) => members.text(name) ?? '',
  'text?': (members, name) => members.text(name),
  flag: (members, name) => members.flag(name),
  'integer?': (members, name) => members.integer(name),
  'time?': (members, name) => members.time(name),
  'commit?': (members, name) => members.commit(name),
  'side?': (members, name) => members.text(name)?.toLowerCase() ?? null,
}

/** Finds the accounts of people that a source names. */
export interface ReadsPeople {
  /** The url of the person in a member. */
  person(members: Members, name: string, at: string | null): string | null
}

/**
 * Takes the members of a record that the interface has with the same value. A flag that is missing is null.
 *
 * @param at when the people in it are seen
 */
export function fromRest<K extends Kind>(
  repository: ReadsPeople,
  kind: K,
  members: Members,
  at: string | null,
): FromRest<K> {
  const read = REST_MEMBERS[kind].map(([member, rest, value]) => [
    member,
    value === 'person' ? repository.person(members, rest, at) : READERS[value](members, rest),
  ])
  return Object.fromEntries(read) as FromRest<K>
}

import type { Repository } from '../library.ts'
import { Memo } from '../remembered.ts'
import type { Store } from '../store.ts'
import { LISTS, type ListName } from './list-threads.ts'

/** A thread of a repository. */
export interface FoundThread {
  /** The table of its record. */
  readonly table: (typeof LISTS)[ListName]['table']
  /** The part of its url that says what it is. */
  readonly part: (typeof LISTS)[ListName]['part']
  readonly url: string
}

const NAMES = Object.keys(LISTS) as ListName[]

/**
 * The threads of a repository that have a number, the one first that the word in a path means: issues, pull, pulls or
 * discussions.
 *
 * @param home the URL of the repository
 */
export function threadsNumbered(
  store: Store,
  home: string,
  number: number,
  word?: string,
): FoundThread[] {
  const isMeant = (name: ListName) => name === word || LISTS[name].part === word
  const names = [...NAMES.filter(isMeant), ...NAMES.filter((name) => !isMeant(name))]
  return names.flatMap((name) => {
    const { table, part } = LISTS[name]
    const url = `${home}/${part}/${number}`
    return store.get(`SELECT 1 FROM ${table} WHERE url = ?`, url) ? [{ table, part, url }] : []
  })
}

/** The thread that has a number; of several, the one that the word means. */
export const findThread = (
  { store, url }: Repository,
  number: number,
  word?: string,
): FoundThread | undefined =>
  store.remember(
    FOUND,
    `${url} ${number} ${word}`,
    () => threadsNumbered(store, url, number, word)[0],
  )

const FOUND = new Memo<FoundThread | undefined>()

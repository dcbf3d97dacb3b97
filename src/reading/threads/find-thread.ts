import type { Repository } from '../library.ts'
import { Memo } from '../remembered.ts'
import { LISTS, type ListName } from './list-threads.ts'

/** A thread of a repository. */
export interface FoundThread {
  /** The part of its url that says what it is. */
  readonly part: (typeof LISTS)[ListName]['part']
  readonly url: string
}

const NAMES = Object.keys(LISTS) as ListName[]

/** The thread that has a number; of several, the one that the word in the path means: issues, pull, pulls or discussions. */
export const findThread = (
  { store, url }: Repository,
  number: number,
  word?: string,
): FoundThread | undefined =>
  store.remember(FOUND, `${url} ${number} ${word}`, () => {
    const isMeant = (name: ListName) => name === word || LISTS[name].part === word
    for (const name of [...NAMES.filter(isMeant), ...NAMES]) {
      const { table, part } = LISTS[name]
      const address = `${url}/${part}/${number}`
      if (store.get(`SELECT 1 FROM ${table} WHERE url = ?`, address)) return { part, url: address }
    }
    return undefined
  })

const FOUND = new Memo<FoundThread | undefined>()

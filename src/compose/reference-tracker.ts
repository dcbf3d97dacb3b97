import { createUrlSet } from '../base/url-set.ts'
import { isOfPeople, PEOPLE_TABLES } from '../records/people-tables.ts'
import { REFERABLE } from '../rules/references.ts'
import type { Waiting, World } from '../rules/rule.ts'

/** A record that names a file of the archive. */
export interface NamedFile extends Waiting {
  /** The date of the record. */
  date: string | undefined
  given: boolean
}

/**
 * Tracks what was written, as far as other records depend on it: hashes of the URLs that records refer to, references to
 * records that may still come, and the paths that records name.
 */
export interface ReferenceTracker extends World {
  /** Marks a kind as complete: its missing records will not come. */
  close(table: string): void
  /** Dangling references. */
  dangling(): Iterable<Waiting>
  /** The records that name files, by path. */
  readonly files: ReadonlyMap<string, NamedFile>
}

export function createReferenceTracker(): ReferenceTracker {
  const urls = createUrlSet()
  /** URLs of a kind that nothing refers to: forgotten when the kind is complete. */
  let passing = createUrlSet()
  const closed = new Set<string>()
  const filled = new Set<string>()
  const waitingFor = new Map<string, { tables: readonly string[]; waiting: Waiting }>()
  const files = new Map<string, NamedFile>()
  const isKnown = (url: string, tables: readonly string[]) =>
    tables.some((table) => urls.has(`${table} ${url}`))
  return {
    files,
    add(table, url) {
      filled.add(table)
      if (!REFERABLE.has(table)) return passing.add(url)
      const isOther = (name: string) => name !== table && urls.has(`${name} ${url}`)
      // Users, bots and organizations must not share a URL.
      return urls.add(`${table} ${url}`) && !(isOfPeople(table) && PEOPLE_TABLES.some(isOther))
    },
    has: (table, url) => urls.has(`${table} ${url}`),
    hasAny: (table) => filled.has(table),
    close(table) {
      closed.add(table)
      passing = createUrlSet()
    },
    resolve(url, tables, waiting) {
      if (isKnown(url, tables)) return true
      if (tables.every((table) => closed.has(table))) return false
      if (!waitingFor.has(url)) waitingFor.set(url, { tables, waiting: waiting() })
      return true
    },
    *dangling() {
      for (const [url, { tables, waiting }] of waitingFor) {
        if (!isKnown(url, tables)) yield waiting
      }
    },
    name(path, waiting, date) {
      if (files.has(path)) return false
      files.set(path, { ...waiting, date, given: false })
      return true
    },
  }
}

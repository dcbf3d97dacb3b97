import type { Place } from '../errors.ts'
import { OWNERS as PEOPLE } from '../records/kinds/references.ts'
import { KINDS } from '../records/kinds.ts'
import { memberPaths } from '../records/member-paths.ts'
import { requirementOf } from '../records/requirements.ts'
import { openUrlSet } from './url-set.ts'

/** A record that waits for something, in words. */
export interface Waiting {
  place: Place
  message: string
}

/** A record that names a file of the archive. */
export interface NamedFile extends Waiting {
  /** When the record was made. */
  date: string | undefined
  given: boolean
}

/**
 * What was written so far, as far as other records depend on it: hashes of the urls that references must
 * lead to, references to what may still come, and the paths that records name.
 */
export interface Ledger {
  /** Notes a record, or a label; false if its url was noted before. */
  add(table: string, url: string): boolean
  /** Notes that a kind is done, so that what is not there will not come. */
  close(table: string): void
  /** False if the url leads nowhere; if it still may lead somewhere, that is settled in the end. */
  resolve(url: string, tables: readonly string[], waiting: () => Waiting): boolean
  /** References that led nowhere. */
  dangling(): Iterable<Waiting>
  /** Notes that a record names a path; false if another one did. */
  name(path: string, waiting: Waiting, date: string | undefined): boolean
  /** The records that name files, by path. */
  readonly files: ReadonlyMap<string, NamedFile>
}

/** Tables that references must lead to. Urls of others, such as those of events, need not be kept. */
const REFERABLE: ReadonlySet<string> = new Set(
  Object.entries(KINDS).flatMap(([name, kind]) => {
    const { resolves = [] } = requirementOf(name)
    const paths = memberPaths(kind).filter(({ text }) => resolves.includes(text))
    return paths.flatMap(({ column }) => column.refersTo ?? [])
  }),
)

export function openLedger(): Ledger {
  const urls = openUrlSet()
  const closed = new Set<string>()
  const waitingFor = new Map<string, { tables: readonly string[]; waiting: Waiting }>()
  const files = new Map<string, NamedFile>()
  const isKnown = (url: string, tables: readonly string[]) =>
    tables.some((table) => urls.has(`${table} ${url}`))
  return {
    files,
    add(table, url) {
      if (!REFERABLE.has(table)) return true
      const isOther = (name: string) => name !== table && urls.has(`${name} ${url}`)
      // Whoever is a user is no bot and no organization.
      const isPerson = PEOPLE.some((name) => name === table)
      return urls.add(`${table} ${url}`) && !(isPerson && PEOPLE.some(isOther))
    },
    close: (table) => closed.add(table),
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

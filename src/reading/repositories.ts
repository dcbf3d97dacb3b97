import type { IndexedLibrary, Repository } from './library.ts'
import { foldCase, hostOf } from './names.ts'
import { Memo } from './remembered.ts'
import type { Row, Value } from './store.ts'
import { asInteger, asText, asTextOrNull } from './values.ts'

/** A repository with a record, and what the index knows of it. */
export interface IndexedRepository extends Repository {
  /** Its place in the index. */
  readonly id: number
  readonly host: string
  /** The number that the interface gives it. */
  readonly number: number
  /** Where its record is. */
  readonly database: number
  readonly row: number
  /** The place of its owner in the index. */
  readonly ownerId: number
  /** Seconds since 1970 of its newest thread or event. */
  readonly updated: number | null
  readonly pushed: string | null
  /** Bytes of its Git data. */
  readonly size: number
  readonly firstThread: number
  readonly threads: number
  readonly openThreads: number
  readonly pullRequests: number
  readonly firstEvent: number
  readonly events: number
}

const COLUMNS = `id, url, full_name, number, database, row, owner, private, updated, pushed, size,
  first_thread, threads, open_threads, pull_requests, first_event, events`

/** About how many bytes a repository takes in memory. */
const REPOSITORY_BYTES = 600

/** Orders of lists. */
const ORDERS = {
  name: 'name',
  created: 'created',
  updated: 'coalesce(updated, created)',
  pushed: 'pushed',
} as const

/** Which repositories are listed: those with ids, or those of an owner. */
export interface RepositoryFilter {
  readonly ids?: readonly number[]
  /** The place of the owner in the index; undefined has none. */
  readonly owner?: number | undefined
  readonly visibility?: 'all' | 'public' | 'private'
  readonly order?: keyof typeof ORDERS
  readonly direction?: 'asc' | 'desc'
}

/** Finds repositories. */
export class Repositories {
  readonly #library: IndexedLibrary

  constructor(library: IndexedLibrary) {
    this.#library = library
  }

  /** @param fullName `owner/name`, in upper or lower case */
  findByName(fullName: string): IndexedRepository | undefined {
    const name = foldCase(fullName)
    return this.#library.remember(BY_NAME, name, () => this.#find('name = ?', name))
  }

  findByNumber = (number: number): IndexedRepository | undefined => this.#find('number = ?', number)

  byId = (id: number): IndexedRepository | undefined =>
    this.#library.remember(BY_ID, String(id), () => this.#find('id = ?', id))

  /** The repository with this url, if it is served. */
  findByUrl(url: unknown): IndexedRepository | undefined {
    if (typeof url !== 'string') return undefined
    const found = this.findByName(url.split('/').slice(-2).join('/'))
    return found?.url === url ? found : undefined
  }

  /** The ids of repositories in an order: of these, or of an owner. */
  list({
    ids,
    owner,
    visibility = 'all',
    order = 'name',
    direction = 'asc',
  }: RepositoryFilter): number[] {
    const of = ids ? 'id IN (SELECT value FROM json_each(?))' : 'owner = ?'
    const value = ids ? JSON.stringify(ids) : (owner ?? -1)
    const isWanted = { all: '', public: ' AND NOT private', private: ' AND private' }[visibility]
    return this.#library.index.numbers(
      `SELECT id FROM repositories WHERE ${of}${isWanted} ORDER BY ${ORDERS[order]} ${direction}, name`,
      value,
    )
  }

  #find(condition: string, value: Value): IndexedRepository | undefined {
    const row = this.#library.index.row(
      `SELECT ${COLUMNS} FROM repositories WHERE ${condition}`,
      value,
    )
    return row && toRepository(this.#library, row)
  }
}

const BY_ID = new Memo<IndexedRepository | undefined>(() => REPOSITORY_BYTES)

const BY_NAME = new Memo<IndexedRepository | undefined>(() => REPOSITORY_BYTES)

function toRepository(library: IndexedLibrary, row: Row): IndexedRepository {
  const [id, place, name, number, database, record, owner, isPrivate, updated, pushed] = row
  const [size, firstThread, threads, openThreads, pullRequests, firstEvent, events] = row
    .slice(10)
    .map(asInteger) as [number, number, number, number, number, number, number]
  const url = asText(place)
  return {
    ...library.repositoryAt(library.store(asInteger(database)), url, asText(name)),
    isPrivate: isPrivate !== 0,
    id: asInteger(id),
    host: hostOf(url),
    number: asInteger(number),
    database: asInteger(database),
    row: asInteger(record),
    ownerId: asInteger(owner),
    updated: updated === null ? null : asInteger(updated),
    pushed: asTextOrNull(pushed),
    size,
    firstThread,
    threads,
    openThreads,
    pullRequests,
    firstEvent,
    events,
  }
}

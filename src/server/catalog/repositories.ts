import { foldCase, hostOf } from './names.ts'
import { asInteger, asText, asTextOrNull, type Row, type Sources, type Value } from './sources.ts'

/** A repository that is served. */
export interface Repository {
  /** Its place in the index. */
  readonly id: number
  readonly url: string
  readonly fullName: string
  readonly host: string
  readonly number: number
  /** Where its record is. */
  readonly database: number
  readonly row: number
  /** The place of its owner in the index. */
  readonly owner: number
  readonly isPrivate: boolean
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

/** Finds repositories. */
export class Repositories {
  readonly #sources: Sources

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** @param fullName `owner/name`, in upper or lower case */
  findByName(fullName: string): Repository | undefined {
    const name = foldCase(fullName)
    return this.#sources.remember(
      `repository ${name}`,
      () => this.#find('name = ?', name),
      () => REPOSITORY_BYTES,
    )
  }

  findByNumber = (number: number): Repository | undefined => this.#find('number = ?', number)

  byId = (id: number): Repository | undefined =>
    this.#sources.remember(
      `repository ${id}`,
      () => this.#find('id = ?', id),
      () => REPOSITORY_BYTES,
    )

  /** The repository with this url, if it is served. */
  findByUrl(url: unknown): Repository | undefined {
    if (typeof url !== 'string') return undefined
    const found = this.findByName(url.split('/').slice(-2).join('/'))
    return found?.url === url ? found : undefined
  }

  #find(condition: string, value: Value): Repository | undefined {
    const row = this.#sources.get(`SELECT ${COLUMNS} FROM repositories WHERE ${condition}`, value)
    return row && toRepository(row)
  }
}

function toRepository(row: Row): Repository {
  const [id, url, fullName, number, database, record, owner, isPrivate, updated, pushed] = row
  const [size, firstThread, threads, openThreads, pullRequests, firstEvent, events] = row
    .slice(10)
    .map(asInteger) as [number, number, number, number, number, number, number]
  return {
    ...{
      id: asInteger(id),
      url: asText(url),
      fullName: asText(fullName),
      number: asInteger(number),
    },
    host: hostOf(asText(url)),
    ...{ database: asInteger(database), row: asInteger(record), owner: asInteger(owner) },
    isPrivate: isPrivate !== 0,
    updated: updated === null ? null : asInteger(updated),
    pushed: asTextOrNull(pushed),
    ...{ size, firstThread, threads, openThreads, pullRequests, firstEvent, events },
  }
}

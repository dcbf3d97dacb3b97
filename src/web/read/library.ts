import { listOf } from '../../thread/names.ts'
import { Store } from './store.ts'

/** A repository that has a record, or that records refer to. */
export interface Repository {
  readonly store: Store
  readonly url: string
  readonly owner: string
  readonly name: string
  readonly fullName: string
  readonly isPrivate: boolean
  /** Its Git data are in the database. */
  readonly hasGit: boolean
  readonly hasWiki: boolean
}

/** Whose pages these are: everything, or what a stranger may see. */
export type Audience = 'all' | 'public'

/** The databases whose pages are shown, as one. */
export class Library {
  readonly stores: readonly Store[]
  readonly audience: Audience
  /** Its pages are files: the same texts are the same bytes. */
  readonly isStatic: boolean
  /** The hosts of the records. */
  readonly hosts = new Set<string>()
  readonly #hasGit: boolean
  readonly #only: ReadonlySet<string> | undefined
  readonly #repositories = new Map<string, Repository>()
  readonly #kept = new Map<string, { close(): void }>()

  /** Opens databases; of two repositories with one name the first one counts. */
  constructor(
    paths: readonly string[],
    audience: Audience = 'all',
    {
      git = true,
      only,
      isStatic = false,
    }: { git?: boolean; only?: readonly string[] | undefined; isStatic?: boolean } = {},
  ) {
    this.isStatic = isStatic
    this.#hasGit = git
    this.#only = only && new Set(only.map(foldCase))
    const stores: Store[] = []
    this.stores = stores
    this.audience = audience
    try {
      for (const path of paths) stores.push(new Store(path))
      for (const store of stores) this.#add(store)
    } catch (error) {
      this.close()
      throw error
    }
  }

  /** All repositories that may be seen, by name. */
  repositories(): Repository[] {
    const all = [...this.#repositories.values()].filter((one) => this.isVisible(one))
    return all.sort((a, b) => (foldCase(a.fullName) < foldCase(b.fullName) ? -1 : 1))
  }

  /** Finds a repository by `owner/name`, in upper or lower case. */
  repository(fullName: string): Repository | undefined {
    const found = this.#repositories.get(foldCase(fullName))
    return found && this.isVisible(found) ? found : undefined
  }

  isVisible = ({ isPrivate, fullName }: Repository): boolean => {
    if (this.#only) return this.#only.has(foldCase(fullName))
    return this.audience === 'all' || !isPrivate
  }

  /** Whether the address is one of the hosts of the records. */
  isHost = (host: string): boolean => this.hosts.has(host.replace(/^www\./, ''))

  /** Makes something once; it is closed with the databases. */
  keep<T extends { close(): void }>(name: string, make: () => T): T {
    const known = this.#kept.get(name)
    if (known) return known as T
    const made = make()
    this.#kept.set(name, made)
    return made
  }

  close(): void {
    for (const kept of this.#kept.values()) kept.close()
    for (const store of this.stores) store.close()
  }

  #add(store: Store): void {
    const git = new Map(
      store
        .all<{ repository: string; state: string }>(
          "SELECT DISTINCT repository, 'present' AS state FROM files WHERE repository IS NOT NULL AND stored",
        )
        .map(({ repository }) => [foldCase(repository), true]),
    )
    const rows = store.all<{ url: string; private: number | null }>(
      `SELECT url, private FROM repositories WHERE url IS NOT NULL
       UNION ALL SELECT url, 1 FROM (${REFERRED}) WHERE url NOT IN (SELECT url FROM repositories WHERE url IS NOT NULL)`,
    )
    for (const { url, private: isPrivate } of rows) {
      const parts = /^\w+:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url)
      const [, host, owner, name] = parts ?? []
      if (host === undefined || owner === undefined || name === undefined) continue
      this.hosts.add(host.replace(/^www\./, ''))
      const key = foldCase(`${owner}/${name}`)
      if (this.#repositories.has(key)) continue
      this.#repositories.set(key, {
        ...{ store, url, owner, name, fullName: `${owner}/${name}` },
        // Without a record it is not known to be public.
        isPrivate: isPrivate !== 0,
        hasGit: this.#hasGit && git.has(key),
        hasWiki: this.#hasGit && git.has(`${key}.wiki`),
      })
    }
  }
}

const REFERRED = ['issues', 'pull_requests', 'discussions', 'releases', 'milestones']
  .map((table) => `SELECT DISTINCT repository AS url FROM ${table} WHERE repository IS NOT NULL`)
  .join(' UNION ')

export const foldCase = (text: string): string => text.toLowerCase()

/** The urls in a JSON array of a column. */
export const urlsOf = (json: unknown): string[] =>
  listOf(json).filter((url): url is string => typeof url === 'string')

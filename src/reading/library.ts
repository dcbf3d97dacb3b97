import type { Database } from '../database/database.ts'
import { gitNameOf } from '../git/open-git.ts'
import { foldCase, repositoryOf } from './names.ts'
import { type Memo, Remembered } from './remembered.ts'
import { type Row, Store } from './store.ts'
import { asText } from './values.ts'

/** A repository that has a record, or that records refer to. */
export interface Repository {
  readonly store: Store
  readonly url: string
  readonly owner: string
  readonly name: string
  readonly fullName: string
  readonly isPrivate: boolean
  /** The name of its Git data, if the database has them. */
  readonly git: string | undefined
  /** The same for its wiki. */
  readonly wiki: string | undefined
}

/** Whose pages these are: everything, or what a stranger may see. */
export type Audience = 'all' | 'public'

export interface LibraryOptions {
  /** Default `all`. */
  readonly audience?: Audience
  /** Whether repositories in Git are shown. Default true. */
  readonly git?: boolean
  /** Only these repositories, public or not, as `owner/name`; it goes with the audience `public`. */
  readonly only?: readonly string[] | undefined
  /** What is shown is written to files: the same texts are the same bytes. */
  readonly isStatic?: boolean
}

/** The state that all views of the databases share. */
interface Shared {
  readonly remembered: Remembered
  index: Store | undefined
}

/** The repositories and hosts of all databases together. */
interface Known {
  readonly repositories: Map<string, Repository>
  /** Those with a record whose names others have. */
  readonly shadowed: Repository[]
  readonly hosts: Set<string>
}

/** Databases that are read as one. */
export class Library {
  readonly stores: readonly Store[]
  readonly audience: Audience
  /** Its pages are files: the same texts are the same bytes. */
  readonly isStatic: boolean
  readonly #shared: Shared
  readonly #remembered: Remembered
  readonly #options: LibraryOptions
  readonly #only: ReadonlySet<string> | undefined
  readonly #kept = new Map<(library: Library) => unknown, { close(): void }>()
  readonly #views = new Map<Audience, Library>()
  #known: Known | undefined

  private constructor(stores: readonly Store[], shared: Shared, options: LibraryOptions) {
    const { audience = 'all', only, isStatic = false } = options
    this.stores = stores
    this.#shared = shared
    this.#remembered = shared.remembered.apart()
    this.audience = audience
    this.isStatic = isStatic
    this.#options = options
    this.#only = only && new Set(only.map(foldCase))
  }

  /**
   * Opens databases. Of two repositories with one name, that of the earlier database counts.
   *
   * @param paths databases that `loadArchive` created
   * @throws `ArchiveError` as `openDatabase`
   */
  static open(paths: readonly string[], options: LibraryOptions = {}): Library {
    const remembered = new Remembered()
    const stores: Store[] = []
    try {
      for (const path of paths) stores.push(Store.open(path, remembered))
      return new Library(stores, { remembered, index: undefined }, options)
    } catch (error) {
      for (const store of stores) store.close()
      throw error
    }
  }

  /** The same databases as others may see them. They are closed with this library. */
  for(audience: Audience): Library {
    if (audience === this.audience) return this
    const known = this.#views.get(audience)
    if (known) return known
    const stores = this.stores.map((store) => store.apart())
    const view = new Library(stores, this.#shared, { ...this.#options, audience })
    this.#views.set(audience, view)
    return view
  }

  /** The index of the databases; undefined where it is not made, or not yet. */
  get index(): Store | undefined {
    return this.#shared.index
  }

  /** Takes the index of the databases, which is closed with them. */
  useIndex(index: Database): void {
    this.#shared.index = Store.of(index, this.#shared.remembered, { isFrozen: true })
  }

  /** A database by its place, as the index says where a record is. */
  store(place: number): Store {
    const store = this.stores[place]
    if (!store) throw new RangeError(`there is no database ${place}`)
    return store
  }

  /** The hosts of the records. */
  get hosts(): ReadonlySet<string> {
    return this.#all().hosts
  }

  /** All repositories that may be seen, by name. */
  repositories(): Repository[] {
    const all = [...this.#all().repositories.values()].filter((one) => this.isVisible(one))
    return all.sort((a, b) => (foldCase(a.fullName) < foldCase(b.fullName) ? -1 : 1))
  }

  /** How many records are of repositories that would be seen, but others have their names. */
  get shadowed(): number {
    return this.#all().shadowed.filter(this.isVisible).length
  }

  /** Finds a repository by `owner/name`, in upper or lower case. */
  repository(fullName: string): Repository | undefined {
    const found = this.#all().repositories.get(foldCase(fullName))
    return found && this.isVisible(found) ? found : undefined
  }

  /** The repository with this record, whether another one has its name or not. */
  repositoryAt(store: Store, url: string, fullName: string): Repository {
    const known = this.#all().repositories.get(foldCase(fullName))
    if (known?.store === store && known.url === url) return known
    const [owner = '', name = ''] = fullName.split('/')
    const isPrivate = true
    return { store, url, owner, name, fullName, isPrivate, git: undefined, wiki: undefined }
  }

  isVisible = ({ isPrivate, fullName }: Repository): boolean => {
    if (this.#only) return this.#only.has(foldCase(fullName))
    return this.audience === 'all' || !isPrivate
  }

  /**
   * Whether a url names a repository that these pages may not name: for strangers, one that is not known to be public. A fork of
   * a public repository is public, unless the archive has it and says otherwise.
   */
  hides(url: string, isFork = false): boolean {
    if (this.audience === 'all') return false
    const name = repositoryOf(url)
    if (name === null || name.startsWith('orgs/') || this.repository(name)) return false
    return !isFork || this.#all().repositories.has(foldCase(name))
  }

  /** Whether the address is one of the hosts of the records. */
  isHost = (host: string): boolean => this.hosts.has(host.replace(/^www\./, ''))

  /** What `open` returns, opened once; it is closed with the databases. */
  keep<T extends { close(): void }>(open: (library: Library) => T): T {
    const known = this.#kept.get(open)
    if (known) return known as T
    const opened = open(this)
    this.#kept.set(open, opened)
    return opened
  }

  /** Remembers what `make` returns of several databases, as long as there is room. */
  remember<Made>(memo: Memo<Made>, key: string, make: () => Made): Made {
    return this.#remembered.remember(memo, key, make)
  }

  /** The remembered value; undefined if there is none, or if it was forgotten. */
  recall<Made>(memo: Memo<Made>, key: string): Made | undefined {
    return this.#remembered.find(memo, key)?.value
  }

  /** Forgets what was made from rows. */
  forget(): void {
    this.#shared.remembered.forget()
  }

  close(): void {
    for (const view of this.#views.values()) view.close()
    for (const kept of this.#kept.values()) kept.close()
    this.index?.close()
    for (const store of this.stores) store.close()
  }

  /** Assigns each repository to the first database that has its record, when first called. */
  #all(): Known {
    if (this.#known) return this.#known
    const known: Known = { repositories: new Map(), shadowed: [], hosts: new Set() }
    const git = this.stores.map((store) => this.#gitNames(store))
    for (const sql of [WITH_RECORD, REFERRED]) {
      for (const [i, store] of this.stores.entries()) {
        for (const row of store.rows(sql)) {
          const shadowed = add(known, store, row, git[i] ?? new Map())
          if (shadowed && sql === WITH_RECORD) known.shadowed.push(shadowed)
        }
      }
    }
    this.#known = known
    return known
  }

  /** The names of Git data that are there, by names in lower case. */
  #gitNames(store: Store): ReadonlyMap<string, string> {
    const { git: showsGit = true } = this.#options
    if (!showsGit) return new Map()
    const sql = 'SELECT DISTINCT repository FROM files WHERE repository IS NOT NULL AND stored'
    const names = store.all<{ repository: string }>(sql)
    return new Map(names.map(({ repository }) => [foldCase(repository), repository]))
  }
}

/** Returns the repository if another one has its name. */
function add(
  { repositories, hosts }: Known,
  store: Store,
  [address, isPrivate, gitUrl, wikiUrl]: Row,
  git: ReadonlyMap<string, string>,
): Repository | undefined {
  const url = asText(address)
  const [, host, owner, name] = /^\w+:\/\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(url) ?? []
  if (host === undefined || owner === undefined || name === undefined) return undefined
  hosts.add(host.replace(/^www\./, ''))
  const fullName = `${owner}/${name}`
  const key = foldCase(fullName)
  const repository = {
    store,
    url,
    owner,
    name,
    fullName,
    // Without a record it is not known to be public.
    isPrivate: isPrivate !== 0,
    git: git.get(foldCase(gitNameOf(gitUrl, fullName))),
    wiki: git.get(foldCase(gitNameOf(wikiUrl, `${fullName}.wiki`))),
  }
  if (repositories.has(key)) return repository
  repositories.set(key, repository)
  return undefined
}

/** A library whose index is made. */
export type IndexedLibrary = Library & { readonly index: Store }

export const isIndexed = (library: Library): library is IndexedLibrary =>
  library.index !== undefined

const WITH_RECORD =
  'SELECT url, private, git_url, wiki_url FROM repositories WHERE url IS NOT NULL ORDER BY url'

const NAMING = ['issues', 'pull_requests', 'discussions', 'releases', 'milestones']
  .map((table) => `SELECT DISTINCT repository AS url FROM ${table} WHERE repository IS NOT NULL`)
  .join(' UNION ')
const REFERRED = `SELECT url, 1, NULL, NULL FROM (${NAMING})
  WHERE url NOT IN (SELECT url FROM repositories WHERE url IS NOT NULL)`

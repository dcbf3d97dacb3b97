import { ArchiveError } from '../../base/errors.ts'
import { busy } from '../../http/http-error.ts'
import { type IndexOptions, keepIndex } from '../../reading/index/keep-index.ts'
import { isIndexed, type Library } from '../../reading/library.ts'
import type { AccountFacts } from '../../reading/people/viewer.ts'
import { IndexedReader } from '../../reading/reader.ts'
import { type WatchedLibrary, watchLibrary } from '../../reading/watch-library.ts'

export interface CatalogOptions extends IndexOptions {
  /** Milliseconds between two looks at the databases; 0 for never. Default 1000. */
  lookEvery?: number | undefined
  /** Called with why the databases cannot be read as they are now, as `watchLibrary` does. */
  log?: ((fault: Error | undefined) => void) | undefined
  /** Stops the first index. */
  signal?: AbortSignal | undefined
}

/** The contents of all databases, as one. */
export interface Catalog {
  /** The databases, for faces that need no index. */
  readonly databases: WatchedLibrary
  /** `busy` while the index is being rebuilt because a database has changed. */
  readonly status: 'ready' | 'busy'
  /**
   * Refuses a request while the status is `busy`.
   *
   * @throws `HttpError` 503, with the code of what is in the way, if something is
   */
  requireReady(): void
  /**
   * Answers questions. Ask for it in every request: after a change of a database there is another one.
   *
   * @throws `database-busy` while the index is being rebuilt
   */
  read(): IndexedReader
  /** The id of an account, which may be in no database; undefined while the index is being rebuilt. */
  numberOfAccount(login: string): number | undefined
  /** Takes numbers, addresses and members of organizations from the accounts file. */
  useAccounts(facts: AccountFacts): void
  /** Stops the making of an index, and closes the databases. */
  close(): Promise<void>
}

/**
 * Opens databases to be served as one, and their index, which is made first if there is none.
 *
 * @param paths databases that `loadArchive` created, or names them as `watchLibrary` takes them; of equal names, that of an
 *   earlier one is served
 * @throws `ArchiveError` as `watchLibrary` and its `makeIndex`
 */
export async function openCatalog(
  paths: readonly string[] | (() => readonly string[]),
  { lookEvery, log, signal, ...indexed }: CatalogOptions = {},
): Promise<Catalog> {
  const databases = watchLibrary(paths, { index: keepIndex(indexed), lookEvery, log })
  try {
    await databases.makeIndex(signal)
  } catch (error) {
    await databases.close()
    throw error
  }
  let facts: AccountFacts = { accounts: [], organizations: [] }
  let known: { library: Library; reader: IndexedReader } | undefined
  const read = (): IndexedReader => {
    const { library, status } = databases
    if (status === 'busy' || !isIndexed(library)) {
      const archive = library.stores.map(({ database }) => database.name).join(', ')
      throw new ArchiveError('database-busy', 'its index is being made', { archive })
    }
    if (known?.library !== library) known = { library, reader: new IndexedReader(library, facts) }
    return known.reader
  }
  return {
    databases,
    read,
    get status() {
      return databases.status
    },
    requireReady() {
      if (databases.status === 'ready') return
      const { fault } = databases
      const why = fault instanceof ArchiveError ? fault.code : fault && 'the index was not made'
      throw busy(2, why)
    },
    numberOfAccount(login) {
      if (databases.status === 'busy') return undefined
      const { people } = read()
      return (people.findByLogin(login) ?? people.ofAccount(login)).number
    },
    useAccounts(given) {
      facts = given
      known?.reader.useAccounts(given)
    },
    close: () => databases.close(),
  }
}

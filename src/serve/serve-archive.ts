import { resolve } from 'node:path'
import { aPath, checkArguments, listOf } from '../base/check-arguments.ts'
import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
import {
  type Accounts,
  createAccounts,
  NO_ACCOUNTS,
  openAccounts,
  sha256Of,
} from '../http/access/accounts.ts'
import type { AccountsFile } from '../http/access/accounts-file.ts'
import { createHostRules } from '../http/host.ts'
import { listen } from '../http/listen.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import type { PageHandler } from '../pages/page-handler.ts'
import type { Audience } from '../reading/library.ts'
import { describeContents, type ServedContents } from '../reading/served-contents.ts'
import type { WatchedLibrary } from '../reading/watch-library.ts'
import { openCatalog } from '../rest/catalog/catalog.ts'
import { checkServeOptions } from '../rest/check-serve-options.ts'
import { createGitHost } from '../rest/git/answer-git.ts'
import { createThreadedGit } from '../rest/git-worker/threaded-git.ts'
import { loadGraphql } from '../rest/graphql/run-graphql.ts'
import type { ServerParts } from '../rest/request-context.ts'
import type { ServeOptions } from '../rest/serve-options.ts'
import { importedDatabases } from '../rest/state/importer.ts'
import { openStateOf } from '../rest/state/open-state.ts'
import type { State } from '../rest/state/state.ts'
import { checkStateFolder, openStateDatabase } from '../rest/state/state-database.ts'
import { defaultStateFolder, IN_MEMORY } from '../rest/state/state-folder.ts'
import { answerAtDoor, createApp } from './create-app.ts'
import { renderText } from './render-text.ts'

/** Milliseconds from the newest event to the start of the clock: feeds of public events are five minutes late. */
const AFTER_NEWEST = 600_000

/** A running server. */
export interface ArchiveServer {
  /** Where it listens; undefined if it was given no port. */
  readonly url: string | undefined
  /** The contents of the databases. */
  readonly contents: ServedContents
  /** The folder of the state; undefined if it is in memory. */
  readonly state: string | undefined
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Reads the accounts file again. Throws `accounts-invalid`, and leaves in force what was read before. */
  reloadAccounts(): void
  /** Resolves when the archives of all migrations that were started are built. */
  idle(): Promise<void>
  /** Stops accepting, lets requests finish, and closes everything. */
  close(): Promise<void>
}

/**
 * Serves archive databases through GitHub's REST interface. The databases are opened read-only.
 *
 * @param databases paths of databases that `loadArchive` created; they are served as one
 * @param options where to listen, who may sign in, and how the interface behaves
 * @returns a server that answers `fetch(request)`, and listens if `port` is given
 * @throws `option-invalid`, `package-missing` with `imports` where the optional package for GraphQL is not installed,
 *   `accounts-invalid`, `address-in-use`, `address-refused`, `folder-foreign`, `state-foreign`, `state-newer`, `interrupted`,
 *   and the codes of `openDatabase`
 * @example
 * const server = await serveArchive(['archive.db'])
 * const response = await server.fetch(new Request('http://localhost/repos/forge/kettle'))
 * const repository = await response.json()
 * await server.close()
 */
export async function serveArchive(
  databases: readonly string[],
  options: ServeOptions = {},
): Promise<ArchiveServer> {
  checkArguments({ databases }, { databases: listOf(aPath) })
  checkServeOptions(options)
  throwIfInterrupted(options.signal)
  if (options.imports) loadGraphql()
  const closing: (() => void | Promise<void>)[] = []
  const closeAll = async () => {
    for (const close of closing.reverse()) await close()
  }
  try {
    const { state: named = defaultStateFolder(databases), readOnly, allEvents, notice } = options
    // The index is in the folder of the state, unless the state is in memory.
    if (named !== IN_MEMORY) checkStateFolder(named)
    // It stays the same when the working folder changes.
    const folder = named === IN_MEMORY ? undefined : resolve(named)
    const progress = notice && tellProgress(notice)
    let state: State | undefined
    // What was imported is served with the databases.
    const before = options.imports ? importedBefore(folder) : []
    const all = () => [...databases, ...(state?.imports?.databases() ?? before)]
    const catalog = await openCatalog(all, {
      folder,
      readOnly,
      allEvents,
      progress,
      log: notice && tellFaults(notice),
      signal: options.signal,
    })
    closing.push(() => catalog.close())
    const pages =
      options.pages &&
      (await openPages(catalog.databases, options.pages, readOnly ? undefined : folder))
    if (pages) closing.push(() => pages.close())
    const contents = describeContents(catalog.read())
    const clock = clockOf(options, contents)
    const { accounts, reload } = accountsOf(options, contents)
    const useAccounts = () => {
      const { accounts: all, organizations } = accounts
      const mannequins = () => state?.imports?.unclaimed() ?? []
      catalog.useAccounts({ accounts: all, organizations, mannequins })
    }
    useAccounts()
    const opened = openStateOf(databases, options, clock, {
      people: () => ({ accounts: accounts.accounts.map(({ login }) => login), databases }),
      show: catalog.databases.show,
    })
    state = opened
    closing.push(() => opened.close())
    const gitWorker = createThreadedGit()
    closing.push(() => gitWorker.close())
    const parts: ServerParts = {
      catalog,
      accounts,
      state: opened,
      options,
      clock,
      gitWorker,
      renderText,
      rateLimit: createRateLimit(options.rateLimit),
    }
    const gitHost = createGitHost(readOnly ? undefined : folder, options.git)
    closing.push(() => gitHost.close())
    const rules = createHostRules(options)
    const answer = answerAtDoor(parts, { pages, gitHost, rules })
    const app = createApp(answer, { log: options.log, clock })
    let url: string | undefined
    if (options.port !== undefined) {
      const takesLong = options.imports ? isUpload : undefined
      const listening = await listen(app, options.port, { ...options, takesLong })
      closing.push(() => listening.close())
      url = listening.url
    }
    return {
      url,
      contents,
      state: folder === undefined ? undefined : named,
      fetch: (request) => app.fetch(request),
      reloadAccounts() {
        reload()
        useAccounts()
      },
      idle: () => opened.idle(),
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** The databases that were imported into a state before the server starts. */
function importedBefore(folder: string | undefined): string[] {
  if (folder === undefined) return []
  const store = openStateDatabase(folder, { readOnly: true })
  try {
    return importedDatabases(store)
  } finally {
    store.close()
  }
}

/** Uploads take as long as bytes arrive. */
const isUpload = (target: string): boolean => /\/organizations\/\d+\/gei\/archive\b/.test(target)

/** Pages bring a parser of Markdown and colors for code: they are loaded when a server shows them. */
async function openPages(
  databases: WatchedLibrary,
  audience: Audience,
  folder: string | undefined,
): Promise<PageHandler> {
  const { createPageHandler } = await import('../pages/page-handler.ts')
  return createPageHandler(databases, audience, { folder })
}

function accountsOf(
  { accounts, ownerToken }: ServeOptions,
  { exporter }: ServedContents,
): { accounts: Accounts; reload(): void } {
  if (typeof accounts === 'string') return openAccounts(accounts)
  const isOwned = !accounts && ownerToken !== undefined && exporter !== undefined
  const file = isOwned ? accountsOfOwner(exporter, ownerToken) : accounts
  return { accounts: file ? createAccounts(file) : NO_ACCOUNTS, reload: () => {} }
}

const accountsOfOwner = (login: string, token: string): AccountsFile => ({
  version: 1,
  accounts: [{ login }],
  tokens: [{ login, sha256: sha256Of(token), scopes: ['repo', 'user'] }],
})

/** The clock of the interface: one that was passed, or one that runs on from `now`. */
function clockOf({ clock, now: given }: ServeOptions, { newestEvent }: ServedContents): () => Date {
  if (clock) return clock
  const afterNewest = newestEvent && new Date(newestEvent.getTime() + AFTER_NEWEST)
  const now = given === 'newest' ? afterNewest : given
  if (now === undefined) return () => new Date()
  const start = performance.now()
  return () => new Date(now.getTime() + performance.now() - start)
}

/** Creates a function that reports why databases cannot be read as they are now, and when they can. */
const tellFaults = (notice: (text: string) => void) => (fault: Error | undefined) => {
  if (!fault) return notice('the databases are read as they are now')
  const [code, place] =
    fault instanceof ArchiveError ? [` (${fault.code})`, fault.place.archive] : ['', undefined]
  const why = [place, fault.message].filter(Boolean).join(': ')
  notice(`the databases cannot be read as they are now, trying again: ${why}${code}`)
}

/** Milliseconds before progress is reported. */
const PATIENCE = 1000

/**
 * Creates a function that reports what is being indexed, if that index takes more than a second.
 *
 * @param notice receives one line for each step
 */
export function tellProgress(notice: (text: string) => void): (what: string, part: number) => void {
  let start = performance.now()
  let last = 0
  return (what, part) => {
    // The next index begins.
    if (part < last) start = performance.now()
    last = part
    if (performance.now() - start < PATIENCE) return
    notice(`making the index: ${what} (${Math.round(part * 100)} %)`)
  }
}

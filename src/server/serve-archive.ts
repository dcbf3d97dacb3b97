import { aPath, checkArguments, listOf } from '../check-arguments.ts'
import { NO_ACCOUNTS } from './access/accounts.ts'
import { openCatalog } from './catalog/catalog.ts'
import { checkServeOptions } from './check-serve-options.ts'
import { createApp } from './create-app.ts'
import { createHostRules } from './http/check-host.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { type Listening, listen } from './listen.ts'
import type { ServerParts } from './request-context.ts'
import type { ServeOptions } from './serve-options.ts'
import { EMPTY_STATE } from './state/state.ts'

/** A running server. */
export interface ArchiveServer {
  /** Where it listens; undefined if it was given no port. */
  readonly url: string | undefined
  /** Answers a request without a socket. */
  fetch(request: Request): Promise<Response>
  /** Stops accepting, lets requests finish, and closes everything. */
  close(): Promise<void>
}

/**
 * Serves archive databases through GitHub's REST interface. The databases are opened read-only.
 *
 * @param databases paths of databases that `loadArchive` created; they are served as one
 * @returns a server that answers `fetch(request)`, and listens if `port` is given
 * @throws `option-invalid`, `address-in-use`, `address-refused`, and the codes of `openDatabase`
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
  const catalog = openCatalog(databases)
  const parts: ServerParts = {
    catalog,
    accounts: NO_ACCOUNTS,
    state: EMPTY_STATE,
    rateLimit: createRateLimit(options.rateLimit),
    options,
    clock: options.clock ?? (() => new Date()),
  }
  const app = createApp(parts, createHostRules(options))
  let listening: Listening | undefined
  const closeParts = async () => {
    await parts.state.close()
    catalog.close()
  }
  try {
    if (options.port !== undefined) listening = await listen(app, options.port, options)
  } catch (error) {
    await closeParts()
    throw error
  }
  return {
    url: listening?.url,
    fetch: async (request) => app(request),
    async close() {
      await listening?.close()
      await closeParts()
    },
  }
}

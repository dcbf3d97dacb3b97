import {
  aCount,
  aFlag,
  aPath,
  checkArguments,
  checkOptions,
  listOf,
} from '../base/check-arguments.ts'
import { aHostName, createHostRules } from '../http/host.ts'
import { listen } from '../http/listen.ts'
import { answerPage } from './answer-page.ts'
import { createApp } from './create-app.ts'

/** Where to serve pages, and what they show. */
export interface ServePagesOptions {
  /** The port of 127.0.0.1 to listen on; 0 for any free one. Without it nothing listens: only `fetch` answers. */
  port?: number | undefined
  /** Only what a stranger may see: public repositories, and nothing about the whole database. Default false. */
  public?: boolean | undefined
  /** Host names that the `Host` of a request may have, in addition to loopback. */
  hostNames?: readonly string[] | undefined
}

/** Pages that are served. `serveArchive` with `pages` answers browsers and programs at one address. */
export interface PageServer {
  /** Where it listens; undefined if it was given no port. */
  readonly url: string | undefined
  /** Answers a request with a page. */
  fetch(request: Request): Promise<Response>
  /**
   * The path of the page of a record, with its place there.
   *
   * @param url the `url` of the record
   * @returns undefined if no page shows it
   */
  pathOf(url: string): string | undefined
  /** Stops listening, and closes the databases. */
  close(): Promise<void>
}

/**
 * Serves the pages of databases to browsers, without the REST interface that `serveArchive` has. The databases are opened read-only.
 *
 * @param databases paths of databases that `loadArchive` created; they are shown as one
 * @param options the port, and what the pages show
 * @returns a server that answers `fetch(request)`, and listens if `port` is given
 * @throws `option-invalid`, `address-in-use`, `address-refused`, and the codes of `openDatabase`
 * @example
 * const pages = await servePages(['archive.db'])
 * const response = await pages.fetch(new Request('http://localhost/forge/kettle/issues/1'))
 * const html = await response.text()
 * await pages.close()
 */
export async function servePages(
  databases: readonly string[],
  options: ServePagesOptions = {},
): Promise<PageServer> {
  checkArguments({ databases }, { databases: listOf(aPath) })
  checkOptions(options, { port: aCount, public: aFlag, hostNames: listOf(aHostName) })
  const { port, public: isPublic = false, hostNames } = options
  // Markdown and colors of code take long to load, for programs that show no pages.
  const { openPageHandler } = await import('../pages/page-handler.ts')
  const pages = openPageHandler(databases, isPublic ? 'public' : 'all')
  try {
    const rules = createHostRules({ hostNames })
    // There is no interface: every request is for a page.
    const app = createApp((request) => answerPage(request, pages, rules))
    const listening = port === undefined ? undefined : await listen(app, port, {})
    return {
      url: listening?.url,
      fetch: (request) => app.fetch(request),
      pathOf: pages.pathOf,
      async close() {
        await listening?.close()
        pages.close()
      },
    }
  } catch (error) {
    pages.close()
    throw error
  }
}

/** The browser of the tests, and the pages that it opens: those of a server and those of a site of files. */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { writeSite } from '../../src/pages/site/write-site.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { describeWhere } from '../support/describe-where.ts'
import { loadOnce } from '../support/load-once.ts'
import { loadSamples } from '../support/web.ts'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of the system, or the one that `CHROME_PATH` names. */
export const browserPath = (): string | undefined =>
  [env.CHROME_PATH, ...PLACES].find((path) => path !== undefined && existsSync(path))

/** Starts the browser. The sandbox of its own needs rights that containers do not give. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: browserPath() ?? '', args: ['--no-sandbox'] })

/** Opens pages in windows of their own, which close with the tests. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>

/** Describes tests that need a browser, or skips them. */
export function describeInBrowser(name: string, tests: (open: OpenPage) => void): void {
  const missing = browserPath() ? undefined : 'no Chromium here; install it, or set CHROME_PATH'
  describeWhere(name, 'MARC_BROWSER', missing, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startBrowser()
    })
    afterAll(() => browser.close())
    tests(async (options = {}) => {
      const context = await browser.newContext({ viewport: WIDE, ...options })
      return context.newPage()
    })
  })
}

export const WIDE = { width: 1280, height: 900 }
export const NARROW = { width: 320, height: 640 }

/** Pages of databases, served on a port of this machine. */
export async function servePages(
  databases: readonly string[],
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = await serveArchive(databases, { state: ':memory:', port: 0, pages: 'all' })
  return { origin: server.url ?? '', close: () => server.close() }
}

/** The samples for the tests of a file: their databases, served, and as a site. */
export function shareServed(
  archive?: () => Buffer,
  /** Loads one more database. */
  loadMore?: (folder: string) => Promise<string>,
): {
  readonly paths: readonly string[]
  readonly origin: string
  /** The folder of the site. */
  readonly site: string
  /** The address of its folder, with a slash at the end. */
  readonly siteUrl: string
} {
  const shared = { paths: [] as string[], origin: '', site: '', siteUrl: '' }
  const closing: (() => Promise<void>)[] = []
  beforeAll(async () => {
    const { folder, paths } = archive ? await loadArchive(archive()) : await loadSamples()
    closing.push(() => rm(folder, { recursive: true, force: true }))
    if (loadMore) paths.push(await loadMore(folder))
    for (const path of paths) await updateIndexAt(path)
    const server = await servePages(paths)
    closing.push(() => server.close())
    const site = join(folder, 'site')
    await writeSite(paths, site)
    Object.assign(shared, {
      paths,
      origin: server.origin,
      site,
      siteUrl: pathToFileURL(`${site}/`).href,
    })
  })
  afterAll(async () => {
    for (const close of closing.reverse()) await close()
  })
  return shared
}

async function loadArchive(archive: Buffer): Promise<{ folder: string; paths: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
  const path = join(folder, 'it.db')
  await loadOnce([archive], path, {})
  return { folder, paths: [path] }
}

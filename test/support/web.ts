/** Pages of the samples, and of worlds that a test makes. */

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { openPages, type Pages, type Rendered } from '../../src/pages/open-pages.ts'
import type { Audience } from '../../src/reading/library.ts'
import { type Files, tarOf } from './build-tar.ts'
import { loadOnce } from './load-once.ts'
import { filesOf } from './rest-world.ts'

const SAMPLES = ['hello', 'organization']

/** Loads the samples into a folder of their own. */
export async function loadSamples(): Promise<{ folder: string; paths: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
  const paths: string[] = []
  for (const name of SAMPLES) {
    const bytes = await readFile(new URL(`../../samples/${name}.tar.gz`, import.meta.url))
    const path = join(folder, `${name}.db`)
    await loadOnce([bytes], path, {})
    paths.push(path)
  }
  return { folder, paths }
}

/** The databases of the samples. */
export async function openSamples(): Promise<{ databases: Database[]; close(): Promise<void> }> {
  const { folder, paths } = await loadSamples()
  const databases = paths.map((path) => openDatabase(path))
  return {
    databases,
    async close() {
      for (const database of databases) database.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Asks for a page by its address, `/path?query`. */
export type AskPage = (address: string) => Promise<Rendered>

/** Pages for the tests of a file: of the samples, or of these worlds, a database each. */
export function sharePages(
  worlds?: readonly Readonly<Record<string, readonly object[]>>[],
  audience: Audience = 'all',
  /** Other files of the first archive. */
  files: Files = {},
): { ask: AskPage; readonly pages: Pages; readonly paths: string[] } {
  let folder: string
  let pages: Pages
  let paths: string[] = []
  beforeAll(async () => {
    if (worlds === undefined) ({ folder, paths } = await loadSamples())
    else {
      folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
      paths = worlds.map((_, i) => join(folder, `${i}.db`))
      for (const [i, records] of worlds.entries()) {
        const others = i === 0 ? files : {}
        await loadOnce([tarOf({ ...filesOf(records), ...others })], paths[i] as string, {})
      }
    }
    pages = openPages(paths, { audience })
  })
  afterAll(async () => {
    pages.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    get pages() {
      return pages
    },
    get paths() {
      return paths
    },
    ask(address) {
      const [path = '', query = ''] = address.split('?')
      return pages.render(path, new URLSearchParams(query))
    },
  }
}

/** The HTML of a page; empty for anything else. */
export const htmlOf = (rendered: Rendered): string => ('html' in rendered ? rendered.html : '')

/** The addresses that a page leads to or loads, as they stand in the HTML. */
export function addressesOf(html: string): string[] {
  const found = html.matchAll(/<[a-z][^>]*? (?:href|src|action)="([^"]*)"/g)
  return [...found].map(([, address = '']) =>
    address.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  )
}

/** Every link of the samples, through a socket and between the files of a site. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { localPathOf } from '../../src/pages/link.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { siteAddressOf } from '../../src/pages/site/site-address.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { addressesOf } from '../support/web.ts'
import { shareServed } from './browser.ts'

const served = shareServed()

interface Answered {
  readonly status: number
  /** Empty for what is no page. */
  readonly html: string
}

const HEADERS = { accept: 'text/html' }
const known = new Map<string, Promise<Answered>>()

/** Asks for an address once; redirects are followed. */
function ask(address: string): Promise<Answered> {
  const before = known.get(address)
  if (before) return before
  const answered = fetch(served.origin + address, { headers: HEADERS }).then(async (response) => {
    const isPage = response.headers.get('content-type')?.startsWith('text/html')
    const text = await response.text()
    return { status: response.status, html: isPage ? text : '' }
  })
  known.set(address, answered)
  return answered
}

const idsOf = (html: string): Set<string | undefined> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))

/** Files at each of many commits, and answers to each of many filters or orders of a table, are the same few pages. */
const isOneOfMany = (path: string): boolean =>
  /\/(?:tree|blob|blame|find|raw|commits)\/(?!4831b6e)[0-9a-f]{40}/.test(path) ||
  /^\/-\/schema\/(?!issues\?)[^?]*\?(?!db=)/.test(path) ||
  path.split('&').length > 1

describe('From the first page', () => {
  // It asks for each of some thousand pages, in turn.
  test('every link inward answers, and its fragment is there', { timeout: 300_000 }, async () => {
    const queue = new Set(['/'])
    const dead: string[] = []
    for (const address of queue) {
      const { status, html } = await ask(address)
      if (status !== 200) dead.push(`${status} ${address}`)
      for (const link of addressesOf(html)) {
        const [path = ''] = link.split('#')
        if (path.startsWith('/') && !isOneOfMany(path)) queue.add(path)
      }
    }
    for (const [address, answered] of known) {
      for (const link of addressesOf((await answered).html)) {
        const [path = '', fragment] = link.split('#')
        if (fragment === undefined || fragment === '' || !/^[#/]/.test(link)) continue
        const target = path === '' ? answered : known.get(path)
        if (target && !idsOf((await target).html).has(fragment)) dead.push(`${address} to ${link}`)
      }
    }
    expect(queue.size).toBeGreaterThan(400)
    expect(dead).toEqual([])
  })

  test('the url of every record leads to its page, and to its place there', async () => {
    const pages = openPages([...served.paths], { audience: 'all' })
    const lost: string[] = []
    let found = 0
    for (const path of served.paths) {
      const database = openDatabase(path)
      for (const name of Object.keys(KINDS)) {
        for (const row of database
          .prepare<[], { url: string | null }>(`SELECT url FROM ${name}`)
          .all()) {
          if (row.url === null) continue
          const to = localPathOf(pages.library, row.url)
          const [address = '', anchor] = to?.split('#') ?? []
          const { status, html } = to === undefined ? NOTHING : await ask(address)
          const isThere = status === 200 && (anchor === undefined || idsOf(html).has(anchor))
          if (isThere) found++
          else lost.push(`${name} ${row.url}`)
        }
      }
      database.close()
    }
    pages.close()
    expect(lost).toEqual([])
    expect(found).toBeGreaterThan(1000)
  })
})

const NOTHING: Answered = { status: 404, html: '' }
const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.split(sep).join('/'),
  )

describe('A site', () => {
  test('has no dead link, and no fragment that leads nowhere', () => {
    const dead: string[] = []
    const texts = new Map<string, Set<string | undefined>>()
    const idsIn = (path: string) => {
      const ids = texts.get(path) ?? idsOf(readFileSync(path, 'utf8'))
      texts.set(path, ids)
      return ids
    }
    for (const file of filesOf(served.site)) {
      // The page for what is not there is shown at any address.
      if (!file.endsWith('.html') || file === '404.html') continue
      const base = pathToFileURL(join(served.site, file))
      for (const link of addressesOf(readFileSync(base, 'utf8'))) {
        if (/^(?:https?|mailto):/.test(link)) continue
        const url = new URL(link, base)
        const fragment = decodeURIComponent(url.hash.slice(1))
        url.hash = ''
        const path = fileURLToPath(url)
        const isThere = existsSync(path) && path.startsWith(served.site)
        if (!isThere || (fragment !== '' && !idsIn(path).has(fragment)))
          dead.push(`${file} to ${link}`)
      }
    }
    expect(texts.size).toBeGreaterThan(50)
    expect(dead).toEqual([])
  })

  test('has the pages of the server: they differ in links, forms and what needs a server', async () => {
    let same = 0
    for (const [address] of known) {
      const to = siteAddressOf(address)
      const path = to && join(served.site, to.file)
      const { status, html } = await ask(address)
      const isPlain =
        !html.includes('<form class') || /\/(?:issues|pull|discussions)\/\d+$/.test(address)
      if (!path || to.text !== address || !existsSync(path) || html === '' || status !== 200)
        continue
      if (!isPlain) continue
      expect(plain(readFileSync(path, 'utf8')), address).toBe(plain(html))
      same++
    }
    expect(same).toBeGreaterThan(100)
  })
})

/** A page without what a file cannot have. */
const plain = (html: string): string =>
  html
    .replace(/<header class="top[\s\S]*?<\/header>/, '')
    .replace(/<head>[\s\S]*?<\/head>/, '')
    .replace(/ (?:href|src|rel|download)="[^"]*"/g, '')

/** Pages of every kind, made of hostile texts: none brings an element, attribute or address into them. */

import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { findPage } from '../../src/pages/open-pages.ts'
import { PAGES } from '../../src/pages/pages.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { hostileFiles, spoiledUrl } from '../support/hostile-world.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../support/web.ts'

/** Whatever a text is put into, this ends it, and begins an element that no page of ours has. */
const BREAKS = `'"></title></textarea></script></style>--><x-brought brought="1" onload='brought'>`
const TEXTS = HOSTILE_TEXTS.map((text) => `${BREAKS}${text.slice(0, 300)}`)

const { ask } = sharePages([{}], 'all', hostileFiles(TEXTS))

const VOID =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|path|rect|circle|line)$/
const DANGEROUS =
  /^(?:x-.*|iframe|object|embed|base|style|math|template|plaintext|foreignobject|use|frame.*)$/
const LOADING = new Set(['src', 'action', 'poster', 'data', 'background', 'srcset'])

/** What a page has that no page of ours may have, as a tokenizer of HTML reads it. */
function faultsOf(page: string): string[] {
  const faults: string[] = []
  const counts: Record<string, number> = {}
  let isInRect = false
  let isInText = false
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      // A bar of a chart has a title of its own.
      if (!(isInRect && name === 'title')) counts[name] = (counts[name] ?? 0) + 1
      if (name === 'rect') isInRect = true
      if (isInText) depth += VOID.test(name) ? 0 : 1
      else if (attributes.class === 'body') [isInText, depth] = [true, 1]
      if (DANGEROUS.test(name)) faults.push(`an element: ${name}`)
      for (const [attribute, value] of Object.entries(attributes)) {
        if (/^on|^style$|^formaction$|brought|["'<>]/.test(attribute))
          faults.push(`an attribute: ${attribute}`)
        const isLink = attribute === 'href' || LOADING.has(attribute)
        if (isLink && !/^(?:\/(?!\/)|#|https?:\/\/|mailto:)/.test(value))
          faults.push(`an address: ${value}`)
        if (LOADING.has(attribute) && !/^\/(?!\/)/.test(value)) faults.push(`a request: ${value}`)
        if (isInText && attribute === 'id' && !value.startsWith('user-content-'))
          faults.push(`a name: ${value}`)
      }
      if (name === 'script' && !attributes.src?.startsWith('/-/assets/')) faults.push('a script')
      if (name === 'link' && !/^\/-\/assets\/|^\/[^/]|^\/$/.test(attributes.href ?? ''))
        faults.push('a link element')
    },
    onclosetag(name, isImplied) {
      if (name === 'rect') isInRect = false
      // A paragraph ends where a block of the text begins.
      const mayEnd = VOID.test(name) || (isInText && name === 'p')
      if (isImplied && !mayEnd) faults.push(`left open: ${name}`)
      if (isInText && !VOID.test(name) && --depth === 0) isInText = false
    },
    oncomment: () => faults.push('a comment'),
  })
  parser.end(page)
  for (const name of ['html', 'head', 'body', 'main', 'title', 'h1']) {
    if (counts[name] !== 1) faults.push(`${counts[name] ?? 0} of ${name}`)
  }
  return [...new Set(faults)]
}

describe('Hostile texts', () => {
  const readAll = async (ofOnePattern: number) => {
    const queue = new Set([
      '/',
      '/forge/kettle/wiki',
      '/search?q=owned',
      '/orgs/forge/people',
      '/forge/kettle/branches',
      '/forge/kettle/tags',
      '/forge/kettle/issues/1',
      '/forge/kettle/pull/2',
      '/forge/kettle/pull/2/files',
      '/forge/kettle/pull/2/commits',
      '/forge/kettle/milestone/1',
      '/forge/kettle/blame/HEAD/README.md',
    ])
    const counts = new Map<string, number>()
    for (const address of queue) {
      const pattern = findPage(address.split('?')[0] ?? '')?.page.path ?? ''
      const count = (counts.get(pattern) ?? 0) + 1
      if (count > ofOnePattern) continue
      counts.set(pattern, count)
      const page = await ask(address)
      if ('location' in page) queue.add(page.location)
      if ('file' in page) {
        const { type, headers } = page.file
        const isApart = headers?.['Content-Security-Policy']?.includes('sandbox')
        const isOurs = address.startsWith('/-/assets/')
        expect(isApart || isOurs || !/html|xml/.test(type), `${address} is ${type}`).toBe(true)
      }
      if (!('html' in page)) continue
      expect(faultsOf(page.html), address).toEqual([])
      for (const link of addressesOf(page.html))
        if (/^\/(?!\/)/.test(link)) queue.add(link.split('#')[0] ?? '')
    }
    const unreached = PAGES.filter(({ path }) => !counts.has(path)).map(({ path }) => path)
    expect(unreached).toEqual([
      // Only sites have archives to download.
      '/-/download/:name',
      // Addresses of the host that redirect.
      '/user-attachments/assets/:id',
      '/user-attachments/files/:id/:name',
      '/:owner/:repo/pull/:number/commits/:oid',
    ])
  }
  test('stay texts on a page of each kind that can be reached', THOROUGH, () => readAll(1))
  test('stay texts on five pages of each kind', THOROUGH, () => readAll(5))

  everyDay(4)(Object.keys(KINDS))(
    'stay texts in the record of %s, in all of its members',
    async (kind) => {
      const html = htmlOf(await ask(`/-/raw?url=${encodeURIComponent(spoiledUrl(kind))}`))
      expect(faultsOf(html)).toEqual([])
      expect(html.match(/&lt;x-brought brought=/g)?.length).toBeGreaterThan(1)
    },
  )

  test('would be found if they were there as they are', () => {
    const empty = '<html><head><title></title></head><body><main><h1></h1></main></body></html>'
    expect(faultsOf(empty)).toEqual([])
    for (const text of HOSTILE_TEXTS.filter((one) => /<[a-z/!]/i.test(one))) {
      expect(
        faultsOf(empty.replace('<h1>', `<div class="body">${text}</div><h1>`)),
        text,
      ).not.toEqual([])
    }
  })
})

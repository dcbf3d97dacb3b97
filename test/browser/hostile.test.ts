/** An archive whose every text is hostile, read without the content policy: only our own care is left. */

import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { tarOf } from '../support/build-tar.ts'
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts'
import { hostileFiles, spoiledUrl } from '../support/hostile-world.ts'
import { ISSUE, SHA } from '../support/rest-world.ts'
import { addressesOf } from '../support/web.ts'
import { describeInBrowser, type OpenPage, shareServed } from './browser.ts'

const served = shareServed(() => tarOf(hostileFiles(HOSTILE_TEXTS)))

/** What a page must not have after it has been read. */
async function watch(open: OpenPage): Promise<{ page: Page; faults: string[] }> {
  const page = await open({ bypassCSP: true })
  const faults: string[] = []
  page.on('dialog', (dialog) => {
    faults.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const isOurs = [served.origin, served.siteUrl].some((root) => request.url().startsWith(root))
    if (!isOurs) faults.push(`asked for ${request.url()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  return { page, faults }
}

/** Finds elements that are not in the text of somebody, and names that are not in the global object of another page. */
const LOOK = `((known) => {
  const KNOWN = new Set(known)
  const faults = []
  if ('owned' in window) faults.push('a text ran')
  faults.push(...Object.keys(window).filter((name) => !KNOWN.has(name)).map((name) => 'a global: ' + name))
  const main = document.querySelectorAll('main')
  if (main.length !== 1 || document.querySelectorAll('h1').length !== 1) faults.push('another main or h1')
  for (const one of document.querySelectorAll('body > *')) {
    if (!/^(?:A|HEADER|SECTION|MAIN|FOOTER)$/.test(one.tagName)) faults.push('outside: ' + one.outerHTML.slice(0, 80))
  }
  if (document.body.lastElementChild.className !== 'wide foot') faults.push('the foot is not last')
  for (const one of document.querySelectorAll('iframe, object, embed, style, base, form[id]:not(#filters), math, template, plaintext, body script, [style], [onload], [onerror], [onclick], [onfocus], [ontoggle]')) {
    if (!one.closest('svg.icon')) faults.push('an element: ' + one.outerHTML.slice(0, 80))
  }
  for (const one of document.querySelectorAll('[id], [name]')) {
    for (const name of [one.id, one.getAttribute('name')]) {
      const isOurs = !one.closest('.body') || /^user-content-/.test(name || 'user-content-')
      if (!isOurs) faults.push('a name: ' + name)
    }
  }
  for (const link of document.querySelectorAll('a[href]')) {
    if (!/^(?:https?:|mailto:|file:)$/.test(link.protocol)) faults.push('a link: ' + link.href)
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window')
  return faults
})`

/** Names in the global object of a page without texts. */
let names: string[] | undefined

async function look(page: Page): Promise<string[]> {
  if (names === undefined) {
    const other = await page.context().newPage()
    await other.goto(`${served.origin}/-/about`)
    names = await other.evaluate<string[]>('Object.keys(window)')
    await other.close()
  }
  return page.evaluate<string[]>(`${LOOK}(${JSON.stringify(names)})`)
}

const PAGES = [
  '/',
  '/ada',
  '/forge',
  '/forge/kettle',
  '/-/people',
  '/-/archives',
  '/-/problems',
  '/-/attachments',
  '/orgs/forge/teams',
  '/orgs/forge/people',
  '/search?q=owned',
  '/-/schema/issues',
  '/-/schema/repositories',
  ...[
    'issues',
    'pulls',
    'issues/1',
    'issues/1?page=2',
    'issues/3',
    'pull/2',
    'pull/2/files',
    'pull/2/commits',
  ]
    .concat([
      'discussions',
      'discussions/12',
      'labels',
      'milestones',
      'milestone/1',
      'releases',
      'pulse',
    ])
    .concat(['projects', 'projects/1', `commit/${SHA}`])
    .concat(['tree/topic', 'tree/main/names', 'commits/main', 'branches', 'tags', 'wiki'])
    .concat(['blob/main/.gitmodules', 'compare/main...topic'])
    .map((path) => `/forge/kettle/${path}`),
  ...[ISSUE, ...Object.keys(KINDS).map(spoiledUrl)].map(
    (url) => `/-/raw?url=${encodeURIComponent(url)}`,
  ),
  `/-/sql?sql=${encodeURIComponent('SELECT title, body FROM issues')}`,
]

describeInBrowser('Hostile texts without a content policy', (open) => {
  test.concurrent.each(PAGES)('do nothing on %s', async (address) => {
    const { page, faults } = await watch(open)
    const response = await page.goto(served.origin + address)
    expect(response?.status()).toBe(200)
    faults.push(...(await look(page)))
    await page.context().close()
    expect(faults).toEqual([])
  })

  test.each([
    ['files', /\/blob\/main\/contents\/(?:\d*[05]\.md|[01]\.|picture)/],
    ['names of files', /\/blob\/main\/names\/\d*[048]\D/],
    ['labels and releases', /\/(?:labels|releases\/tag)\/./],
    ['commits', /^\/forge\/kettle\/commit\//],
    ['branches and tags', /^\/forge\/kettle\/(?:tree|commits)\/\d/],
    ['pages of the wiki', /^\/forge\/kettle\/wiki\/./],
  ])('do nothing on any of the %s', async (_, pattern) => {
    const { page, faults } = await watch(open)
    const addresses = new Set<string>()
    for (const list of [
      'labels',
      'releases',
      'tree/main/contents',
      'tree/main/names',
      'commits/main',
      'branches',
      'tags',
      'wiki',
    ]) {
      const response = await page.goto(`${served.origin}/forge/kettle/${list}`)
      for (const link of addressesOf((await response?.text()) ?? '')) {
        if (pattern.test(link)) addresses.add(link.split('#')[0] ?? '')
      }
    }
    expect(addresses.size).toBeGreaterThan(0)
    for (const address of addresses) {
      await page.goto(served.origin + address)
      faults.push(...(await look(page)).map((fault) => `${fault} on ${address}`))
    }
    await page.context().close()
    expect(faults).toEqual([])
  })

  test('stay each in the card of its comment', async () => {
    const { page, faults } = await watch(open)
    const ids: string[] = []
    for (const address of ['/forge/kettle/issues/1', '/forge/kettle/issues/1?page=2']) {
      await page.goto(served.origin + address)
      ids.push(
        ...(await page.evaluate<string[]>(
          `[...document.querySelectorAll('ol.items > li.item > article.card > .in > .body')].map((body) => body.closest('li').id)`,
        )),
      )
    }
    const wanted = HOSTILE_TEXTS.map((_, i) => `issuecomment-${1000 + i}`)
    expect(ids.filter((id) => id.startsWith('issuecomment'))).toEqual(wanted)
    expect(faults).toEqual([])
  })

  test('do nothing when they are opened from a disk', async () => {
    const { page, faults } = await watch(open)
    for (const file of [
      'forge/kettle/issues/1.html',
      'forge/kettle/pull/2.html',
      'forge/kettle.html',
    ]) {
      await page.goto(served.siteUrl + file)
      faults.push(...(await look(page)))
    }
    expect(faults).toEqual([])
  })

  test('would be found if they were there as they are', async () => {
    const { page, faults } = await watch(open)
    await page.goto(`${served.origin}/-/about`)
    for (const text of HOSTILE_TEXTS.filter((one) => !one.includes('http-equiv'))) {
      await page.setContent(`<main><h1>A page</h1></main><div class="body">${text}</div>`)
      faults.push(...(await look(page)))
    }
    for (const word of [
      'a dialog',
      'asked for',
      'a text ran',
      'a global',
      'an element',
      'outside',
      'a name',
      'a link',
    ]) {
      expect(faults).toContainEqual(expect.stringContaining(word))
    }
  })
})

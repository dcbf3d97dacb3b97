import { setTimeout } from 'node:timers/promises'
/** Every kind of page, served and as a file: what it asks for, says and looks like to those who cannot see it. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { HtmlValidate } from 'html-validate'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { siteAddressOf } from '../../src/pages/site/site-address.ts'
import { ADDRESSES, COLORFUL } from './addresses.ts'
import { describeInBrowser, NARROW, type OpenPage, shareServed } from './browser.ts'
import { loadRichWorld } from './rich-world.ts'

const served = shareServed(undefined, loadRichWorld)
const KETTLE = '/forge/kettle'

/** Long and many of everything: items, labels, words without an end, texts from right to left, nothing at all. */
const RICH = [
  `${KETTLE}/issues`,
  `${KETTLE}/issues/10`,
  `${KETTLE}/issues/11`,
  `${KETTLE}/issues/13`,
  `${KETTLE}/pull/2`,
  `${KETTLE}/labels`,
  `${KETTLE}/tree/main/src`,
  `${KETTLE}/blob/main/src/kettle.ts`,
  `${KETTLE}/compare/v1...main`,
  '/forge/empty',
  '/forge/empty/issues',
]
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rules for which the theme matters. */
const COLORS = ['color-contrast', 'link-in-text-block']

const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    // Titles are those of threads.
    'long-title': 'off',
    // The sanitizer writes the other form, disabled="", which is as valid.
    'attribute-boolean-style': 'off',
    'void-style': 'off',
    'doctype-style': ['error', { style: 'uppercase' }],
  },
})

/** What is wrong with a page, in words. */
async function faultsOf(
  open: OpenPage,
  url: string,
  root: string,
  colorScheme: 'light' | 'dark' = 'light',
  rules: readonly string[] = [],
): Promise<string[]> {
  const page = await open({ colorScheme })
  const faults: string[] = []
  // The page that is not there is a message of its own.
  const isExpected = (text: string) => url.endsWith('/nothing/here') && text.includes('404')
  page.on('request', (request) => {
    if (!request.url().startsWith(root)) faults.push(`asked for ${request.url()}`)
  })
  page.on('requestfailed', (request) => faults.push(`could not load ${request.url()}`))
  page.on('console', (message) => {
    if (!isExpected(message.text())) faults.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  // A page that waits for the databases to be read as one asks again.
  while (url.startsWith('http') && (await fetch(url)).headers.has('refresh')) {
    await setTimeout(200)
  }
  const response = await page.goto(url)
  faults.push(...validate((await response?.text()) ?? ''), ...(await violations(page, rules)))
  await page.setViewportSize(NARROW)
  // On narrow screens what is to be touched comes closer together.
  faults.push(...(await violations(page, ['target-size'])))
  faults.push(...(await overflow(page, 'on a narrow screen')))
  // Wider letters stand for wider fonts. A policy of the page lets scripts set a style, but not add a sheet.
  await page.evaluate("document.documentElement.style.letterSpacing = '.12em'")
  faults.push(...(await overflow(page, 'on a narrow screen in a wide font')))
  await page.context().close()
  return faults
}

async function overflow(page: Page, where: string): Promise<string[]> {
  const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  return over > 0 ? [`${over} pixels too wide ${where}`] : []
}

function validate(html: string): string[] {
  const { results } = validator.validateStringSync(html)
  return results
    .flatMap(({ messages }) => messages)
    .filter(({ message }) => !ALIGNED.test(message))
    .map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`)
}

/** Columns of a table in a body are aligned by an attribute: the policy of the pages forbids styles. */
const ALIGNED = /^Attribute "align" is deprecated on <t[hd]> element$/

/** What axe leaves to people: text over or beside other elements. Colours are judged by `test/pages/assets/style.test.ts`. */
const UNDECIDED: Readonly<Record<string, readonly string[]>> = {
  'color-contrast': [
    "Element's background color could not be determined because it's partially obscured by another element",
    'Element content is too short to determine if it is actual text content',
    'Element content contains only non-text characters',
  ],
  'label-content-name-mismatch': [
    'Unable to determine if the visible text is part of the accessible name',
  ],
  'link-in-text-block': [
    "Element's contrast ratio could not be determined because of element overlap",
  ],
}

/** What axe finds, and what it cannot decide: by all rules, or by these. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE)
  // Preloading asks for style sheets by script, which the policy of a page refuses.
  const runOnly = rules.length > 0 ? rules : { type: 'tag', values: TAGS }
  const options = JSON.stringify({ runOnly, preload: false })
  const found = await page.evaluate<{ violations: Violation[]; incomplete: Violation[] }>(
    `axe.run(document, ${options}).then(({ violations, incomplete }) => ({ violations, incomplete }))`,
  )
  return [
    ...found.violations.flatMap(inWords),
    ...found.incomplete.flatMap((undecided) =>
      inWords({
        ...undecided,
        nodes: undecided.nodes.filter(
          ({ any }) => !UNDECIDED[undecided.id]?.includes(any[0]?.message ?? ''),
        ),
      }),
    ),
  ]
}

const inWords = ({ id, nodes }: Violation): string[] =>
  nodes.map(({ html, any }) => `${id}: ${html} (${any[0]?.message ?? ''})`)

interface Violation {
  readonly id: string
  readonly nodes: readonly { html: string; any: readonly { message: string }[] }[]
}

describeInBrowser('Without a fault, a message or a request elsewhere', (open) => {
  test.concurrent.each([...COLORFUL, ...ADDRESSES, ...RICH])(
    '%s is served in light',
    async (address) => {
      expect(await faultsOf(open, served.origin + address, served.origin)).toEqual([])
    },
  )

  test.concurrent.each(COLORFUL)('%s is served in dark', async (address) => {
    expect(await faultsOf(open, served.origin + address, served.origin, 'dark', COLORS)).toEqual([])
  })

  test.concurrent.each([...COLORFUL, '/search'])('%s opens from a disk', async (address) => {
    const file = siteAddressOf(address)?.file
    expect(
      await faultsOf(open, served.siteUrl + file, served.siteUrl, 'light', ['bypass']),
    ).toEqual([])
  })
})

/** The bytes that a browser gets for a page, with all that the page loads. */

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { everyDay } from '../support/thorough.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const { ask } = sharePages()

/** Threads of the samples are short: so there is room for those of 40 long comments below 60 kB. */
const MOST = 20_000

/** Bytes of a page, of its style sheets, icon and scripts, each as it is sent to most browsers. */
async function weightOf(address: string): Promise<number> {
  const html = htmlOf(await ask(address))
  const loaded = [
    ...html.matchAll(/<(?:link rel="(?:stylesheet|icon)"|script) (?:href|src)="([^"]*)"/g),
  ]
  expect(loaded.length, address).toBeGreaterThan(2)
  let bytes = gzipSync(html).length
  for (const [, path = ''] of loaded) {
    const asset = await ask(path)
    if (!('file' in asset) || !(asset.file.bytes instanceof Uint8Array))
      throw new Error(`${path} is no file`)
    bytes += gzipSync(asset.file.bytes).length
  }
  return bytes
}

everyDay(3)([
  ['A thread', '/mona-lindqvist/tea-timer/pull/5'],
  ['A list', '/mona-lindqvist/tea-timer/issues'],
  ['A repository', '/mona-lindqvist/tea-timer'],
  ['A file', '/mona-lindqvist/tea-timer/blob/main/README.md'],
  ['The first page', '/'],
])('%s weighs less than 20 kB, compressed, with style and scripts', async (_, address) => {
  expect(await weightOf(address)).toBeLessThan(MOST)
})

test('A page is shown before its script is there', async () => {
  const html = htmlOf(await ask('/mona-lindqvist/tea-timer/pull/5'))
  const scripts = html.match(/<script[^>]*>/g) ?? []
  expect(scripts.length).toBeGreaterThan(0)
  for (const script of scripts) expect(script).toMatch(/ defer>$/)
})

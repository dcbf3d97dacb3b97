// node test/bench/server/site-search.ts archive.db FOLDER [WORDS…]
// Writes the search index of a site, says how large it is and what it took, and searches it in Chromium from the disk.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { CDPSession } from 'playwright-core'
import { watchYoungSpace } from '../../../src/cli/process/young-space.ts'
import { ASSETS } from '../../../src/pages/assets.ts'
import { openPages } from '../../../src/pages/open-pages.ts'
import { rewriteLinks } from '../../../src/pages/site/rewrite-links.ts'
import { searchIndexFiles } from '../../../src/pages/site/search-index.ts'
import { siteAddressOf } from '../../../src/pages/site/site-address.ts'
import { startBrowser } from '../../browser/browser.ts'
import { processorSeconds } from './child-server.ts'

const [database = '', folder = '', ...given] = process.argv.slice(2)
const searches = given.length > 0 ? given : ['the', 'state:open kind:issue', 'con*', 'a*', 'zzzz']
const put = (file: string, content: string | Uint8Array) => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), content)
}
const tell = (text: string) => process.stdout.write(`${text}\n`)

// As marc site does.
watchYoungSpace(Number.parseInt(process.versions.node, 10)).grow()
const pages = openPages([database], { isStatic: true, git: false })
let [scripts, bytes, largest] = [0, 0, 0]
for await (const [file, content] of searchIndexFiles(pages, siteAddressOf)) {
  put(file, content)
  scripts++
  bytes += content.length
  if (content.length > largest) largest = content.length
  if (file.endsWith('/index.js')) tell(`${file}: ${gzipSync(content).length} bytes by gzip`)
}
const peak = process.resourceUsage().maxRSS / 1024
tell(`${scripts} scripts of ${bytes} bytes, the largest ${largest}`)
tell(`${processorSeconds('self').toFixed(0)} s of a processor, ${peak.toFixed(0)} MiB`)

const found = await pages.render('/search', new URLSearchParams())
const html = 'html' in found ? found.html : ''
put('search.html', rewriteLinks(html, 'search.html', siteAddressOf))
for (const { path, bytes } of Object.values(ASSETS)) put(path, bytes)
pages.close()

const browser = await startBrowser()
try {
  const page = await browser.newPage()
  const inspector = await page.context().newCDPSession(page)
  await page.goto(pathToFileURL(join(folder, 'search.html')).href)
  const told = page.locator('[role=status]')
  for (const words of searches) {
    await page.fill('.find input', '')
    // The script waits a little before it searches.
    await delay(500)
    const start = performance.now()
    await page.fill('.find input', words)
    await told.filter({ hasText: /./ }).waitFor()
    const clock = performance.now() - start
    const heap = (await heapOf(inspector)).toFixed(1)
    tell(`${words}: ${await told.innerText()} ${clock.toFixed(0)} ms, heap of ${heap} MiB`)
  }
} finally {
  await browser.close()
}

/** MiB that the page holds after a collection. */
async function heapOf(inspector: CDPSession): Promise<number> {
  await inspector.send('HeapProfiler.collectGarbage')
  return (await inspector.send('Runtime.getHeapUsage')).usedSize / 2 ** 20
}

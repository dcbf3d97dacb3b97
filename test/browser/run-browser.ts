/** Opens the pages of the samples in Chromium and judges them. See README.md in this folder. */

import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { loadArchive } from '../../src/load-archive/load-archive.ts'
import { serveArchive } from '../../src/server/serve-archive.ts'
import { openPageHandler } from '../../src/web/serve/page-handler.ts'
import { siteAddressOf } from '../../src/web/site/site-address.ts'
import { writeSite } from '../../src/web/site/write-site.ts'

const TEA = '/mona-lindqvist/tea-timer'
const ADDRESSES = [
  ...[
    '/',
    '/mona-lindqvist',
    '/harbour-lights',
    '/-/people',
    '/-/archives',
    '/-/problems',
    '/-/about',
  ],
  ...[TEA, `${TEA}/issues`, `${TEA}/pulls?state=closed`, `${TEA}/issues/3`, `${TEA}/issues/7`],
  ...[
    `${TEA}/pull/2`,
    `${TEA}/pull/5`,
    `${TEA}/discussions`,
    `${TEA}/discussions/6`,
    `${TEA}/labels`,
  ],
  ...[`${TEA}/labels/bug`, `${TEA}/milestones`, `${TEA}/milestone/1`, `${TEA}/releases`],
  `/-/raw?url=https%3A%2F%2Fgithub.com${encodeURIComponent(`${TEA}/pull/5`)}`,
  ...['/search', '/harbour-lights/tidewatch/issues/7', '/harbour-lights/almanac/pulls'],
  ...[`${TEA}/tree/main/src`, `${TEA}/blob/main/src/timer.js`, `${TEA}/blob/main/README.md`],
  ...[`${TEA}/commits/main`, `${TEA}/branches`, `${TEA}/tags`, `${TEA}/pulse`],
  `${TEA}/commit/4831b6e612e85101831e662a74e33955652290ce`,
  ...[`${TEA}/pull/5/files`, `${TEA}/pull/5/commits`, `${TEA}/compare/v1.0.0...main`],
  ...['/harbour-lights/tidewatch', '/harbour-lights/tidewatch/wiki'],
  ...['/-/questions', '/-/questions/activity-by-month', '/-/questions/reviewers', '/-/attachments'],
  ...['/-/sql?sql=SELECT+number%2C+title+FROM+issues', '/-/schema', '/-/schema/issues', '/-/check'],
  ...['/orgs/harbour-lights/teams', '/orgs/harbour-lights/teams/keepers'],
]
/** Pages with all colors that there are. */
const DARK = [
  ...['/', `${TEA}/issues`, `${TEA}/issues/3`, `${TEA}/pull/5`, '/-/problems', TEA],
  ...[`${TEA}/blob/main/src/timer.js`, `${TEA}/pull/5/files`, `${TEA}/pulse`],
  ...['/-/questions/reviewers', `${TEA}/commit/4831b6e612e85101831e662a74e33955652290ce`],
]
const NARROW = { width: 320, height: 640 }
const WIDE = { width: 1280, height: 900 }
const BROWSERS = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { html: string; any: readonly { message: string }[] }[]
}

let faults = 0

/** Prints a fault as soon as it is found. */
function tell(fault: string): void {
  faults++
  process.stdout.write(`${fault}\n`)
}

/** Opens an address and notes what is wrong with it. */
async function judge(
  browser: Browser,
  address: string,
  origin: string,
  colorScheme: 'light' | 'dark',
) {
  const context = await browser.newContext({ colorScheme, viewport: WIDE })
  const page = await context.newPage()
  const name = `${address} (${colorScheme})`
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) tell(`${name}: asked for ${request.url()}`)
  })
  page.on('requestfailed', (request) => tell(`${name}: could not load ${request.url()}`))
  page.on('console', (message) => tell(`${name}: console: ${message.text()}`))
  page.on('pageerror', (error) => tell(`${name}: script: ${error.message}`))
  await page.goto(address)
  for (const { id, nodes } of await violations(page)) {
    tell(`${name}: ${id}: ${nodes[0]?.html} (${nodes[0]?.any[0]?.message ?? ''})`)
  }
  await page.setViewportSize(NARROW)
  const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  if (overflow > 0) tell(`${name}: ${overflow} pixels wider than a narrow screen`)
  const folder = process.env.SCREENSHOTS
  if (folder !== undefined) {
    const file = `${address.slice(origin.length).replace(/[^\w]+/g, '_') || 'home'}-${colorScheme}`
    await page.screenshot({ path: join(folder, `${file}-narrow.png`), fullPage: true })
    await page.setViewportSize(WIDE)
    await page.screenshot({ path: join(folder, `${file}.png`), fullPage: true })
  }
  await context.close()
}

async function violations(page: Page): Promise<readonly Violation[]> {
  const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
  await page.evaluate(AXE)
  // Preloading asks for style sheets by script, which the policy of a page refuses.
  const options = JSON.stringify({ runOnly: { type: 'tag', values: tags }, preload: false })
  return page.evaluate<readonly Violation[]>(
    `axe.run(document, ${options}).then((all) => all.violations)`,
  )
}

const executablePath = BROWSERS.find((path) => path !== undefined && existsSync(path))
if (executablePath === undefined) {
  process.stdout.write('There is no Chromium here: install it, or set CHROME_PATH.\n')
  process.exit(0)
}
const folder = await mkdtemp(join(tmpdir(), 'marc-browser-'))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  const databases: string[] = []
  for (const name of ['hello', 'organization']) {
    const path = join(folder, `${name}.db`)
    await loadArchive(join(import.meta.dirname, `../../samples/${name}.tar.gz`), path)
    databases.push(path)
  }
  const pages = openPageHandler(databases, 'all')
  const server = await serveArchive(databases, { state: ':memory:', port: 0, pages })
  const origin = server.url ?? ''
  for (const address of ADDRESSES) await judge(browser, origin + address, origin, 'light')
  for (const address of DARK) await judge(browser, origin + address, origin, 'dark')
  await server.close()
  const site = join(folder, 'site')
  await writeSite(databases, site)
  for (const address of DARK) {
    const file = siteAddressOf(address)?.file
    const root = pathToFileURL(`${site}/`).href
    if (file !== undefined) await judge(browser, root + file, root, 'light')
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
process.stdout.write(faults === 0 ? 'All pages are sound.\n' : `${faults} faults.\n`)
process.exitCode = faults === 0 ? 0 : 1

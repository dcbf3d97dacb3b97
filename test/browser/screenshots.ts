/** Makes pictures of pages, to be looked at: four widths, light and dark, on paper, and of a site. See README.md in this folder. */

import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { siteAddressOf } from '../../src/pages/site/site-address.ts'
import { writeSite } from '../../src/pages/site/write-site.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { loadSamples } from '../support/web.ts'
import { COMMIT, TEA } from './addresses.ts'
import { servePages, startBrowser } from './browser.ts'
import { loadRichWorld } from './rich-world.ts'

const KETTLE = '/forge/kettle'
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  code: TEA,
  issues: '/harbour-lights/tidewatch/issues',
  issue: `${TEA}/issues/3`,
  pull: `${TEA}/pull/5`,
  files: `${TEA}/pull/5/files`,
  blob: `${TEA}/blob/main/src/timer.js`,
  commit: COMMIT,
  person: '/mona-lindqvist',
  search: '/search?q=tea',
  question: '/-/questions/reviewers',
  archives: '/-/archives',
  labels: `${TEA}/labels`,
  releases: `${TEA}/releases`,
  pulse: `${TEA}/pulse`,
  sql: '/-/sql?sql=SELECT+number%2C+title%2C+user_login+FROM+threads',
  missing: '/nothing/here',
  'rich-code': KETTLE,
  'rich-issues': `${KETTLE}/issues`,
  'rich-issue': `${KETTLE}/issues/10`,
  'rich-end': `${KETTLE}/issues/10?page=3`,
  'rich-foreign': `${KETTLE}/issues/11`,
  'rich-labels': `${KETTLE}/issues/13`,
  'rich-all-labels': `${KETTLE}/labels`,
  'rich-empty': '/forge/empty',
  'rich-empty-issues': '/forge/empty/issues',
  'rich-empty-pulse': '/forge/empty/pulse',
  'rich-long-name': `/forge/a-repository-with-${'a-very-'.repeat(10)}long-name`,
  'rich-blame': `${KETTLE}/blame/main/src/kettle.ts`,
  'rich-find': `${KETTLE}/find/main`,
  'rich-pull': `${KETTLE}/pull/2`,
  'rich-tree': `${KETTLE}/tree/main/src`,
  'rich-blob': `${KETTLE}/blob/main/src/kettle.ts`,
  'rich-picture': `${KETTLE}/blob/main/docs/kettle.png`,
  'rich-commits': `${KETTLE}/commits/main`,
  'rich-compare': `${KETTLE}/compare/v1...main`,
  'rich-branches': `${KETTLE}/branches`,
  'rich-milestones': `${KETTLE}/milestones`,
  'rich-person': '/ada',
  'rich-person-comments': '/ada?tab=comments',
  'rich-person-reviews': '/mona-lindqvist?tab=reviews',
  'rich-organization': '/forge',
  'rich-raw': `/-/raw?url=https%3A%2F%2Fforge.example${encodeURIComponent(`${KETTLE}/issues/10`)}`,
  'rich-problems': '/-/problems',
  'rich-chart':
    '/-/sql?sql=SELECT+user_login%2C+count%28*%29+AS+threads+FROM+threads+GROUP+BY+1+ORDER+BY+2+DESC',
  'rich-invalid': '/search?q=tea+OR',
  'rich-nothing': '/search?q=xyzzy',
  people: '/-/people',
  threads: '/-/threads',
  about: '/-/about',
  discussion: `${TEA}/discussions/6`,
  wiki: '/harbour-lights/tidewatch/wiki',
  teams: '/orgs/harbour-lights/teams/keepers',
  attachments: '/-/attachments',
  questions: '/-/questions',
  schema: '/-/schema/issues',
  check: '/-/check',
}
const WIDTHS = (env.WIDTHS ?? '320,768,1280,1920').split(',').map(Number)

/** How pages are looked at. */
interface View {
  readonly name: string
  readonly width: number
  readonly theme?: 'dark'
  /** As a printer has them: A4 without its margins. */
  readonly isPrinted?: boolean
  /** The files of a site. */
  readonly isSite?: boolean
}
const VIEWS: readonly View[] = [
  ...WIDTHS.map((width) => ({ name: `${width}-light`, width })),
  ...WIDTHS.map((width) => ({ name: `${width}-dark`, width, theme: 'dark' as const })),
  { name: 'print', width: 718, theme: 'dark', isPrinted: true },
  { name: 'site', width: 1280, isSite: true },
]

/** The share of pixels that may differ from an older picture. */
const TOLERANCE = 0.001

/** The share of pixels in which two pictures (PNG, base64) differ, from 0 to 1. A program for the browser. */
const shareOfPixels = `async (pictures) => {
  const [left, right] = await Promise.all(pictures.map(async (picture) => {
    const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + picture)).blob())
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    return context.getImageData(0, 0, image.width, image.height)
  }))
  if (left.width !== right.width || left.height !== right.height) return 1
  const [before, after] = [left, right].map(({ data }) => new Uint32Array(data.buffer))
  return before.reduce((count, pixel, i) => count + (pixel !== after[i]), 0) / before.length
}`

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' } },
  allowPositionals: true,
})
const [target, ...wanted] = positionals
if (target === undefined) {
  throw new Error('Which folder? npm run screenshots FOLDER [PAGE...] [-- --against OLDER]')
}
const names: string[] = []
await mkdir(target, { recursive: true })
const { folder, paths } = await loadSamples()
const browser = await startBrowser()
try {
  paths.push(await loadRichWorld(folder))
  for (const path of paths) await updateIndexAt(path)
  const { origin, close } = await servePages(paths)
  const site = join(folder, 'site')
  await writeSite(paths, site)
  for (const view of VIEWS) {
    const page = await browser.newPage({
      colorScheme: view.theme ?? 'light',
      viewport: { width: view.width, height: 900 },
    })
    if (view.isPrinted) await page.emulateMedia({ media: 'print' })
    for (const [name, address] of Object.entries(PAGES)) {
      if (wanted.length > 0 && !wanted.some((one) => name.startsWith(one))) continue
      const url = view.isSite ? siteUrl(site, address) : origin + address
      if (url === undefined) continue
      await page.goto(url)
      const file = `${name}-${view.name}.png`
      await page.screenshot({ path: join(target, file), fullPage: true })
      names.push(file)
    }
    await page.close()
  }
  await close()
  if (values.against !== undefined) {
    const changed = await compare(browser, values.against, target)
    for (const line of changed) process.stdout.write(`${line}\n`)
    if (changed.length > 0) process.exitCode = 1
  }
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}

/** The file of a page in a site; undefined if the site does not have the page. */
function siteUrl(site: string, address: string): string | undefined {
  const link = siteAddressOf(address)
  const path = link && join(site, link.file)
  return path !== undefined && existsSync(path) ? pathToFileURL(path).href : undefined
}

/** Pictures that differ from those of another folder, made on the same machine, and by how much. */
async function compare(browser: Browser, older: string, newer: string): Promise<string[]> {
  const page = await browser.newPage()
  const changed: string[] = []
  for (const name of names) {
    if (!existsSync(join(older, name))) {
      changed.push(`${name}: new`)
      continue
    }
    const pictures = [older, newer].map((folder) => readFileSync(join(folder, name), 'base64'))
    const share = await page.evaluate<number>(`(${shareOfPixels})(${JSON.stringify(pictures)})`)
    if (share > TOLERANCE) changed.push(`${name}: ${(share * 100).toFixed(1)} % of pixels`)
  }
  return changed
}

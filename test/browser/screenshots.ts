/** Makes pictures of pages of the samples, to be looked at: three widths, light and dark. See README.md in this folder. */

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { updateIndexAt } from '../support/by-path.ts'
import { loadSamples } from '../support/web.ts'
import { COMMIT, TEA } from './addresses.ts'
import { servePages, startBrowser } from './browser.ts'

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
}
const WIDTHS = [390, 820, 1280]
const THEMES = ['light', 'dark'] as const

const [, , target, ...wanted] = process.argv
if (target === undefined) throw new Error('Which folder? npm run screenshots FOLDER [PAGE...]')
await mkdir(target, { recursive: true })
const { folder, paths } = await loadSamples()
const browser = await startBrowser()
try {
  for (const path of paths) await updateIndexAt(path)
  const { origin, close } = await servePages(paths)
  for (const colorScheme of THEMES) {
    for (const width of WIDTHS) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      for (const [name, address] of Object.entries(PAGES)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue
        await page.goto(origin + address)
        await page.screenshot({
          path: join(target, `${name}-${width}-${colorScheme}.png`),
          fullPage: true,
        })
      }
      await page.close()
    }
  }
  await close()
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}

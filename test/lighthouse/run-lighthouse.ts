/** Scores every kind of page with Lighthouse: speed, accessibility, best practices, search engines. See README.md in this folder. */

import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { env, execPath, stdout } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMMIT, TEA } from '../browser/addresses.ts'
import { browserPath, servePages } from '../browser/browser.ts'
import { loadRichWorld } from '../browser/rich-world.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { loadSamples } from '../support/web.ts'

const KETTLE = '/forge/kettle'
const PAGES: Readonly<Record<string, string>> = {
  home: '/',
  repository: KETTLE,
  issues: `${KETTLE}/issues`,
  issue: `${KETTLE}/issues/10`,
  pull: `${TEA}/pull/5`,
  diff: `${TEA}/pull/5/files`,
  file: `${KETTLE}/blob/main/src/kettle.ts`,
  commit: COMMIT,
  search: '/search?q=tea',
  person: '/mona-lindqvist',
  charts: `${TEA}/pulse`,
  table: '/-/schema/issues',
  archives: '/-/archives',
}

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof CATEGORIES)[number]

/** The lowest score that is good. */
const GOOD = 98
const RUNS = 3

const LIGHTHOUSE = fileURLToPath(new URL('node_modules/lighthouse/cli/index.js', import.meta.url))
const run = promisify(execFile)

/** An audit: what it weighs in its category, and how well the page did. */
interface Report {
  readonly categories: Readonly<
    Record<string, { score: number | null; auditRefs: readonly { id: string; weight: number }[] }>
  >
  readonly audits: Readonly<
    Record<string, { title: string; score: number | null; displayValue?: string }>
  >
}

/** Audits that say nothing of our pages: the README of this folder has the reasons. */
const SKIPPED = ['robots-txt', 'image-size-responsive']

async function reportOf(url: string, categories: readonly Category[]): Promise<Report> {
  const { stdout: report } = await run(
    execPath,
    [
      LIGHTHOUSE,
      url,
      '--quiet',
      '--output=json',
      '--no-enable-error-reporting',
      '--chrome-flags=--headless=new --no-sandbox',
      `--only-categories=${categories.join(',')}`,
      `--skip-audits=${SKIPPED.join(',')}`,
    ],
    { env: { ...env, CHROME_PATH: browserPath() }, maxBuffer: 64 << 20 },
  )
  return JSON.parse(report) as Report
}

const scoreOf = ({ categories }: Report, category: Category): number =>
  Math.round((categories[category]?.score ?? 0) * 100)

/** What costs a page points. */
function faultsOf({ categories, audits }: Report, category: Category): string[] {
  return (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = audits[id]
    if (weight === 0 || audit?.score == null || audit.score >= 0.9) return []
    return [`${audit.title}${audit.displayValue ? `: ${audit.displayValue}` : ''}`]
  })
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(PAGES).filter(
  ([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
)
const print = (name: string, cells: readonly unknown[]) =>
  stdout.write(`${name.padEnd(12)}${cells.map((cell) => String(cell).padStart(16)).join('')}\n`)

const { folder, paths } = await loadSamples()
try {
  paths.push(await loadRichWorld(folder))
  for (const path of paths) await updateIndexAt(path)
  const { origin, close } = await servePages(paths)
  print('page', CATEGORIES)
  for (const [name, address] of chosen) {
    const reports = [await reportOf(origin + address, CATEGORIES)]
    while (reports.length < RUNS) reports.push(await reportOf(origin + address, ['performance']))
    reports.sort((left, right) => scoreOf(left, 'performance') - scoreOf(right, 'performance'))
    const median = reports[Math.floor(RUNS / 2)] as Report
    const whole = reports.find(({ categories }) => 'seo' in categories) as Report
    const outcomes = CATEGORIES.map((category) => {
      const report = category === 'performance' ? median : whole
      return { score: scoreOf(report, category), faults: faultsOf(report, category) }
    })
    print(
      name,
      outcomes.map(({ score }) => score),
    )
    for (const { score, faults } of outcomes) {
      if (score >= GOOD) continue
      process.exitCode = 1
      for (const fault of faults) stdout.write(`  ${fault}\n`)
    }
  }
  await close()
} finally {
  await rm(folder, { recursive: true, force: true })
}

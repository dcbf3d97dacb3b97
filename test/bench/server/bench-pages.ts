// npm run bench:pages -- [--size small|medium] [--requests 1000] [--database archive.db]
// Measures the pages of marc serve over loopback, and marc site. Milliseconds are those of a processor too: on a busy
// machine they say more than the clock.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { openDatabase } from '../../../src/index.ts'
import { SIZES } from '../prepare.ts'
import { processorSeconds, startServer } from './child-server.ts'
import { loadGenerated } from './load-generated.ts'
import { sendRequests } from './send-requests.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    requests: { type: 'string', default: '1000' },
    database: { type: 'string' },
  },
})
const size = SIZES[values.size]
if (!size) throw new Error(`There is no size ${values.size}`)
const requests = Number(values.requests)

const folder = mkdtempSync(join(tmpdir(), 'marc-bench-pages-'))
const rows: [trial: string, figure: string, goal: string][] = []
const tell = (trial: string, figure: string, goal: string) => {
  rows.push([trial, figure, goal])
  process.stderr.write(`${trial}: ${figure}\n`)
}
/** Addresses of some threads, of the longest one, of lists, and searches. */
function addressesOf(path: string) {
  const database = openDatabase(path)
  const column = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  // Neighbours in a table are neighbours in the caches too: these are far from each other.
  const some = (table: string, part: string) =>
    column(
      `SELECT '/' || full_name || '/${part}/' || number FROM ${table} ORDER BY abs(rowid * 2654435761 % 1000003) LIMIT 500`,
    )
  const [longest = ''] = column(
    `SELECT replace(issue, 'https://github.com', '') FROM issue_comments WHERE issue IS NOT NULL
     GROUP BY issue ORDER BY count(*) DESC LIMIT 1`,
  )
  const [name = '', owner = ''] = column(
    `SELECT full_name FROM threads GROUP BY full_name ORDER BY count(*) DESC LIMIT 2`,
  )
  const words = column(
    `SELECT DISTINCT substr(title, 1, instr(title || ' ', ' ') - 1) FROM issues WHERE title GLOB '[A-Za-z]*' LIMIT 40`,
  )
  const threads = [...some('issues', 'issues'), ...some('pull_requests', 'pull')]
  database.close()
  const pages = Array.from({ length: 20 }, (_, i) => `?page=${i + 1}`)
  const filters = ['', '?state=closed', '?sort=oldest', ...pages]
  return {
    threads,
    longest: [longest],
    lists: [name, owner].flatMap((one) =>
      ['issues', 'pulls'].flatMap((part) => filters.map((filter) => `/${one}/${part}${filter}`)),
    ),
    searches: words.map((word) => `/search?q=${encodeURIComponent(word)}`),
    repository: owner,
  }
}

/** The time and processor time of a run of marc site when it had written so many files. */
interface Progress {
  readonly files: number
  readonly processor: number
  readonly clock: number
}

/** Pages before which the rate is not measured: lists are sorted and questions answered once. */
const ONCE = 500

/** Writes a site for so many seconds; where it was after the first files and at last, and its peak memory in MiB. */
async function writeFor(most: number, database: string, site: string, repository: string) {
  const parts = ['--repo', repository, '--no-git', '--no-search', '-q']
  const child = spawn(process.execPath, ['dist/bin.js', 'site', database, site, ...parts])
  const start = performance.now()
  let peak = 0
  const seen: Progress[] = []
  const look = setInterval(() => {
    try {
      const processor = processorSeconds(child.pid as number)
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      // A process that has just ended has none.
      peak = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? peak * 1024) / 1024
      // It names each file before it writes it.
      const files = readFileSync(join(site, '-/site.ndjson'), 'utf8').split('\n').length - 2
      seen.push({ files, processor, clock: (performance.now() - start) / 1000 })
    } catch {
      // It has not begun, or has just ended.
    }
  }, 500)
  const stop = setTimeout(() => child.kill('SIGINT'), most * 1000)
  await once(child, 'exit')
  clearInterval(look)
  clearTimeout(stop)
  const [first, last] = [seen.find(({ files }) => files >= ONCE), seen.at(-1)]
  if (!first || !last) throw new Error(`It has written fewer than ${ONCE} files`)
  return { first, last, peak }
}

try {
  const database = values.database ?? (await loadGenerated(folder, size.records))
  const { threads, longest, lists, searches, repository } = addressesOf(database)
  const state = join(folder, 'state')
  const server = await startServer([
    'dist/bin.js',
    'serve',
    database,
    '--port',
    '0',
    '-q',
    '--state',
    state,
  ])
  const headers = { Accept: 'text/html' }
  const trials: [string, readonly string[], number, string][] = [
    ['a thread', threads, requests, '< 30 ms'],
    ['a page of the longest thread', longest, 100, '< 50 ms'],
    ['a list', lists, requests, '< 30 ms'],
    ['a search', searches, Math.min(requests, 200), '< 100 ms'],
  ]
  for (const [name, addresses, count, goal] of trials) {
    const urls = addresses.map((address) => server.url + address)
    // Counts of tabs and places in long lists are remembered: the first answer of each is a trial of its own.
    const first = await sendRequests(urls, Math.min(urls.length, count), headers, 1)
    const before = server.processorSeconds()
    const { p95, slowest } = await sendRequests(urls, count, headers, 1)
    const each = ((server.processorSeconds() - before) / count) * 1e3
    tell(
      `${name}, p95`,
      `${p95.toFixed(1)} ms, slowest ${slowest.toFixed(0)}; first touch ${first.p95.toFixed(1)}, slowest ${first.slowest.toFixed(0)}; ${each.toFixed(1)} of a processor each`,
      goal,
    )
  }
  tell('memory of the server', `${server.resident().toFixed(0)} MiB`, '< 250 MB')
  const page = await (await fetch(server.url + threads[0], { headers })).text()
  tell('a thread, gzip', `${(gzipSync(page).length / 1000).toFixed(1)} kB`, '< 60 kB')
  await server.stop()

  const site = join(folder, 'site')
  const { first, last, peak } = await writeFor(60, database, site, repository)
  const rate = (of: 'processor' | 'clock') =>
    ((last.files - first.files) / (last[of] - first[of])).toFixed(0)
  tell(
    `marc site, files ${first.files} to ${last.files}`,
    `${rate('clock')} pages/s, ${rate('processor')} per second of a processor (${first.processor.toFixed(0)} s before), ${peak.toFixed(0)} MiB`,
    '≥ 300 pages/s, < 250 MB',
  )
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => (row[i] as string).length)))
  for (const row of [['trial', 'figure', 'goal'], ...rows]) {
    const cells = row.map((cell, i) => cell.padEnd(widths[i] as number))
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

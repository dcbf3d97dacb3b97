// npm run bench:server -- [--size small|medium] [--requests 10000]
// Measures marc serve beside bare node:http in the same run. Quote ratios, not seconds. Traffic stays on loopback.
import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { sha256Of } from '../../../src/http/access/accounts.ts'
import { openDatabase } from '../../../src/index.ts'
import { generateArchive } from '../generate-archive.ts'
import { SIZES } from '../prepare.ts'
import { type ChildServer, processorSeconds, startServer } from './child-server.ts'
import { sendRequests } from './send-requests.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    requests: { type: 'string', default: '10000' },
  },
})
const size = SIZES[values.size]
if (!size) throw new Error(`There is no size ${values.size}`)
const requests = Number(values.requests)

const folder = mkdtempSync(join(tmpdir(), 'marc-bench-server-'))
const at = (name: string) => join(folder, name)
const rows: [trial: string, figure: string, goal: string][] = []
const tell = (trial: string, figure: string, goal: string) => {
  rows.push([trial, figure, goal])
  process.stderr.write(`${trial}: ${figure}\n`)
}
const seconds = (work: () => void) => {
  const start = performance.now()
  work()
  return (performance.now() - start) / 1000
}
const ratio = (one: number, other: number) => (one / other).toFixed(2)
const marc = (...args: string[]) => execFileSync(process.execPath, ['dist/bin.js', ...args])

try {
  const { records, bytes } = size
  const archive = generateArchive({ records, seed: 1, files: { bytes } })
  await pipeline(
    Readable.from(archive),
    createGzip({ level: 1 }),
    createWriteStream(at('b.tar.gz')),
  )
  const unloaded = processorSeconds('self')
  marc('load', at('b.tar.gz'), '-o', at('b.db'), '-q')
  const load = processorSeconds('self') - unloaded

  const database = openDatabase(at('b.db'))
  const [full_name, owner, newest] = database
    .prepare<[], [string, string, string]>(
      `SELECT full_name, (SELECT login FROM users ORDER BY url LIMIT 1), (SELECT max(created_at) FROM issue_events)
      FROM repositories ORDER BY url LIMIT 1`,
    )
    .raw()
    .get() as [string, string, string]
  const number = database
    .prepare('SELECT number FROM threads WHERE full_name = ? LIMIT 1')
    .pluck()
    .get(full_name)
  database.close()
  const token = 'bench-0123456789'
  const [organization = ''] = full_name.split('/')
  const accounts = {
    version: 1,
    accounts: [{ login: owner }],
    organizations: [{ login: organization, members: [{ login: owner, role: 'admin' }] }],
    tokens: [{ login: owner, sha256: sha256Of(token), scopes: ['repo'] }],
  }
  writeFileSync(at('accounts.json'), JSON.stringify(accounts), { mode: 0o600 })

  const serving = ['dist/bin.js', 'serve', at('b.db'), '--port', '0', '-q', '--pace', '0']
  const options = ['--accounts', at('accounts.json'), '--state', at('state'), '--now', newest]
  const first = await startServer([...serving, ...options])
  const indexing = first.processorSeconds()
  await first.stop()
  tell(
    'first start: making the index',
    `${ratio(indexing, load)} × load by processor time`,
    '≤ 0.5',
  )
  const server = await startServer([...serving, ...options])
  const starting = server.processorSeconds().toFixed(2)
  tell(
    'start with an index',
    `${server.seconds.toFixed(2)} s, ${starting} s of a processor`,
    '≤ 0.5 s',
  )

  const repository = `${server.url}/repos/${full_name}`
  const authorized = { Authorization: `token ${token}`, Accept: 'application/vnd.github+json' }
  const pages = (path: string, last: number) =>
    Array.from({ length: last }, (_, i) => `${path}${path.includes('?') ? '&' : '?'}page=${i + 1}`)
  const lists = [30, 100].flatMap((perPage) => [
    ...pages(`${repository}/issues/events?per_page=${perPage}`, 50),
    ...pages(`${repository}/issues?state=all&per_page=${perPage}`, 50),
  ])
  const urls = [
    ...pages(`${repository}/events`, 10),
    ...lists,
    repository,
    `${repository}/issues/${number}`,
    `${repository}/issues/${number}/events`,
    `${server.url}/users/${owner}`,
    `${server.url}/users/${owner}/events`,
  ]
  const feeds = pages(`${repository}/events`, 10)
  const coldFeed = await sendRequests(feeds, feeds.length, authorized, 1)
  const cold = await sendRequests(urls, urls.length, authorized, 1)
  tell('first touch of a page of a feed, slowest', `${coldFeed.slowest.toFixed(0)} ms`, '≤ 25 ms')
  tell(
    'first touch of every other page',
    `p99 ${cold.p99.toFixed(0)} ms, slowest ${cold.slowest.toFixed(0)} ms`,
    '≤ 25 ms',
  )
  const latency = await sendRequests(urls, 5 * urls.length, authorized, 1)
  const before = server.processorSeconds()
  await sendRequests(urls, requests, authorized)
  const each = ((server.processorSeconds() - before) / requests) * 1e3
  tell(
    'any page, warm, p99',
    `${latency.p99.toFixed(1)} ms; ${each.toFixed(2)} ms of a processor each`,
    '< 10 ms',
  )
  const half = server.resident()
  await sendRequests(urls, requests, authorized)
  tell(
    `memory after ${requests} requests, and twice as many`,
    `${half.toFixed(0)} and ${server.resident().toFixed(0)} MiB`,
    '< 200',
  )

  const feed = `${repository}/events`
  const answer = await fetch(feed, { headers: authorized })
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !/^(connection|keep-alive|content-length)$/.test(name)),
  )
  writeFileSync(at('answer.json'), JSON.stringify({ headers, body: await answer.text() }))

  const body = JSON.stringify({ repositories: [full_name] })
  const post = { method: 'POST', headers: authorized, body }
  const started = performance.now()
  const migration = (await (await fetch(`${server.url}/user/migrations`, post)).json()) as {
    url: string
    guid: string
    state: string
  }
  let state = migration.state
  const poll = setInterval(async () => {
    const now = (await (
      await fetch(migration.url, { headers: authorized })
    ).json()) as typeof migration
    state = now.state
  }, 100)
  const busy = await sendRequests(
    [feed],
    () => state === 'exported' || state === 'failed',
    authorized,
    1,
  )
  clearInterval(poll)
  const building = (performance.now() - started) / 1000
  const build = seconds(() =>
    marc('build', at('b.db'), '--repo', full_name, '--allow-invalid', '-q', '-o', at('c.tar.gz')),
  )
  tell('feed while a migration is built, p99', `${busy.p99.toFixed(1)} ms (${state})`, '< 50 ms')
  tell('the migration', `${ratio(building, build)} × marc build --repo, under that load`, '≤ 1.2')

  const archives = join(at('state'), 'archives')
  const built = join(archives, readdirSync(archives)[0] as string)
  const bare = await startServer([
    join(import.meta.dirname, 'bare-server.ts'),
    at('answer.json'),
    built,
  ])
  const match = { 'If-None-Match': answer.headers.get('etag') ?? '' }
  const perRequest = async (one: ChildServer, url: string, more: Record<string, string>) => {
    const before = one.processorSeconds()
    await sendRequests([url], requests, { ...authorized, ...more })
    return ((one.processorSeconds() - before) / requests) * 1e6
  }
  for (const [trial, more, goal] of [
    ['cached page of a feed', {}, '≥ 0.3'],
    ['304 of the same', match, '≥ 0.4'],
  ] as const) {
    const ours = await perRequest(server, feed, more)
    const theirs = await perRequest(bare, bare.url, more)
    const figure = `${ratio(theirs, ours)} × bare node:http by processor time, ${ours.toFixed(0)} µs each`
    tell(trial, figure, goal)
  }
  const signed = await fetch(`${migration.url}/archive`, {
    headers: authorized,
    redirect: 'manual',
  })
  const drain = async (url: string) => {
    const start = performance.now()
    let length = 0
    for await (const chunk of (await fetch(url)).body ?? []) length += chunk.length
    return length / (performance.now() - start) / 1000
  }
  const ours = await drain(signed.headers.get('location') ?? '')
  const theirs = await drain(`${bare.url}/archive`)
  tell('download', `${ours.toFixed(0)} MB/s, ${ratio(ours, theirs)} × bare pipe`, '≥ 0.7')
  await bare.stop()
  await server.stop()
  const widths = [0, 1, 2].map((i) => Math.max(...rows.map((row) => (row[i] as string).length)))
  for (const row of [['trial', 'figure', 'goal'], ...rows]) {
    const cells = row.map((cell, i) => cell.padEnd(widths[i] as number))
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

// npm run bench:mcp -- [--size small|medium] [--calls 100] [--database archive.db]
// Measures each tool of marc mcp over streams: the first call, and then 95 of 100 with other arguments each time.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openDatabase } from '../../../src/index.ts'
import { SIZES } from '../prepare.ts'
import { loadGenerated } from './load-generated.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: 'small' },
    calls: { type: 'string', default: '100' },
    database: { type: 'string' },
  },
})
const size = SIZES[values.size]
if (!size) throw new Error(`There is no size ${values.size}`)
const calls = Number(values.calls)
const folder = mkdtempSync(join(tmpdir(), 'marc-bench-mcp-'))

/** Arguments of each tool, from records that are far from each other. */
function argumentsOf(path: string): Record<string, Record<string, unknown>[]> {
  const database = openDatabase(path)
  const some = <Row>(select: string) =>
    database
      .prepare<[], Row>(`${select} ORDER BY abs(rowid * 2654435761 % 1000003) LIMIT ${calls}`)
      .all()
  const threads = some<{ repository: string; number: number }>(
    "SELECT substr(repository, 20) AS repository, CAST(substr(url, instr(url, '/issues/') + 8) AS INTEGER) AS number FROM issues",
  )
  const people = some<{ login: string }>('SELECT login FROM users')
  const words = some<{ query: string }>(
    "SELECT substr(title, 1, instr(title || ' ', ' ') - 1) AS query FROM issues WHERE title GLOB '[A-Za-z]*'",
  )
  database.close()
  return {
    list_repositories: [{}],
    search: words,
    list_threads: threads.map(({ repository }, i) => ({
      repository,
      state: i % 2 ? 'open' : 'closed',
      ...(i % 3 === 0 && { kind: 'pulls' }),
    })),
    get_thread: threads,
    query: threads.map(({ number }) => ({
      sql: `SELECT count(*) FROM issues WHERE number = ${number}`,
    })),
    schema: [{}, { table: 'issues' }, { table: 'threads' }],
    saved_question: [{ name: 'labels-in-use' }],
    get_person: people,
    about: [{}],
  }
}

/** Git data are those of a sample: generated archives have none. */
const repository = 'harbour-lights/tidewatch'
const readme = { repository, path: 'README.md' }
const GIT = {
  list_files: [{ repository }],
  read_file: [readme],
  log: [{ repository }, readme],
  show_commit: [{ repository, revision: 'main' }],
  blame: [readme],
}

try {
  const database = values.database ?? (await loadGenerated(folder, size.records))
  const sample = join(folder, 'organization.db')
  execFileSync(process.execPath, [
    'dist/bin.js',
    'load',
    'samples/organization.tar.gz',
    '-o',
    sample,
    '-q',
  ])
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/bin.js', 'mcp', database, sample, '-q'],
    }),
  )
  process.stdout.write('| tool | first, ms | median | p95 |\n|---|--:|--:|--:|\n')
  for (const [name, list] of Object.entries({ ...argumentsOf(database), ...GIT })) {
    const times: number[] = []
    for (let i = 0; i < calls; i++) {
      const begun = performance.now()
      const { isError, content } = await client.callTool({ name, arguments: list[i % list.length] })
      times.push(performance.now() - begun)
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
    }
    const [first = 0] = times
    const sorted = times.slice(1).sort((a, b) => a - b)
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] as number).toFixed(1)
    process.stdout.write(`| ${name} | ${first.toFixed(0)} | ${at(0.5)} | ${at(0.95)} |\n`)
  }
  await client.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The server as a client by the authors of the protocol sees it, each call in a process of its own. */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const INSPECTOR = join(
  import.meta.dirname,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)
const MARC = join(ROOT, 'dist/bin.js')
const run = promisify(execFile)

const folder = mkdtempSync(join(tmpdir(), 'inspector-'))
const database = join(folder, 'organization.db')
beforeAll(() =>
  run(process.execPath, [MARC, 'load', join(ROOT, 'samples/organization.tar.gz'), '-o', database]),
)
afterAll(() => rmSync(folder, { recursive: true }))

/** What the inspector prints of a method, and what it complains of. It fails if the answer is not as the schemas say. */
async function inspect(target: readonly string[], method: string, ...words: string[]) {
  const { stdout, stderr } = await run(
    process.execPath,
    [INSPECTOR, '--cli', ...target, '--method', method, ...words],
    { env: { ...process.env, HOME: folder }, maxBuffer: 2 ** 24 },
  )
  return { answer: JSON.parse(stdout), complaints: stderr }
}

const OVER_STREAMS = [process.execPath, MARC, 'mcp', database]

/** The answer of a tool. */
async function ask(name: string, options: Record<string, unknown>, target = OVER_STREAMS) {
  const pairs = Object.entries(options).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  const words = ['--tool-name', name, ...(pairs.length > 0 ? ['--tool-arg', ...pairs] : [])]
  const { answer } = await inspect(target, 'tools/call', ...words)
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy()
  return answer.structuredContent
}

const TIDEWATCH = 'harbour-lights/tidewatch'
const repository = TIDEWATCH
const readme = { repository, path: 'README.md' }

/** Arguments of every tool, and what its answer has. */
const CALLS: Readonly<Record<string, readonly [options: object, answer: object]>> = {
  about: [{}, { archives: [expect.objectContaining({ state: 'complete' })] }],
  blame: [readme, { runs: [expect.objectContaining({ line: 1, lines: 5 })] }],
  get_person: [{ login: 'jun-hale' }, { kind: 'user' }],
  get_thread: [{ repository, number: 2 }, { thread: expect.objectContaining({ state: 'merged' }) }],
  list_files: [{ repository }, { entries: expect.arrayContaining([expect.any(Object)]) }],
  list_repositories: [{}, { total: 2 }],
  list_threads: [{ repository, state: 'open' }, { total: 4 }],
  log: [readme, { commits: [expect.objectContaining({ author: 'kofi-meadow' })] }],
  query: [{ sql: 'SELECT count(*) AS n FROM issues' }, { columns: ['n'] }],
  read_file: [readme, { words: expect.objectContaining({ next_offset: null }) }],
  saved_question: [{ name: 'reviewers' }, { columns: expect.any(Array) }],
  schema: [{ table: 'threads' }, { columns: expect.any(Array) }],
  search: [{ query: 'curve' }, { results: expect.arrayContaining([expect.any(Object)]) }],
  show_commit: [{ repository, revision: 'main' }, { files: expect.any(Array) }],
}

describe('Over streams', () => {
  test('every tool has a schema that all clients can map', async () => {
    const { answer, complaints } = await inspect(OVER_STREAMS, 'tools/list', '--strict')
    expect(answer.tools.map(({ name }: { name: string }) => name).sort()).toEqual(
      Object.keys(CALLS),
    )
    expect(complaints).toBe('')
  })

  test.each(Object.entries(CALLS))(
    '%s answers as its schema says',
    async (name, [options, has]) => {
      expect(await ask(name, options as Record<string, unknown>)).toMatchObject(has)
    },
  )

  test('resources are listed and read', async () => {
    const { answer } = await inspect(OVER_STREAMS, 'resources/list')
    expect(answer.resources).toHaveLength(2)
    const uri = `marc://${TIDEWATCH}/pulls/2`
    const { answer: read } = await inspect(OVER_STREAMS, 'resources/read', '--uri', uri)
    expect(JSON.parse(read.contents[0].text).thread.state).toBe('merged')
  })

  test('a prompt is filled in', async () => {
    const words = ['--prompt-name', 'who_knows', '--prompt-args', 'topic=tides']
    const { answer } = await inspect(OVER_STREAMS, 'prompts/get', ...words)
    expect(JSON.stringify(answer.messages)).toContain('tides')
  })
})

test('Over HTTP, whoever has the token is told of the archives, and a stranger is not', async () => {
  const file = join(folder, 'token')
  writeFileSync(file, 'a-token-of-the-server', { mode: 0o600 })
  const words = [MARC, 'mcp', database, '--http', '0', '--token-file', file]
  const server = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const [line] = await once(createInterface(server.stdout), 'line')
    const [url = ''] = /http:\S+/.exec(String(line)) ?? []
    const header = ['--header', 'Authorization: Bearer a-token-of-the-server']
    const target = [url, '--transport', 'http', ...header]
    expect(await ask('list_repositories', {}, target)).toMatchObject({ total: 2 })
    const asked = ['--tool-name', 'about']
    const stranger = inspect([url, '--transport', 'http'], 'tools/call', ...asked)
    await expect(stranger).rejects.toThrow(/returned isError/)
  } finally {
    server.kill('SIGTERM')
    await once(server, 'exit')
  }
})

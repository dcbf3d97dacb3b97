import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type McpHttpOptions, serveMcpHttp } from '../../src/mcp/serve-mcp-http.ts'
import {
  event,
  issue,
  KETTLE,
  PULL,
  pullRequest,
  repository,
  SECRET,
} from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const { paths } = shareDatabases({
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  issues: [issue(`${KETTLE}/issues/1`), issue(`${SECRET}/issues/1`)],
  pull_requests: [
    pullRequest(PULL, {
      head: { ref: 'topic', sha: null, user: null, repo: SECRET },
      close_issue_references: [{ issue: `${SECRET}/issues/1` }],
    }),
  ],
  issue_events: [event(PULL, 1, 'connected', { subject: `${SECRET}/issues/1` })],
})

async function served(options: Partial<McpHttpOptions> = {}): Promise<string> {
  const { url, close } = await serveMcpHttp(paths, { port: 0, limits: {}, ...options })
  onTestFinished(close)
  return url
}

/** A client of the official package. */
async function connect(
  url: string,
  headers: Record<string, string> = {},
  versions?: 'auto',
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    versions && { versionNegotiation: { mode: versions } },
  )
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
  )
  onTestFinished(() => client.close())
  return client
}

/** Processor time of each process that this thread has started and that still runs, in hundredths of a second. */
const startedHere = (): Map<string, number> =>
  new Map(
    readFileSync('/proc/thread-self/children', 'utf8')
      .split(' ')
      .filter(Boolean)
      .map((id) => [id, timeOf(id)]),
  )

function timeOf(id: string): number {
  try {
    const [, rest = ''] = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')
    return Number(rest.split(' ')[11])
  } catch {
    return 0
  }
}

const TOKEN = 'a-token-of-the-server'

const namesOf = async (client: Client) => {
  const { structuredContent } = await client.callTool({ name: 'list_repositories' })
  return (structuredContent as { repositories: { name: string }[] }).repositories.map(
    ({ name }) => name,
  )
}

describe('Over HTTP', () => {
  test.each([undefined, 'auto'] as const)(
    'clients of the protocol of 2025 and later ones are answered (%s)',
    async (versions) => {
      const client = await connect(await served(), {}, versions)
      expect(await namesOf(client)).toEqual(['forge/kettle', 'forge/secret'])
      expect((await client.listTools()).tools).toHaveLength(14)
    },
  )

  test('several clients are answered at once', async () => {
    const url = await served()
    const clients = await Promise.all([connect(url), connect(url), connect(url)])
    const all = await Promise.all(clients.flatMap((client) => [namesOf(client), namesOf(client)]))
    for (const names of all) expect(names).toEqual(['forge/kettle', 'forge/secret'])
  })

  test('whoever lacks the token sees what a stranger may see', async () => {
    const url = await served({ token: TOKEN })
    expect(await namesOf(await connect(url, { Authorization: `Bearer ${TOKEN}` }))).toHaveLength(2)
    const stranger = await connect(url)
    expect(await namesOf(stranger)).toEqual(['forge/kettle'])
    const refused = async (name: string, options: Record<string, unknown>) => {
      const { isError, content } = await stranger.callTool({ name, arguments: options })
      return isError && (content[0] as { text: string }).text
    }
    expect(await refused('get_thread', { repository: 'forge/secret', number: 1 })).toContain(
      'repository-not-found',
    )
    expect(await refused('query', { sql: 'SELECT * FROM issues' })).toContain('needs the token')
    const unknown = { repository: 'forge/kettle', author: 'nobody' }
    expect(await refused('list_threads', unknown)).toBeFalsy()
    const uris = (await stranger.listResources()).resources.map(({ uri }) => uri)
    expect(uris).toEqual(['marc://forge/kettle'])
    await expect(stranger.readResource({ uri: 'marc://forge/secret/issues/1' })).rejects.toThrow()
  })

  test('a stranger does not learn the names of private repositories', async () => {
    const url = await served({ token: TOKEN })
    const options = { name: 'get_thread', arguments: { repository: 'forge/kettle', number: 2 } }
    const known = await (await connect(url, { Authorization: `Bearer ${TOKEN}` })).callTool(options)
    expect(JSON.stringify(known).match(/forge\/secret/g)?.length).toBeGreaterThan(3)
    const told = JSON.stringify(await (await connect(url)).callTool(options))
    expect(told).not.toContain('secret')
    expect(told).toContain('another repository:topic')
    expect(told).toContain('linked this to a thread of another repository')
  })

  test('wrong credentials, other sites and other names of this machine are refused', async () => {
    const url = await served({ token: TOKEN })
    const status = async (headers: Record<string, string>, method = 'POST') =>
      (await fetch(url, { method, headers, ...(method === 'POST' && { body: '{}' }) })).status
    expect(await status({ Authorization: 'Bearer guess' })).toBe(401)
    expect(await status({ Origin: 'https://other.example' })).toBe(403)
    expect(await status({ Origin: 'null' }, 'GET')).toBe(403)
    expect(await status({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    // Only a program sends another name than that of the address.
    const rebound = get(url, { headers: { Host: 'other.example' } })
    const [answer] = (await once(rebound, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(421)
    expect((await fetch(new URL('/other', url))).status).toBe(404)
    expect(await status({}, 'GET')).toBe(405)
  })

  test.skipIf(process.platform !== 'linux').each([undefined, 'auto'] as const)(
    'a statement ends when its client cancels it (%s)',
    { timeout: 60_000 },
    async (versions) => {
      const url = await served()
      const client = await connect(url, {}, versions)
      // Another client, whose messages have the same numbers, ends nothing of this one.
      const other = await connect(url, {}, versions)
      const before = startedHere()
      const stop = new AbortController()
      const sql =
        'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n'
      const asked = client.callTool({ name: 'query', arguments: { sql } }, { signal: stop.signal })
      const ended = expect(asked).rejects.toThrow()
      const working = () =>
        [...startedHere()].flatMap(([id, time]) => (time > (before.get(id) ?? 0) + 30 ? id : []))
      await expect.poll(working, { timeout: 8000 }).not.toEqual([])
      for (const requestId of [0, 1, 2, 3]) {
        await other.notification({ method: 'notifications/cancelled', params: { requestId } })
      }
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(working()).not.toEqual([])
      stop.abort()
      await ended
      await expect.poll(working, { timeout: 20_000 }).toEqual([])
      expect(await namesOf(client)).toHaveLength(2)
    },
  )
})

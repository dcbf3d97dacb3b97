import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { LogEntry } from '../../src/http/request-log.ts'
import type { Endpoint } from '../../src/interface/endpoint.ts'
import { ENDPOINTS } from '../../src/interface/endpoints.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { runs } from '../support/property-runs.ts'
import { THOROUGH } from '../support/thorough.ts'

const TOKEN = 'hostile-requests'
const faults: (string | undefined)[] = []
let server: ArchiveServer
beforeAll(async () => {
  server = await serveArchive([], {
    port: 0,
    state: ':memory:',
    accounts: {
      version: 1,
      accounts: [{ login: 'ada' }],
      tokens: [{ login: 'ada', sha256: sha256Of(TOKEN), scopes: ['repo'] }],
    },
    log: ({ fault }: LogEntry) => fault !== undefined && faults.push(fault),
  })
})
afterAll(() => server.close())

/** Sends bytes as they are; everything that comes back until the connection ends. */
const send = (bytes: string | Buffer) =>
  new Promise<string>((resolve) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(server.url ?? '').port) })
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {}).on('close', () => resolve(text))
    socket.end(bytes)
  })

const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])

/** No request is a fault of ours, no answer shows one, and none names a host of the request's choice. */
function expectSound(text: string): void {
  expect(faults).toEqual([])
  expect(statusOf(text)).not.toBe(500)
  expect(text).not.toMatch(/\.ts:\d+|node_modules|evil\.example/)
}

const endpoints: readonly Endpoint[] = ENDPOINTS
const odd = fc.oneof(
  fc.constantFrom('..', '%2e%2e', '%00', '%ff', '0', '-1', '9'.repeat(16), 'null', '__proto__'),
  fc.constantFrom('a%2Fb', '%F0%9F%8D%B5', "'--", '%0d%0aX:y', '*', 'constructor', '<script>'),
  fc.string({ unit: 'binary-ascii', maxLength: 8 }),
)
const paths = fc
  .tuple(fc.constantFrom(...endpoints), fc.array(odd, { minLength: 6, maxLength: 6 }))
  .map(([{ path }, values]) => path.replace(/:\w+/g, () => values.pop() ?? ''))
const queries = fc
  .dictionary(fc.constantFrom('page', 'per_page', 'state', 'sort', 'since', 'labels', 'x'), odd)
  .map((members) => Object.entries(members).map(([name, value]) => `${name}=${value}`))
const plain = (text: string) => text.replace(/[^!-~]/g, '%20')

describe('Nothing that a request says is a fault of the server:', () => {
  test('any path of any shape of the table, with any query, method and credentials', async () => {
    const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'OPTIONS')
    const headers = fc.subarray([
      `Authorization: token ${TOKEN}`,
      'Accept: application/vnd.github.wyandotte-preview+json',
      'Origin: https://evil.example',
      'If-None-Match: *',
      'Range: bytes=0-',
    ])
    const requests = fc.record({ method: methods, path: paths, query: queries, headers })
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, query, headers }) => {
        const target = plain(query.length > 0 ? `${path}?${query.join('&')}` : path)
        const lines = ['Host: localhost', 'Connection: close', ...headers]
        const text = await send(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
        expectSound(text)
        expect(statusOf(text)).toBeGreaterThanOrEqual(200)
      }),
      { numRuns: runs(150) },
    )
  })

  test('any bytes in a header', THOROUGH, async () => {
    const names = fc.constantFrom(
      'Accept',
      'Authorization',
      'If-None-Match',
      'If-Modified-Since',
      'Host',
      'Origin',
      'Range',
      'Content-Type',
      'Content-Length',
      'Transfer-Encoding',
      'X-GitHub-OTP',
      'Expect',
      'Upgrade',
    )
    const values = fc.uint8Array({ maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(names, values, async (name, value) => {
        const head = `GET /rate_limit HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${name}: `
        expectSound(await send(Buffer.concat([Buffer.from(head), value, Buffer.from('\r\n\r\n')])))
      }),
      { numRuns: runs(150) },
    )
  })

  test('any JSON in a body', THOROUGH, async () => {
    const bodies = fc.oneof(fc.json(), fc.string(), fc.constant('{"__proto__":{"a":1}}'))
    const targets = fc.constantFrom('/user/migrations', '/authorizations')
    await fc.assert(
      fc.asyncProperty(targets, bodies, async (target, body) => {
        const lines = [
          'Host: localhost',
          'Connection: close',
          `Authorization: token ${TOKEN}`,
          'Accept: application/vnd.github.wyandotte-preview+json',
          `Content-Length: ${Buffer.byteLength(body)}`,
        ]
        const text = await send(`POST ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
        expectSound(text)
        expect(statusOf(text)).toBeGreaterThanOrEqual(400)
      }),
      { numRuns: runs(100) },
    )
  })
})

test('A request that ends in the middle of anything leaves the server well', async () => {
  const whole = `POST /user/migrations HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"a":[1]}`
  for (let length = 0; length < whole.length; length += 3)
    expectSound(await send(whole.slice(0, length)))
  expect((await fetch(`${server.url}/_ready`)).status).toBe(204)
})

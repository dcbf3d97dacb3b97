import { readdirSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  type FetchOptions,
  fetchArchive,
  refusalOfAddress,
} from '../../../src/rest/state/fetch-archive.ts'
import { folderOf } from '../../support/folder.ts'

/** A host on loopback, which may be asked by http. */
async function hostThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Fetches from a host that is named, and gives what was written, or the code and message of the error. */
async function fetched(address: string, more: Partial<FetchOptions> = {}) {
  const folder = await folderOf()
  const { signal } = new AbortController()
  const options = { hosts: [new URL(address).host], limit: 1000, signal, ...more }
  try {
    await fetchArchive(address, join(folder, 'it.tar.gz'), options)
    return readFileSync(join(folder, 'it.tar.gz'), 'utf8')
  } catch (error) {
    expect(readdirSync(folder)).toEqual([])
    const { code, message } = error as Error & { code: string }
    return `${code}: ${message}`
  }
}

test.each([
  ['gei://archive/1', 'it is no https address'],
  ['https://ada:tea@archives.example/it', 'it is no https address'],
  ['https://other.example/it', 'other.example is not a host that archives are fetched from'],
  ['https://archives.example:8443/it', 'archives.example:8443 is not a host that archives'],
  ['https://archives.example.other.example/it', 'archives.example.other.example is not a host'],
  ['https://2130706433/it', '127.0.0.1 is not a host'],
  ['http://archives.example/it', 'it is not encrypted'],
])('Nothing is fetched from %s', (address, why) => {
  expect(refusalOfAddress(address, ['archives.example'])).toMatch(why)
})

test.each([
  ['https://ARCHIVES.example:443/it?signature=1', ['archives.example']],
  ['http://127.0.0.1:8080/it', ['127.0.0.1:8080']],
  ['https://10.0.0.7/it', ['10.0.0.7']],
])('An archive may be at %s', (address, hosts) => {
  expect(refusalOfAddress(address, hosts)).toBeUndefined()
})

describe('An archive', () => {
  test('is fetched without credentials, also by way of redirects within its host', async () => {
    const asked: (string | undefined)[] = []
    const host = await hostThat(({ url, headers }, response) => {
      asked.push(url, headers.authorization)
      if (url === '/first?a=b') response.writeHead(302, { Location: '/second' }).end()
      else response.end('tea')
    })
    expect(await fetched(`http://${host}/first?a=b`)).toBe('tea')
    expect(asked).toEqual(['/first?a=b', undefined, '/second', undefined])
  })

  test('is not fetched by way of another host, even if that is named as well', async () => {
    const other = await hostThat((_, response) => response.end('tea'))
    const host = await hostThat((_, response) => {
      response.writeHead(302, { Location: `http://${other}/it?signature=1` }).end()
    })
    expect(await fetched(`http://${host}/it`, { hosts: [host, other] })).toBe(
      `request-refused: no archive is fetched from ${host}: it redirects to another host, ${other}`,
    )
  })

  test('is not fetched by redirects without end', async () => {
    const host = await hostThat((_, response) => {
      response.writeHead(307, { Location: '/' }).end()
    })
    expect(await fetched(`http://${host}/`)).toMatch(/^request-refused: .*redirects lead nowhere$/)
  })

  test('is not fetched where the answer is another one', async () => {
    const host = await hostThat((_, response) => response.writeHead(403).end('expired'))
    expect(await fetched(`http://${host}/it?signature=1`)).toBe(
      `request-refused: no archive is fetched from ${host}: the status is 403`,
    )
  })

  test('that is too large is not fetched, whether its host says so or not', async () => {
    const host = await hostThat(({ url }, response) => {
      if (url === '/said') response.setHeader('Content-Length', 2000)
      response.write('x'.repeat(500))
      response.end('x'.repeat(1500))
    })
    for (const path of ['/said', '/unsaid']) {
      expect(await fetched(`http://${host}${path}`)).toBe(
        `limit-extracted: the archive at ${host} has more than 1000 bytes`,
      )
    }
  })

  test('is not written if the connection breaks, or nothing comes', async () => {
    const host = await hostThat(({ url }, response) => {
      if (url === '/silent') return
      response.setHeader('Content-Length', 500)
      response.write('x')
      if (url === '/broken') setImmediate(() => response.destroy())
    })
    for (const path of ['/silent', '/stalled', '/broken']) {
      expect(await fetched(`http://${host}${path}`, { idle: 100 })).toMatch(
        /^server-unreachable: 127\.0\.0\.1:\d+ cannot be reached: /,
      )
    }
  })

  test('is not waited for when nobody wants it', async () => {
    const stop = new AbortController()
    const host = await hostThat(() => stop.abort())
    expect(await fetched(`http://${host}/it`, { signal: stop.signal })).toMatch(/^interrupted: /)
  })

  test.each(['10.0.0.7', '127.0.0.1', '169.254.169.254', '::1', 'fd00::1', '::ffff:10.0.0.7'])(
    'is not fetched from a host whose name leads to %s',
    async (address) => {
      const family = address.includes(':') ? 6 : 4
      const lookup: FetchOptions['lookup'] = (_name, _options, done) => {
        done(null, [
          { address: '203.0.113.7', family: 4 },
          { address, family },
        ])
      }
      expect(await fetched('https://archives.example/it', { lookup })).toBe(
        `request-refused: no archive is fetched from archives.example: its address is ${address}`,
      )
    },
  )
})

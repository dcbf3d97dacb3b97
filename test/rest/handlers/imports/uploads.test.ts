import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ArchiveServer } from '../../../../src/serve/serve-archive.ts'
import { PARTS, send, serveImports, WHOLE } from '../../../support/imports.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

const MIB = 2 ** 20
const part = (letter: string, size = 5 * MIB) => Buffer.alloc(size, letter)
const begin = (server: ArchiveServer, size: number, by?: string) => {
  const body = JSON.stringify({ content_type: 'application/octet-stream', name: 'a.tar.gz', size })
  return send(server, 'POST', PARTS, { body, by })
}
const patch = (server: ArchiveServer, location: string, body: Uint8Array, by?: string) =>
  send(server, 'PATCH', location, { body, by })

/** The bytes of all uploads of a server. */
const stored = (folder: string): string[] => {
  const uploads = join(folder, 'uploads')
  return readdirSync(uploads)
    .sort()
    .map((name) => readFileSync(join(uploads, name), 'latin1'))
}

test('An archive is uploaded with one request, and gets an address', THOROUGH, async () => {
  const server = await serveImports()
  const { status, body } = await send(server, 'POST', `${WHOLE}?name=hello.tar.gz`, {
    body: 'bytes',
    headers: { Accept: 'text/plain', 'Content-Type': 'application/octet-stream' },
  })
  expect([status, body]).toEqual([
    201,
    {
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      node_id: expect.any(String),
      name: 'hello.tar.gz',
      size: 5,
      uri: `gei://archive/${body.guid}`,
      created_at: expect.stringMatching(/Z$/),
    },
  ])
  expect(stored(server.folder)).toEqual(['bytes'])
})

test(
  'An archive is uploaded in parts, each to another address, and its end may have a body',
  THOROUGH,
  async () => {
    const server = await serveImports()
    const size = 10 * MIB + 3
    const begun = await begin(server, size)
    expect([begun.status, begun.body]).toEqual([202, ''])
    const guid = new URL(begun.location).searchParams.get('guid')
    const locations = [begun.location]
    for (const body of [part('a'), part('b'), part('c', 3)]) {
      const answer = await patch(server, locations.at(-1) as string, body)
      expect(answer.status).toBe(202)
      locations.push(answer.location)
    }
    expect(new Set(locations).size).toBe(4)
    const end = await send(server, 'PUT', locations.at(-1) as string, { body: '{"any": "body"}' })
    expect([end.status, end.body]).toMatchObject([
      201,
      { guid, name: 'a.tar.gz', size, uri: `gei://archive/${guid}` },
    ])
    expect(stored(server.folder).join('').length).toBe(size)
    // An answer that was lost is asked for again.
    expect((await send(server, 'PUT', locations.at(-1) as string)).status).toBe(201)
  },
)

test('An address contains the path of the base address, and that of the enterprise interface', async () => {
  const server = await serveImports([], { baseUrl: 'http://localhost/behind/it' })
  const body = JSON.stringify({ name: 'a', size: 5 })
  const { location } = await send(server, 'POST', `/api/v3${PARTS}`, { body })
  expect(location).toMatch(/^http:\/\/localhost\/behind\/it\/api\/v3\/organizations\/4242\//)
})

describe('A part', () => {
  test('that is sent again is taken once, and refused with other bytes', async () => {
    const server = await serveImports()
    const { location } = await begin(server, 6 * MIB)
    const first = await patch(server, location, part('a'))
    const again = await patch(server, location, part('a'))
    expect([again.status, again.location]).toEqual([202, first.location])
    const other = await patch(server, location, part('b'))
    expect([other.status, other.body.message]).toEqual([
      409,
      'Part 1 has arrived before, with other bytes',
    ])
    expect(stored(server.folder)).toHaveLength(1)
  })

  test('that is sent twice at once is taken once', THOROUGH, async () => {
    const server = await serveImports()
    const { location } = await begin(server, 12 * MIB)
    const both = await Promise.all([part('a'), part('b')].map((b) => patch(server, location, b)))
    expect(both.map(({ status }) => status).sort()).toEqual([202, 409])
    expect(stored(server.folder)).toHaveLength(1)
  })

  test('that comes before an earlier one is refused', async () => {
    const server = await serveImports()
    const { location } = await begin(server, 20 * MIB)
    const early = location.replace('part_number=1', 'part_number=2')
    const answer = await patch(server, early, part('a'))
    expect([answer.status, answer.body.message]).toEqual([409, 'Part 2 came before part 1'])
  })

  test('is neither too short nor longer than what is missing', THOROUGH, async () => {
    const server = await serveImports()
    const { location } = await begin(server, 6 * MIB)
    expect((await patch(server, location, part('a', 5 * MIB - 1))).status).toBe(422)
    expect((await patch(server, location, part('a', 6 * MIB + 1))).status).toBe(413)
    const { location: next } = await patch(server, location, part('a'))
    expect((await patch(server, next, part('a', MIB + 1))).status).toBe(422)
    const early = await send(server, 'PUT', next)
    expect([early.status, early.body.message]).toEqual([
      409,
      `${5 * MIB} of ${6 * MIB} bytes have arrived`,
    ])
    expect((await patch(server, next, part('a', MIB))).status).toBe(202)
  })

  test('follows the others after the server was stopped', async () => {
    const server = await serveImports()
    const { location } = await begin(server, 6 * MIB)
    const { location: next } = await patch(server, location, part('a'))
    await server.close()
    const again = await serveImports([], { state: server.folder })
    const { location: last } = await patch(again, next, part('b', MIB))
    expect((await send(again, 'PUT', last)).status).toBe(201)
  })
})

everyDay(1)([
  ['who does not own the organization', { by: 'bob' }],
  ['who owns another one', { by: 'mal' }],
  ['whose token may not', { by: 'may' }],
  ['without a token', { by: '' }],
])('Somebody %s uploads nothing', async (_, sent) => {
  const server = await serveImports()
  const answer = await send(server, 'POST', `${WHOLE}?name=a`, { body: 'bytes', ...sent })
  expect(answer.status).toBe(404)
  expect((await begin(server, 5, sent.by)).status).toBe(404)
})

test('An upload is there for its account and its organization alone', async () => {
  const server = await serveImports()
  const { location } = await begin(server, 5)
  expect((await patch(server, location, Buffer.from('hello'), 'eve')).status).toBe(404)
  expect((await send(server, 'PUT', location, { by: 'eve' })).status).toBe(404)
  const elsewhere = location.replace('4242', '4343')
  expect((await patch(server, elsewhere, Buffer.from('hello'), 'mal')).status).toBe(404)
  for (const guid of ['', '..', '../../state.db', `${'0'.repeat(8)}-0000-0000-0000-000000000000`]) {
    const query = `part_number=1&guid=${encodeURIComponent(guid)}`
    expect((await patch(server, `${PARTS}?${query}`, Buffer.from('hello'))).status, guid).toBe(404)
  }
})

everyDay(1)([
  ['no name', {}, ['name', 'missing_field'], ['size', 'missing_field']],
  ['odd values', { name: 'a\u0000b', size: -1 }, ['name', 'invalid'], ['size', 'invalid']],
  ['a size beyond the limit', { name: '../..', size: 40 * 2 ** 30 + 1 }, ['size', 'custom']],
])('An upload with %s is refused', async (_, body, ...faults) => {
  const server = await serveImports()
  const answer = await send(server, 'POST', PARTS, { body: JSON.stringify(body) })
  expect(answer.status).toBe(422)
  const found = answer.body.errors.map(({ field, code }: Record<string, string>) => [field, code])
  expect(found).toEqual(faults)
})

test('An archive above 100 MiB is not taken with one request', async () => {
  const server = await serveImports()
  const headers = { 'Content-Length': String(100 * MIB + 1) }
  const answer = await send(server, 'POST', `${WHOLE}?name=a`, { body: 'bytes', headers })
  expect([answer.status, answer.body.message]).toEqual([413, expect.stringContaining('in parts')])
})

test('A body that is encoded or a form is refused before it is read', async () => {
  const server = await serveImports()
  for (const headers of [
    { 'Content-Encoding': 'gzip' },
    { 'Content-Type': 'multipart/form-data' },
  ]) {
    const answer = await send(server, 'POST', `${WHOLE}?name=a`, {
      body: 'bytes',
      headers: headers as Record<string, string>,
    })
    expect(answer.status).toBe(415)
  }
})

test('A server without imports has no such addresses, and an organization of the accounts file', async () => {
  const server = await serveImports([], { imports: false })
  expect((await send(server, 'POST', `${WHOLE}?name=a`, { body: 'bytes' })).status).toBe(404)
  const { body } = await send(server, 'GET', '/orgs/Target')
  expect(body).toMatchObject({ login: 'target', id: 4242, type: 'Organization' })
})

test('Imports need accounts, and a server that may write', async () => {
  const reasons: Record<string, unknown>[] = [{ accounts: undefined }, { readOnly: true }]
  for (const options of reasons) {
    await expect(serveImports([], options)).rejects.toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        message: expect.stringMatching(/^imports/),
      }),
    )
  }
})

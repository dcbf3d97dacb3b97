import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serveArchive, tellProgress } from '../../src/serve/serve-archive.ts'
import { folderOf } from '../support/folder.ts'

test('A server without a port listens nowhere, and one with a port says where', async () => {
  const silent = await serveArchive([])
  expect(silent.url).toBeUndefined()
  await silent.close()
  const server = await serveArchive([], { port: 0 })
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect((await fetch(`${server.url}/_ready`)).status).toBe(204)
  await server.close()
  await expect(fetch(`${server.url}/_ready`)).rejects.toThrow()
})

test('A port in use is an error, and nothing stays open', async () => {
  const server = await serveArchive([], { port: 0 })
  const port = Number(new URL(server.url ?? '').port)
  await expect(serveArchive([], { port })).rejects.toMatchObject({ code: 'address-in-use' })
  await server.close()
})

test('An address that others can reach needs TLS, or an option that allows plain HTTP', async () => {
  await expect(serveArchive([], { bind: '0.0.0.0' })).rejects.toMatchObject({
    code: 'address-refused',
  })
  await (await serveArchive([], { bind: '0.0.0.0', insecure: true })).close()
})

test('A database that is none is refused', async () => {
  await expect(serveArchive(['/no/such.db'])).rejects.toMatchObject({ code: 'database-not-found' })
})

test('Progress of an index is reported once that takes a second', () => {
  const told: string[] = []
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  try {
    const progress = tellProgress((text) => void told.push(text))
    clock.mockReturnValue(999)
    progress('threads', 0.25)
    clock.mockReturnValue(1000)
    progress('activity', 0.75)
    // The next index.
    clock.mockReturnValue(5000)
    progress('threads', 0.25)
    clock.mockReturnValue(5999)
    progress('activity', 0.75)
  } finally {
    clock.mockRestore()
  }
  expect(told).toEqual(['making the index: activity (75 %)'])
})

test.each([true, false])(
  'M1: A planted state is refused before its index or its tokens are read (read-only: %s)',
  async (readOnly) => {
    const folder = await folderOf({ 'it.serve/index.db': '' })
    const state = join(folder, 'it.serve')
    chmodSync(state, 0o777)
    await expect(serveArchive([], { state, readOnly })).rejects.toMatchObject({
      code: 'folder-foreign',
      place: { archive: state },
    })
    expect(readdirSync(state)).toEqual(['index.db'])
  },
)

test.each([
  [['archives.example'], { imports: false }, 'fetchArchives: it needs imports'],
  [['https://archives.example'], {}, 'fetchArchives[0]: expected a host, such as'],
  [['127.0.0.1:8080', 'archives.example:443'], {}, 'fetchArchives[1]: expected a host, such as'],
])('Archives are not fetched from %j with %j', async (fetchArchives, more, message) => {
  const accounts = { version: 1 as const, accounts: [] }
  const options = { accounts, imports: true, state: ':memory:', fetchArchives, ...more }
  await expect(serveArchive([], options)).rejects.toMatchObject({
    code: 'option-invalid',
    message: expect.stringContaining(message),
  })
})

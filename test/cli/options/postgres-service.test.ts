import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withService } from '../../../src/cli/options/postgres-service.ts'
import { folderOf } from '../../support/folder.ts'
import { run } from '../../support/run-command.ts'

const FILE = '[acme]\nhost=127.0.0.1\nport=1\npassword=secret\n'
const FILLED = 'postgres:///d?host=127.0.0.1&port=1&password=secret'

test('A service comes from the URL or from PGSERVICE, and its settings from the first file that is there', async () => {
  const folder = await folderOf({ '.pg_service.conf': FILE, 'pg_service.conf': FILE, own: FILE })
  for (const env of [
    { PGSERVICEFILE: join(folder, 'own') },
    { HOME: folder },
    { HOME: '/nowhere', PGSYSCONFDIR: folder },
  ]) {
    expect(withService('postgres:///d', { ...env, PGSERVICE: 'acme' })).toBe(FILLED)
    expect(withService('postgres:///d?service=acme', { ...env, PGSERVICE: 'x' })).toBe(FILLED)
    expect(withService('postgres:///d', env)).toBe('postgres:///d')
  }
})

test('option-invalid: a service that no file has', async () => {
  const env = { HOME: await folderOf(), PGSERVICE: 'acme' }
  const line = ['export', 'samples/hello.tar.gz', '--postgres', 'postgres:///d']
  const { code, stderr } = await run(line, { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('there is no service "acme"')])
})

test('A password in a service file is neither warned of nor printed', async () => {
  const env = { PGSERVICEFILE: join(await folderOf({ own: FILE }), 'own'), PGSERVICE: 'acme' }
  const line = ['export', 'samples/hello.tar.gz', '--postgres', 'postgres:///d']
  const { stdout, stderr } = await run(line, { env })
  expect(stdout + stderr).not.toMatch(/secret|command line/)
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addService, serviceIn, withService } from '../../../src/cli/options/postgres-service.ts'
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

const TEAM_FILE = `# of the team
[acme]
host=db.example.org
port = 5433
dbname=ware house
user=loader
password=a&b=c
# user=other
[acme]
host=second.example.org
[socket]\r
host=/run/postgresql\r
`

describe('A service', () => {
  test.each([
    [
      'postgres://',
      'acme',
      'postgres:///ware%20house?host=db.example.org&port=5433&user=loader&password=a%26b%3Dc',
    ],
    [
      'postgresql://me@h/d?service=acme&sslmode=require',
      'acme',
      'postgres://me@h/d?sslmode=require&port=5433&password=a%26b%3Dc',
    ],
    [
      'postgres://me:secret@[::1]:1/?host=x',
      'acme',
      'postgres://me:secret@[::1]:1/ware%20house?host=x',
    ],
    ['postgres://', 'socket', 'postgres://?host=%2Frun%2Fpostgresql'],
  ])('fills in what %s leaves out', (url, service, filled) => {
    expect(addService(url, service, TEAM_FILE)).toBe(filled)
  })

  test.each([
    ['postgres://h/d?service=acme', 'acme'],
    ['postgres://h/d', undefined],
    ['something else', undefined],
  ])('named by %s is %s', (url, service) => {
    expect(serviceIn(url)).toBe(service)
  })

  test.each([TEAM_FILE, undefined])('option-invalid: is not in the file', (text) => {
    expect(() => addService('postgres://', 'other', text)).toThrow(
      expect.objectContaining({
        code: 'option-invalid',
        message: 'there is no service "other" in the service file',
      }),
    )
  })
})

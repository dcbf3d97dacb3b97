import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { smallArchive, user } from '../../support/archives.ts'
import { END, member } from '../../support/build-tar.ts'
import { inFolder, run, shareInput } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const bytes = Buffer.from([0, 255, 13, 10, 27])
const small = smallArchive({ 'attachments/a1/bytes': bytes })
const URL = 'https://host.example/ada'
const record = `${JSON.stringify(user('ada'), null, 2)}\n`
const entry = JSON.stringify([user('ada'), user('grace')], null, 2)

const several = Buffer.concat([
  member({ name: 'attachments/1/a' }, 'one'),
  member({ name: 'users_000001.json' }, JSON.stringify([user('ada'), user('grace')])),
  member({ name: 'users_000002.json' }, JSON.stringify([{ ...user('ada'), name: 'later' }])),
  member({ name: 'attachments/1/a' }, 'two'),
  END,
])

shareInput({ 'a.tar.gz': small, 'several.tar': several }, async () => {
  for (const name of ['a.tar.gz', 'several.tar']) await run(['load', name])
})

everyDay(1)(['a.tar.gz', 'a.db'])('prints entries and records of %s', async (source) => {
  expect(await run(['cat', source, 'users_000001.json'])).toEqual({
    code: 0,
    stdout: entry,
    stderr: '',
  })
  expect((await run(['cat', source, './users_000001.json'])).stdout).toBe(entry)
  expect(await run(['cat', source, URL])).toEqual({ code: 0, stdout: record, stderr: '' })
  expect((await run(['cat', source, 'attachments/a1/bytes'])).stdout).toBe(bytes.toString())
})

test('reads standard input', async () => {
  expect((await run(['cat', '-', 'users_000001.json'], { stdin: small })).stdout).toBe(entry)
  expect((await run(['cat', '-', URL], { stdin: small })).stdout).toBe(record)
})

everyDay(1)([
  ['a.tar.gz', 'users', 'marc: a.tar.gz, users: the archive has no such entry\nList the entries'],
  ['a.db', 'users', 'marc: a.db, users: no archive has this entry\nList the entries'],
  ['a.tar.gz', 'x://y', 'marc: a.tar.gz: no record has the url "x://y"\nFind it with'],
  ['a.db', 'x://y', 'marc: a.db: no record has the url "x://y"\nFind it with'],
])('ends with code 1 for an entry or record that %s lacks', async (source, path, message) => {
  const { code, stdout, stderr } = await run(['cat', source, path])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(message)).toBe(true)
})

test('escapes control characters only on a terminal', async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'attachments/a1/text': 'a\x1b[31m\r\nb\tc\u202e' }) })
  const argv = ['cat', 'a.tar.gz', 'attachments/a1/text']
  expect((await run(argv, { tty: true })).stdout).toBe('a\\x1b[31m\nb\tc\\u{202e}')
  expect((await run(argv)).stdout).toBe('a\x1b[31m\r\nb\tc\u202e')
})

const SEVERAL = 'occurs several times in the archive; this is'

describe.each(['several.tar', 'several.db'])(
  'T8: of an entry that occurs several times in %s,',
  (source) => {
    test.each([
      ['attachments/1/a', 'two'],
      [URL, `${JSON.stringify({ ...user('ada'), name: 'later' }, null, 2)}\n`],
    ])('%s is the last one, with a warning', async (path, stdout) => {
      const stderr = `marc: ${path}: ${SEVERAL} the last\n`
      expect(await run(['cat', source, path])).toEqual({ code: 0, stdout, stderr })
    })
  },
)

test('warns that a record file is not as loaded', THOROUGH, async () => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz'])
  const edit = new Sqlite('a.db')
  edit.exec("UPDATE users SET name = 'Ada'")
  edit.close()
  expect((await run(['cat', 'a.db', 'issues_000001.json'])).stderr).toBe('')
  expect((await run(['cat', 'a.db', 'users_000001.json'])).stderr).toMatch(
    /^marc: users_000001\.json: not byte for byte as loaded: records were changed or replaced/,
  )
})

test('T8: a database has the records of all files with one name', THOROUGH, async () => {
  const file = (login: string) =>
    member({ name: 'users_000001.json' }, JSON.stringify([user(login)]))
  inFolder({ 'a.tar': Buffer.concat([file('ada'), file('grace'), END]) })
  await run(['load', 'a.tar'])
  const { stdout, stderr } = await run(['cat', 'a.db', 'users_000001.json'])
  expect(JSON.parse(stdout)).toEqual([user('ada'), user('grace')])
  expect(stderr).toBe(`marc: users_000001.json: ${SEVERAL} all of them\n`)
})

test('T14: prints what it found before the damage, and reports the damage', async () => {
  inFolder({ 'a.tar': gunzipSync(small).subarray(0, -1024) })
  for (const path of ['users_000001.json', URL]) {
    const { code, stdout, stderr } = await run(['cat', 'a.tar', path])
    expect({ code, stdout }).toEqual({ code: 3, stdout: path === URL ? record : entry })
    expect(stderr).toContain('ends without its two closing blocks')
  }
})

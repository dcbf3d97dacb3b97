import { expect, test } from 'vitest'
import { smallArchive, user } from '../../support/archives.ts'
import { END, member } from '../../support/build-tar.ts'
import { inFolder, run } from '../../support/run-command.ts'

const bytes = Buffer.from([0, 255, 13, 10, 27])
const small = smallArchive({ 'attachments/a1/bytes': bytes })
const URL = 'https://host.example/ada'
const record = `${JSON.stringify(user('ada'), null, 2)}\n`
const entry = JSON.stringify([user('ada'), user('grace')], null, 2)

test.each(['a.tar.gz', 'a.db'])('prints entries and records of %s', async (source) => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz'])
  expect(await run(['cat', source, 'users_000001.json'])).toEqual({
    code: 0,
    stdout: entry,
    stderr: '',
  })
  expect(await run(['cat', source, URL])).toEqual({ code: 0, stdout: record, stderr: '' })
  expect((await run(['cat', source, 'attachments/a1/bytes'])).stdout).toBe(bytes.toString())
})

test('reads standard input', async () => {
  inFolder()
  expect((await run(['cat', '-', 'users_000001.json'], { stdin: small })).stdout).toBe(entry)
  expect((await run(['cat', '-', URL], { stdin: small })).stdout).toBe(record)
})

test.each([
  ['a.tar.gz', 'users', 'marc: a.tar.gz, users: the archive has no such entry\nList the entries'],
  ['a.db', 'users', 'marc: a.db, users: no archive has this entry\nList the entries'],
  ['a.tar.gz', 'x://y', 'marc: a.tar.gz: no record has the url "x://y"\nFind it with'],
  ['a.db', 'x://y', 'marc: a.db: no record has the url "x://y"\nFind it with'],
])('answers what %s does not hold with code 1', async (source, path, message) => {
  inFolder({ 'a.tar.gz': small })
  await run(['load', 'a.tar.gz'])
  const { code, stdout, stderr } = await run(['cat', source, path])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.startsWith(message)).toBe(true)
})

test('shows control characters as escapes on a terminal alone', async () => {
  inFolder({ 'a.tar.gz': smallArchive({ 'attachments/a1/text': 'a\x1b[31m\r\nb\tc\u202e' }) })
  const argv = ['cat', 'a.tar.gz', 'attachments/a1/text']
  expect((await run(argv, { tty: true })).stdout).toBe('a\\x1b[31m\nb\tc\\u{202e}')
  expect((await run(argv)).stdout).toBe('a\x1b[31m\r\nb\tc\u202e')
})

test('T8: says of a database that an entry stands in it twice, and prints the last', async () => {
  const twice = [
    member({ name: 'attachments/1/a' }, 'one'),
    member({ name: 'attachments/1/a' }, 'two'),
  ]
  inFolder({ 'a.tar': Buffer.concat([...twice, END]) })
  await run(['load', 'a.tar'])
  expect((await run(['cat', 'a.tar', 'attachments/1/a'])).stdout).toBe('one')
  expect(await run(['cat', 'a.db', 'attachments/1/a'])).toEqual({
    code: 0,
    stdout: 'two',
    stderr:
      'marc: attachments/1/a: 2 entries have this path; all of them were read\nThis is the last one; of the archive itself, marc cat prints the first.\n',
  })
})

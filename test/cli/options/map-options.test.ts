import { expect, test } from 'vitest'
import { readMap } from '../../../src/cli/options/map-options.ts'
import { inFolder } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

test('A file, hosts, logins and repositories make one map, each with its place', async () => {
  inFolder({ 'users.csv': 'old,new\nada,grace\nacme/a,acme/b\n' })
  const host = 'https://a.example=https://b.example'
  expect(await readMap('users.csv', [host], ['bob=eve', 'x/y=x/z'])).toEqual({
    hosts: [{ old: 'https://a.example', new: 'https://b.example', place: `--url ${host}` }],
    logins: [
      { old: 'ada', new: 'grace', place: 'users.csv, line 2' },
      { old: 'bob', new: 'eve', place: '--rename bob=eve' },
    ],
    repositories: [
      { old: 'acme/a', new: 'acme/b', place: 'users.csv, line 3' },
      { old: 'x/y', new: 'x/z', place: '--rename x/y=x/z' },
    ],
  })
})

test.each([
  [[], ['ada'], '--rename takes old=new, not "ada"'],
  [[], ['ada=b=c'], '--rename takes old=new, not "ada=b=c"'],
  [['=x'], [], '--url takes old=new, not "=x"'],
  [[], ['ada=acme/x'], '--rename takes two logins or two repositories, not "ada=acme/x"'],
])('Hosts %j and names %j are refused', async (urls, renames, message) => {
  await expect(readMap(undefined, urls, renames)).rejects.toThrow(message)
})

test('A file that is not there is named', async () => {
  await expect(readMap('none.csv')).rejects.toThrow('there is no such file')
})

test('A file may have any number of lines', THOROUGH, async () => {
  inFolder({ 'users.csv': `old,new\n${'ada,grace\n'.repeat(150_000)}` })
  expect((await readMap('users.csv')).logins).toHaveLength(150_000)
})

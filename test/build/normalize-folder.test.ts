import { expect, test } from 'vitest'
import { readFolder } from '../../src/archive/read-folder.ts'
import type { Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { normalizeFolder } from '../../src/build/normalize-folder.ts'
import { contentsOf, pathsOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

everyDay(11)([
  ['issues_000012.json', 'issues_000001.json'],
  ['issues.json', 'issues_000001.json'],
  ['issues-3.json', 'issues_000001.json'],
  ['issues/3.json', 'issues_000001.json'],
  ['issues/first.json', 'issues_000001.json'],
  ['issues/open/3.json', 'issues_000001.json'],
  ['issues.ndjson', 'issues_000001.json'],
  ['issues_000012.jsonl', 'issues_000001.json'],
  ['Issue.json', 'issues_000001.json'],
  ['pull-requests/9.json', 'pull_requests_000001.json'],
  ['data/pull_requests_2.json', 'pull_requests_000001.json'],
  ['gadgets_000007.json', 'gadgets_000007.json'],
  ['data/schema.json', 'schema.json'],
  ['git/repositories/a/b.git/HEAD', 'repositories/a/b.git/HEAD'],
  ['media/attachments/a1/issues.json', 'attachments/a1/issues.json'],
  ['notes/README.md', 'notes/README.md'],
  ['package.json', 'package.json'],
])('%s is taken for %s', async (path, expected) => {
  const folder = await folderOf({ 'attachments/x/y': '', [path]: '' })
  const paths = await pathsOf(normalizeFolder(readFolder(folder)))
  expect(paths.filter((found) => found !== 'attachments/x/y')).toEqual([expected])
})

test('files of one kind are numbered in the order of their paths', async () => {
  const folder = await folderOf({
    'a/issues.json': '',
    'b/issues.json': '',
    'issues_000009.json': '',
  })
  expect(await pathsOf(normalizeFolder(readFolder(folder)))).toEqual([
    'issues_000001.json',
    'issues_000002.json',
    'issues_000003.json',
  ])
})

const records = (...numbers: number[]) => numbers.map((n) => ({ url: `x://${n}` }))
const lines = (...numbers: number[]) => records(...numbers).map((record) => JSON.stringify(record))
const [one, two, three] = records(1, 2, 3)

/** The files of a normalized folder, and the problems. */
async function loosened(files: Record<string, string>) {
  const problems: [string, string | undefined, string | undefined][] = []
  const report = ({ code, place }: Problem) => problems.push([code, place.entry, place.member])
  const folder = await folderOf({ 'attachments/x/y': '', ...files })
  const found: Record<string, unknown> = {}
  for await (const { path, size, content } of normalizeFolder(readFolder(folder), { report })) {
    const bytes = await collect(content)
    expect(bytes.length).toBe(size)
    if (path !== 'attachments/x/y') found[path] = JSON.parse(bytes.toString())
  }
  return { found, problems }
}

test.each<[string, string, string]>([
  ['an array', 'issues.json', JSON.stringify(records(1, 2))],
  ['one on each line', 'issues.ndjson', `${lines(1, 2).join('\n')}\n`],
  ['lines that Windows wrote', 'issues.jsonl', `\ufeff${lines(1, 2).join('\r\n')}`],
  ['lines in a file of the usual name', 'issues_000001.json', lines(1, 2).join('\n\n')],
  [
    'one after the other, indented',
    'issues.json',
    records(1, 2)
      .map((r) => JSON.stringify(r, null, 2))
      .join('\n'),
  ],
  [
    'in an object by the name of their kind',
    'issues.json',
    JSON.stringify({ issues: records(1, 2) }),
  ],
  ['in an object by any name', 'issues.json', JSON.stringify({ items: records(1, 2) })],
  ['in an object in a file of any name', 'dump.json', JSON.stringify({ issues: records(1, 2) })],
])('records may stand as %s', async (_, path, text) => {
  expect(await loosened({ [path]: text })).toEqual({
    found: { 'issues_000001.json': [one, two] },
    problems: [],
  })
})

test('each record may have its own file, in the order of their numbers', async () => {
  const [first, second, third] = lines(1, 2, 3) as [string, string, string]
  const files = { 'issues/10.json': third, 'issues/9.json': second, 'issues/1.json': first }
  const { found } = await loosened(files)
  expect(Object.values(found)).toEqual([[one], [two], [three]])
})

test('an object may hold several kinds, and other members are reported', async () => {
  const dump = { issues: records(1), version: 2, users: records(2), settings: ['x'] }
  expect(await loosened({ 'dump.json': JSON.stringify(dump) })).toEqual({
    found: { 'issues_000001.json': [one], 'users_000001.json': [two] },
    problems: [
      ['member-around', 'dump.json', 'version'],
      ['member-around', 'dump.json', 'settings'],
    ],
  })
})

test('numbers in an object keep their text', async () => {
  const folder = await folderOf({
    'attachments/x/y': '',
    'gadgets.json': '',
    'dump.json': '{"users":[{"url":"x://1","n":1.0}]}',
  })
  const texts = new Map(await contentsOf(normalizeFolder(readFolder(folder))))
  expect(texts.get('users_000001.json')).toContain('"n": 1.0')
})

test.each([
  ['a record with one list', 'issues.json', { url: 'x://1', labels: ['a'] }, 'issues_000001.json'],
  ['a record without a url', 'issues/1.json', { title: 'x', labels: [{}] }, 'issues_000001.json'],
  ['other than records', 'config.json', { releases: ['1.0'], projects: [{ name: 'x' }] }],
  ['no list', 'package.json', { name: 'x' }],
])('an object that is %s is left as it is', async (_, path, object, expected = path) => {
  const { found, problems } = await loosened({ [path]: JSON.stringify(object) })
  expect({ found, problems }).toEqual({
    found: { [expected]: expected === path ? object : [object] },
    problems: [],
  })
})

test('a file of many lines is put into an array without being held', THOROUGH, async () => {
  const text = `${JSON.stringify({ body: 'x'.repeat(1000) })}\n`
  const { found } = await loosened({ 'issues.ndjson': text.repeat(2000) })
  expect((found['issues_000001.json'] as object[]).length).toBe(2000)
})

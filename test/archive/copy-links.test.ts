import { describe, expect, test } from 'vitest'
import { readAnyEntries } from '../../src/archive/read-archive.ts'
import type { Problem } from '../../src/base/errors.ts'
import type { Limits } from '../../src/base/limits.ts'
import { END, longName, member, pax } from '../support/build-tar.ts'
import { contentsOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'

const file = (name: string, content: string | Uint8Array = name) => member({ name }, content)
const link = (name: string, linkname: string) => member({ name, linkname, type: '1' })

async function read(members: readonly Buffer[], limits: Partial<Limits> = {}) {
  const path = `${await folderOf({ 'it.tar': Buffer.concat([...members, END]) })}/it.tar`
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  return { entries: await contentsOf(readAnyEntries(path, { limits, report })), problems }
}

describe('A hard link in the tar of a backup', () => {
  test('is a copy of the file that it names, after all files', async () => {
    const long = `${'long/'.repeat(30)}a`
    const { entries, problems } = await read([
      file('./a'),
      link('./b', './a'),
      file('é'),
      pax({ path: 'ü', linkpath: 'é' }),
      link('x', 'x'),
      longName(long),
      file('x', 'long'),
      member({ name: '././@LongLink', type: 'K' }, `${long}\0`),
      link('c', 'long'),
      link('d', 'a'),
      file('z'),
    ])
    expect(entries).toEqual([
      ['a', './a'],
      ['é', 'é'],
      [long, 'long'],
      ['z', 'z'],
      ['b', './a'],
      ['d', './a'],
      ['ü', 'é'],
      ['c', 'long'],
    ])
    expect(problems).toEqual([])
  })

  test('of more than memory holds is a copy each time', async () => {
    const large = 'kettle'.repeat(500_000)
    const { entries } = await read([file('a', large), link('b', 'a'), link('c', 'a')])
    expect(entries.map(([path, content]) => [path, content === large])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ])
  })

  test.each(['../a', '/etc/passwd', 'missing', 'folder', 'b', 'it', ''])(
    'T9: to %j, which is no file of it, is skipped and reported',
    async (target) => {
      const members = [file('a'), member({ name: 'folder/', type: '5' }), link('b', 'a')]
      const { entries, problems } = await read([...members, link('it', target)])
      expect(entries.map(([path]) => path)).toEqual(['a', 'folder/', 'b'])
      const place = { entry: 'it' }
      expect(problems).toMatchObject([{ code: 'entry-type', place }])
    },
  )

  test('T15: counts as much as what it names, so that a small tar does not become a large one', async () => {
    const links = Array.from({ length: 300 }, (_, i) => link(`b${i}`, 'a'))
    const members = [file('a', Buffer.alloc(2 ** 20)), ...links]
    await expect(read(members, { expansion: 50 })).rejects.toMatchObject({
      code: 'limit-expansion',
      limit: { allowed: 50 },
    })
    await expect(read(members, { extracted: 3 * 2 ** 20 })).rejects.toMatchObject({
      code: 'limit-extracted',
      place: { entry: 'b2' },
    })
  })
})

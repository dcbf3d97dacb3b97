import { expect, test } from 'vitest'
import { compilePatterns, type PatternOptions } from '../../../src/git/grep/compile-patterns.ts'
import { grepTree, matchPath, matchWildcards } from '../../../src/git/grep/grep-tree.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

test('Text files are searched line by line, as UTF-8 or Latin-1; other files are counted, links are not', async () => {
  const files: Record<string, string> = {
    'a.txt': 'Grüße\r\nno\nGRÜSSE, grüße',
    'b.bin': 'Grüße\0',
    'c.txt': 'Gr\xfc\xdfe\n',
    link: 'Grüße',
  }
  const bytesOf = (name: string) =>
    Buffer.from(files[name] as string, name === 'c.txt' ? 'latin1' : 'utf8')
  const names = Object.keys(files)
  const tree = treeOf(
    ...names.map(
      (name) =>
        [name === 'link' ? '120000' : '100644', name, oidOf('blob', bytesOf(name))] as const,
    ),
    ['100644', 'lost', 'a'.repeat(40)],
  )
  const objects = { ...looseOf('tree', tree) }
  for (const name of names) Object.assign(objects, looseOf('blob', bytesOf(name)))
  const { database } = await loaded(repositoryOf('ada/kettle', objects))
  const repository = openRepository(database, 'ada/kettle')
  const skipped = { binary: 0, large: 0, broken: 0 }
  const find = (text: string, options: PatternOptions, paths?: string[]) => {
    const matcher = compilePatterns([text], options)
    const found = grepTree(repository.objects, oidOf('tree', tree), matcher, { skipped, paths })
    return [...found].flatMap(({ path, lines, found }) =>
      found.map((i) => `${path}:${i + 1}:${lines[i]}`),
    )
  }
  expect(find('Grüße', { fixed: true })).toEqual(['a.txt:1:Grüße\r', 'c.txt:1:Grüße'])
  expect(skipped).toEqual({ binary: 1, large: 0, broken: 1 })
  expect(find('grüße', { ignoreCase: true }, ['a*'])).toEqual([
    'a.txt:1:Grüße\r',
    'a.txt:3:GRÜSSE, grüße',
  ])
  expect(find('^gr\\p{L}*$', { ignoreCase: true })).toEqual(['c.txt:1:Grüße'])
})

test('A pattern that takes exponential time is stopped', () => {
  const { find } = compilePatterns(['^(a+)+$'], { seconds: 0.02 })
  expect(() => find([`${'a'.repeat(50)}b`])).toThrow(
    expect.objectContaining({ code: 'limit-time' }),
  )
  expect(find(['b', 'aaa'])).toEqual([1])
})

test.each(['(', '[', 'a{2,1}', 'x'.repeat(10_001)])('The pattern %.5s is refused', (pattern) => {
  expect(() => compilePatterns([pattern])).toThrow(
    expect.objectContaining({ code: 'option-invalid' }),
  )
})

test.each([
  ['a/b.c', '*.c', true],
  ['a/b.c', 'a/?.c', true],
  ['a/b.c', 'b.c', false],
  ['aaab', 'a*a*b', true],
  ['', '*', true],
  ['a', '', false],
  ['x'.repeat(5_000), `${'*x'.repeat(40)}y`, false],
])('%.9s matches %.9j: %j', (text, pattern, expected) => {
  expect(matchWildcards(text, pattern)).toBe(expected)
})

test('A pattern of a path names a folder with all that is below it', () => {
  expect(matchPath('a/b/c', 'a/b/')).toBe(true)
  expect(matchPath('a/b/c', './a')).toBe(true)
  expect(matchPath('ab/c', 'a')).toBe(false)
  expect(matchPath('ab/c', '.')).toBe(true)
})

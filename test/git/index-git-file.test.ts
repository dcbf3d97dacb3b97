import { expect, test } from 'vitest'
import { listRepositories } from '../../src/git/list-repositories.ts'
import type { Files } from '../support/build-tar.ts'
import { columnOf, loaded, rowsOf } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'

const A = 'a'.repeat(40)
const B = 'b'.repeat(40)
const GIT = 'repositories/ada/kettle.git'

const inGit = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${GIT}/${path}`, text]))

const REFS = 'SELECT name, oid, target FROM refs ORDER BY name'

test('A loose ref overrides the packed one, in any order', async () => {
  const packed = { 'packed-refs': `${A} refs/heads/main\n${A} refs/heads/old\n` }
  const loose = { 'refs/heads/main': `${B}\n` }
  for (const files of [
    { ...packed, ...loose },
    { ...loose, ...packed },
  ]) {
    const { database, problems } = await loaded(inGit(files))
    expect(rowsOf(database, REFS)).toEqual([
      ['refs/heads/main', B, null],
      ['refs/heads/old', A, null],
    ])
    expect(problems).toEqual([])
  }
})

test('Refs are known without contents, and so are the objects of packs', async () => {
  const pack = Buffer.from('PACK\0\0\0\x02\0\0\x01\x02')
  const files = inGit({ HEAD: `${A}\n`, 'objects/pack/pack-1.pack': pack })
  const { database } = await loaded(files, { files: false })
  expect(rowsOf(database, REFS)).toEqual([['HEAD', A, null]])
  expect(rowsOf(database, 'SELECT version, objects FROM git_packs')).toEqual([[2, 258]])
  expect(columnOf(database, 'SELECT count(*) FROM chunks')).toEqual([0])
})

test(
  'HEAD is what the branch is that it names, by way of others if need be',
  THOROUGH,
  async () => {
    const files = inGit({
      HEAD: 'ref: refs/heads/one\n',
      'refs/heads/one': 'ref: refs/heads/two\n',
      'refs/heads/two': `${B}\n`,
    })
    const { database, problems } = await loaded(files)
    expect(rowsOf(database, REFS)).toEqual([
      ['HEAD', B, 'refs/heads/one'],
      ['refs/heads/one', B, 'refs/heads/two'],
      ['refs/heads/two', B, null],
    ])
    expect(problems).toEqual([])
  },
)

test(
  'G5: refs that name each other in a circle have no object, and are reported',
  THOROUGH,
  async () => {
    const files = inGit({
      HEAD: 'ref: refs/heads/one\n',
      'refs/heads/one': 'ref: refs/heads/two\n',
      'refs/heads/two': 'ref: refs/heads/one\n',
      'refs/heads/self': 'ref: refs/heads/self\n',
    })
    const { database, problems } = await loaded(files)
    expect(columnOf(database, 'SELECT oid FROM refs')).toEqual([null, null, null, null])
    expect(problems.map(({ code }) => code)).toEqual(Array(4).fill('git-ref-dangling'))
    expect(problems[0]?.place).toEqual({ entry: `${GIT}/HEAD` })
  },
)

test('G5: what is broken in packed-refs is reported, some by place and the rest by number', async () => {
  const broken = Array.from({ length: 50 }, (_, i) => `${A} refs/heads/${i}..x\n`)
  const { database, problems } = await loaded(
    inGit({ 'packed-refs': `${broken.join('')}${A} refs/heads/main\n` }),
  )
  expect(rowsOf(database, REFS)).toEqual([['refs/heads/main', A, null]])
  expect(new Set(problems.map(({ code }) => code))).toEqual(new Set(['git-ref-invalid']))
  expect(problems.length).toBe(21)
  expect(problems[0]).toMatchObject({
    place: { entry: `${GIT}/packed-refs` },
    message: '"refs/heads/0..x" is not a valid name of a ref',
  })
  expect(problems.at(-1)?.message).toBe('30 more refs are invalid')
})

test('G5: a name that occurs twice in packed-refs is stored once, and reported', async () => {
  const { database, problems } = await loaded(
    inGit({ 'packed-refs': `${A} refs/heads/main\n${B} refs/heads/main\n` }),
  )
  expect(rowsOf(database, REFS)).toEqual([['refs/heads/main', B, null]])
  expect(problems).toMatchObject([
    { code: 'git-ref-invalid', place: { entry: `${GIT}/packed-refs` } },
  ])
})

test('G5: what Git would not take as a ref is left out, and what is beside refs is none', async () => {
  const { database, problems } = await loaded(
    inGit({
      'refs/heads/main.lock': `${A}\n`,
      'refs/heads/a~b': `${A}\n`,
      'refs/heads/main': 'no ref',
      HEAD: 'ref: ../../../outside\n',
      'logs/refs/heads/main': `${A}\n`,
      ORIG_HEAD: `${A}\n`,
    }),
  )
  expect(rowsOf(database, REFS)).toEqual([])
  expect(problems.map(({ code }) => code).toSorted()).toEqual([
    ...Array(3).fill('git-ref-invalid'),
    'git-refs-damaged',
  ])
})

test('G4: a reftable and SHA-256 are reported', THOROUGH, async () => {
  const { problems } = await loaded({
    'repositories/a/tables.git/HEAD': 'ref: refs/heads/.invalid\n',
    'repositories/a/tables.git/reftable/tables.list': '0x1.ref\n',
    'repositories/a/long.git/refs/heads/main': `${'c'.repeat(64)}\n`,
  })
  expect(problems).toMatchObject([
    { code: 'git-unsupported', place: { entry: 'repositories/a/long.git' } },
    { code: 'git-unsupported', place: { entry: 'repositories/a/tables.git' } },
  ])
})

test('G4: what is no pack has no number of objects', THOROUGH, async () => {
  const { database } = await loaded(
    inGit({ 'objects/pack/pack-1.pack': 'no pack', 'objects/pack/pack-1.idx': 'no index' }),
  )
  expect(rowsOf(database, 'SELECT version, objects FROM git_packs')).toEqual([
    [null, null],
    [null, null],
  ])
  expect(listRepositories(database)).toMatchObject([{ state: 'present', packs: 1, objects: 0 }])
})

test(
  'A later archive brings its own refs of a repository, and leaves those of others',
  THOROUGH,
  async () => {
    const other = { 'repositories/ada/pot.git/refs/heads/main': `${A}\n` }
    const { database } = await loaded([
      { ...inGit({ 'packed-refs': `${A} refs/heads/main\n${A} refs/heads/gone\n` }), ...other },
      inGit({ 'refs/heads/main': `${B}\n`, HEAD: 'ref: refs/heads/main\n' }),
      { 'users_000001.json': [] },
    ])
    expect(
      rowsOf(database, 'SELECT repository, name, oid FROM refs ORDER BY repository, name'),
    ).toEqual([
      ['ada/kettle', 'HEAD', B],
      ['ada/kettle', 'refs/heads/main', B],
      ['ada/pot', 'refs/heads/main', A],
    ])
  },
)

test('The same archive again adds no refs', THOROUGH, async () => {
  const files = inGit({ 'refs/heads/main': `${A}\n` })
  const { database } = await loaded([files, files])
  expect(rowsOf(database, REFS)).toEqual([['refs/heads/main', A, null]])
})

test('G7: empty, missing and unnamed repositories are distinguished', async () => {
  const record = (name: string) => ({
    type: 'repository',
    url: `https://forge.example/ada/${name}`,
    default_branch: 'main',
    git_url: `tarball://root/repositories/ada/${name}.git`,
  })
  const { database } = await loaded({
    'repositories_000001.json': [record('empty'), record('missing')],
    'repositories/ada/empty.git/HEAD': 'ref: refs/heads/main\n',
    'repositories/ada/only.wiki.git/HEAD': 'ref: refs/heads/master\n',
    'repositories/ada/only.wiki.git/objects/aa/11111111111111111111111111111111111111': 'x',
  })
  const found = listRepositories(database)
  expect(
    found.map(({ repository, state, is_wiki, url }) => [repository, state, is_wiki, url]),
  ).toEqual([
    ['ada/empty', 'empty', 0, 'https://forge.example/ada/empty'],
    ['ada/missing', 'missing', 0, 'https://forge.example/ada/missing'],
    ['ada/only.wiki', 'present', 1, null],
  ])
})

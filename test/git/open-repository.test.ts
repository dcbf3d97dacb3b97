import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareTrees } from '../../src/git/diff/compare-trees.ts'
import type { Change } from '../../src/git/diff/pair-renames.ts'
import { type LogOptions, readCommit } from '../../src/git/history/walk-commits.ts'
import { walkObjects } from '../../src/git/history/walk-objects.ts'
import { createAbbreviator } from '../../src/git/objects/abbreviate-id.ts'
import { openRepository, type Repository } from '../../src/git/open-repository.ts'
import { type Commit, subjectOf } from '../../src/git/parse/parse-commit.ts'
import { localTimeOf } from '../../src/git/parse/parse-person.ts'
import { readRefs } from '../../src/git/refs/read-refs.ts'
import { listOf } from '../support/entries.ts'
import { type GitHistory, gitBytes, gitHistory, gitText } from '../support/git-history.ts'
import { everyDay } from '../support/thorough.ts'

let history: GitHistory
let repository: Repository

beforeAll(async () => {
  history = await gitHistory()
  repository = openRepository(history.database, 'ada/kettle')
})

afterAll(() => history.close())

const git = (...args: string[]) => gitText(history.directory, args)

const NONE = '0'.repeat(40)
const FORMAT = '--format=%H%x00%T%x00%P%x00%an%x00%ae%x00%aI%x00%cn%x00%ce%x00%cI%x00%s%x01'

const inFormat = (commit: Commit) => {
  const { oid, tree, parents, author, committer } = commit
  const people = [author, committer].flatMap((p) => [p.name, p.email, localTimeOf(p)])
  return `${[oid, tree, parents.join(' '), ...people, subjectOf(commit)].join('\0')}\x01\n`
}

const logOf = async (revision: string, options?: LogOptions) =>
  (await listOf(repository.log(revision, options))).map(inFormat).join('')

describe('The log is that of the git program', () => {
  everyDay(3)(['HEAD', 'topic', 'octopus', 'refs/pull/7/head', 'other-root', 'v1.0', 'of-a-tag'])(
    'of %s',
    async (revision) => {
      expect(await logOf(revision)).toBe(git('log', FORMAT, revision))
    },
  )

  test('and ends after as many commits as are wanted', async () => {
    expect(await logOf('HEAD', { limit: 7 })).toBe(git('log', FORMAT, '-n', '7'))
    expect(await logOf('HEAD', { limit: 0 })).toBe('')
  })

  everyDay(5)([
    ['README.md'],
    ['run.sh'],
    ['old'],
    ['old/boil.c'],
    ['src', 'link'],
    ['thing'],
    ['thing/inside'],
    ['long.txt'],
    ['vendor/spout'],
    ['späce and 水', '-dash'],
    ['nowhere'],
    ['README.md/nothing'],
  ])('of what changed %s', async (...paths) => {
    expect(await logOf('octopus', { paths })).toBe(git('log', FORMAT, 'octopus', '--', ...paths))
  })

  test('between two times', async () => {
    const since = new Date(1_400_000_060_000)
    const until = new Date(1_400_000_415_000)
    expect(await logOf('octopus', { since, until })).toBe(
      git(
        'log',
        FORMAT,
        'octopus',
        `--since=${since.toISOString()}`,
        `--until=${until.toISOString()}`,
      ),
    )
    expect(await logOf('HEAD', { since: until })).not.toBe('')
  })

  test('of an author', async () => {
    const args = ['log', FORMAT, '--author=nobody@forge.example', 'HEAD']
    expect(await logOf('HEAD', { author: 'Nobody@forge' })).toBe(git(...args))
    expect(git(...args)).not.toBe('')
  })

  test('with the same messages, in whatever encoding', async () => {
    const messages = (await listOf(repository.log('octopus'))).map(
      ({ message }) => `${message}\x01\n`,
    )
    expect(messages.join('')).toBe(git('log', '--format=%B%x01', 'octopus'))
  })
})

test('Every object is read, packed as a delta or not, or in a file of its own', () => {
  const checked = git('cat-file', '--batch-all-objects', '--batch-check')
  const mine = checked
    .trimEnd()
    .split('\n')
    .map((line) => repository.objects.read(line.slice(0, 40)))
    .map(({ oid, type, content }) => `${oid} ${type} ${content.length}\n`)
  expect(mine.join('')).toBe(checked)
  const sizes = checked
    .trimEnd()
    .split('\n')
    .map((line) => Number(line.split(' ')[2]))
  expect(mine.map((line) => repository.objects.sizeOf(line.slice(0, 40)))).toEqual(sizes)
  const [index = ''] = readdirSync(join(history.directory, 'objects/pack')).filter((name) =>
    name.endsWith('.idx'),
  )
  expect(git('verify-pack', '-v', `objects/pack/${index}`)).toContain('chain length = 5')
})

/** Changes as git diff-tree -z prints them. */
const inRawFormat = ({ status, path, before, after }: Change) => {
  const modes = `:${before?.mode ?? '000000'} ${after?.mode ?? '000000'}`
  const oids = `${before?.oid ?? NONE} ${after?.oid ?? NONE}`
  return `${modes} ${oids} ${status === 'R' ? `R100\0${before?.path}` : status}\0${path}\0`
}

test('Changed files are those of git diff-tree, with files that only moved', () => {
  const { objects } = repository
  const commits = git('rev-list', '--all').trimEnd().split('\n')
  const pairs = commits.flatMap((oid) => {
    const { tree, parents } = readCommit(objects, oid)
    return parents.map((parent) => [readCommit(objects, parent).tree, tree] as const)
  })
  const heads = pairs.map(([before, after]) => `${before} ${after}\n`)
  const mine = pairs.map(([before, after]) =>
    [...compareTrees(objects, before, after)].map(inRawFormat),
  )
  const args = ['diff-tree', '-r', '-z', '-M100%', '--stdin']
  const theirs = gitText(history.directory, args, heads.join(''))
  expect(mine.map((changes, i) => heads[i] + changes.join('')).join('')).toBe(theirs)
  for (const status of 'ADMTR') expect(theirs).toMatch(new RegExp(` ${status}(100)?\\0`))
})

test('The first commit adds all its files', () => {
  const { tree } = readCommit(repository.objects, repository.resolve('topic~2'))
  const added = [...compareTrees(repository.objects, undefined, tree)]
  expect(added.map(({ path }) => path)).toEqual(
    git('ls-tree', '-r', '--name-only', 'topic~2').trimEnd().split('\n'),
  )
  expect(new Set(added.map(({ status }) => status))).toEqual(new Set(['A']))
})

test('Revisions lead where git rev-parse says', () => {
  const revisions = [
    'HEAD',
    '@',
    'main',
    'heads/main',
    'refs/heads/main',
    'v1.0',
    'tags/v1.0',
    'pull/7/head',
    'HEAD~3',
    'HEAD~',
    'HEAD^',
    'octopus^2',
    'octopus^3~1',
    'octopus^1^',
    'HEAD^0',
    'v1.0~1',
    'v1.0^{}',
    'of-a-tag^{}',
    'of-a-tag^{tag}',
    'v1.0^{commit}',
    'of-a-tree^{tree}',
    'HEAD^{tree}',
    'light^2~1',
    '5599d895f790cfd1678a3b5743b090c63926003c',
    '5599d895f7',
    '5599D8',
    '5599D895F790CFD1678A3B5743B090C63926003C',
    'v1.0^{object}',
    'main^{object}',
    'v1-3-g5599d895',
    'any-words-12-g5599d89^',
    ':/Merge',
    ':/spaces before',
    ':/^Com+it (3|4)',
    ':/!-Commit',
    'main^{/Merge}',
    'v1.0^{/^F.*t}~0',
    'main^{/!-Commit}^',
  ]
  expect(revisions.map((revision) => `${repository.resolve(revision)}\n`).join('')).toBe(
    git('rev-parse', ...revisions),
  )
})

test.each([
  ['nowhere', 'there is no such ref or object'],
  ['HEAD~400', 'there is nothing at ~400'],
  ['HEAD^2', 'there is nothing at ^2'],
  ['of-a-tree^{commit}', 'it is not a commit'],
  ['', 'there is no such ref or object'],
  ['0123', 'there is no such ref or object'],
])('The revision %j is not found', (revision, message) => {
  expect(() => repository.resolve(revision)).toThrow(
    expect.objectContaining({
      code: 'git-revision-not-found',
      message: `${JSON.stringify(revision)}: ${message}`,
    }),
  )
})

test('Ids are shortened as git shortens them', () => {
  const abbreviate = createAbbreviator(repository.objects)
  const oids = git('rev-list', '--all').trimEnd().split('\n')
  expect(oids.map((oid) => `${abbreviate(oid)}\n`).join('')).toBe(
    git('log', '--all', '--format=%h'),
  )
})

test('A walk sees what git ls-tree lists', async () => {
  const entries = await listOf(repository.walk('octopus'))
  const lines = entries.map(({ mode, type, oid, path }) => `${mode} ${type} ${oid}\t${path}\0`)
  expect(lines.join('')).toBe(git('ls-tree', '-r', '-t', '-z', 'octopus'))
  expect(entries.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['tree', 'blob', 'commit']),
  )
})

test('A file is read as git cat-file prints it', async () => {
  const content = await repository.readFile('main', 'all.bin')
  expect(content).toEqual(gitBytes(history.directory, ['cat-file', 'blob', 'main:all.bin']))
  expect(content.length).toBe(512)
  expect(await repository.readFile('main', 'thing/inside')).toEqual(Buffer.from('a file\n'))
})

test.each([
  ['old', 'a folder'],
  ['vendor/spout', 'a submodule'],
  ['nowhere', 'nothing'],
  ['README.md/nowhere', 'nothing'],
])('There is no file to read at %s', async (path, found) => {
  await expect(repository.readFile('main', path)).rejects.toThrow(
    expect.objectContaining({
      code: 'git-path-not-found',
      place: { entry: repository.name },
      value: path,
      message: `expected a file at ${JSON.stringify(path)}, found ${found}`,
    }),
  )
})

test('Refs are those of git show-ref, and HEAD', async () => {
  const refs = await listOf(repository.refs())
  const lines = refs
    .filter(({ name }) => name !== 'HEAD')
    .map(({ oid, name }) => `${oid} ${name}\n`)
  expect(lines.join('')).toBe(git('show-ref'))
  expect(refs.find(({ name }) => name === 'HEAD')?.target).toBe('refs/heads/main')
})

test('Everything that refs lead to is reached once, and nothing is missing', async () => {
  let counted = 0
  const refs = [...readRefs(history.database, 'ada/kettle')]
  const done = (count: number) => {
    counted = count
  }
  const walk = walkObjects(repository.objects, refs, { done })
  expect(await listOf(walk)).toEqual([])
  expect(counted).toBe(git('rev-list', '--all', '--objects').trimEnd().split('\n').length)
})

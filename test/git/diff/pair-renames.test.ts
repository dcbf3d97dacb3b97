import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { compareParents, compareTrees } from '../../../src/git/diff/compare-trees.ts'
import type { Change } from '../../../src/git/diff/pair-renames.ts'
import { readCommit } from '../../../src/git/history/walk-commits.ts'
import { openRepository, type Repository } from '../../../src/git/open-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { oidOf, packOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { gitText } from '../../support/git-history.ts'
import { makeBare } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'

let folder: string
let directory: string
let database: Database
let repository: Repository

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'renames-'))
  directory = join(folder, 'archive/repositories/ada/kettle.git')
  makeBare(directory)
  const quietly = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet']
  gitText(directory, quietly, makeHistory(200))
  const path = join(folder, 'it.db')
  await loadArchive(join(folder, 'archive'), path)
  database = openDatabase(path)
  repository = openRepository(database, 'ada/kettle')
})

afterAll(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const git = (args: string[], input = '') => gitText(directory, args, input)

/** Numbers that look like chance and are the same each time. */
function openChance(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const one = <T>(of: readonly T[]) => of[below(of.length)] as T
  return { below, one }
}

const WORDS = ['kettle', 'spout', 'steam', 'boil', 'cool', 'copper', 'lid', 'heat', 'valve']

/** Files that move, change, become others and fall together, with a merge now and then that does so, too. */
function makeHistory(commits: number): string {
  const { below, one } = openChance(7)
  const line = () =>
    `${Array.from({ length: below(12) }, () => one(WORDS)).join(' ')} ${below(99)}${one(['\n', '\n', '\r\n'])}`
  const lines = (count: number) => Array.from({ length: count }, line)
  const made = () => [...lines(one([0, 1, 3, 8, 30])), ...one([[], [], ['\0 no text\n']])]
  const edited = (content: readonly string[]) =>
    content.flatMap((text) => one([[text], [text], [text], [line()], [], [text, line()]]))
  const path = () => `${one(['a', 'a/b', 'src', 'lib/x'])}/${one(['one', 'two', 'main.c', 'of.c'])}`
  const files = new Map<string, string[]>()
  const change = () => {
    const [name, content] = one([...files, ['', []] as const])
    const what = below(10)
    if (name === '' || what > 7) files.set(path(), made())
    else {
      files.delete(name)
      if (what > 0) files.set(path(), what > 5 ? [...content] : edited(content))
    }
  }
  const stream: string[] = []
  for (let mark = 1; mark <= commits; mark++) {
    for (let i = below(8); i >= 0; i--) change()
    const merge = mark > 20 && below(4) === 0 ? `merge :${mark - 2 - below(15)}\n` : ''
    stream.push(
      `commit refs/heads/main\nmark :${mark}\ncommitter Ada <ada@forge.example> ${1_400_000_000 + mark} +0000\n`,
      `data 0\n${mark > 1 ? `from :${mark - 1}\n` : ''}${merge}deleteall\n`,
      ...[...files].map(([name, content]) => {
        const text = content.join('')
        return `M 100644 inline ${name}\ndata ${text.length}\n${text}\n`
      }),
      '\n',
    )
  }
  return stream.join('')
}

const statusOf = ({ status, path, before, similarity = 0 }: Change) =>
  status === 'R'
    ? `R${String(similarity).padStart(3, '0')}\t${before?.path}\t${path}\n`
    : `${status}\t${path}\n`

describe('Renamed files', () => {
  test('are those of git diff-tree, as similar as it says', () => {
    const { objects } = repository
    const oids = git(['rev-list', '--all']).trimEnd().split('\n')
    const pairs = oids.flatMap((oid) => {
      const { tree, parents } = readCommit(objects, oid)
      return parents.map((parent) => [readCommit(objects, parent).tree, tree] as const)
    })
    const heads = pairs.map((trees) => `${trees.join(' ')}\n`)
    const theirs = git(['diff-tree', '-r', '-M', '--name-status', '--stdin'], heads.join(''))
    const mine = pairs.map((trees, i) => [
      heads[i],
      ...compareTrees(objects, ...trees).map(statusOf),
    ])
    expect(mine.flat().join('')).toBe(theirs)
    expect(theirs.match(/^R0(?!00)\d\d/gm)?.length).toBeGreaterThan(40)
  })

  test('of a merge are those of git show, with a letter for each parent', THOROUGH, () => {
    const { objects } = repository
    const merges = git(['rev-list', '--all', '--merges']).trimEnd().split('\n')
    const theirs = git(['show', '--format=%H', '--name-status', ...merges])
    const mine = merges.map((oid) => {
      const { tree, parents } = readCommit(objects, oid)
      const trees = parents.map((parent) => readCommit(objects, parent).tree)
      const changes = compareParents(objects, trees, tree)
      return [oid, ...changes.map(({ status, path }) => `${status}\t${path}`)]
    })
    expect(mine.flat()).toEqual(theirs.split('\n').filter((line) => line !== ''))
    expect(theirs).toMatch(/^(MM|AA|RR|MR|RA|AR|RM)\t/m)
  })
})

const text = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i}\n`).join('')

/** Compares two trees of files, one of which may be missing. */
async function compared(
  before: Record<string, string>,
  after: Record<string, string>,
  { missing, size }: { missing?: string; size?: number } = {},
) {
  const contents = new Set([...Object.values(before), ...Object.values(after)])
  const oids = new Map([...contents].map((content) => [content, oidOf('blob', content)]))
  const trees = [before, after].map((files) =>
    treeOf(
      ...Object.entries(files).map(
        ([name, content]) => ['100644', name, oids.get(content) as string] as const,
      ),
    ),
  )
  const blobs = [...contents].filter((one) => one !== missing)
  const { database } = await loaded(
    repositoryOf('ada/pot', {
      ...packOf([
        ...trees.map((content) => ({ type: 'tree' as const, content })),
        ...blobs.map((content) => ({ type: 'blob' as const, content, ...(size && { size }) })),
      ]),
    }),
  )
  const { objects } = openRepository(database, 'ada/pot')
  const [one, other] = trees.map((tree) => oidOf('tree', tree))
  return [...compareTrees(objects, one, other)].map(statusOf).join('')
}

describe('A file that is gone and one that came', () => {
  test('are one where half of the larger is the same', async () => {
    expect(await compared({ a: text(10, 50) }, { b: text(10, 30) })).toBe('R050\ta\tb\n')
    expect(await compared({ a: text(10, 51) }, { b: text(10, 30) })).toBe('D\ta\nA\tb\n')
  })

  test('are two where the contents of one are missing', async () => {
    const gone = text(0, 50)
    expect(await compared({ a: gone }, { b: `${gone}more\n` }, { missing: gone })).toBe(
      'D\ta\nA\tb\n',
    )
  })

  test(
    'G4: are two where they say to be larger than what is compared, and are not read',
    THOROUGH,
    async () => {
      const files = [{ a: text(0, 50) }, { b: text(0, 51) }] as const
      expect(await compared(...files)).toMatch(/^R/)
      expect(await compared(...files, { size: 2 ** 30 })).toBe('D\ta\nA\tb\n')
    },
  )

  test(
    'are two where more than a thousand others would have to be compared with as many',
    THOROUGH,
    async () => {
      const named = (letter: string, count: number) =>
        Object.fromEntries(
          Array.from({ length: count }, (_, i) => [`${letter}${1000 + i}`, text(0, 4)]),
        )
      const [before, after] = [named('a', 1001), named('b', 1001)]
      const unlike = Object.fromEntries(
        Object.entries(after).map(([name, content]) => [name, `${content}!\n`]),
      )
      expect(await compared(before, unlike)).not.toMatch(/^R/m)
    },
  )
})

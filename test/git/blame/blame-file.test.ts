import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlamedLines, blameFile, type LineRange } from '../../../src/git/blame/blame-file.ts'
import { indexCommits } from '../../../src/git/history/index-commits.ts'
import { createPathIndex } from '../../../src/git/history/path-index.ts'
import { openRepository, type Repository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { everyDay } from '../../support/thorough.ts'

const START = 1_500_000_000

/** Numbers from 0 up to `limit`, the same ones each time. */
function createDice(seed: number) {
  let state = seed
  return (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

/** A history of merges, renames and edits, some at the same time, for git fast-import, in Latin-1. */
function randomHistory(seed: number): string {
  const dice = createDice(seed)
  const branches = [
    { lines: Array.from({ length: 30 }, (_, i) => `line ${i}`), name: 'dir/caf\xe9.txt', from: 1 },
  ]
  const out: string[] = []
  const commit = (mark: number, from: string, changes: string) =>
    out.push(
      `commit refs/heads/random${seed}\nmark :${mark}\ncommitter Ada <a@forge.example> ${START + mark - dice(3)} +0000\n` +
        `data 6\nChange\n${from}${changes}\n`,
    )
  const fileOf = ({ lines, name }: { lines: string[]; name: string }) => {
    const text = lines.join('\n') + (dice(2) > 0 ? '\n' : '')
    return `deleteall\nM 100644 inline "${name.replace('\xe9', '\\351')}"\ndata ${text.length}\n${text}\n`
  }
  const edit = (lines: string[], mark: number) => {
    for (let n = 1 + dice(3); n > 0; n--) {
      const text = dice(3) > 0 ? `new ${mark} ${dice(4)}` : `line ${dice(30)}`
      lines.splice(dice(lines.length + 1), dice(3), ...(dice(4) > 0 ? [text] : [text, '']))
    }
  }
  commit(1, '', fileOf(branches[0] as never))
  for (let mark = 2; mark < 60; mark++) {
    const at = dice(branches.length)
    const branch = { ...(branches[at] as (typeof branches)[number]) }
    branch.lines = [...branch.lines]
    const other =
      branches.length > 1 && dice(3) === 0 ? branches[(at + 1) % branches.length] : undefined
    edit(branch.lines, mark)
    if (other) branch.lines.splice(dice(20), 4, ...other.lines.slice(dice(10), 10 + dice(15)))
    if (dice(8) === 0) branch.name = `${dice(2) > 0 ? 'dir' : 'x'}/file${mark}`
    if (mark === 59) branch.name = 'last.txt'
    const merge = other ? `merge :${other.from}\n` : ''
    commit(mark, `from :${branch.from}\n${merge}`, fileOf(branch))
    branch.from = mark
    if (branches.length < 3 && dice(3) === 0) branches.push(branch)
    else branches[at] = branch
  }
  return out.join('')
}

let history: GitHistory
let repository: Repository

beforeAll(async () => {
  history = await gitHistory((directory) => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      gitText(directory, ['fast-import', '--quiet', '--force'], randomHistory(seed))
    }
  })
  await indexCommits(history.path, { files: true })
  repository = openRepository(history.database, 'ada/kettle')
})

afterAll(() => history.close())

/** The lines as found from trees, and equal from an index of the path. */
function blame(path: string, revision: string, ranges?: readonly LineRange[]): string[] {
  const { name, objects, resolve } = repository
  const pathIndex = createPathIndex(history.database, name, objects, [path])
  expect(pathIndex).toBeDefined()
  const linesOf = (given: Parameters<typeof blameFile>[3]) =>
    blameFile(objects, resolve(revision, 'commit'), path, given).flatMap(
      ({ oid, originalLine, line, count, ...one }: BlamedLines) =>
        Array.from(
          { length: count },
          (_, i) => `${oid} ${originalLine + i} ${line + i} ${one.path}`,
        ),
    )
  const lines = linesOf({ ranges })
  expect(linesOf({ ranges, pathIndex })).toEqual(lines)
  return lines
}

function gitBlame(path: string, revision: string, ...args: string[]): string[] {
  const given = ['-c', 'core.quotePath=false', 'blame', '--line-porcelain', ...args, revision]
  const lines: string[] = []
  let head = ''
  for (const line of gitText(history.directory, [...given, '--', path]).split('\n')) {
    head = /^[0-9a-f]{40} \d+ \d+/.exec(line)?.[0] ?? head
    if (line.startsWith('filename ')) lines.push(`${head} ${line.slice(9)}`)
  }
  return lines
}

describe('The lines and their commits are those of git blame:', () => {
  everyDay(2)([
    ['x/cool.c', 'main'],
    ['long.txt', 'main'],
    ['link', 'main'],
    ['empty', 'v1.0'],
    ['all.bin', 'main'],
    ['README.md', 'main'],
    ['old/boil.c', 'octopus'],
    ['thing/inside', 'main'],
    ['q/three', 'main'],
  ])('%s at %s', (path, revision) => {
    expect(blame(path, revision)).toEqual(gitBlame(path, revision))
  })

  everyDay(1)([1, 2, 3, 4, 5, 6])('a random history of merges and renames, %d', (seed) => {
    const branch = `random${seed}`
    const expected = gitBlame('last.txt', branch)
    expect(blame('last.txt', branch)).toEqual(expected)
    expect(new Set(expected.map((line) => line.slice(0, 40))).size).toBeGreaterThan(5)
  })

  test('in ranges', () => {
    const ranges = [
      { first: 3, last: 9 },
      { first: 390, last: 420 },
    ]
    const expected = gitBlame('long.txt', 'main', '-L3,9', '-L390,420')
    expect(blame('long.txt', 'main', ranges)).toEqual(expected)
  })
})

test('A commit without parents is the boundary', () => {
  const oid = repository.resolve('main', 'commit')
  const lines = blameFile(repository.objects, oid, 'long.txt')
  expect(new Set(lines.map(({ isBoundary }) => isBoundary))).toEqual(new Set([true, false]))
})

test.each([
  ['old', 'found a folder'],
  ['vendor/spout', 'found a submodule'],
  ['none', 'found nothing'],
])('%s is no file', (path, message) => {
  expect(() => blame(path, 'main')).toThrow(
    expect.objectContaining({
      code: 'git-path-not-found',
      message: expect.stringContaining(message),
    }),
  )
})

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLineDiffer, type LineChange } from '../../../src/git/diff/diff-lines.ts'
import { type DiffOptions, diffTrees, type FilePatch } from '../../../src/git/diff/diff-trees.ts'
import {
  createPatchFormatter,
  type PatchOptions,
  quotePath,
} from '../../../src/git/diff/format-patch.ts'
import { layOutStat, statsOf, sumStat } from '../../../src/git/diff/format-stat.ts'
import { splitLines } from '../../../src/git/diff/text-lines.ts'
import { readCommit, walkCommits } from '../../../src/git/history/walk-commits.ts'
import { openRepository, type Repository } from '../../../src/git/open-repository.ts'
import { readRefs } from '../../../src/git/refs/read-refs.ts'
import { oidOf, packOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { type GitHistory, gitBytes, gitHistory, gitText } from '../../support/git-history.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

let history: GitHistory
let repository: Repository

beforeAll(async () => {
  history = await gitHistory()
  repository = openRepository(history.database, 'ada/kettle')
})

afterAll(() => history.close())

async function patch(
  before: string | undefined,
  after: string | undefined,
  options: DiffOptions & PatchOptions = {},
): Promise<Buffer> {
  const format = createPatchFormatter(repository.objects, options)
  const pieces: Buffer[] = []
  for await (const file of diffTrees(repository.objects, before, after, options)) {
    pieces.push(...format(file))
  }
  return Buffer.concat(pieces)
}

const tree = (revision: string) => repository.resolve(revision, 'tree')

describe('patches', () => {
  everyDay(1)([3, 0, 9])(
    'with %d lines of context are those of git log -p for every commit',
    async (context) => {
      const format = [
        'log',
        '-p',
        '-m',
        '--first-parent',
        '--all',
        '--format=commit %H',
        `-U${context}`,
      ]
      const expected = new Map(
        gitBytes(history.directory, [...format, '--abbrev=7'])
          .toString('latin1')
          .split(/^commit (?=[0-9a-f]{40}$)/m)
          .slice(1)
          .map((text) => [text.slice(0, 40), text.slice(41).replace(/^\n/, '')]),
      )
      const refs = [...readRefs(history.database, 'ada/kettle')]
      const tips = refs.flatMap(({ oid, peeled }) => peeled ?? oid ?? [])
      const from = tips.filter((oid) => repository.objects.stream(oid).type === 'commit')
      let compared = 0
      for (const commit of walkCommits(repository.objects, from)) {
        const [parent] = commit.parents
        const before = parent && readCommit(repository.objects, parent).tree
        const found = (await patch(before, commit.tree, { context })).toString('latin1')
        expect(found, commit.oid).toBe(expected.get(commit.oid))
        compared++
      }
      expect(compared).toBe(expected.size)
      expect(compared).toBeGreaterThan(45)
    },
  )

  everyDay(2)([
    ['main~40', 'main'],
    ['main', 'main~40'],
    ['other-root', 'octopus'],
    ['topic', 'main~37'],
  ])('from %s to %s are taken by git apply', async (one, other) => {
    const index = join(history.directory, 'index')
    const git = (args: string[], input?: Buffer) =>
      gitText(history.directory, args, input?.toString('latin1'))
    try {
      git(['read-tree', tree(one)])
      git(['apply', '--cached', '-'], await patch(tree(one), tree(other), { binary: true }))
      expect(git(['write-tree']).trim()).toBe(tree(other))
    } finally {
      rmSync(index, { force: true })
    }
  })

  test('of a tree with itself are empty', async () => {
    expect(await patch(tree('main'), tree('main'))).toHaveLength(0)
  })

  test('quote paths as Git does', () => {
    expect(quotePath('a/b c.txt')).toBe('a/b c.txt')
    expect(quotePath('a"\\\t\n\x01\x7f\xe4~')).toBe('"a\\"\\\\\\t\\n\\001\\177\\344~"')
  })
})

async function collect(files: AsyncIterable<FilePatch>): Promise<FilePatch[]> {
  const found: FilePatch[] = []
  for await (const file of files) found.push(file)
  return found
}

describe('a file patch', () => {
  const files = async (one: string, other: string): Promise<FilePatch[]> =>
    collect(diffTrees(repository.objects, tree(one), tree(other)))

  test('has counts, and lines with their numbers', async () => {
    const [gone] = (await files('v1.0', 'other-root')).filter(
      ({ change }) => change.path === 'README.md',
    )
    const found = (await files('v1.0~1', 'v1.0')).find(({ change }) => change.path === 'README.md')
    expect(gone?.change.status).toBe('D')
    expect(found).toMatchObject({ isText: true, inserted: 2, deleted: 0, sizes: [9, 17] })
    const [hunk] = found?.hunks ?? []
    expect(hunk).toMatchObject({ oldStart: 1, oldLines: 1, newStart: 1, newLines: 3 })
    const lines = [...(hunk?.lines() ?? [])].map(({ bytes, ...line }) => [
      ...Object.values(line),
      bytes.toString(),
    ])
    expect(lines).toEqual([
      ['context', 1, 1, '# Kettle\n'],
      ['inserted', undefined, 2, '\n'],
      ['inserted', undefined, 3, 'Boils.\n'],
    ])
  })

  test('of a changed type is a deletion and an addition', async () => {
    const found = await files('topic~1', 'topic')
    const link = found.filter(({ change }) => change.path === 'link')
    expect(link.map(({ change }) => change.status)).toEqual(['D', 'A'])
  })

  test('of a missing object throws', THOROUGH, async () => {
    const gone = oidOf('blob', Buffer.from('gone'))
    const content = treeOf(['100644', 'gone', gone])
    const { database } = await loaded(repositoryOf('ada/pot', packOf([{ type: 'tree', content }])))
    const { objects } = openRepository(database, 'ada/pot')
    const reading = collect(diffTrees(objects, undefined, oidOf('tree', content)))
    await expect(reading).rejects.toMatchObject({ code: 'git-object-missing' })
  })
})

describe('statistics', () => {
  const stat = (old: string, path: string, inserted = 1, deleted = 0) => {
    const state = (name: string) => ({ path: name, bytes: name, mode: '100644', oid: name })
    const change = { status: 'R', path, before: state(old), after: state(path) } as const
    return { change, isText: true, inserted, deleted, sizes: [1, 1], hunks: [] } as const
  }

  test.each([
    ['src/a.ts', 'src/b.ts', 'src/{a.ts => b.ts}'],
    ['a/x.ts', 'b/x.ts', '{a => b}/x.ts'],
    ['a.ts', 'b.ts', 'a.ts => b.ts'],
    ['src/x.ts', 'src/lib/x.ts', 'src/{ => lib}/x.ts'],
    ['src/lib/x.ts', 'src/x.ts', 'src/{lib => }/x.ts'],
    ['a/b/c', 'a/b/b/c', 'a/b/{ => b}/c'],
  ])('of %s renamed to %s name it %s', (old, path, name) => {
    expect([...statsOf([stat(old, path)])].map((one) => one.name)).toEqual([name])
  })

  test('cut names and scale bars to the width', () => {
    const stats = [...statsOf([stat('x', `${'long/'.repeat(20)}x`, 300, 1), stat('y', 'y', 1, 1)])]
    const rows = layOutStat(stats, { width: 40 })
    for (const { text, inserted, deleted } of rows) {
      expect(`${text}${inserted}${deleted}`.length).toBeLessThanOrEqual(40)
      expect([inserted, deleted]).not.toContain('')
    }
    expect(rows[0]?.text).toMatch(/^ \.\.\.\//)
    expect(sumStat(stats)).toBe(' 2 files changed, 301 insertions(+), 2 deletions(-)')
  })
})

describe('lines', () => {
  const linesOf = (texts: readonly string[]) => splitLines(Buffer.from(texts.join('\n')))

  test('that changed lead from one version to the other', async () => {
    const differ = createLineDiffer()
    const line = fc.constantFrom('', '{', '}', 'one', '  two', '  two', '\tthree', 'four')
    const version = fc.array(line, { maxLength: 30 })
    fc.assert(
      fc.property(version, version, (old, now) => {
        const [before, after] = [linesOf(old), linesOf(now)]
        const changes = differ(before, after)
        expect(applied(before, after, changes)).toBe(after.content.toString())
      }),
    )
  })

  test('of ten thousand all of which differ are compared in time linear in their number', () => {
    const differ = createLineDiffer()
    expectLinear((count) => {
      const texts = (word: string) =>
        linesOf(Array.from({ length: count }, (_, i) => `${word} ${i}`))
      const [old, now] = [texts('old'), texts('new')]
      return () =>
        expect(differ(old, now)).toEqual([
          { oldStart: 0, oldEnd: count, newStart: 0, newEnd: count },
        ])
    }, 10_000)
  })

  test('beyond the limit of work all count as changed', async () => {
    const differ = createLineDiffer(100)
    const mixed = (factor: number) =>
      Array.from({ length: 1_009 }, (_, i) => `line ${(i * factor) % 1_009}`)
    const changes = differ(linesOf(['same', ...mixed(3)]), linesOf(['same', ...mixed(5)]))
    // The line after `same` is line 0 in both.
    expect(changes).toEqual([{ oldStart: 2, oldEnd: 1_010, newStart: 2, newEnd: 1_010 }])
  })
})

function applied(
  before: ReturnType<typeof splitLines>,
  after: ReturnType<typeof splitLines>,
  changes: readonly LineChange[],
): string {
  const slice = ({ content, starts }: typeof before, from: number, to: number) =>
    content.subarray(starts[from], starts[to]).toString()
  let [text, at] = ['', 0]
  for (const { oldStart, oldEnd, newStart, newEnd } of changes) {
    text += slice(before, at, oldStart) + slice(after, newStart, newEnd)
    at = oldEnd
  }
  return text + slice(before, at, before.count)
}

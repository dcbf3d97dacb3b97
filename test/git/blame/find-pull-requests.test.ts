import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { findPullRequests } from '../../../src/git/blame/find-pull-requests.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'

type Plan = readonly [branch: string, at: number, message: string, from: string, path: string]

// Two commits that were rebased, a squash, and a merge within a branch that was merged.
const PLANS: readonly Plan[] = [
  ['rebase', 1_500_000_000, 'One', 'refs/heads/side^0', 'r1'],
  ['rebase', 1_500_000_001, 'Two', ':1', 'r2'],
  ['next', 1_500_000_100, 'Before', 'refs/heads/main^0', 'a'],
  ['next', 1_500_000_000, 'One', ':3', 'r1'],
  ['next', 1_500_000_001, 'Two', ':4', 'r2'],
  ['next', 1_500_000_200, 'All of it (#12)', ':5', 'b'],
  ['next', 1_500_000_300, 'Nothing of ours (#99)', ':6', 'c'],
  ['inner', 1_500_000_310, 'Inner', ':7', 'd'],
  ['outer', 1_500_000_320, 'Outer', ':7', 'e'],
  ['outer', 1_500_000_330, 'Join', ':9\nmerge :8', 'd'],
  ['next', 1_500_000_340, 'Land', ':7\nmerge :10', 'f'],
]

const MORE = PLANS.map(
  ([branch, at, message, from, path], i) =>
    `commit refs/heads/${branch}\nmark :${i + 1}\nauthor Ada <ada@forge.example> ${at} +0000\n` +
    `committer Bo <bo@forge.example> ${at + i} +0000\n` +
    `data ${message.length}\n${message}\nfrom ${from}\nM 100644 inline ${path}\ndata 1\nx\n\n`,
).join('')

let history: GitHistory
beforeAll(async () => {
  history = await gitHistory((directory) => {
    gitText(directory, ['fast-import', '--quiet'], MORE)
  })
  const writable = openDatabase(history.path, { readonly: false })
  const insert = writable.prepare(
    `INSERT INTO pull_requests (repository, url, title, base, head, merge_commit_sha, merged_at)
     VALUES ('https://forge.example/ada/kettle', ?, ?, ?, ?, ?, ?)`,
  )
  const merges = gitText(history.directory, ['rev-list', '--merges', '--reverse', 'main'])
  const [topic = ''] = merges.split('\n')
  const plans: [number, string, string | null, boolean][] = [
    [1, 'topic', topic, true],
    [7, 'refs/pull/7/head', oid('main'), false],
    [10, 'rebase', oid('next~3'), true],
    [12, 'side', null, true],
    [20, 'inner', oid('outer'), true],
    [21, 'outer', oid('next'), true],
  ]
  for (const [number, head, merge, isMerged] of plans) {
    const shas = [JSON.stringify({ sha: oid('v1.0~1') }), JSON.stringify({ sha: oid(head) })]
    const url = `https://forge.example/ada/kettle/pull/${number}`
    insert.run(url, `Title ${number}`, ...shas, merge, isMerged ? '2024-01-01T00:00:00Z' : null)
  }
  writable.close()
})
afterAll(() => history.close())

const known = new Map<string, string>()
function oid(revision: string): string {
  const found =
    known.get(revision) ?? gitText(history.directory, ['rev-parse', `${revision}^{commit}`]).trim()
  known.set(revision, found)
  return found
}

const find = (revision: string, tip: string) => {
  const { objects } = openRepository(history.database, 'ada/kettle')
  const wanted = new Set([oid(revision)])
  const found = findPullRequests(history.database, 'ada/kettle', objects, oid(tip), wanted)
  const one = found.get(oid(revision))
  return one && `${one.number} ${one.found_by}: ${one.title}`
}

describe('A commit was brought by', () => {
  test.each([
    ['the pull request that it merged', 'next', 'next', '21 merge commit: Title 21'],
    ['the one whose head it is', 'topic', 'main', '1 head: Title 1'],
    ['the one with whose branch it came', 'topic~1', 'main', '1 branch: Title 1'],
    ['an open one, in its branch', 'refs/pull/7/head', 'refs/pull/7/head', '7 head: Title 7'],
    ['the one whose commit was rebased', 'next~4', 'next', '10 branch: Title 10'],
    ['the one that its title names', 'next~2', 'next', '12 title: Title 12'],
    ['the inner one of two', 'inner', 'next', '20 head: Title 20'],
    ['the outer one of two', 'outer~1', 'next', '21 branch: Title 21'],
  ])('%s', (_, revision, tip, expected) => {
    expect(find(revision, tip)).toBe(expected)
  })

  test.each([
    ['it is on the main branch', 'v1.0', 'main'],
    ['its title names one that is not there', 'next~1', 'next'],
    ['it was a test merge', 'main', 'main'],
    ['it came before the rebased ones', 'next~5', 'next'],
  ])('none if %s', (_, revision, tip) => {
    expect(find(revision, tip)).toBeUndefined()
  })
})

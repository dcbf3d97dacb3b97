import { expect, test } from 'vitest'
import { PLAIN_STYLES } from '../../../src/cli/output/styles.ts'
import { changedNames, describeChange } from '../../../src/cli/reports/describe-change.ts'
import type { Change } from '../../../src/transform/diff/diff-options.ts'

const STYLE = { styles: PLAIN_STYLES, context: 3, byWord: false }

const linesOf = async (change: Pick<Change, 'members' | 'commits'>) => {
  const lines = await describeChange(
    { kind: 'refs', url: 'x', change: 'changed', ...change },
    STYLE,
  )
  return lines.slice(1).map(String)
}

test('A moved ref shows how many commits it gained and lost, and those that are listed', async () => {
  const commit = { oid: '0123456789abcdef', author: 'Ada', date: null }
  const commits: Change['commits'] = {
    added: 1200,
    removed: 1,
    list: [
      { ...commit, change: 'removed', subject: 'Old\x1b[2J' },
      { ...commit, change: 'added', subject: 'New' },
    ],
  }
  expect(await linesOf({ members: { oid: { before: '1', after: '2' } }, commits })).toEqual([
    '    oid: "1" → "2"',
    '    commits: +1,200 -1',
    '      - 0123456789 Old\\x1b[2J',
    '      + 0123456789 New',
    '      … and 1,199 more',
  ])
  const change = { kind: 'refs', url: 'x', change: 'changed', members: { oid: {} } } as const
  expect(String(changedNames({ ...change, commits }))).toBe(' (oid, commits: +1,200 -1)')
})

test('A list shows its elements that are new or gone, or only says that their order is another', async () => {
  const members: Change['members'] = {
    labels: { before: ['a', 'b'], after: ['b', 'c'], removed: ['a'], added: ['c'] },
    'assignees.(order)': { before: ['a', 'b'], after: ['b', 'a'] },
    '(order)': { before: ['title', 'body'], after: ['body', 'title'] },
  }
  expect(await linesOf({ members })).toEqual([
    '    labels:',
    '      - "a"',
    '      + "c"',
    '    assignees: in another order',
    '    members: in another order',
  ])
})

test('A member between others is no other order of them', async () => {
  const between = { before: ['url', 'title'], after: ['url', 'name', 'title'] }
  const members = { name: { after: 'Ada' }, '(order)': between }
  expect(await linesOf({ members })).toEqual(['    name: (absent) → "Ada"'])
  const change = { kind: 'users', url: 'x', change: 'changed', members } as const
  expect(String(changedNames(change))).toBe(' (name)')
})

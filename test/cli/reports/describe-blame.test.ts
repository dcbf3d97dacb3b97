import { expect, test } from 'vitest'
import { describeBlame } from '../../../src/cli/reports/describe-blame.ts'
import type { BlamedLine } from '../../../src/reading/git/blame.ts'

const person = { name: 'Ada', email: 'a@forge.example', seconds: 1_700_000_000, zone: '+0000' }
const commit = { oid: 'abcdef12'.repeat(5), tree: '', parents: [], message: '' }
const line: BlamedLine = {
  line: 9,
  originalLine: 1,
  path: 'old.txt',
  isBoundary: true,
  text: 'x\x1b[31m',
  commit: { ...commit, author: person, committer: person },
  brought: { number: 7, url: '', title: null, found_by: 'title' },
  threads: [
    {
      url: '',
      number: 7,
      user_login: null,
      body: ' Two\nlines\x1b[31m ',
      comments: 3,
      resolved_at: '2024-01-01T00:00:00Z',
    },
  ],
}

test('Lines of a renamed file have its path, and a pull request that only a title names has a question mark', () => {
  const lines = [line, { ...line, line: 10, path: 'f', brought: undefined, threads: [] }]
  const io = { stdout: { isTTY: false }, env: {} }
  const text = [...describeBlame(lines, 'f', (oid) => oid.slice(0, 7), io as never)].join('')
  expect(text).toBe(`^abcdef1 old.txt #7? (Ada 2023-11-14  9) x\\x1b[31m
    > (deleted) on #7: Two lines\\x1b[31m, 2 replies, resolved
^abcdef1 f           (Ada 2023-11-14 10) x\\x1b[31m
`)
})

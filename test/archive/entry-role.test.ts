import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type EntryRole, pathOf, roleOf } from '../../src/archive/entry-role.ts'
import { codePoint } from '../support/code-point.ts'

const examples: [path: string, role: EntryRole][] = [
  ['schema.json', { role: 'schema' }],
  ['urls.json', { role: 'urls' }],
  ['audit_log.csv', { role: 'audit-log' }],
  ['folder/audit_log.csv', { role: 'unknown', path: 'folder/audit_log.csv' }],
  ['issues_000001.json', { role: 'records', stem: 'issues', suffix: '000001' }],
  ['pull_requests_000012.json', { role: 'records', stem: 'pull_requests', suffix: '000012' }],
  ['issues_1.json', { role: 'records', stem: 'issues', suffix: '1' }],
  ['users_000001(2).json', { role: 'records', stem: 'users', suffix: '000001(2)' }],
  ['Old_issues_000001.json', { role: 'records', stem: 'Old_issues', suffix: '000001' }],
  ['repositories/o/r.git/HEAD', { role: 'git', repository: 'o/r', path: 'HEAD' }],
  ['repositories/o/r.wiki.git/refs/x', { role: 'git', repository: 'o/r.wiki', path: 'refs/x' }],
  ['repositories/o/r.git/a.git/b', { role: 'git', repository: 'o/r', path: 'a.git/b' }],
  ['attachments/12/a.png', { role: 'attachment', id: '12', name: 'a.png' }],
  ['attachments/12/a\r\nb.png', { role: 'attachment', id: '12', name: 'a\r\nb.png' }],
  ['attachments/o/r/a.png', { role: 'attachment', id: 'o', name: 'r/a.png' }],
  ['repository_files/34/b.pdf', { role: 'repository-file', id: '34', name: 'b.pdf' }],
  ['releases/1/app.zip', { role: 'release-asset', id: '1', name: 'app.zip' }],
  ['git-lfs/o/r/ab/cd', { role: 'lfs', path: 'o/r/ab/cd' }],
  ['repositories/o/r.git/', { role: 'directory', path: 'repositories/o/r.git/' }],
  ['attachments/12/._a.png', { role: 'unknown', path: 'attachments/12/._a.png' }],
  ['repositories/o/r.git/._HEAD', { role: 'unknown', path: 'repositories/o/r.git/._HEAD' }],
  ['README.md', { role: 'unknown', path: 'README.md' }],
  ['issues.json', { role: 'unknown', path: 'issues.json' }],
  ['folder/issues_000001.json', { role: 'unknown', path: 'folder/issues_000001.json' }],
  ['1issues_000001.json', { role: 'unknown', path: '1issues_000001.json' }],
  ['is"sues_000001.json', { role: 'unknown', path: 'is"sues_000001.json' }],
  ['', { role: 'unknown', path: '' }],
]

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/)
const suffix = fc.nat(999_999).map((n) => String(n).padStart(6, '0'))
const file = fc.array(word, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))

const roles: fc.Arbitrary<EntryRole> = fc.oneof(
  fc.constantFrom<EntryRole>({ role: 'schema' }, { role: 'urls' }),
  fc.record({ role: fc.constant('records' as const), stem: word, suffix }),
  fc.record({
    role: fc.constant('git' as const),
    repository: fc.tuple(word, word).map((names) => names.join('/')),
    path: file,
  }),
  fc.record({
    role: fc.constantFrom(
      'attachment' as const,
      'repository-file' as const,
      'release-asset' as const,
    ),
    id: word,
    name: file,
  }),
  fc.record({ role: fc.constant('lfs' as const), path: file }),
)

// Pieces of real paths, put together in any way.
const paths = fc
  .array(
    fc.oneof(
      word,
      suffix,
      fc.string({ unit: codePoint }),
      fc.constantFrom('/', '.', '_', '.git/', '.json', 'repositories/', 'attachments/', 'git-lfs/'),
    ),
  )
  .map((parts) => parts.join(''))

describe('roleOf', () => {
  test.each(examples)('knows the role of %o', (path, role) => {
    expect(roleOf(path)).toEqual(role)
  })

  test('returns the role of any path that pathOf makes', () => {
    fc.assert(
      fc.property(roles, (role) => {
        expect(roleOf(pathOf(role))).toEqual(role)
      }),
    )
  })
})

describe('pathOf', () => {
  test.each(examples)('makes %o of its role', (path, role) => {
    expect(pathOf(role)).toBe(path)
  })

  test('makes any path again from its role', () => {
    fc.assert(
      fc.property(paths, (path) => {
        expect(pathOf(roleOf(path))).toBe(path)
      }),
    )
  })
})

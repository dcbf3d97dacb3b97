import { expect, test } from 'vitest'
import { makeGitRepository } from '../../../samples/make/git-repository.ts'
import { bundleOf } from '../../../samples/make/gitlab-project.ts'
import { asBytes } from '../../../src/base/streams.ts'
import { openBundle } from '../../../src/sources/gitlab-project/bundle.ts'
import { createDiffReader } from '../../../src/sources/gitlab-project/git-hunks.ts'
import { folderOf } from '../../support/folder.ts'
import { outputOf } from '../../support/run-program.ts'

const LINES = Array.from({ length: 40 }, (_, i) => `line ${i}`)
const textOf = (...changes: [at: number, line: string][]) =>
  changes.reduce((lines, [at, line]) => lines.with(at, line), LINES).join('\n')

/** Each file before and after; null for one that is not there. */
const FILES: Readonly<Record<string, readonly [before: string | null, after: string | null]>> = {
  'far.txt': [textOf(), textOf([2, 'two'], [30, 'thirty'])],
  'near.txt': [textOf(), textOf([10, 'ten'], [14, 'fourteen'])],
  'function.c': [
    `void boil() {\n${textOf()}\n}\n`,
    `void boil() {\n${textOf([20, 'twenty'])}\n}\n`,
  ],
  'no-end.txt': ['lid', 'lid\nspout'],
  'one.txt': ['lid\n', 'kettle\n'],
  'added.txt': [null, 'new\n'],
  'removed.txt': ['old\n', null],
  'same.txt': ['lid\n', 'lid\n'],
  'é/ü.txt': ['naïve\n', 'naïf\n'],
}

const commit = (key: string, side: 0 | 1) => ({
  key,
  ref: 'heads/main',
  author: 'ada',
  at: `2024-05-0${side + 1}T04:00:00Z`,
  message: `${key}\n`,
  files: Object.fromEntries(Object.entries(FILES).map(([path, sides]) => [path, sides[side]])),
})
const git = makeGitRepository('harbour/kettle', 'main', [commit('hinge', 0), commit('merge', 1)])

async function reader() {
  const pack = bundleOf(git)
  const bundle = await openBundle(
    {
      path: 'project.bundle',
      size: pack.length,
      modifiedAt: new Date(0),
      mode: 0o644,
      content: asBytes([pack]),
    },
    undefined,
  )
  return { read: createDiffReader(bundle.objects), close: bundle.close }
}

test('A file is compared as Git compares it', async () => {
  const { read, close } = await reader()
  const folder = await folderOf(Object.fromEntries(git.files))
  const found: Record<string, string | undefined> = {}
  const expected: typeof found = {}
  for (const path of Object.keys(FILES)) {
    const [base, head] = [git.oid('hinge'), git.oid('merge')]
    found[path] = read({ base, head, oldPath: path, path })
    const words = ['diff', '--no-renames', base, head, '--', path]
    const whole = String(outputOf('git', ['-c', 'safe.directory=*', '--git-dir', folder, ...words]))
    const at = whole.indexOf('@@ ')
    expected[path] = at < 0 ? '' : whole.slice(at).replace(/\n$/, '')
  }
  close()
  expect(found).toEqual(expected)
})

test('A commit or file that is not there has no diff', async () => {
  const { read, close } = await reader()
  const [base, head] = [git.oid('hinge'), git.oid('merge')]
  const path = 'one.txt'
  expect(read({ base: 'b'.repeat(40), head, oldPath: path, path })).toBeUndefined()
  expect(read({ base, head, oldPath: 'none', path: 'none' })).toBe('')
  close()
})

import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { checkOut } from '../../../src/git/clone/check-out.ts'
import { cloneRepository } from '../../../src/git/clone/clone-repository.ts'
import { isSafeEntry, leadsInside } from '../../../src/git/clone/safe-entry.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from '../../support/build-pack.ts'
import { type Entry, objectsOf } from '../../support/build-tree.ts'
import { folderOf } from '../../support/folder.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { sourceOf } from '../../support/load.ts'

const EVIL = 'evil\n'

const HOSTILE: Entry[] = [
  ['40000', '.git', [['100755', 'hooks', [['100755', 'post-checkout', EVIL]]]]],
  ['40000', '.GIT', [['100644', 'config', EVIL]]],
  ['40000', 'git~1', [['100644', 'config', EVIL]]],
  ['40000', '.git ', [['100644', 'config', EVIL]]],
  ['40000', '.g\xe2\x80\x8cit', [['100644', 'config', EVIL]]], // with what HFS+ leaves out of account
  ['100644', '.git::$INDEX_ALLOCATION', EVIL],
  ['40000', '..', [['100644', 'outside', EVIL]]],
  ['40000', '.', [['100644', 'inside', EVIL]]],
  ['100644', '../x', EVIL],
  ['100644', '/tmp/git-check-out-absolute', EVIL],
  ['100644', 'a\\..\\..\\x', EVIL],
  ['100644', '', EVIL],
  ['40000', '', [['100644', 'nameless', EVIL]]],
  ['120000', 'absolute', '/etc/passwd'],
  ['120000', 'out', '../outside'],
  ['120000', 'to-git', '.git/config'],
  ['120000', 'round', 'folder/../../outside'],
  ['120000', '.gitmodules', 'folder/kept'],
  ['120000', 'here', '.'],
  // Were the link above made first, these would go through it; a folder of that name is there instead.
  ['120000', 'twice', 'elsewhere'],
  ['40000', 'twice', [['100644', 'through', EVIL]]],
  [
    '40000',
    'folder',
    [
      ['100644', 'kept', 'kept\n'],
      ['120000', 'up', '../here/folder/kept'],
      ['120000', 'out', '../../outside'],
    ],
  ],
  ['160000', 'module', 'b'.repeat(40)],
]

const MODULES = '[submodule "x"]\n\tpath = module\n\turl = ext::sh -c touch% /tmp/it-ran\n'

const hostile = objectsOf(HOSTILE)
const modules = objectsOf([
  ['100644', '.gitmodules', MODULES],
  ['160000', 'module', 'b'.repeat(40)],
])

let history: GitHistory
let database: Database

beforeAll(async () => {
  history = await gitHistory()
  const folder = mkdtempSync(join(tmpdir(), 'git-check-out-'))
  const path = join(folder, 'it.db')
  const commit = commitOf(hostile.oid)
  const files = {
    ...repositoryOf('ada/hostile', {
      ...hostile.files,
      ...modules.files,
      ...looseOf('commit', commit),
      'refs/heads/main': `${oidOf('commit', commit)}\n`,
    }),
    ...repositoryOf('ada/unborn', {}),
  }
  await loadArchive(sourceOf(files), path)
  database = openDatabase(path)
  return () => {
    database.close()
    history.close()
    rmSync(folder, { recursive: true })
  }
})

const checkedOut = async (tree: string, options = {}) => {
  const folder = join(await folderOf({ 'inner/': '' }), 'inner')
  const { objects } = openRepository(database, 'ada/hostile')
  return { folder, ...(await checkOut(objects, tree, folder, options)) }
}

describe('A work tree', () => {
  test('is what git checks out, and git sees nothing to say of it', async () => {
    const directory = join(await folderOf(), 'work')
    const clone = await cloneRepository(history.database, 'ada/kettle', directory, {
      worktree: true,
    })
    expect(clone.notes).toEqual([])
    expect(clone.checkedOut).toBe(gitText(directory, ['ls-files']).trimEnd().split('\n').length)
    expect(gitText(directory, ['status', '--porcelain', '--branch'])).toBe('## main\n')
    const form = '--format=%(objectmode) %(objectname) 0%x09%(path)'
    expect(gitText(directory, ['ls-files', '-s'])).toBe(
      gitText(directory, ['ls-tree', '-r', form, 'HEAD']),
    )
    expect(lstatSync(join(directory, 'run.sh')).mode & 0o777).toBe(0o644)
    expect(existsSync(join(directory, '.git/hooks'))).toBe(false)
    expect(readFileSync(join(directory, '.git/config'), 'utf8')).toMatch(
      /^\[core\]\n(\t\w+ = \w+\n)+$/,
    )
  })

  test('of a repository without commits has no files', async () => {
    const directory = join(await folderOf(), 'work')
    const clone = await cloneRepository(database, 'ada/unborn', directory, { worktree: true })
    expect(clone).toMatchObject({
      checkedOut: 0,
      notes: ['HEAD has no commits: there is nothing to check out'],
    })
    expect(readdirSync(directory)).toEqual(['.git'])
  })

  test('is no larger than was said', async () => {
    await expect(checkedOut(hostile.oid, { maxExtracted: 3 })).rejects.toThrow(
      expect.objectContaining({
        code: 'limit-extracted',
        message: 'more than 3 bytes would be written',
      }),
    )
  })
})

describe('G6: a hostile tree', () => {
  test('writes nothing outside its folder or where Git looks for settings', async () => {
    const { folder, notes } = await checkedOut(hostile.oid)
    expect(readdirSync(join(folder, '..'))).toEqual(['inner'])
    expect(existsSync('/tmp/git-check-out-absolute')).toBe(false)
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(paths.filter((path) => !path.startsWith('here/')).sort()).toEqual([
      'folder',
      'folder/kept',
      'folder/up',
      'here',
      'module',
      'twice',
      'twice/through',
    ])
    expect(readFileSync(join(folder, 'folder/up'), 'utf8')).toBe('kept\n')
    expect(readlinkSync(join(folder, 'here'))).toBe('.')
    expect(readdirSync(join(folder, 'module'))).toEqual([])
    expect(notes).toContain('.GIT was left out: its name is not allowed')
    expect(notes).toContain('round was left out: the link leads out of the folder')
    expect(notes).toContain('twice was left out: the file system refuses the name (EEXIST)')
    // All but four, and a link in the folder.
    expect(notes.length).toBe(HOSTILE.length - 4 + 1)
  })

  test('is cloned, and git is content with what is there', async () => {
    const directory = join(await folderOf(), 'work')
    await cloneRepository(database, 'ada/hostile', directory, { worktree: true })
    expect(gitText(directory, ['ls-files']).split('\n')).toContain('folder/kept')
    expect(gitText(directory, ['diff', '--name-only'])).toBe('')
  })

  test('with a submodule that would run a program is written, and said to be so', async () => {
    const { folder, notes } = await checkedOut(modules.oid)
    expect(readFileSync(join(folder, '.gitmodules'), 'utf8')).toBe(MODULES)
    expect(readdirSync(join(folder, 'module'))).toEqual([])
    expect(notes).toEqual([
      'a submodule runs a program when it is fetched: url = ext::sh -c touch% /tmp/it-ran',
    ])
  })

  test('does not write through a link that is there', async () => {
    const outside = await folderOf()
    const folder = await folderOf()
    symlinkSync(outside, join(folder, 'folder'))
    const { objects } = openRepository(database, 'ada/hostile')
    await checkOut(objects, hostile.oid, folder)
    expect(readdirSync(outside)).toEqual([])
  })
})

test.each(['.gitignore', '.gitmodules', 'git', '.git2', 'git~', 'a.git', '...', 'ä', '-', ' a'])(
  '%j is a name for a file',
  (name) => {
    expect(isSafeEntry(name)).toBe(true)
  },
)

test.each([
  '',
  '.',
  '..',
  '.git',
  '.Git',
  '.git.',
  '.git ',
  '.git. .',
  'GIT~1',
  'git~10',
  '.git::x',
  'a/b',
  '/',
  'a\\b',
  'a\0',
  '\ufeff.git',
  '.gi\u200dt',
])('%j is no name for a file', (name) => {
  expect(isSafeEntry(name)).toBe(false)
})

test.each([
  ['a', 0, true],
  ['a/b/./c', 0, true],
  ['../a', 1, true],
  ['..', 1, true],
  ['.', 0, true],
  ['..', 0, false],
  ['../../a', 1, false],
  ['a/../b', 3, false],
  ['/a', 3, false],
  ['', 0, false],
  ['.git/config', 0, false],
  ['../.GIT', 2, false],
  ['a\\b', 0, false],
])('A link to %j that is %i folders deep leads inside: %j', (target, depth, inside) => {
  expect(leadsInside(target, depth)).toBe(inside)
})

/** A history with everything that Git can put into one, made by git fast-import. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { copyRepository, makeBare } from './git-world.ts'
import { outputOf } from './run-program.ts'

const ENVIRONMENT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }

/** Runs the git program with nothing of this machine's settings; bytes in, bytes out. */
export function gitBytes(directory: string, args: readonly string[], input = ''): Buffer {
  const env = { PATH: process.env.PATH, ...ENVIRONMENT }
  return outputOf('git', args, { cwd: directory, env, input: Buffer.from(input, 'latin1') })
}

export const gitText = (...given: Parameters<typeof gitBytes>): string =>
  gitBytes(...given).toString('utf8')

// Everything below is written a byte a character.
const latin1 = (text: string) => Buffer.from(text).toString('latin1')

const data = (bytes: string) => `data ${bytes.length}\n${bytes}\n`

const file = (path: string, content: string, mode = '100644') =>
  `M ${mode} inline ${path}\n${data(content)}`

const nameOf = (from: number | string) => (typeof from === 'number' ? `:${from}` : from)

interface CommitPlan {
  on?: string
  message?: string
  /** Seconds after the first commit. */
  at: number
  author?: string
  encoding?: string
  /** Marks of commits, or a ref: where it begins, and what it merges. */
  from?: number | string
  merge?: readonly number[]
  changes: readonly string[]
}

const START = 1_400_000_000
const ADA = latin1('Ada Kettle <ada@forge.example>')

function commitOf(mark: number, plan: CommitPlan): string {
  const { on = 'refs/heads/main', message = `Commit ${mark}\n`, at, author = ADA } = plan
  return [
    `commit ${on}\nmark :${mark}\n`,
    `author ${author} ${START + at} +0200\n`,
    `committer Bo <bo@forge.example> ${START + at} -0330\n`,
    plan.encoding ? `encoding ${plan.encoding}\n` : '',
    data(message),
    plan.from === undefined ? '' : `from ${nameOf(plan.from)}\n`,
    ...(plan.merge ?? []).map((from) => `merge :${from}\n`),
    ...plan.changes,
    '\n',
  ].join('')
}

const tag = (name: string, from: number | string) =>
  `tag ${name}\nfrom ${nameOf(from)}\ntagger ${ADA} ${START + 900} +0000\n${data(`Tag ${name}\n\nwith a body\n`)}`

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `line ${from + i} of a long file\n`).join('')

const EVERY_BYTE = Buffer.from(Array.from({ length: 512 }, (_, i) => i % 256)).toString('latin1')

const PLANS: readonly CommitPlan[] = [
  {
    at: 0,
    message: 'First\nin two lines\n\nwith a body\n',
    changes: [
      file('README.md', '# Kettle\n'),
      file('src/boil.c', lines(0, 40)),
      file('src/cool.c', 'cool\n'),
      file('src/same.c', 'cool\n'),
      file('run.sh', '#!/bin/sh\n', '100755'),
      file('link', 'README.md', '120000'),
      file('all.bin', EVERY_BYTE),
      file('empty', ''),
      file('thing', 'a file\n'),
      file('long.txt', lines(0, 400)),
    ],
  },
  {
    at: 100,
    message: 'Gr\xfc\xdfe\n',
    encoding: 'ISO-8859-1',
    changes: [
      file('README.md', '# Kettle\n\nBoils.\n'),
      file('run.sh', '#!/bin/sh\n'),
      `M 160000 ${'1234567890'.repeat(4)} vendor/spout\n`,
    ],
  },
  // A branch that renames, and what was a link becomes a file.
  { at: 50, on: 'refs/heads/topic', from: 1, changes: ['R src old\n'] },
  {
    at: 100, // the same time as on the other branch
    on: 'refs/heads/topic',
    changes: [file('link', 'no link any more\n'), file('old/boil.c', lines(0, 41))],
  },
  { at: 200, from: 2, merge: [4], message: latin1('Merge 水\n'), changes: ['R src old\n'] },
  // A merge that keeps one side as it is, so that the other is no part of the history of most files.
  { at: 60, on: 'refs/heads/side', from: 1, changes: [file('README.md', 'side\n')] },
  { at: 210, from: 5, merge: [6], changes: [] },
  { at: 220, from: 7, changes: ['D thing\n', file('thing/inside', 'a file\n'), 'D empty\n'] },
  { at: 230, from: 8, message: '', author: '<nobody@forge.example>', changes: [] },
  {
    at: 10, // earlier than its parent
    from: 9,
    message: '\n\n  spaces before\n\n\nand after   \n\n\n',
    changes: [file(`"caf\\351.txt"`, 'x'), file(latin1('späce and 水'), 'y'), file('-dash', 'z')],
  },
  { at: 300, from: 10, message: 'no newline at the end', changes: ['R old/cool.c x/cool.c\n'] },
  // Two files of one content that go, two that come, and one that comes with a name of its own.
  {
    at: 310,
    from: 11,
    changes: [file('p/one', 'twin\n'), file('p/two', 'twin\n'), file('q/one', 'other\n')],
  },
  {
    at: 320,
    from: 12,
    changes: ['R p/two q/two\n', 'R p/one q/three\n', file('q/four', 'twin\n')],
  },
  ...Array.from({ length: 30 }, (_, i) => ({
    at: 400 + i,
    from: 13 + i,
    changes: [file('long.txt', lines(0, 400 + i) + lines(i * 7, i * 9))],
  })),
  { at: 450, on: 'refs/pull/7/head', from: 1, changes: [file('pull.txt', 'pull\n')] },
  { at: 460, on: 'refs/heads/octopus', from: 43, merge: [44, 6], changes: [] },
  {
    at: 470,
    on: 'refs/heads/other-root',
    author: 'Cy <cy@forge.example>',
    changes: [file('a', 'b')],
  },
]

const PACKED = [
  ...PLANS.map((plan, i) => commitOf(i + 1, plan)),
  tag('v1.0', 2),
  'reset refs/tags/light\nfrom :5\n\n',
].join('')

// Commits after packing are loose objects.
const LOOSE = [
  commitOf(1, { at: 500, from: 'refs/heads/main^0', changes: [file('loose.txt', 'loose\n')] }),
  tag('v2.0', 1),
  tag('of-a-tag', 'refs/tags/v1.0'),
  tag('of-a-tree', 'refs/tags/light^{tree}'),
].join('')

export interface GitHistory {
  /** The repository that the git program made, and the folder like an archive that it is in. */
  directory: string
  folder: string
  /** A database that has it as ada/kettle. */
  database: Database
  path: string
  close(): void
}

let made: string | undefined
/** A database of the history as it was made. */
let known: Buffer | undefined

/**
 * Makes the history, packed except for its last commit, lets `add` change it, and loads it. The caller closes it. All test
 * files of a process get copies of one repository.
 */
export async function gitHistory(add?: (directory: string) => void): Promise<GitHistory> {
  made ??= makeHistory()
  const root = mkdtempSync(join(tmpdir(), 'git-history-'))
  const folder = join(root, 'archive')
  const directory = join(folder, 'repositories/ada/kettle.git')
  copyRepository(made, directory)
  add?.(directory)
  const path = join(root, 'it.db')
  if (!add && known) writeFileSync(path, known)
  else await loadArchive(folder, path)
  if (!add) known ??= readFileSync(path)
  const database = openDatabase(path)
  const close = () => {
    database.close()
    rmSync(root, { recursive: true, force: true })
  }
  return { directory, folder, database, path, close }
}

function makeHistory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'git-history-'))
  makeBare(directory)
  const importing = (stream: string, limit: number) =>
    gitBytes(directory, ['-c', `fastimport.unpackLimit=${limit}`, 'fast-import', '--quiet'], stream)
  importing(PACKED, 0)
  gitBytes(directory, ['-c', 'pack.threads=1', 'repack', '-adfq', '--depth=50'])
  gitBytes(directory, ['pack-refs', '--all'])
  importing(LOOSE, 1000)
  return directory
}

const CROSS = `commit refs/heads/cross-a
mark :1
committer Bo <bo@forge.example> 1400000001 +0000
data 1
a
from refs/heads/topic^0

commit refs/heads/cross-b
mark :2
committer Bo <bo@forge.example> 1300000002 +0000
data 1
b
from refs/heads/topic^0

commit refs/heads/cross-a
committer Bo <bo@forge.example> 1300000003 +0000
data 1
c
from :1
merge :2

commit refs/heads/cross-b
committer Bo <bo@forge.example> 1400000004 +0000
data 1
d
from :2
merge :1

`

/** Adds the branches `cross-a` and `cross-b`, each merged into the other, so that two commits are equally good bases; the dates of one go backwards. */
export const crossBranches = (directory: string): void =>
  void gitText(directory, ['fast-import', '--quiet', '--force'], CROSS)

/** Repositories made by the git program, in a folder laid out like an archive. */

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from './bare-repository.ts'
import { repository } from './small-world.ts'

const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`

let clock = 1_714_564_800

/** A commit for git fast-import: who, when, and what changes. */
const commit = (mark: number, ref: string, message: string, changes: string[], parents = '') =>
  `commit ${ref}\nmark :${mark}\nauthor Ada Kettle <ada@forge.example> ${++clock} +0200
committer Bo <bo@forge.example> ${clock} -0330\n${data(message)}${parents}${changes.join('')}\n`

const file = (path: string, text: string, mode = '100644') =>
  `M ${mode} inline ${path}\n${data(text)}`

const tag = (name: string, from: number, message: string) =>
  `tag ${name}\nfrom :${from}\ntagger Ada Kettle <ada@forge.example> ${++clock} +0000\n${data(message)}`

const reset = (ref: string, from: number) => `reset ${ref}\nfrom :${from}\n\n`

const packed = (): string => {
  clock = 1_714_564_800
  return [
    commit(1, 'refs/heads/main', 'First\n\nwith a body\n', [
      file('README.md', '# Kettle\n'),
      file('src/boil.c', 'int boil(void) { return 100; }\n'.repeat(20)),
      file('run.sh', '#!/bin/sh\n', '100755'),
      file('link', 'README.md', '120000'),
    ]),
    commit(2, 'refs/heads/main', 'Grüße, 水\n', [
      file('src/boil.c', 'int boil(void) { return 99; }\n'.repeat(20)),
      `M 160000 ${'1234567890'.repeat(4)} vendor/spout\n`,
    ]),
    commit(3, 'refs/heads/topic', 'Move it\n', ['R src/boil.c src/cook.c\n'], 'from :1\n'),
    commit(4, 'refs/heads/main', 'Merge topic\n', [], 'from :2\nmerge :3\n'),
    commit(5, 'refs/pull/7/head', 'From a fork\n', [file('pull.txt', 'x')], 'from :1\n'),
    reset('refs/pull/7/merge', 4),
    reset('refs/__gh__/pull/7/rebase', 5),
    reset('refs/heads/heißes/wasser', 3),
    tag('v1.0', 1, 'First release\n'),
    reset('refs/tags/light', 2),
    ...Array.from({ length: 300 }, (_, i) =>
      reset(`refs/heads/many/${String(i).padStart(3, '0')}`, 1),
    ),
  ].join('')
}

// After packing, one branch moved on, others are new.
const loose = () =>
  [
    commit(6, 'refs/heads/main', 'Loosely\n', [file('loose.txt', 'y')], 'from refs/heads/main^0\n'),
    tag('v2.0', 6, 'Second release\n'),
    reset('refs/heads/new', 6),
  ].join('')

const wiki = () => commit(1, 'refs/heads/master', 'Home\n', [file('Home.md', 'Welcome\n')])

export interface GitWorld {
  /** Where else files may be put. */
  root: string
  /** A folder laid out like an archive. */
  folder: string
  directoryOf(name: string): string
  close(): void
}

let made: string | undefined

/**
 * Makes a folder with `ada/kettle` (merges, all sorts of refs, packed and loose), its wiki, `ada/pot`, which is
 * empty, and records of both. The caller closes it. All test files of a process get copies of one such folder.
 */
export function gitWorld(): GitWorld {
  made ??= makeWorld()
  const root = mkdtempSync(join(tmpdir(), 'git-world-'))
  const folder = join(root, 'archive')
  cpSync(made, folder, { recursive: true })
  const directoryOf = (name: string) => join(folder, `repositories/${name}.git`)
  return { root, folder, directoryOf, close: () => rmSync(root, { recursive: true }) }
}

function makeWorld(): string {
  const folder = mkdtempSync(join(tmpdir(), 'git-world-'))
  const directoryOf = (name: string) => join(folder, `repositories/${name}.git`)
  const importing = (name: string, stream: string, unpackLimit: number) =>
    git(
      directoryOf(name),
      ['-c', `fastimport.unpackLimit=${unpackLimit}`, 'fast-import', '--quiet'],
      stream,
    )

  makeBare(directoryOf('ada/kettle'))
  importing('ada/kettle', packed(), 0)
  git(directoryOf('ada/kettle'), ['pack-refs', '--all'])
  importing('ada/kettle', loose(), 1000)
  mkdirSync(join(directoryOf('ada/kettle'), 'refs/remotes/origin'), { recursive: true })
  writeFileSync(
    join(directoryOf('ada/kettle'), 'refs/remotes/origin/HEAD'),
    'ref: refs/heads/topic\n',
  )
  makeBare(directoryOf('ada/kettle.wiki'), 'master')
  importing('ada/kettle.wiki', wiki(), 0)
  makeBare(directoryOf('ada/pot'))

  const wiki_url = 'tarball://root/repositories/ada/kettle.wiki.git'
  const records = [{ ...repository('kettle'), wiki_url }, repository('pot')]
  writeFileSync(join(folder, 'repositories_000001.json'), JSON.stringify(records))
  return folder
}

/** A repository as made by git init, without hooks. */
export function makeBare(directory: string, branch = 'main'): void {
  for (const inner of ['objects/pack', 'objects/info', 'refs/heads', 'refs/tags']) {
    mkdirSync(join(directory, inner), { recursive: true })
  }
  writeFileSync(join(directory, 'HEAD'), `ref: refs/heads/${branch}\n`)
  writeFileSync(join(directory, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
}

/** A copy of a repository, to be spoiled. */
export const copyRepository = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true })

import fs from 'node:fs'
import { join } from 'node:path'
import git from 'isomorphic-git'
import { describe, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { ArchiveError } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { exportArchive } from '../../src/compose/export-archive.ts'
import type { ExportSource } from '../../src/compose/export-source.ts'
import { readGitFs } from '../../src/compose/read-git-fs.ts'
import { openGitFs } from '../../src/git/open-git-fs.ts'
import { git as gitProgram } from '../support/bare-repository.ts'
import { untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { gitHistory } from '../support/git-history.ts'
import { account, repository } from '../support/small-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const author = {
  name: 'Ada',
  email: 'ada@forge.example',
  timestamp: 1_714_564_800,
  timezoneOffset: 0,
}

type Repository = Extract<NonNullable<ExportSource['repositories']>, readonly unknown[]>

const sourceOf = (one: object): ExportSource => ({
  records: { users: [account('ada')], repositories: [repository('kettle')] },
  repositories: [{ fullName: 'ada/kettle', ...one }] as unknown as Repository,
})

/** A repository that isomorphic-git makes: two commits, a branch and an annotated tag. */
async function madeByProgram() {
  const dir = await folderOf({ 'README.md': '# Kettle\n' })
  const gitdir = join(dir, '.git')
  await git.init({ fs, dir, defaultBranch: 'main' })
  await git.add({ fs, dir, filepath: 'README.md' })
  const first = await git.commit({ fs, dir, message: 'Boil', author })
  await git.annotatedTag({ fs, dir, ref: 'v1', message: 'One', tagger: author })
  await git.branch({ fs, dir, ref: 'topic' })
  fs.writeFileSync(join(dir, 'README.md'), '# Teapot\n')
  await git.add({ fs, dir, filepath: 'README.md' })
  const second = await git.commit({ fs, dir, message: 'Pour', author })
  return { fs, gitdir, first, second }
}

/** The files of the Git data, in a folder of their own. */
async function copyOf(one: object): Promise<string> {
  const files: Record<string, Buffer> = {}
  for await (const { path, content } of readArchive(exportArchive(sourceOf(one)))) {
    const [, name] = /^repositories\/ada\/kettle\.git\/(.+)$/.exec(path) ?? []
    if (name !== undefined) files[name] = await collect(content)
  }
  return folderOf(files)
}

const refusalOf = async (one: object) =>
  (await untilError(exportArchive(sourceOf(one)))).error as ArchiveError

describe('A repository that isomorphic-git reads', () => {
  test('is stored with its commits, branches and tags', async () => {
    const { fs, gitdir, first, second } = await madeByProgram()
    const copy = await copyOf({ fs, gitdir })
    expect(gitProgram(copy, ['fsck', '--full', '--strict'])).toBe('')
    expect(gitProgram(copy, ['rev-list', 'HEAD'])).toBe(`${second}\n${first}\n`)
    const refs = gitProgram(copy, ['for-each-ref', '--format=%(refname) %(*objectname)'])
    expect(refs).toBe(`refs/heads/main \nrefs/heads/topic \nrefs/tags/v1 ${first}\n`)
    expect(gitProgram(copy, ['show', 'main:README.md'])).toBe('# Teapot\n')
  })

  test(
    'may have packs, merges, and no files at all, as one of a database has',
    THOROUGH,
    async () => {
      const history = await gitHistory()
      try {
        const copy = await copyOf(openGitFs(history.database, 'ada/kettle'))
        expect(gitProgram(copy, ['for-each-ref'])).toBe(
          gitProgram(history.directory, ['for-each-ref']),
        )
        const objects = ['rev-list', '--all', '--objects', '--no-object-names']
        const sorted = (text: string) => text.split('\n').sort()
        expect(sorted(gitProgram(copy, objects))).toEqual(
          sorted(gitProgram(history.directory, objects)),
        )
      } finally {
        history.close()
      }
    },
  )

  test('may have no commits yet', async () => {
    const dir = await folderOf()
    await git.init({ fs, dir, bare: true, defaultBranch: 'main' })
    const copy = await copyOf({ fs, gitdir: dir })
    expect(gitProgram(copy, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n')
    expect(gitProgram(copy, ['for-each-ref'])).toBe('')
  })

  test(
    'is refused without a HEAD, with a ref that leads nowhere, and with history that is missing',
    THOROUGH,
    async () => {
      const { fs, gitdir, first } = await madeByProgram()
      expect(await refusalOf({ fs, gitdir: join(gitdir, 'nowhere') })).toMatchObject({
        code: 'git-directory',
      })
      const objectOf = (oid: string) => join(gitdir, 'objects', oid.slice(0, 2), oid.slice(2))
      fs.writeFileSync(join(gitdir, 'refs/heads/gone'), `${'1'.repeat(40)}\n`)
      expect(await refusalOf({ fs, gitdir })).toMatchObject({ code: 'git-ref-dangling' })
      fs.rmSync(join(gitdir, 'refs/heads/gone'))
      const { commit } = await git.readCommit({ fs, gitdir, oid: first })
      fs.rmSync(objectOf(commit.tree))
      expect(await refusalOf({ fs, gitdir })).toMatchObject({ code: 'git-incomplete' })
    },
  )

  test('is refused with more bytes than are kept in memory', THOROUGH, async () => {
    const { fs, gitdir } = await madeByProgram()
    await expect(readGitFs({ fs, gitdir }, undefined, 100)).rejects.toMatchObject({
      code: 'limit-extracted',
      message: expect.stringContaining('more than 100 bytes: export it from a directory'),
    })
  })

  test('needs a path in its file system', async () => {
    expect(await refusalOf({ fs })).toMatchObject({ code: 'option-invalid' })
  })
})

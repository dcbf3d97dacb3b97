import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { cloneRepository } from '../../../src/git/clone/clone-repository.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { git } from '../../support/bare-repository.ts'
import type { Files } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { copyRepository, type GitWorld, gitWorld } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const A = 'a'.repeat(40)

let world: GitWorld
let database: Database
/** A file that appears if anything in the evil repository is run. */
let witness: string

beforeAll(async () => {
  world = gitWorld()
  witness = join(world.root, 'it-ran')
  makeEvil(world.directoryOf('ada/kettle'), world.directoryOf('ada/evil'))
  const path = join(world.root, 'it.db')
  await loadArchive(world.folder, path)
  database = openDatabase(path)
})

afterAll(() => {
  database.close()
  world.close()
})

/** G1 and G2 in one repository. */
function makeEvil(from: string, to: string): void {
  copyRepository(from, to)
  const run = `touch ${witness}`
  writeFileSync(
    join(to, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\tfsmonitor = "${run}"
\tsshCommand = "${run}"\n\thooksPath = evil\n\tpager = "${run}"\n[include]\n\tpath = evil/more
[alias]\n\tfsck = "!${run}"\n\tlog = "!${run}"\n[uploadpack]\n\tpackObjectsHook = "${run}"
[remote "origin"]\n\turl = https://user:password@10.0.0.1/x.git\n`,
  )
  for (const folder of ['hooks', 'evil']) {
    mkdirSync(join(to, folder))
    for (const name of ['post-checkout', 'reference-transaction', 'pre-receive']) {
      writeFileSync(join(to, folder, name), `#!/bin/sh\n${run}\n`)
      chmodSync(join(to, folder, name), 0o755)
    }
  }
  writeFileSync(join(to, 'evil/more'), `[alias]\n\tstatus = "!${run}"\n`)
  writeFileSync(join(to, 'objects/info/alternates'), `${from}/objects\n`)
  writeFileSync(join(to, 'commondir'), `${from}\n`)
  writeFileSync(join(to, 'gitdir'), `${from}\n`)
  writeFileSync(join(to, 'objects/pack/pack-evil.promisor'), 'not objects')
  writeFileSync(join(to, 'audit_log'), 'ada@forge.example 10.0.0.1')
}

const cloneOf = async (name: string, from = database) => {
  const directory = join(await folderOf(), 'it.git')
  return { directory, clone: await cloneRepository(from, name, directory) }
}

const QUESTIONS = [
  ['fsck', '--full', '--strict', '--no-dangling'],
  ['rev-list', '--all', '--objects'],
  ['for-each-ref', '--format=%(objectname) %(refname) %(symref) %(*objectname)'],
  ['symbolic-ref', 'HEAD'],
]

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => !file.isDirectory())
    .map((file) => join(file.parentPath, file.name).slice(folder.length + 1))
    .sort()

describe('A clone', () => {
  const sameInGit = async (name: string) => {
    const { directory, clone } = await cloneOf(name)
    for (const question of QUESTIONS) {
      const original = name === 'ada/evil' ? 'ada/kettle' : name
      expect(git(directory, question)).toBe(git(world.directoryOf(original), question))
    }
    const refs = git(directory, ['for-each-ref', '--format=x']).trim().split('\n')
    expect(clone).toMatchObject({ repository: name, directory, refs: refs.length })
    expect(clone.head).toBe(`ref: ${git(directory, ['symbolic-ref', 'HEAD']).trim()}`)
  }
  const title = 'of %s is accepted by git, which sees the same in it'
  test.each(['ada/evil'])(title, sameInGit)
  test.each(['ada/kettle', 'ada/kettle.wiki'])(title, THOROUGH, sameInGit)

  test('G7: may be empty', async () => {
    const { directory, clone } = await cloneOf('ada/pot')
    expect(clone).toMatchObject({ refs: 0, files: 0, bytes: 0, head: 'ref: refs/heads/main' })
    expect(git(directory, ['for-each-ref'])).toBe('')
    expect(git(directory, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n')
    git(directory, ['fsck', '--strict'])
  })

  test('G1: has objects and refs and a configuration of our own, nothing that runs', async () => {
    const { directory, clone } = await cloneOf('ada/evil')
    for (const path of filesIn(directory)) {
      expect(path).toMatch(
        /^(HEAD|config|packed-refs|refs\/remotes\/origin\/HEAD|objects\/pack\/pack-[0-9a-f]{40}\.(pack|idx)|objects\/..\/.{38})$/,
      )
    }
    expect(readFileSync(join(directory, 'config'), 'utf8')).toBe(
      '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
    )
    expect(existsSync(witness)).toBe(false)
    expect(clone.notes).toEqual([expect.stringContaining('objects from another repository')])
  })

  test('G1: runs nothing when git works in it, as the hostile one would', async () => {
    const { directory } = await cloneOf('ada/evil')
    git(directory, ['update-ref', 'refs/heads/another', 'main'])
    git(directory, ['clone', '--quiet', '--no-local', '.', '../worktree'])
    expect(existsSync(witness)).toBe(false)
    const hostile = world.directoryOf('ada/evil')
    rmSync(join(hostile, 'commondir'))
    git(hostile, ['update-ref', 'refs/heads/another', 'main'])
    expect(existsSync(witness)).toBe(true)
  })

  test('G2: lacks what the archive lacks, wherever alternates lead', THOROUGH, async () => {
    const { database } = await loaded({
      'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n',
      'repositories/a/b.git/refs/heads/main': `${A}\n`,
      'repositories/a/b.git/objects/info/alternates': '/etc\n../../../../outside\n',
    })
    const { directory, clone } = await cloneOf('a/b', database)
    expect(filesIn(directory)).toEqual(['HEAD', 'config', 'packed-refs'])
    expect(clone.notes).toEqual([expect.stringContaining('another repository, "/etc"')])
    expect(clone.missing).toEqual({ count: 1, oid: A, from: 'HEAD' })
  })

  test('G2: says that nothing is missing where alternates have none of the objects', async () => {
    const { clone } = await cloneOf('ada/evil')
    expect(clone).not.toHaveProperty('missing')
  })

  test('reports objects that are missing because a pack has no index', async () => {
    const directory = world.directoryOf('ada/kettle')
    const files = filesIn(directory).filter((file) => !file.endsWith('.idx'))
    const { database } = await loaded(
      Object.fromEntries(
        files.map((file) => [
          `repositories/a/b.git/${file}`,
          readFileSync(join(directory, file)) as Buffer,
        ]),
      ),
    )
    const { clone } = await cloneOf('a/b', database)
    expect(clone.notes).toEqual([expect.stringMatching(/has no index: make one/)])
    expect(clone.missing?.count).toBeGreaterThan(0)
  })

  test('G3: has no links, because an archive has none', async () => {
    const folder = await folderOf({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n' })
    const repository = join(folder, 'repositories/a/b.git')
    mkdirSync(join(repository, 'objects/aa'), { recursive: true })
    symlinkSync('/etc/passwd', join(repository, `objects/aa/${'b'.repeat(38)}`))
    symlinkSync('/etc', join(repository, 'objects/pack'))
    symlinkSync('/etc/passwd', join(repository, 'packed-refs'))
    const path = join(await folderOf(), 'it.db')
    await loadArchive(folder, path)
    const linked = openDatabase(path)
    const { directory } = await cloneOf('a/b', linked)
    linked.close()
    expect(filesIn(directory)).toEqual(['HEAD', 'config', 'packed-refs'])
  })

  test('G5: takes any name that Git takes, however long or odd, and says what it left out', async () => {
    const main = git(world.directoryOf('ada/kettle'), ['rev-parse', 'main']).trim()
    const names = [
      `refs/heads/${'b'.repeat(40)}`,
      `refs/heads/${'x'.repeat(300)}`,
      'refs/heads/a',
      'refs/heads/a/b',
      'refs/heads/CON',
      'refs/heads/A',
    ]
    const files = objectsOf(world.directoryOf('ada/kettle'))
    const { database } = await loaded({
      ...files,
      'repositories/a/b.git/packed-refs': `${names.map((name) => `${main} ${name}\n`).join('')}${main} refs/heads/../../../x\n`,
      'repositories/a/b.git/refs/heads/a/b/c': 'ref: refs/heads/a\n',
    })
    const { directory, clone } = await cloneOf('a/b', database)
    const refs = git(directory, ['for-each-ref', '--format=%(refname)']).trim().split('\n')
    expect(refs).toEqual([...names, 'refs/heads/a/b/c'].sort())
    git(directory, ['fsck', '--no-dangling'])
    expect(clone.head).toBe('ref: refs/heads/main')
    expect(clone.notes).toEqual([expect.stringContaining('refs that Git does not accept')])
  })
})

/** The objects of a repository as those of a/b in an archive. */
function objectsOf(directory: string): Files {
  const paths = filesIn(join(directory, 'objects'))
  return Object.fromEntries(
    paths.map((path) => [
      `repositories/a/b.git/objects/${path}`,
      readFileSync(join(directory, 'objects', path)),
    ]),
  )
}

describe('Cloning', () => {
  test('finds a repository whatever the case of its name', async () => {
    expect((await cloneOf('Ada/KETTLE')).clone.repository).toBe('ada/kettle')
  })

  test.each(['ada/pan', '', '../ada/kettle', 'ada/kettle.git', '%'])(
    'refuses %j, which is not there',
    async (name) => {
      await expect(cloneOf(name)).rejects.toMatchObject({ code: 'repository-not-found' })
    },
  )

  test('fills an empty folder, and leaves any other alone', async () => {
    const folder = await folderOf({ 'empty/': '', 'full/precious': 'x', file: 'x' })
    const into = (name: string, force = false) =>
      cloneRepository(database, 'ada/kettle.wiki', join(folder, name), { force })
    await into('empty')
    await expect(into('full')).rejects.toMatchObject({ code: 'output-exists' })
    await expect(into('full', true)).rejects.toMatchObject({ code: 'output-refused' })
    await expect(into('file', true)).rejects.toMatchObject({ code: 'output-refused' })
    symlinkSync('empty', join(folder, 'link'))
    await expect(into('link', true)).rejects.toMatchObject({ code: 'output-refused' })
    await expect(into('no/such/folder')).rejects.toMatchObject({ code: 'output-refused' })
    await expect(into('empty')).rejects.toMatchObject({ code: 'output-exists' })
    await into('empty', true)
    git(join(folder, 'empty'), ['fsck'])
    expect(readdirSync(folder).sort()).toEqual(['empty', 'file', 'full', 'link'])
    expect(readdirSync(join(folder, 'full'))).toEqual(['precious'])
  })

  test('writes no more than it may', async () => {
    const into = join(await folderOf(), 'it.git')
    const limited = cloneRepository(database, 'ada/kettle', into, { maxExtracted: 1000 })
    await expect(limited).rejects.toMatchObject({ code: 'limit-extracted' })
    expect(existsSync(into)).toBe(false)
  })

  test('that is interrupted leaves nothing', THOROUGH, async () => {
    const folder = await folderOf()
    const ending = new AbortController()
    const progress = () => ending.abort()
    const small = cloneRepository(await withPack(packOf(9)), 'a/b', join(folder, 'it.git'), {
      progress,
      signal: ending.signal,
    })
    await expect(small).rejects.toMatchObject({ code: 'interrupted' })
    expect(readdirSync(folder)).toEqual([])
  })

  test('has every byte of a pack that is flushed while more is read', THOROUGH, async () => {
    const pack = packOf(33)
    const { directory } = await cloneOf('a/b', await withPack(pack))
    expect(readFileSync(join(directory, PACK)).equals(pack)).toBe(true)
  })

  test('reports packs without index and indexes without pack', async () => {
    const { database } = await loaded({
      'repositories/a/b.git/objects/pack/pack-aa.pack': 'PACK',
      'repositories/a/b.git/objects/pack/pack-bb.idx': 'index',
    })
    const { directory, clone } = await cloneOf('a/b', database)
    expect(filesIn(directory)).toContain('objects/pack/pack-aa.pack')
    expect(filesIn(directory)).not.toContain('objects/pack/pack-bb.idx')
    expect(clone.notes).toEqual([
      'pack-aa.pack has no index: make one with git index-pack',
      'pack-bb.idx was left out: its pack is missing',
    ])
  })

  everyDay(1)([
    ['a reftable', { 'reftable/tables.list': '0x1.ref\n' }],
    ['SHA-256', { 'refs/heads/main': `${'c'.repeat(64)}\n` }],
  ])('G4: refuses %s', async (_, files) => {
    const inGit = Object.entries({ HEAD: 'ref: refs/heads/main\n', ...files })
    const { database } = await loaded(
      Object.fromEntries(inGit.map(([path, text]) => [`repositories/a/b.git/${path}`, text])),
    )
    await expect(cloneOf('a/b', database)).rejects.toMatchObject({ code: 'git-unsupported' })
  })

  test('G4: refuses SHA-256 as git makes it', THOROUGH, async () => {
    const folder = await folderOf({ 'repositories/a/': '' })
    git(join(folder, 'repositories/a'), ['init', '--bare', '--object-format=sha256', 'b.git'])
    const stream = 'commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\n'
    git(join(folder, 'repositories/a/b.git'), ['fast-import', '--quiet'], stream)
    const path = join(await folderOf(), 'it.db')
    await loadArchive(folder, path)
    const long = openDatabase(path)
    await expect(cloneOf('a/b', long)).rejects.toMatchObject({ code: 'git-unsupported' })
    long.close()
  })

  test('refuses what was loaded without contents', async () => {
    const files = { 'repositories/a/b.git/objects/pack/pack-aa.pack': 'PACK' }
    const { database } = await loaded(files, { files: false })
    await expect(cloneOf('a/b', database)).rejects.toMatchObject({ code: 'content-missing' })
  })

  test('refuses a file that is not whole in the database', async () => {
    const { database } = await loaded({ 'repositories/a/b.git/objects/pack/pack-aa.pack': 'PACK' })
    database.exec('UPDATE files SET size = 5')
    await expect(cloneOf('a/b', database)).rejects.toMatchObject({ code: 'database-damaged' })
  })
})

const PACK = 'objects/pack/pack-aa.pack'
/** So many MiB in place of a pack. */
const packOf = (mebibytes: number) => Buffer.alloc(mebibytes * 2 ** 20, 'the kettle boils')
/** A repository with this pack, which is none. */
const withPack = async (pack: Buffer) =>
  (await loaded({ [`repositories/a/b.git/${PACK}`]: pack })).database

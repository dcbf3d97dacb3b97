import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import git, { TREE, type WalkerEntry } from 'isomorphic-git'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GitFs, openGitFs } from '../../src/git/open-git-fs.ts'
import { type GitHistory, gitBytes, gitHistory, gitText } from '../support/git-history.ts'
import { THOROUGH } from '../support/thorough.ts'

let history: GitHistory
let repository: { fs: GitFs; gitdir: string }

const WHO = ['-c', 'user.name=Bo', '-c', 'user.email=bo@forge.example']

beforeAll(async () => {
  history = await gitHistory((directory) => {
    gitText(directory, [...WHO, 'notes', 'add', '-m', 'Tested by hand', 'refs/heads/main'])
    gitText(directory, [...WHO, 'notes', 'add', '-m', 'The first', 'refs/tags/v1.0^{}'])
    gitText(directory, ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/topic'])
    writeFileSync(join(directory, 'config'), '[core]\n\tfsmonitor = evil\n', { flag: 'a' })
  })
  repository = openGitFs(history.database, 'ada/kettle')
})

afterAll(() => history.close())

/** The output of git, line by line. */
const lines = (...args: string[]): string[] =>
  gitText(history.directory, args)
    .split('\n')
    .filter((line) => line !== '')
const line = (...args: string[]): string => lines(...args)[0] as string
const oidOf = (revision: string) => line('rev-parse', revision)

const oidOfFile = async (entry: WalkerEntry | null | undefined) =>
  (await entry?.type()) === 'tree' ? undefined : entry?.oid()

describe('isomorphic-git answers as the git program does', () => {
  test.each(['HEAD', 'main', 'refs/heads/topic', 'v1.0', 'origin/HEAD'])(
    'resolveRef %s',
    async (ref) => {
      const full = ref === 'origin/HEAD' ? 'refs/remotes/origin/HEAD' : ref
      expect(await git.resolveRef({ ...repository, ref })).toBe(oidOf(full))
    },
  )

  test('expandRef', async () => {
    expect(await git.expandRef({ ...repository, ref: 'topic' })).toBe('refs/heads/topic')
  })

  test('expandOid, of objects in packs and in files of their own', async () => {
    for (const revision of ['HEAD', 'HEAD~5', 'HEAD:long.txt']) {
      const oid = oidOf(revision)
      expect(await git.expandOid({ ...repository, oid: oid.slice(0, 10) })).toBe(oid)
    }
  })

  test('currentBranch', async () => {
    expect(await git.currentBranch({ ...repository, fullname: true })).toBe(
      line('symbolic-ref', 'HEAD'),
    )
  })

  test('listBranches and listTags', async () => {
    const names = (pattern: string) =>
      lines('for-each-ref', '--format=%(refname:lstrip=2)', pattern)
    expect((await git.listBranches(repository)).toSorted()).toEqual(names('refs/heads').toSorted())
    expect((await git.listTags(repository)).toSorted()).toEqual(names('refs/tags').toSorted())
    expect(await git.listBranches({ ...repository, remote: 'origin' })).toEqual(['HEAD'])
  })

  test('listRefs', async () => {
    const refs = await git.listRefs({ ...repository, filepath: 'refs/pull' })
    expect(refs).toEqual(lines('for-each-ref', '--format=%(refname:lstrip=2)', 'refs/pull'))
  })

  test('listFiles', async () => {
    const files = await git.listFiles({ ...repository, ref: 'HEAD' })
    const theirs = lines('-c', 'core.quotePath=off', 'ls-tree', '-r', '-z', '--name-only', 'HEAD')
    const named = theirs.join('\n').split('\0').filter(Boolean)
    // Names that are not UTF-8 are decoded with U+FFFD by both.
    expect(files.toSorted()).toEqual(named.toSorted())
  })

  test('readBlob, by commit and path', async () => {
    for (const filepath of ['all.bin', 'long.txt', 'loose.txt', 'thing/inside']) {
      const { blob } = await git.readBlob({ ...repository, oid: oidOf('HEAD'), filepath })
      expect(Buffer.from(blob)).toEqual(
        gitBytes(history.directory, ['cat-file', 'blob', `HEAD:${filepath}`]),
      )
    }
  })

  test('readTree', async () => {
    const { tree } = await git.readTree({ ...repository, oid: oidOf('v1.0') })
    const shown = tree.map(({ mode, type, oid, path }) => `${mode} ${type} ${oid}\t${path}`)
    expect(shown).toEqual(lines('ls-tree', 'v1.0'))
  })

  test('readCommit', async () => {
    const { oid, commit } = await git.readCommit({ ...repository, oid: oidOf('octopus') })
    const { tree, parent, author } = commit
    const format = '--format=%H%n%T%n%P%n%an%n%ae%n%at'
    expect([oid, tree, parent.join(' '), author.name, author.email, `${author.timestamp}`]).toEqual(
      lines('log', '-1', format, 'octopus'),
    )
  })

  test('readTag', async () => {
    const { tag } = await git.readTag({ ...repository, oid: oidOf('of-a-tag') })
    expect([tag.object, tag.type, tag.tag]).toEqual([oidOf('v1.0'), 'tag', 'of-a-tag'])
  })

  test.each(['parsed', 'content', 'wrapped', 'deflated'] as const)(
    'readObject as %s',
    async (format) => {
      const oid = oidOf('HEAD:long.txt')
      const object = await git.readObject({ ...repository, oid, format })
      expect(object).toMatchObject({ oid, format: format === 'parsed' ? 'content' : format })
    },
  )

  test('log, of a history without shared ancestors, once each', async () => {
    const commits = await git.log({ ...repository, ref: 'topic' })
    expect(commits.map(({ oid }) => oid)).toEqual(lines('log', '--format=%H', 'topic'))
  })

  test('log of one file', async () => {
    const commits = await git.log({ ...repository, ref: 'topic', filepath: 'link', force: true })
    expect(commits.map(({ oid }) => oid)).toEqual(
      lines('log', '--format=%H', 'topic', '--', 'link'),
    )
  })

  test('walk, over two trees at once', async () => {
    const trees = ['v1.0', 'HEAD'].map((ref) => TREE({ ref }))
    const changed: string[] = await git.walk({
      ...repository,
      trees,
      map: async (path, [before, after]) => {
        const oids = await Promise.all([before, after].map(oidOfFile))
        return oids[0] === oids[1] ? undefined : path
      },
    })
    const theirs = gitText(history.directory, [
      'diff',
      '--name-only',
      '--no-renames',
      '-z',
      'v1.0',
      'HEAD',
    ])
    expect(changed.toSorted()).toEqual(theirs.split('\0').filter(Boolean).toSorted())
  })

  const mergeBase = async (one: string, other: string) => {
    const oids = [oidOf(`${one}^{}`), oidOf(`${other}^{}`)]
    const bases = () => lines('merge-base', '--all', ...oids)
    const found = await git.findMergeBase({ ...repository, oids })
    expect(found.toSorted()).toEqual(other === 'other-root' ? [] : bases().toSorted())
  }
  test.each([['main', 'octopus']] as const)('findMergeBase of %s and %s', mergeBase)
  test.each([
    ['main', 'topic'],
    ['main~3', 'refs/pull/7/head'],
    ['main', 'other-root'],
  ])('findMergeBase of %s and %s', THOROUGH, mergeBase)

  test('isDescendent', async () => {
    const [oid, ancestor] = [oidOf('main'), oidOf('v1.0^{}')]
    expect(await git.isDescendent({ ...repository, oid, ancestor, depth: -1 })).toBe(true)
    expect(await git.isDescendent({ ...repository, oid: ancestor, ancestor: oid, depth: -1 })).toBe(
      false,
    )
  })

  test('listNotes and readNote', async () => {
    const notes = await git.listNotes(repository)
    expect(notes.map(({ note, target }) => `${note} ${target}`).toSorted()).toEqual(
      lines('notes', 'list').toSorted(),
    )
    const note = await git.readNote({ ...repository, oid: oidOf('main') })
    expect(Buffer.from(note).toString()).toBe('Tested by hand\n')
  })

  test('packObjects, whose pack Git takes', async () => {
    const oids = lines('rev-list', '--objects', 'HEAD~2..HEAD').map((text) => text.slice(0, 40))
    const { packfile } = await git.packObjects({ ...repository, oids })
    const path = join(history.folder, 'made.pack')
    writeFileSync(path, packfile as Uint8Array)
    expect(lines('index-pack', path)).toHaveLength(1)
  })

  test('hashBlob, statusless functions and getConfig, which sees a plain bare repository', async () => {
    expect(await git.getConfig({ ...repository, path: 'core.bare' })).toBe(true)
    expect(await git.getConfig({ ...repository, path: 'core.fsmonitor' })).toBeUndefined()
    expect(await git.listRemotes(repository)).toEqual([])
    expect((await git.hashBlob({ object: 'kettle' })).oid).toMatch(/^[0-9a-f]{40}$/)
  })
})

describe('Nothing is written', () => {
  const changes: [string, () => Promise<unknown>][] = [
    ['writeBlob', () => git.writeBlob({ ...repository, blob: Buffer.from('new') })],
    [
      'writeRef',
      () => git.writeRef({ ...repository, ref: 'refs/heads/new', value: oidOf('HEAD') }),
    ],
    ['branch', () => git.branch({ ...repository, ref: 'new' })],
    ['tag', () => git.tag({ ...repository, ref: 'new' })],
    ['deleteRef', () => git.deleteRef({ ...repository, ref: 'refs/heads/topic' })],
    ['setConfig', () => git.setConfig({ ...repository, path: 'core.bare', value: false })],
    [
      'addNote',
      () =>
        git.addNote({
          ...repository,
          oid: oidOf('v1.0^{}'),
          note: 'x',
          force: true,
          author: { name: 'Bo', email: 'bo@forge.example' },
        }),
    ],
  ]
  test.each(changes)('%s fails with EROFS', async (_, change) => {
    await expect(change()).rejects.toMatchObject({ code: 'EROFS' })
  })
})

describe('The file system', () => {
  const fs = () => repository.fs.promises
  const at = (path: string) => `${repository.gitdir}/${path}`

  test('reports missing paths, folders and files as Node.js does', async () => {
    await expect(fs().readFile(at('nothing'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(fs().readFile(at('../../etc/passwd'))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(fs().readFile('/etc/passwd')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(fs().readFile(at('refs'))).rejects.toMatchObject({ code: 'EISDIR' })
    await expect(fs().readdir(at('HEAD'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(fs().readlink(at('HEAD'))).rejects.toMatchObject({ code: 'EINVAL' })
  })

  test('has the size of a loose object', async () => {
    const oid = oidOf('HEAD:long.txt')
    const path = at(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`)
    const { size } = await fs().stat(path)
    expect(size).toBe((await fs().readFile(path)).length)
  })

  test('refuses an object above the limit, and says so', async () => {
    const small = openGitFs(history.database, 'ada/kettle', { maxObject: 1000 })
    const reading = git.readBlob({ ...small, oid: oidOf('HEAD'), filepath: 'long.txt' })
    await expect(reading).rejects.toMatchObject({ code: 'git-too-large' })
  })

  test('passes on where a shallow repository ends, so that log ends there', async () => {
    const end = oidOf('topic~1')
    const shallow = await gitHistory((directory) =>
      writeFileSync(join(directory, 'shallow'), `${end}\n`),
    )
    const commits = await git.log({ ...openGitFs(shallow.database, 'ada/kettle'), ref: 'topic' })
    expect(commits.map(({ oid }) => oid)).toEqual([oidOf('topic'), end])
    shallow.close()
  })

  test('requires an existing repository', () => {
    expect(() => openGitFs(history.database, 'ada/pot')).toThrow(
      expect.objectContaining({ code: 'repository-not-found' }),
    )
  })
})

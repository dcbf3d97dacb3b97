import { appendFile, chmod, mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { ArchiveError } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { type ExportOptions, exportArchive } from '../../src/compose/export-archive.ts'
import type { ExportSource, RepositoryToExport } from '../../src/compose/export-source.ts'
import { bareRepository, git } from '../support/bare-repository.ts'
import { contentsOf, untilError } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { account, repository } from '../support/small-world.ts'
import { everyDay, firstOfEach, THOROUGH } from '../support/thorough.ts'

const sourceOf = (directory: string, more: Partial<RepositoryToExport> = {}): ExportSource => ({
  records: { users: [account('ada')], repositories: [repository('kettle')] },
  repositories: [{ fullName: 'ada/kettle', directory, ...more }],
})

/** The files of the Git data by path within the repository. */
async function copyOf(directory: string, options?: ExportOptions): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  for await (const { path, content } of readArchive(exportArchive(sourceOf(directory), options))) {
    const [, name] = /^repositories\/ada\/kettle\.git\/(.+)$/.exec(path) ?? []
    if (name !== undefined) files.set(name, await collect(content))
  }
  return files
}

const refusalOf = async (directory: string, more?: Partial<RepositoryToExport>) =>
  (await untilError(exportArchive(sourceOf(directory, more)))).error as ArchiveError

describe('A copied repository', () => {
  test('is whole, and has the same commits and refs', async () => {
    const directory = await bareRepository()
    const files = await copyOf(directory)
    const copy = await folderOf(Object.fromEntries(files))
    expect(git(copy, ['fsck', '--full', '--strict'])).toBe('')
    for (const question of [['rev-list', '--all'], ['for-each-ref'], ['symbolic-ref', 'HEAD']]) {
      expect(git(copy, question)).toBe(git(directory, question))
    }
    const paths = [...files.keys()]
    expect(paths).toEqual(expect.arrayContaining(['packed-refs', 'refs/heads/heißes/wasser']))
    for (const form of [/^objects\/pack\/pack-.*\.pack$/, /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/]) {
      expect(paths.some((path) => form.test(path))).toBe(true)
    }
  })

  test('copies no hooks, links or settings of the server', async () => {
    const directory = await bareRepository()
    await writeFile(join(directory, 'config'), '[core]\n\tfsmonitor = evil\n\tbare = true\n')
    await mkdir(join(directory, 'hooks'), { recursive: true })
    await mkdir(join(directory, 'logs'), { recursive: true })
    await writeFile(join(directory, 'objects/info/alternates'), '# none\n')
    for (const name of ['hooks/post-receive', 'logs/HEAD', 'audit_log', 'description']) {
      await writeFile(join(directory, name), 'evil')
    }
    await writeFile(join(directory, 'refs/heads/main.lock'), 'half a ref')
    await writeFile(join(directory, 'objects/pack/tmp_pack_x'), 'half a pack')
    await writeFile(join(directory, `objects/pack/pack-${'a'.repeat(40)}.pack`), 'no index yet')
    const files = await copyOf(directory)
    for (const path of files.keys()) {
      expect(path).toMatch(
        /^(HEAD|config|info\/(nwo)?|packed-refs|refs\/.*|objects\/((info|pack|..)\/)?|objects\/pack\/pack-[0-9a-f]{40}\.(pack|idx)|objects\/..\/.{38})$/,
      )
      expect(path).not.toMatch(/lock|tmp|aaaa/)
    }
    expect(files.get('config')?.toString()).toBe(
      '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n',
    )
    expect(files.get('info/nwo')?.toString()).toBe('ada/kettle')
  })

  test('has its packs whatever they are called, as Git reads them', async () => {
    const directory = await bareRepository()
    const packs = join(directory, 'objects/pack')
    for (const name of await readdir(packs)) {
      await rename(join(packs, name), join(packs, name.replace(/^pack-[0-9a-f]+/, 'old packs')))
    }
    const copy = await folderOf(Object.fromEntries(await copyOf(directory)))
    expect(await readdir(join(copy, 'objects/pack'))).toContain('old packs.pack')
    expect(git(copy, ['rev-list', '--all'])).toBe(git(directory, ['rev-list', '--all']))
  })

  test('is in order, refs before objects', THOROUGH, async () => {
    const paths = [...(await copyOf(await bareRepository())).keys()]
    const files = paths.filter((path) => !path.endsWith('/'))
    const groups = files.map((path) => path.replace(/^(refs|objects\/pack|objects)\/.*/, '$1'))
    expect([...new Set(groups)]).toEqual([
      'HEAD',
      'config',
      'info/nwo',
      'refs',
      'packed-refs',
      'objects',
      'objects/pack',
    ])
    const refs = files.filter((path) => path.startsWith('refs/'))
    expect(refs).toEqual(refs.toSorted())
  })

  test('may have a packed ref that holds no longer, whose object is gone', THOROUGH, async () => {
    const directory = await bareRepository()
    await appendFile(join(directory, 'packed-refs'), `${'b'.repeat(40)} refs/tags/v1\n`)
    expect((await copyOf(directory)).get('refs/tags/v1')).toBeDefined()
  })

  test('may have refs to refs, and an index of an older form', THOROUGH, async () => {
    const directory = await bareRepository()
    git(directory, ['symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/heads/none'])
    const packs = await readdir(join(directory, 'objects/pack'))
    const index = join(directory, 'objects/pack', packs.find((name) => /idx$/.test(name)) as string)
    await chmod(index, 0o600)
    git(directory, ['index-pack', '--index-version=1', '-o', index, index.replace(/idx$/, 'pack')])
    expect((await copyOf(directory)).has('refs/remotes/origin/HEAD')).toBe(true)
  })

  test('may be empty', async () => {
    const folder = await folderOf()
    git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.'])
    const copy = await folderOf(Object.fromEntries(await copyOf(folder)))
    expect(git(copy, ['rev-list', '--all'])).toBe('')
    expect(git(copy, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/main\n')
  })

  test('can be of a wiki', THOROUGH, async () => {
    const wiki = { fullName: 'ada/kettle', directory: await bareRepository(), wiki: true }
    const git_url = 'tarball://root/repositories/ada/kettle.git'
    const wiki_url = 'tarball://root/repositories/ada/kettle.wiki.git'
    const source = (repositories: RepositoryToExport[]): ExportSource => ({
      records: {
        users: [account('ada')],
        repositories: [{ ...repository('kettle'), git_url, wiki_url }],
      },
      repositories,
    })
    const main = { fullName: 'ada/kettle', directory: wiki.directory }
    const onMain = await untilError(exportArchive(source([main, wiki])))
    expect(onMain.error).toMatchObject({ code: 'wiki-head' })
    git(wiki.directory, ['symbolic-ref', 'HEAD', 'refs/heads/master'])
    const contents = await contentsOf(readArchive(exportArchive(source([main, wiki]))))
    expect(contents).toContainEqual([
      'repositories/ada/kettle.wiki.git/info/nwo',
      'ada/kettle.wiki',
    ])
    const missing = await untilError(exportArchive(source([main])))
    expect(missing.error).toMatchObject({ code: 'git-missing', place: { member: 'wiki_url' } })
  })
})

describe('Refused is', () => {
  const rows: [what: string, code: string, spoil: (path: string) => unknown][] = [
    ['no repository', 'git-directory', (path: string) => rm(join(path, 'HEAD'))],
    ['a worktree', 'git-directory', (path: string) => writeFile(join(path, 'commondir'), '..')],
    [
      'one that borrows objects',
      'git-incomplete',
      (path: string) => writeFile(join(path, 'objects/info/alternates'), '/other/objects\n'),
    ],
    ['a shallow one', 'git-incomplete', (path: string) => writeFile(join(path, 'shallow'), '')],
    [
      'a partial clone',
      'git-incomplete',
      (path: string) => writeFile(join(path, 'objects/pack/pack-1.promisor'), ''),
    ],
    ['one with a reftable', 'git-unsupported', (path: string) => mkdir(join(path, 'reftable'))],
    [
      'one with other ids',
      'git-unsupported',
      (path: string) => appendFile(join(path, 'config'), '[extensions]\n\tobjectFormat = sha256\n'),
    ],
    ['an empty HEAD', 'git-directory', (path: string) => writeFile(join(path, 'HEAD'), '')],
    [
      'a HEAD that names nothing',
      'git-directory',
      (path: string) => writeFile(join(path, 'HEAD'), 'ref: '.padEnd(5000, 'x')),
    ],
    ['a HEAD that is a link', 'git-link', (path: string) => intoLink(join(path, 'HEAD'))],
    ['a folder that is a link', 'git-link', (path: string) => intoLink(join(path, 'refs/heads'))],
    ['objects behind a link', 'git-link', (path: string) => intoLink(join(path, 'objects'))],
    ['a pack behind a link', 'git-link', (path: string) => intoLink(join(path, 'objects/pack'))],
    [
      'a ref that is a link',
      'git-link',
      (path: string) => symlink('/etc/passwd', join(path, 'refs/heads/passwd')),
    ],
    [
      'a ref to an object that is not there',
      'git-ref-dangling',
      (path: string) => writeFile(join(path, 'refs/heads/main'), `${'b'.repeat(40)}\n`),
    ],
    [
      'a packed ref to an object that is not there',
      'git-ref-dangling',
      (path: string) => appendFile(join(path, 'packed-refs'), `${'b'.repeat(40)} refs/tags/v9\n`),
    ],
    [
      'a ref to an object whose pack is not there',
      'git-ref-dangling',
      async (path: string) => {
        const packs = await readdir(join(path, 'objects/pack'))
        const pack = packs.find((name) => name.endsWith('.pack')) as string
        await rm(join(path, 'objects/pack', pack))
      },
    ],
    [
      'an object in place of a ref',
      'git-refs-damaged',
      (path: string) => appendFile(join(path, 'packed-refs'), `${'b'.repeat(40)}\n`),
    ],
    [
      'an empty ref',
      'git-refs-damaged',
      (path: string) => writeFile(join(path, 'refs/heads/e'), ''),
    ],
    [
      'a ref that holds too much',
      'git-refs-damaged',
      (path: string) => writeFile(join(path, 'refs/heads/long'), 'a'.repeat(10_000)),
    ],
    [
      'a branch named like a commit',
      'ref-like-commit',
      (path: string) => git(path, ['update-ref', `refs/heads/${'a'.repeat(40)}`, 'main']),
    ],
    [
      'a packed branch named like a commit',
      'ref-like-commit',
      (path: string) => {
        git(path, ['update-ref', `refs/heads/${'a'.repeat(40)}`, 'main'])
        git(path, ['pack-refs', '--all'])
      },
    ],
  ]
  for (const [some, suite] of firstOfEach(rows, ([, code]) => code)) {
    test.each(some)('%s', suite, async (_, code, spoil) => {
      const directory = await bareRepository()
      await spoil(directory)
      expect(await refusalOf(directory)).toMatchObject({ code })
    })
  }

  test('what is not there', async () => {
    expect(await refusalOf('/no/such/folder')).toMatchObject({ code: 'git-directory' })
  })

  everyDay(1)(['kettle', 'a/b/c', '../kettle', 'ada/..', ''])('the name %j', async (fullName) => {
    const { code } = await refusalOf(await bareRepository(), { fullName })
    expect(code).toMatch(/^(git-directory|path-hostile|git-missing)$/)
  })

  test('a repository that no record names, and a record without its repository', async () => {
    const directory = await bareRepository()
    expect(await refusalOf(directory, { fullName: 'ada/pot' })).toMatchObject({
      code: 'git-missing',
      place: { member: 'git_url' },
    })
    const { records = {} } = sourceOf(directory)
    const { error } = await untilError(exportArchive({ records, repositories: [] }))
    expect(error).toMatchObject({ code: 'git-missing', place: { member: 'git_url', record: 1 } })
    // A metadata archive.
    await collect(exportArchive({ records }))
  })
})

async function intoLink(path: string): Promise<void> {
  await rename(path, `${path}-elsewhere`)
  await symlink(`${path}-elsewhere`, path)
}

import { expect, test } from 'vitest'
import { type GitData, gitNameOf, openGit } from '../../../src/git/open-git.ts'
import { accountOfEmail } from '../../../src/reading/git/accounts.ts'
import { changesOf, compareFiles } from '../../../src/reading/git/changes.ts'
import { readGitFile } from '../../../src/reading/git/files.ts'
import { findAt, findReadme, lastChanges, readFolder } from '../../../src/reading/git/folders.ts'
import { languagesOf } from '../../../src/reading/git/languages.ts'
import { filterRefs, listRefs } from '../../../src/reading/git/refs.ts'
import { defaultRevision, findCommit, revisionOf } from '../../../src/reading/git/revisions.ts'
import { readWiki } from '../../../src/reading/git/wiki.ts'
import { COMMITS, ODD_FILES, ODD_RECORDS } from '../../faces/odd-repository.ts'
import { loaded } from '../../support/load.ts'
import { filesOf } from '../../support/rest-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** The odd repository, open. */
async function openOdd(name = 'old/teapot'): Promise<GitData> {
  const { database } = await loaded({ ...filesOf(ODD_RECORDS), ...ODD_FILES })
  const git = openGit(database, name)
  if (!git) throw new Error('there are no Git data')
  return git
}

const rootOf = (git: GitData, oid: string) => findCommit(git, oid)?.tree ?? ''

test('A record says under which name the archive has the Git data', () => {
  expect(gitNameOf('tarball://root/repositories/old/teapot.git', 'forge/kettle')).toBe('old/teapot')
  for (const address of [null, undefined, 7, 'https://forge.example/old/teapot.git']) {
    expect(gitNameOf(address, 'forge/kettle')).toBe('forge/kettle')
  }
})

test(
  'A repository begins with its recorded branch, HEAD, main or master, if that has commits',
  THOROUGH,
  async () => {
    const git = await openOdd()
    const { last, topic, second } = COMMITS
    expect(defaultRevision(git, 'topic')).toEqual({ name: 'topic', kind: 'branch', oid: topic })
    expect(defaultRevision(git, 'gone')).toEqual({ name: 'main', kind: 'branch', oid: last })
    const detached = await openOdd('ada/notes')
    expect(defaultRevision(detached, null)).toEqual({ name: 'HEAD', kind: 'ref', oid: second })
    expect(openGit(git.database, 'ada/nobody')).toBe(undefined)
  },
)

test('Each entry of a folder has the commit that last changed it', async () => {
  const git = await openOdd()
  const { first, second, merge, last } = COMMITS
  const changes = lastChanges(git, last, [])
  const oids = Object.fromEntries([...changes].map(([name, { oid }]) => [name, oid]))
  expect(oids).toMatchObject({ src: last, 'README.md': first, 'caf\xe9.txt': second })
  // What came from the side of a merge was changed there.
  expect(oids.link).toBe(COMMITS.topic)
  expect(oids.link).not.toBe(merge)
})

test('A file is a text, too large to show, or binary', async () => {
  const git = await openOdd()
  const root = rootOf(git, COMMITS.first)
  const read = async (name: string) => readGitFile(git, findAt(git, root, [name])?.oid ?? '')
  expect(await read('crlf.txt')).toMatchObject({ text: 'one\r\ntwo\r\n', encoding: undefined })
  expect(await read('all.bin')).toMatchObject({ text: undefined, size: 256 })
  expect(await read('link')).toMatchObject({ text: 'README.md' })
})

test('A folder has a README if a file is text by its name, and never a binary', async () => {
  const git = await openOdd()
  const folder = readFolder(git, rootOf(git, COMMITS.first))
  expect(findReadme(folder)?.name).toBe('README.md')
  const entries = folder.entries.filter(({ name }) => name !== 'README.md')
  expect(entries.map(({ name }) => name)).toContain('readme.zip')
  expect(findReadme({ entries, more: 0 })).toBe(undefined)
})

test('Languages are counted once for a tree', async () => {
  const git = await openOdd()
  const tree = rootOf(git, COMMITS.first)
  const counting = languagesOf(git, tree)
  expect(languagesOf(git, tree)).toBe(counting)
  expect((await counting).map(({ name }) => name)).toEqual(['C', 'Python'])
})

test('A file beyond those that are compared has no lines', THOROUGH, async () => {
  const git = await openOdd()
  const commit = findCommit(git, COMMITS.first)
  const files = (commit && changesOf(git, commit))?.files ?? []
  const many = Array.from({ length: 301 }, () => files[0] ?? expect.fail())
  const compared: boolean[] = []
  for await (const { isCompared, parts } of compareFiles(git, many)) {
    expect(parts.length > 0).toBe(isCompared)
    compared.push(isCompared)
  }
  expect(compared.indexOf(false)).toBe(300)
  expect(compared.length).toBe(301)
})

test('Refs that Git would not accept are left out', async () => {
  const git = await openOdd()
  git.database.exec(`INSERT INTO refs (archive, repository, name, oid, packed)
    SELECT archive, repository, 'refs/heads/..', oid, 0 FROM refs WHERE name = 'refs/heads/main'
    UNION ALL SELECT archive, repository, 'refs/heads/x', x'ff', 0 FROM refs WHERE name = 'HEAD'`)
  const refs = listRefs(git.database, git.name, 'refs/heads/')
  const names = ['both', 'lost', 'main', 'orphan', 'topic']
  expect(refs.page(0, 10).map(({ name }) => name.slice('refs/heads/'.length))).toEqual(names)
  const some = filterRefs(refs, ({ name }) => name.includes('o'))
  expect([some.count, some.page(1, 1)[0]?.name]).toEqual([4, 'refs/heads/lost'])
  expect(revisionOf(git, 'x')).toBe(undefined)
})

test('An address is that of the first person who has it, or of a login of the same host', async () => {
  const { database } = await openOdd()
  const accountOf = (email: string) => accountOfEmail(database, 'forge.example', email)
  expect(accountOf('ADA@forge.example')).toEqual({ url: 'https://forge.example/ada' })
  expect(accountOf('7+bob@users.noreply.forge.example')).toEqual({ login: 'bob' })
  expect(accountOf('bob@users.noreply.elsewhere.example')).toBe(undefined)
})

test('The pages of a wiki are the texts in it', async () => {
  const git = await openOdd()
  const files = readWiki(git).map(({ file }) => file)
  expect(files).toEqual(['README.md', 'caf\ufffd.txt', 'crlf.txt'])
})

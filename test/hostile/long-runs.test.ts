import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collect, concat } from '../../src/base/streams.ts'
import { safeName } from '../../src/files/safe-name.ts'
import { archiveRevision } from '../../src/git/archive/archive-revision.ts'
import { checkOut } from '../../src/git/clone/check-out.ts'
import { isSafeEntry } from '../../src/git/clone/safe-entry.ts'
import { formatMail } from '../../src/git/diff/format-mail.ts'
import { readCommit } from '../../src/git/history/walk-commits.ts'
import { openRepository } from '../../src/git/open-repository.ts'
import { parseCredentials } from '../../src/http/access/authenticate.ts'
import { numberAtEnd } from '../../src/reading/numbers.ts'
import { createLoginFinder } from '../../src/transform/redact/find-logins.ts'
import { createNameFinder } from '../../src/transform/redact/find-names.ts'
import { proveGit } from '../../src/transform/redact/proof/prove-git.ts'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../support/build-pack.ts'
import { tarOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { BARE } from '../support/load.ts'
import { repositorySet } from '../support/repository-set.ts'
import { everyDay } from '../support/thorough.ts'

/** A pattern that looks at a run of this length from each of its characters takes fifteen seconds. */
const LENGTH = 100_000
const run = (unit: string): string => unit.repeat(LENGTH / unit.length)

/** The result of some work that must take far less than that: a third of it, for slow machines. */
async function quickly<T>(work: () => T): Promise<Awaited<T>> {
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1e6).toBeLessThan(5)
  return result
}

describe('P7: a long run is looked at once,', () => {
  test('of spaces in credentials', async () => {
    expect(await quickly(() => parseCredentials(`Basic a${run(' ')}b`))).toEqual({
      kind: 'unreadable',
    })
  })

  test('of digits in a url', async () => {
    expect(await quickly(() => numberAtEnd(`https://h/${run('1')}x/7`))).toBe(7)
    expect(await quickly(() => numberAtEnd(`https://h/${run('1')}x`))).toBeUndefined()
  })

  test('of spaces and full stops in the name of an upload', async () => {
    const name = await quickly(() => safeName(`a${run(' .')}b${run('. ')}`))
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
  })

  test('of spaces and full stops in the name of a file in a tree', async () => {
    expect(await quickly(() => isSafeEntry(`.git${run('. ')}x`))).toBe(true)
    expect(await quickly(() => isSafeEntry(`.git${run('. ')}`))).toBe(false)
  })

  test('of hyphens in a login to redact', async () => {
    const find = createLoginFinder(['ada'])
    const found = await quickly(() => [...find(`@${run('-')}x @ada--`)])
    expect(found.map(({ value }) => value)).toEqual(['ada'])
  })

  test('of quotes in a name to redact', async () => {
    const find = createNameFinder(['Ada Lovelace'])
    const found = await quickly(() => [...(find?.(`a${run("'")}b Ada Lovelace's`) ?? [])])
    expect(found.map(({ value }) => value)).toEqual(['Ada Lovelace'])
  })
})

describe('P7: a long run in Git data is looked at once,', () => {
  const repositories = repositorySet()

  const lines = run('\n')
  const treeWith = (name: string, content: string) =>
    treeOf(['100644', name, oidOf('blob', content)])
  const attributes = `${lines}* ident\n# * export-ignore\n`
  const modules = `${lines}  url = ext::sh\n`
  const trees = [treeWith('.gitattributes', attributes), treeWith('.gitmodules', modules)] as const
  const [attributed, moduled] = trees.map((tree) => oidOf('tree', tree)) as [string, string]
  const message = `Subject\n\nBody${lines}end${lines}`
  const commit = commitOf(attributed, message)
  const name = repositories.put({
    ...looseOf('blob', attributes),
    ...looseOf('blob', modules),
    ...Object.assign({}, ...trees.map((tree) => looseOf('tree', tree))),
    ...looseOf('commit', commit),
    'refs/heads/main': `${oidOf('commit', commit)}\n`,
  })
  const repository = () => openRepository(repositories.database(), name)

  test('of empty lines in .gitattributes', async () => {
    const { bytes, summary } = archiveRevision(repository(), 'main')
    await quickly(() => collect(bytes))
    expect(summary().notes).toEqual(['.gitattributes sets ident, which is not applied'])
  })

  test('of empty lines in .gitmodules', async () => {
    const folder = await folderOf()
    const { notes } = await quickly(() => checkOut(repository().objects, moduled, folder))
    expect(notes).toEqual(['a submodule runs a program when it is fetched: url = ext::sh'])
  })

  test('of empty lines in a message', async () => {
    const found = readCommit(repository().objects, oidOf('commit', commit))
    const mail = await quickly(() =>
      concat([
        ...formatMail(
          found,
          { number: 1, total: 1 },
          () => [],
          () => [],
        ),
      ]),
    )
    expect(mail.includes('\nend\n---\n')).toBe(true)
  })

  everyDay(1)([
    ['spaces before an address that never comes', run(' ')],
    ['brackets that never close', `\n\nReviewed-by: ${run('<@')}`],
    ['addresses without end', `\n\nReviewed-by: ${run('a@')} x`],
  ])('of %s, when a redaction is proved', async (_, text) => {
    const object = `tree ${attributed}\nauthor a${text}`
    const archive = join(
      await folderOf({
        'it.tar': tarOf({
          ...BARE,
          ...repositoryOf('a/b', {
            ...looseOf('commit', object),
            'refs/heads/main': `${oidOf('commit', object)}\n`,
          }),
        }),
      }),
      'it.tar',
    )
    await quickly(() => proveGit(archive, new Set(['ada@forge.example'])))
  })
})

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { cloneRepository } from '../../../../src/git/clone/clone-repository.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { GIT_PARTS } from '../../../../src/transform/redact/git-parts.ts'
import { proveGit } from '../../../../src/transform/redact/proof/prove-git.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { RedactReport } from '../../../../src/transform/redact/redact-options.ts'
import { git } from '../../../support/bare-repository.ts'
import { unpack } from '../../../support/build.ts'
import { gitText } from '../../../support/git-history.ts'
import { type GitWorld, gitWorld } from '../../../support/git-world.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

const KEY = Buffer.alloc(32, 7)
const PASSWORD = 'k3ttle-b01ls-0ver'
const SIGNED = `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
author Ada Kettle <ada@forge.example> 1714564800 +0200
committer Ada Kettle <ada@forge.example> 1714564800 +0200
gpgsig -----BEGIN PGP SIGNATURE-----
 abc
 -----END PGP SIGNATURE-----

Signed

Co-authored-by: Grace Hopper <grace@navy.example>
Signed-off-by: grace@navy.example
Reported by grace@navy.example
`

const PEOPLE = ['ada@forge.example', 'Ada Kettle', 'Grace Hopper', 'grace@navy.example']

let world: GitWorld
let before: Record<string, string>
let report: RedactReport
let archive: string

const at = (name: string) => join(world.root, name)

/** The ids that all refs of a repository lead to, by name. */
const refsOf = (directory: string): Record<string, string> =>
  Object.fromEntries(
    gitText(directory, ['for-each-ref', '--format=%(refname) %(objectname)'])
      .trim()
      .split('\n')
      .map((line) => line.split(' ') as [string, string]),
  )

/** Twenty versions of a file, as deltas in a pack, half of them in a second pack as well, and cut behind the fifteenth. */
function fillPot(directory: string): void {
  const versions = Array.from({ length: 20 }, (_, i) => {
    const lines = Array.from({ length: 200 }, (_, j) => `line ${j} ${j === i ? 'new' : ''}\n`)
    const text = lines.join('')
    return `commit refs/heads/main\nauthor Ada <ada@forge.example> ${i} +0000
committer Ada <ada@forge.example> ${i} +0000\ndata 1\n${i % 10}
M 100644 inline a.txt\ndata ${text.length}\n${text}\n`
  })
  git(directory, ['fast-import', '--quiet'], versions.join(''))
  git(directory, ['repack', '-adf', '--depth=20', '--window=20', '--quiet'])
  git(directory, ['pack-objects', '--revs', '--quiet', 'objects/pack/pack'], 'main~10\n')
  const cut = gitText(directory, ['rev-parse', 'main~15'])
  writeFileSync(join(directory, 'shallow'), cut)
}

async function redactWith(source: string, output: string) {
  const database = openDatabase(source)
  try {
    return await redactDatabase(database, output, { git: 'authors', key: KEY, force: true })
  } finally {
    database.close()
  }
}

beforeAll(async () => {
  world = gitWorld()
  const directory = world.directoryOf('ada/kettle')
  const write = (type: string, text: string) =>
    gitText(directory, ['hash-object', '-t', type, '-w', '--stdin', '--literally'], text).trim()
  git(directory, ['mktree'], '')
  const signed = write('commit', SIGNED)
  git(directory, ['update-ref', 'refs/heads/signed', signed])
  mkdirSync(join(directory, 'logs'))
  writeFileSync(join(directory, 'logs/HEAD'), 'Ada Kettle <ada@forge.example>')
  writeFileSync(join(directory, 'description'), 'Ask grace@navy.example')
  const remote = `[remote "origin"]\n\turl = https://ci:${PASSWORD}@forge.example/x\n`
  writeFileSync(join(directory, 'config'), remote)
  git(directory, ['update-ref', 'refs/heads/for/grace@navy.example', signed])
  git(directory, ['pack-refs', '--all'])
  git(directory, ['update-ref', 'refs/heads/of/ada@forge.example', signed])
  before = refsOf(directory)
  const main = before['refs/heads/main'] as string
  const pull = {
    type: 'issue',
    url: 'https://forge.example/ada/kettle/issues/1',
    title: 'By grace@navy.example and ada@forge.example',
    repository: 'https://forge.example/ada/kettle',
    user: 'https://forge.example/ada',
    created_at: '2024-01-02T03:04:05Z',
    body: `Since ${main.slice(0, 9)}, not 1234567 or ${'f'.repeat(40)}: ${main}.`,
    merge_commit_sha: before['refs/heads/topic'],
  }
  writeFileSync(join(world.folder, 'issues_000001.json'), JSON.stringify([pull]))
  fillPot(world.directoryOf('ada/pot'))
  await loadArchive(world.folder, at('git.db'))
  archive = at('redacted.tar.gz')
  report = await redactWith(at('git.db'), archive)
  await loadArchive(archive, at('redacted.db'))
})
afterAll(() => world.close())

async function cloned(name: string): Promise<string> {
  const database = openDatabase(at('redacted.db'))
  const folder = at(`clone-${name.replace('/', '-')}`)
  try {
    await cloneRepository(database, name, folder)
  } finally {
    database.close()
  }
  return folder
}

test('Git finds no fault in a rewritten repository, nor anybody that it named', async () => {
  const clone = await cloned('ada/kettle')
  expect(gitText(clone, ['fsck', '--full', '--strict', '--no-dangling'])).not.toMatch(
    /error|missing/,
  )
  const everything = gitText(clone, ['cat-file', '--batch-all-objects', '--batch', '--unordered'])
  for (const value of [...PEOPLE, 'bo@forge.example']) {
    expect(everything).not.toContain(value)
  }
  expect(everything).toMatch(/^Reported by [0-9a-z]{10}@redacted\.invalid$/m)
  expect(everything).not.toContain('gpgsig')
})

test('Refs, trees, dates and messages are as before; ids of commits and tags are new', async () => {
  const clone = await cloned('ada/kettle.wiki').then(() => at('clone-ada-kettle.wiki'))
  expect(gitText(clone, ['log', '-1', '--format=%s', 'master'])).toBe('Home\n')
  const kettle = at('clone-ada-kettle')
  const after = refsOf(kettle)
  const names = Object.keys(before).filter((name) => !name.includes('@'))
  expect(Object.keys(after).filter((name) => !name.includes('@'))).toEqual(names)
  for (const name of names) expect(after[name], name).not.toBe(before[name])
  const format = ['log', '--all', '--format=%T %at %ct %s', '--date-order']
  const sorted = (directory: string) => gitText(directory, format).split('\n').sort()
  expect(sorted(kettle)).toEqual(sorted(world.directoryOf('ada/kettle')))
})

test('Deltas stay deltas, objects of several packs come once, and history is cut where it was', async () => {
  const pot = await cloned('ada/pot')
  gitText(pot, ['fsck', '--full', '--strict'])
  const [pack] = readdirSync(join(pot, 'objects/pack')).filter((name) => name.endsWith('.idx'))
  const listed = gitText(pot, ['verify-pack', '-v', `objects/pack/${pack}`])
  expect(listed).toMatch(/^chain length = 1: \d+ object/m)
  expect(listed.match(/ commit /g)).toHaveLength(20)
  expect(gitText(pot, ['rev-list', '--count', 'main'])).toBe('16\n')
  expect(gitText(pot, ['rev-parse', 'main~15'])).toBe(readFileSync(join(pot, 'shallow'), 'utf8'))
  const tree = ['rev-parse', 'main^{tree}']
  expect(gitText(pot, tree)).toBe(gitText(world.directoryOf('ada/pot'), tree))
})

test('An author has the pseudonym that people have', async () => {
  const [name, email] = gitText(at('clone-ada-kettle'), ['log', '-1', '--format=%an%n%ae', 'main'])
    .trim()
    .split('\n')
  expect(name).toMatch(/^person-[0-9a-z]{10}$/)
  expect(email).toMatch(/^[0-9a-z]{10}@redacted\.invalid$/)
})

test('Records name commits by their new ids, in texts by as many digits as before', () => {
  const database = openDatabase(at('redacted.db'))
  const after = refsOf(at('clone-ada-kettle'))
  const main = after['refs/heads/main'] as string
  const row = database.prepare('SELECT body, _extra FROM issues').get() as Record<string, string>
  expect(row.body).toBe(`Since ${main.slice(0, 9)}, not 1234567 or ${'f'.repeat(40)}: ${main}.`)
  expect(row._extra).toContain(after['refs/heads/topic'])
  database.close()
})

test('The database knows the new refs and packs, and no old file', () => {
  const database = openDatabase(at('redacted.db'))
  const all = (sql: string) => database.prepare<[], string>(sql).pluck().all()
  expect(all("SELECT path FROM files WHERE path LIKE '%/logs/%'")).toEqual([])
  expect(all("SELECT path FROM git_packs WHERE repository = 'ada/kettle'")).toHaveLength(2)
  const oid = all("SELECT oid FROM refs WHERE name = 'refs/heads/signed'")
  expect(oid).toEqual([refsOf(at('clone-ada-kettle'))['refs/heads/signed']])
  expect(all("SELECT code FROM problems WHERE code GLOB '*ref*' OR code GLOB '*git*'")).toEqual([])
  database.close()
})

test('The report counts new ids, and says what was done about each part of Git data', () => {
  expect(report.git).toMatchObject({ state: 'rewritten', rewritten: 30 })
  const part = (state: string, values: number, notSearched = 0) => ({
    state,
    values,
    notSearched,
  })
  expect(Object.keys(report.git.parts).sort()).toEqual(Object.keys(GIT_PARTS).sort())
  expect(report.git.parts).toEqual({
    authors: part('cleaned', 7),
    messages: part('cleaned', 1),
    notes: part('clean', 0),
    signatures: part('left out', 1),
    refs: part('cleaned', 2),
    config: part('cleaned', 1),
    description: part('cleaned', 1),
    logs: part('left out', 1),
    others: part('clean', 0),
    names: part('not searched', 0, 31),
    files: part('not searched', 0, 28),
  })
})

test('Names of branches, config, description and logs have no value any more', async () => {
  const { files } = await unpack(readFileSync(archive))
  const beside = Object.entries(files).filter(([path]) => !path.includes('/objects/'))
  const text = JSON.stringify(beside)
  for (const value of [...PEOPLE, PASSWORD]) expect(text).not.toContain(value)
  expect(text).toMatch(/refs\/heads\/for\/[0-9a-z]{10}@redacted\.invalid/)
  expect(files['repositories/ada/kettle.git/config']).toContain('://ci:[secret password ')
  const names = Object.keys(refsOf(at('clone-ada-kettle')))
  expect(names.filter((name) => name.endsWith('@redacted.invalid'))).toHaveLength(2)
})

test(
  'Of Git data that is kept, the report counts the values in each part, wherever else they are',
  THOROUGH,
  async () => {
    const database = openDatabase(at('git.db'))
    const kept = await redactDatabase(database, undefined, { git: 'keep', key: KEY })
    database.close()
    const counts = Object.entries(kept.git.parts).map(([part, { values }]) => [part, values])
    expect(Object.fromEntries(counts)).toEqual({
      authors: 7,
      messages: 1,
      notes: 0,
      refs: 2,
      names: 0,
      files: 0,
      config: 1,
      description: 1,
      logs: 2,
      others: 0,
    })
    expect(kept.git.parts.authors?.state).toBe('left as it is')
    expect(kept.git.rewritten).toBe(0)
  },
)

describe('The proof reads the new packs:', () => {
  const people = PEOPLE

  test('nobody is left in them', async () => {
    await expect(proveGit(archive, new Set(people))).resolves.toBeUndefined()
  })

  everyDay(1)(people)('it finds %s where everybody still is', async (person) => {
    await expect(proveGit(world.folder, new Set([person]))).rejects.toMatchObject({
      code: 'redaction-incomplete',
      message: expect.stringMatching(/^an author is still named in the object [0-9a-f]{40}$/),
      place: { entry: 'repositories/ada/kettle.git/' },
    })
  })

  test('an address without a name behind Signed-off-by was replaced, and other text is no finding', async () => {
    expect(gitText(at('clone-ada-kettle'), ['log', '-1', '--format=%b', 'signed'])).toMatch(
      /^Signed-off-by: [0-9a-z]{10}@redacted\.invalid$/m,
    )
    await expect(proveGit(archive, new Set(['Reported by']))).resolves.toBeUndefined()
  })
})

test('Twice is once: the same bytes', THOROUGH, async () => {
  const again = at('again.tar.gz')
  const { git } = await redactWith(at('redacted.db'), again)
  expect(git.rewritten).toBe(0)
  expect(readFileSync(again).equals(readFileSync(archive))).toBe(true)
})

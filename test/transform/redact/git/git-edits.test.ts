import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../../src/transform/redact/redact-options.ts'
import { unpack, unpackInto } from '../../../support/build.ts'
import { folderOf } from '../../../support/folder.ts'
import { gitText } from '../../../support/git-history.ts'
import { makeBare } from '../../../support/git-world.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'
import { zipOf } from '../adversary/clothes.ts'

const REPOSITORY = 'repositories/ada/spoon.git'
const WHO = 'Ada <ada@forge.example> 1600000000 +0000'
const KEY = Buffer.alloc(32, 7)

const file = (path: string, content: string) =>
  `M 100644 inline ${path}\ndata ${content.length}\n${content}\n`
const commit = (ref: string, message: string, ...changes: string[]) =>
  `commit ${ref}\ncommitter ${WHO}\ndata ${message.length}\n${message}\n${changes.join('')}\n`

/** Redacts an archive with one repository. Returns the report, the files, and the folder of the new repository. */
const redacted = (git: Git, ...history: string[]) => redactedWith({}, git, ...history)

type Git = RedactOptions['git'] | Pick<RedactOptions, 'git' | 'keepUnread'>

/** The same with records and files beside it. */
async function redactedWith(
  records: Readonly<Record<string, readonly object[] | Buffer>>,
  git: Git,
  ...history: string[]
) {
  const folder = await folderOf()
  const directory = join(folder, 'archive', REPOSITORY)
  makeBare(directory)
  gitText(directory, ['fast-import', '--quiet'], history.join(''))
  for (const [path, list] of Object.entries(records)) {
    const file = join(folder, 'archive', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, Buffer.isBuffer(list) ? list : JSON.stringify(list))
  }
  await loadArchive(join(folder, 'archive'), join(folder, 'a.db'))
  const database = openDatabase(join(folder, 'a.db'))
  const options = { key: KEY, ...(typeof git === 'object' ? git : { git }) }
  const report = await redactDatabase(database, join(folder, 'a.tar.gz'), options)
  database.close()
  const { files } = await unpackInto(join(folder, 'new'), readFileSync(join(folder, 'a.tar.gz')))
  return { report, files, before: directory, after: join(folder, 'new', REPOSITORY) }
}

test('A file that cannot be read is named, and replaced', THOROUGH, async () => {
  const { report, after } = await redacted(
    'history',
    commit('refs/heads/main', 'x', file('a.bin', '\0\x01\x02nothing\0')),
  )
  expect(report.git.unread).toEqual({
    count: 1,
    types: { 'other binary': 1 },
    kept: false,
    paths: ['ada/spoon: a.bin'],
  })
  expect(gitText(after, ['show', 'main:a.bin'])).toMatch(/^The content of this file was taken out/)
})

test('A file that cannot be read is kept on request', THOROUGH, async () => {
  const { report, after } = await redacted(
    { git: 'history', keepUnread: true },
    commit('refs/heads/main', 'x', file('a.bin', '\0\x01\x02nothing\0')),
  )
  expect(report.git.unread).toMatchObject({ count: 1, kept: true })
  expect(gitText(after, ['show', 'main:a.bin'])).toContain('nothing')
})

test(
  'The address of an author is not handed out in a file that is kept unread',
  THOROUGH,
  async () => {
    const made = redacted(
      { git: 'history', keepUnread: true },
      commit('refs/heads/main', 'x', file('a.bin', '\0\x01\x02ada@forge.example\0')),
    )
    await expect(made).rejects.toMatchObject({ code: 'redaction-incomplete' })
  },
)

/** A zip file whose second member is damaged. */
function damagedZip(text: string): string {
  const bytes = zipOf({ 'a.txt': text, 'b.txt': 'kettle' })
  const at = bytes.indexOf('b.txt') + 'b.txt'.length
  bytes.writeUInt8((bytes[at] as number) ^ 0xff, at)
  return bytes.toString('latin1')
}

test('A file that cannot be read to its end is replaced', THOROUGH, async () => {
  const { report, after } = await redacted(
    'history',
    commit(
      'refs/heads/main',
      'x',
      file('found.zip', damagedZip('ada@forge.example')),
      file('clean.zip', damagedZip('nothing')),
    ),
  )
  expect(report.git.unread).toMatchObject({
    count: 2,
    types: { 'damaged zip': 2 },
    paths: ['ada/spoon: clean.zip', 'ada/spoon: found.zip'],
  })
  expect(gitText(after, ['show', 'main:found.zip'])).toMatch(/^The content of this file was/)
})

test(
  'An office document whose markup divides a value is replaced in the history',
  THOROUGH,
  async () => {
    const xml = '<w:p><w:t>bo@</w:t><w:t>forge.example</w:t></w:p>'
    const { report, after } = await redacted(
      'history',
      commit(
        'refs/heads/main',
        'x',
        file('a.docx', zipOf({ 'word/document.xml': xml }).toString('latin1')),
      ),
    )
    expect(report.git.unread).toMatchObject({ count: 1, kept: false })
    expect(gitText(after, ['show', 'main:a.docx'])).toMatch(/^The content of this file was/)
  },
)

test(
  'A file beside objects that is no text is left out, also if it has no zero',
  THOROUGH,
  async () => {
    const words = (i: number) => Array.from({ length: 40 }, (_, k) => (k * k * 7919 + i * 31) % 997)
    const packed = Array.from({ length: 300 }, (_, i) =>
      deflateSync(`ada@forge.example ${words(i).join(' word')}`),
    )
    const { files, report } = await redactedWith(
      {
        [`${REPOSITORY}/more/spout/objects/ab/cd`]: packed.find(
          (bytes) => !bytes.includes(0),
        ) as Buffer,
        [`${REPOSITORY}/more/spout/Zoë of ada@forge.example`]: Buffer.from('Gr\xfc\xdfe', 'latin1'),
      },
      'authors',
      commit('refs/heads/main', 'x'),
    )
    expect(report.git.parts.others?.leftOut).toBe(1)
    const paths = Object.keys(files).filter((path) => path.includes('/more/'))
    expect(paths).toEqual([expect.stringMatching(/spout\/Zoë of \w{10}@redacted\.invalid$/)])
    expect(files[paths[0] as string]).toBe('Gr\xfc\xdfe')
  },
)

test(
  'A note that is a file of a branch as well is cleaned, and the file stays',
  THOROUGH,
  async () => {
    const text = 'of bo@forge.example'
    const { after } = await redacted(
      'authors',
      commit('refs/heads/main', 'x', file('a.txt', text)),
      commit('refs/notes/commits', 'n', file('ab'.repeat(20), text)),
    )
    expect(gitText(after, ['fsck', '--full', '--strict'])).toBe('')
    expect(gitText(after, ['show', 'main:a.txt'])).toBe(text)
    expect(gitText(after, ['show', `refs/notes/commits:${'ab'.repeat(20)}`])).toMatch(
      /^of [0-9a-z]{10}@redacted\.invalid$/,
    )
  },
)

test('Ids in messages follow, whole or their first digits, and others stay', THOROUGH, async () => {
  const first = commit('refs/heads/main', 'First')
  const { before: folder } = await redacted('drop', first)
  const oid = gitText(folder, ['rev-parse', 'main']).trim()
  const { after } = await redacted(
    'authors',
    first,
    commit('refs/heads/main', `This reverts ${oid}, not ${'12'.repeat(20)}: ${oid.slice(0, 12)}`),
  )
  const now = gitText(after, ['rev-parse', 'main~1']).trim()
  expect(gitText(after, ['log', '-1', '--format=%B', 'main']).trim()).toBe(
    `This reverts ${now}, not ${'12'.repeat(20)}: ${/[a-f]/.test(oid.slice(0, 12)) ? now.slice(0, 12) : oid.slice(0, 12)}`,
  )
})

const issueOf = (body: string, more: object = {}) => ({
  type: 'issue',
  url: 'https://forge.example/ada/spoon/issues/1',
  title: 'Boils over',
  body,
  created_at: '2020-01-01T00:00:00Z',
  ...more,
})
const by = (who: string) =>
  `commit refs/heads/main\nauthor ${who} 1600000000 +0000\ncommitter ${WHO}\ndata 2\nx\n\n`

everyDay(1)(['authors', 'keep', 'drop'] as const)(
  'With %s, an author without a record is found in texts, by the pseudonym of the author',
  async (git) => {
    const issues = [issueOf('Thanks, Grace  Hopper! Release Bot did it, with GitHub Actions.')]
    const { files, after } = await redactedWith(
      { 'issues_000001.json': issues },
      git,
      by('Kettle Actions <kettle[bot]@forge.example>').replace('Kettle', 'GitHub'),
      by('Grace Hopper <grace@navy.example>'),
    )
    const [, pseudonym] =
      /Thanks, (person-\w{10})! Release Bot did it, with GitHub Actions\./.exec(
        String(files['issues_000001.json']),
      ) ?? []
    expect(pseudonym).toBeDefined()
    if (git !== 'authors') return
    expect(gitText(after, ['log', '-1', '--format=%an', 'main']).trim()).toBe(pseudonym)
  },
)

test(
  'Records follow a branch whose name has signs for the spaces of a name',
  THOROUGH,
  async () => {
    const branch = 'topic/grace-hopper-fixes'
    const issues = [
      issueOf(`See ${branch}, not ${branch}-2: https://forge.example/ada/spoon/tree/${branch}.`, {
        head: { ref: branch },
      }),
    ]
    const { files, after } = await redactedWith(
      { 'issues_000001.json': issues },
      'authors',
      by('Grace Hopper <grace@navy.example>'),
      `reset refs/heads/${branch}\nfrom refs/heads/main\n\n`,
    )
    const refs = gitText(after, ['for-each-ref', '--format=%(refname:short)']).trim().split('\n')
    const now = refs.find((ref) => ref.startsWith('topic/')) as string
    expect(now).toMatch(/^topic\/person-\w{10}-fixes$/)
    const [issue] = JSON.parse(String(files['issues_000001.json']))
    expect(issue.head).toEqual({ ref: now })
    expect(issue.body).toBe(
      `See ${now}, not ${branch}-2: https://forge.example/ada/spoon/tree/${now}.`,
    )
  },
)

test(
  'A name with a hyphen is found in the name of a branch, and in a text without it',
  THOROUGH,
  async () => {
    const { files, after } = await redactedWith(
      { 'issues_000001.json': [issueOf('Thanks, Anne Marie Hopper!')] },
      'authors',
      by('Anne-Marie Hopper <grace@navy.example>'),
      'reset refs/heads/anne-marie-hopper-fixes\nfrom refs/heads/main\n\n',
    )
    const author = gitText(after, ['log', '-1', '--format=%an', 'main']).trim()
    expect(gitText(after, ['for-each-ref', '--format=%(refname:short)'])).toContain(
      `${author}-fixes`,
    )
    expect(String(files['issues_000001.json'])).toContain(`Thanks, ${author}!`)
  },
)

test(
  'Signatures of commits that stay are counted as not searched, and indexes stay with their packs',
  THOROUGH,
  async () => {
    const folder = await folderOf()
    const directory = join(folder, 'archive', REPOSITORY)
    makeBare(directory)
    const tree = gitText(directory, ['mktree'], '').trim()
    const signed = `tree ${tree}\nauthor ${WHO}\ncommitter ${WHO}\ngpgsig abc\n\nx\n`
    const run = (args: string[], input = '') => gitText(directory, args, input).trim()
    run([
      'update-ref',
      'refs/heads/main',
      run(['hash-object', '-t', 'commit', '-w', '--stdin'], signed),
    ])
    run(['repack', '-adq', '--write-bitmap-index'])
    run(['commit-graph', 'write', '--reachable'])
    await loadArchive(join(folder, 'archive'), join(folder, 'a.db'))
    const database = openDatabase(join(folder, 'a.db'))
    const output = join(folder, 'a.tar.gz')
    const { git } = await redactDatabase(database, output, { key: KEY, what: ['secrets'] })
    database.close()
    expect(git.parts.signatures).toEqual({ state: 'not searched', values: 0, notSearched: 1 })
    expect(git.parts.others).toEqual({ state: 'clean', values: 0, notSearched: 0 })
    const { files } = await unpack(readFileSync(output))
    const endings = Object.keys(files).filter((path) => /bitmap|commit-graph$/.test(path))
    expect(endings).toHaveLength(2)
  },
)

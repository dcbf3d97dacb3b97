import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import { openReading } from '../../src/archive-worker/open-reading.ts'
import { loadArchive } from '../../src/index.ts'
import { SOURCES as SOURCES_READ } from '../../src/sources/sources.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { pathsOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { everyDay } from '../support/thorough.ts'

const REST = { assignee: { avatar_url: 'https://H/a.png' }, html_url: 'https://H/o/r/issues/2' }

/** What a source is, and its files. */
const SOURCES: [is: string, files: Record<string, string | object>][] = [
  [
    'a dataset of marc export',
    {
      '_marc/archives/it.json': {},
      '_marc/schema.json': {},
      'kind=issues/archive=it/data.csv': '',
    },
  ],
  ['a dataset of marc export', { 'archive=it/data.parquet': 'PAR1' }],
  [
    'a project export of GitLab',
    { VERSION: '0.2.4', 'tree/project.json': {}, 'tree/project/issues.ndjson': '{}' },
  ],
  ['a project export of GitLab', { VERSION: '0.1.8', 'project.bundle': '', 'project.json': {} }],
  ['a group export of GitLab', { 'tree/groups/1.json': {} }],
  ['a backup of a whole GitLab server', { 'backup_information.yml': ':db_version: 1' }],
  ['an export of issues of Bitbucket', { 'attachments/1/a.txt': 'a', 'db-2.0.json': {} }],
  ['an export of a Bitbucket server', { 'metadata.json': { product: 'Bitbucket' } }],
  [
    'a folder of python-github-backup',
    { 'account/starred.json': [], 'repositories/kettle/issues/2.json': REST },
  ],
  ['a folder of python-github-backup', { 'repositories/kettle/repository/.git/HEAD': 'ref:' }],
  ['a folder of python-github-backup', { 'pulls/2.json': REST, 'labels/labels.json': [] }],
  ['a folder of github-metadata-backup', { 'issues/2.json': { type: 'issue', issue: {} } }],
  [
    'a folder of github-metadata-backup',
    { 'issues/2.json': { events: [{ actor: { avatar_url: 'https://H/a.png' } }], issue: {} } },
  ],
  ['a dump of a Gitea or Forgejo server', { 'gitea-db.sql': '' }],
  ['a dump of a Gitea or Forgejo server', { 'app.ini': '; ours\nAPP_NAME = Kettles\n' }],
  ['a dump of a repository of Gitea or Forgejo', { 'issue.yml': '', 'repo.yml': '' }],
  ['a backup of Jira', { 'entities.xml': '<entity-engine-xml/>' }],
  ['a clone of a Git repository', { '.git/HEAD': 'ref:', '.git/objects/pack/a.pack': '' }],
  ['a bare Git repository', { HEAD: 'ref:', 'objects/pack/a.pack': '', 'packed-refs': '' }],
]

everyDay(1)(SOURCES)('source-unsupported: %s is refused by its name: %o', async (is, files) => {
  const message = expect.stringContaining(`expected a migration archive, but this is ${is}`)
  const refused = { code: 'source-unsupported', message }
  const plain = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string' ? content : JSON.stringify(content),
    ]),
  )
  if (!SOURCES_READ.some((source) => source.is === is)) {
    const database = join(await folderOf(), 'it.db')
    await expect(loadArchive(await folderOf(plain), database)).rejects.toMatchObject(refused)
  }
  const backup = Object.fromEntries(
    Object.entries(plain).map(([path, text]) => [`it/${path}`, text]),
  )
  for (const tar of [tarGzOf(plain), tarGzOf(backup)]) {
    const bytes = (async function* () {
      yield tar
    })()
    const { entries } = await openReading({ name: 'it', bytes }, {})
    await expect(pathsOf(entries)).rejects.toMatchObject(refused)
  }
})

test('source-unsupported: a zip is named by its first file', async () => {
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE('db-2.0.json'.length, 26)
  const zip = Buffer.concat([head, Buffer.from('db-2.0.json{}')])
  const read = readArchive(
    (async function* () {
      yield zip
    })(),
  )
  await expect(read.next()).rejects.toMatchObject({
    code: 'source-unsupported',
    message: 'expected a tar.gz, but this is an export of issues of Bitbucket, in a zip',
  })
})

test('An archive may hold what other sources hold, after its own records', async () => {
  const archive = smallArchive({
    VERSION: '1',
    'project.json': {},
    'tree/project.json': {},
    'releases/1/issues/2.json': REST,
  })
  const bytes = (async function* () {
    yield archive
  })()
  const database = join(await folderOf(), 'it.db')
  const { archives } = await loadArchive({ name: 'it', bytes }, database)
  expect(archives[0]?.kinds.issues).toMatchObject({ added: 3 })
})

test('Loose records are none of these, and whole where they were looked at', async () => {
  const record = issue(2, 'Two', { author_association: 'NONE', body: 'x'.repeat(10_000) })
  const folder = await folderOf({ 'issues/2.json': JSON.stringify(record) })
  const contents: string[] = []
  for await (const { path, content } of readArchive(folder)) {
    const pieces: Uint8Array[] = []
    for await (const piece of content) pieces.push(piece)
    if (!path.endsWith('/')) contents.push(Buffer.concat(pieces).toString())
  }
  expect(contents).toEqual([JSON.stringify(record)])
})

import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { collect } from '../../../src/base/streams.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { archiveRevision } from '../../../src/git/archive/archive-revision.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import type { GitSource } from '../../../src/rest/git-worker/git-worker.ts'
import { createThreadedGit, type ThreadedGit } from '../../../src/rest/git-worker/threaded-git.ts'
import { isSmall, type PatchJob, writePatches } from '../../../src/rest/git-worker/write-patches.ts'
import { commitOf, oidOf, packOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

const FILES = 150
const versions = ['old', 'new'].map((word) =>
  Array.from({ length: FILES }, (_, i) => `${`${word} ${i}\n`.repeat(i % 50)}end of ${i}\n`),
)
const trees = versions.map((files) =>
  treeOf(...files.map((text, i) => ['100644', `${1000 + i}.txt`, oidOf('blob', text)] as const)),
)
const [before = '', after = ''] = trees.map((tree) => oidOf('tree', tree))
const first = commitOf(before, 'First\n')
const second = commitOf(after, 'Second\n', oidOf('commit', first))

const DIFF: PatchJob = { kind: 'diff', before, after }
const MAILS: PatchJob = {
  kind: 'mails',
  commits: [first, second].map((one) => oidOf('commit', one)),
}

const OBJECTS = [
  ...[first, second].map((content) => ({ type: 'commit', content }) as const),
  ...trees.map((content) => ({ type: 'tree', content }) as const),
  ...versions.flat().map((content) => ({ type: 'blob', content }) as const),
]
const { paths } = shareDatabases({
  records: {},
  files: repositoryOf('ada/kettle', packOf(OBJECTS)),
})

let git: ThreadedGit
let database: Database
let source: GitSource

beforeAll(() => {
  database = openDatabase(paths[0] ?? '')
  source = { database: database.name, repository: 'ada/kettle', maxObject: 2 ** 20 }
  git = createThreadedGit()
})

afterAll(() => {
  git.close()
  database.close()
})

const objectsOf = () => openRepository(database, 'ada/kettle').objects
const written = new Map<PatchJob, string>()
const here = (job: PatchJob) => {
  const text = written.get(job) ?? Buffer.concat([...writePatches(objectsOf(), job)]).toString()
  written.set(job, text)
  return text
}
const there = async (job: PatchJob) => (await collect(git.write(source, job))).toString()

test('A thread writes the same patches, several at a time', THOROUGH, async () => {
  const [diff, mails, again] = await Promise.all([there(DIFF), there(MAILS), there(DIFF)])
  expect(diff).toBe(here(DIFF))
  expect(mails).toBe(here(MAILS))
  expect(again).toBe(diff)
  expect(diff.match(/^diff --git/gm)?.length).toBe(FILES - FILES / 50)
  expect(mails.match(/^Subject: \[PATCH \d\/2\]/gm)?.length).toBe(2)
})

test('A thread packs the files of a commit, as a zip or compressed', THOROUGH, async () => {
  const commit = oidOf('commit', second)
  const job = { kind: 'archive', commit, prefix: 'kettle/' } as const
  const packedHere = async (format: 'tar' | 'zip') =>
    collect(
      archiveRevision(openRepository(database, 'ada/kettle'), commit, { ...job, format }).bytes,
    )
  const zip = await collect(git.write(source, { ...job, format: 'zip' }))
  expect(zip.equals(await packedHere('zip'))).toBe(true)
  const tar = await collect(git.write(source, { ...job, format: 'tar' }))
  expect(gunzipSync(tar).equals(await packedHere('tar'))).toBe(true)
})

test('Only small patches are written in the thread that answers requests', () => {
  expect(isSmall(objectsOf(), DIFF)).toBe(false)
  expect(isSmall(objectsOf(), MAILS)).toBe(false)
  expect(isSmall(objectsOf(), { ...DIFF, before: after })).toBe(true)
})

test('A job whose reader stops is dropped, and others go on', THOROUGH, async () => {
  const started = git.write(source, DIFF)
  await started.next()
  const other = there(MAILS)
  await started.return(undefined)
  expect((await started.next()).done).toBe(true)
  expect(await other).toBe(here(MAILS))
})

test('What the thread cannot write is an error for the reader alone', THOROUGH, async () => {
  const unknown = { ...source, repository: 'ada/none' }
  await expect(collect(git.write(unknown, DIFF))).rejects.toThrow('ada/none')
  expect(await there(DIFF)).toBe(here(DIFF))
})

test('A patch that is being written ends with the server', THOROUGH, async () => {
  const started = git.write(source, DIFF)
  await started.next()
  git.close()
  await expect(collect(started)).rejects.toMatchObject({ code: 'interrupted' })
})

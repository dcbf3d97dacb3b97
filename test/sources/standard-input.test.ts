import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { zipOf } from '../../samples/make/bitbucket-issues.ts'
import { diffDatabases, inspectArchive, loadArchive, openDatabase } from '../../src/index.ts'
import { openSource } from '../../src/sources/open-source.ts'
import { tarGzOf, tarOf } from '../support/build-tar.ts'
import { contentsOf, listOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { FOREIGN_SAMPLES, type SourceFiles } from '../support/foreign-samples.ts'
import { failingAfter, inPiecesOf } from '../support/pieces.ts'
import { inFolder, run, start } from '../support/run-command.ts'
import { smallDisk } from '../support/small-disk.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

/** THE TABLE of what the files of a source are packed in. */
const CONTAINERS: { readonly [ending: string]: (files: SourceFiles) => Promise<Buffer> | Buffer } =
  {
    'tar.gz': (files) => tarGzOf({ ...files }),
    zip: zipOf,
    tar: (files) => tarOf({ ...files }),
  }

const PACKED = Object.entries(FOREIGN_SAMPLES).flatMap(([form, files], i) =>
  Object.entries(CONTAINERS)
    .map(([ending, pack], j) => ({ form, ending, pack: async () => pack(files()), first: i === j }))
    .sort((a, b) => Number(b.first) - Number(a.first)),
)

const ARCHIVE = {
  'README.txt': 'x',
  'schema.json': '{"version": "1.0.1"}',
  'issues_000001.json': [{ type: 'issue', url: 'https://github.com/o/r/issues/1' }],
  'attachments/1/a.bin': randomBytes(1_500_000),
}

const streamOf = (bytes: Uint8Array) => ({
  name: 'standard input',
  bytes: inPiecesOf(bytes, 65_536),
})

afterEach(() => void vi.unstubAllEnvs())

/** A folder for temporary files: what is left in it. */
async function temporaryFolder(): Promise<() => string[]> {
  const folder = await folderOf()
  vi.stubEnv('TMPDIR', folder)
  return () => readdirSync(folder).filter((name) => name.endsWith('.partial'))
}

everyDay(1)(PACKED)(
  '$form in a $ending is the same from standard input as from the file',
  async ({ ending, pack }: (typeof PACKED)[number]) => {
    const bytes = await pack()
    const file = join(await folderOf(), `standard input.${ending}`)
    await writeFile(file, bytes)
    const left = await temporaryFolder()
    const [a, b] = [join(await folderOf(), 'a.db'), join(await folderOf(), 'b.db')]
    const [one] = (await loadArchive(file, a)).archives
    const [other] = (await loadArchive(streamOf(bytes), b)).archives
    expect(other).toMatchObject({ name: 'standard input', kinds: one?.kinds, files: one?.files })
    expect(await inspectArchive(streamOf(bytes))).toEqual({
      ...(await inspectArchive(file)),
      name: 'standard input',
    })
    expect(left()).toEqual([])
    const databases = [openDatabase(a), openDatabase(b)] as const
    expect(await listOf(diffDatabases(...databases))).toEqual([])
    for (const database of databases) database.close()
  },
)

test('An archive from standard input is in no temporary file', THOROUGH, async () => {
  vi.stubEnv('TMPDIR', join(await folderOf(), 'nowhere'))
  for (const bytes of [tarGzOf(ARCHIVE), tarOf(ARCHIVE)]) {
    const { entries } = await openSource(streamOf(bytes), {})
    expect((await contentsOf(entries)).map(([path]) => path)).toEqual(Object.keys(ARCHIVE))
  }
})

test('An archive whose first files tell nothing is read as it comes, too', THOROUGH, async () => {
  const files = { 'a.bin': randomBytes(1_500_000), ...ARCHIVE }
  const left = await temporaryFolder()
  const { entries } = await openSource(streamOf(tarGzOf(files)), {})
  expect((await contentsOf(entries)).map(([path]) => path)).toEqual(Object.keys(files))
  expect(left()).toEqual([])
})

test(
  'A zip of an unpacked archive is taken from standard input, by ls and cat as well',
  THOROUGH,
  async () => {
    const text = JSON.stringify(ARCHIVE['issues_000001.json'])
    const stdin = await zipOf({ ...ARCHIVE, 'issues_000001.json': text })
    const left = await temporaryFolder()
    inFolder()
    for (const [argv, expected] of [
      [['inspect', '-'], /^archive +standard input\n/],
      [['ls', '-'], /schema\.json/],
      [['cat', '-', 'README.txt'], /^x$/],
      [['query', '-', 'SELECT url FROM issues'], /issues\/1/],
    ] as const) {
      const { code, stdout } = await run(argv, { stdin })
      expect({ argv, code, stdout }).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(expected),
      })
    }
    expect(left()).toEqual([])
  },
)

const GITLAB = () => FOREIGN_SAMPLES['GitLab 17']?.() ?? {}

test(
  'A source that is larger than may be extracted is refused, and its temporary file goes',
  THOROUGH,
  async () => {
    const left = await temporaryFolder()
    const stdin = tarGzOf({ ...GITLAB() })
    inFolder()
    const { code, stderr } = await run(['load', '-', '-o', 'it.db', '--max-extracted', '1000'], {
      stdin,
    })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^marc: standard input: more than 1000 bytes.+\nRaise --max-extracted /)
    expect(left()).toEqual([])
  },
)

test(
  'P2: A full disk for temporary files is told, and left as it was',
  THOROUGH,
  async (context) => {
    const disk = smallDisk(context)
    vi.stubEnv('TMPDIR', disk)
    const large = await zipOf({ ...GITLAB(), 'uploads/a.bin': randomBytes(5_000_000) })
    await expect(inspectArchive(streamOf(large))).rejects.toMatchObject({ code: 'output-full' })
    expect(readdirSync(disk)).toEqual([])
  },
)

test('Options that a form does not have are refused under the name of standard input', async () => {
  inFolder()
  const stdin = tarGzOf({ ...FOREIGN_SAMPLES['github-metadata-backup']?.() })
  const { stderr } = await run(['inspect', '-', '--numbers', 'issues'], { stdin })
  expect(stderr).toMatch(/^marc: standard input: --numbers: it means nothing for /)
})

test(
  'A source that is cut or breaks off has the error of its file, under its name',
  THOROUGH,
  async () => {
    const left = await temporaryFolder()
    const bytes = tarGzOf({ ...GITLAB() })
    const cut = { name: 'standard input', bytes: inPiecesOf(bytes.subarray(0, bytes.length / 2)) }
    const place = { archive: 'standard input', form: 'a project export of GitLab' }
    await expect(inspectArchive(cut)).rejects.toMatchObject({ code: 'gzip-truncated', place })
    const broken = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', errno: -5 })
    const failing = { name: 'standard input', bytes: failingAfter(bytes.subarray(0, 9000), broken) }
    await expect(inspectArchive(failing)).rejects.toMatchObject({
      code: 'archive-unreadable',
      place: { archive: 'standard input' },
    })
    expect(left()).toEqual([])
  },
)

test('A reader that stops early leaves no temporary file', THOROUGH, async () => {
  const left = await temporaryFolder()
  const { entries } = await openSource(streamOf(await zipOf(GITLAB())), {})
  for await (const _ of entries) {
    expect(left()).not.toEqual([])
    break
  }
  expect(left()).toEqual([])
})

test('A caller that stops the work leaves no temporary file', THOROUGH, async () => {
  const left = await temporaryFolder()
  const stop = new AbortController()
  async function* bytes() {
    yield* inPiecesOf(await zipOf(GITLAB()), 1000)
    stop.abort()
    yield Buffer.alloc(1)
  }
  const source = { name: 'standard input', bytes: bytes() }
  const work = inspectArchive(source, { signal: stop.signal })
  await expect(work).rejects.toMatchObject({ code: 'interrupted' })
  expect(left()).toEqual([])
})

test('P5: an interrupt leaves no temporary file', THOROUGH, async () => {
  const TMPDIR = await folderOf()
  inFolder()
  const { child, ended } = start(['load', '-', '-o', 'x.db'], { env: { TMPDIR } })
  child.stdin.write((await zipOf(GITLAB())).subarray(0, -1)) // and no more ever comes
  const isThere = () => readdirSync(TMPDIR).some((name) => name.endsWith('.partial'))
  while (!isThere()) await new Promise((done) => setTimeout(done, 5))
  child.kill('SIGINT')
  expect((await ended).stderr).toBe('marc: interrupted\nNothing was changed.\n')
  expect(isThere()).toBe(false)
})

test('Where standard input does not say how a repository is called, the name is a guess', async () => {
  const files = { 'db-1.0.json': '{"issues": [{"id": 1, "title": "x"}]}' }
  const { repositories, problems } = await inspectArchive(streamOf(await zipOf(files)))
  expect(Object.keys(repositories)).toEqual(['bitbucket/standard-input'])
  expect(problems.map(({ code }) => code)).toContain('source-name-guessed')
})

import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  type ExtractedFile,
  type ExtractOptions,
  extractAttachments,
} from '../../src/attachments/extract-attachments.ts'
import type { Database } from '../../src/database/open-database.ts'
import type { Files } from '../support/build-tar.ts'
import { loaded, recordFile } from '../support/load.ts'
import { inFolder } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import {
  archiveOf,
  attachment,
  png,
  REPOSITORY,
  releaseWith,
  repositoryFile,
} from '../support/uploads.ts'

const ISSUE = 'o/r/issues/1'

/** Extracts into the folder `out` of a fresh one. */
async function extracted(files: Files, options: ExtractOptions = {}) {
  inFolder()
  const { database } = await loaded(files)
  return { database, ...(await extractTo(database, options)) }
}

async function extractTo(database: Database, options: ExtractOptions = {}) {
  const told: ExtractedFile[] = []
  const report = (one: ExtractedFile) => void told.push(one)
  const done = await extractAttachments(database, 'out', { report, ...options })
  return { done, told: told.map(({ outcome, path }) => [outcome, path]) }
}

/** Every file in a folder, by path. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory())
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

const content = (path: string) => readFileSync(join('out', path), 'latin1')

const small: Files = {
  ...recordFile(
    'attachments',
    attachment('1'),
    attachment('2', { issue: undefined, pull_request: `${REPOSITORY}/pull/2` }, 'b.png'),
  ),
  ...recordFile('repository_files', repositoryFile(3), repositoryFile(4)),
  ...recordFile('releases', releaseWith('5', 'r.zip')),
  ...recordFile('issue_comments', {
    type: 'issue_comment',
    url: `${REPOSITORY}/issues/7#issuecomment-1`,
    issue: `${REPOSITORY}/issues/7`,
    body: repositoryFile(4).url,
  }),
  'attachments/1/a.png': png(1),
  'attachments/2/b.png': png(2),
  'attachments/6/c.png': png(6),
  'repository_files/3/a.txt': 'three',
  'repository_files/4/a.txt': 'four',
  'releases/5/r.zip': 'zip',
}

describe('extractAttachments', () => {
  test('groups files by issue or pull request', async () => {
    const { done } = await extracted(small)
    expect(filesIn('out')).toEqual([
      'o/r/issues/1/a.png',
      'o/r/issues/7/a.txt',
      'o/r/pull/2/b.png',
      'o/r/releases/v1/r.zip',
      'o/r/repository_files/3/a.txt',
      'unlinked/files/attachments/6/c.png',
    ])
    expect(done).toEqual({ written: 6, linked: 0, same: 0, kept: 0, missing: 0, bytes: 39 })
  })

  test('lays files out as in the archive', async () => {
    await extracted(small, { by: 'path' })
    expect(filesIn('out')).toEqual(
      Object.keys(small)
        .filter((path) => !path.endsWith('.json'))
        .sort(),
    )
  })

  test('lays files out by content, each once', THOROUGH, async () => {
    const { done } = await extracted(
      {
        ...recordFile(
          'attachments',
          attachment('1'),
          attachment('2', {}, 'b.PNG'),
          attachment('3'),
        ),
        'attachments/1/a.png': png(),
        'attachments/2/b.PNG': png(),
        'attachments/3/a.png': 'other',
      },
      { by: 'hash' },
    )
    expect(filesIn('out')).toEqual([
      '4c/4c4b6a3be1314ab86138bef4314dde022e600960d8689a2c8f8631802d20dab6.png',
      'd9/d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa.png',
    ])
    expect(done).toMatchObject({ written: 2, same: 1 })
  })

  test('gives back every content byte for byte', THOROUGH, async () => {
    const large = Buffer.alloc(2.5 * 2 ** 20, 'attachment ')
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
    await extracted(archiveOf({ 1: [large], 2: [bytes], 3: [''] }), { by: 'path' })
    expect(readFileSync('out/attachments/1/a.png').equals(large)).toBe(true)
    expect(readFileSync('out/attachments/2/a.png')).toEqual(bytes)
    expect(readFileSync('out/attachments/3/a.png')).toHaveLength(0)
  })

  test('writes one content once, and links its other names to it', THOROUGH, async () => {
    const files = { ...archiveOf({ 1: [png()], 2: [png()] }) }
    const { done } = await extracted(files, { by: 'path' })
    expect(done).toMatchObject({ written: 1, linked: 1, bytes: 8 })
    const [one, two] = ['1', '2'].map((id) => statSync(`out/attachments/${id}/a.png`))
    expect(one?.ino).toBe(two?.ino)
    expect(one?.nlink).toBe(2)
  })

  test('keeps existing files, and reports them', async () => {
    inFolder({ [`out/${ISSUE}/a.png`]: 'mine' })
    const { database } = await loaded(archiveOf({ 1: [png()] }))
    const { done, told } = await extractTo(database)
    expect(done).toMatchObject({ written: 0, kept: 1, bytes: 0 })
    expect(told).toEqual([['kept', join('out', ISSUE, 'a.png')]])
    expect(content(`${ISSUE}/a.png`)).toBe('mine')
  })

  test('replaces them by force, links among them, and nothing they lead to', async () => {
    inFolder({ precious: 'mine', [`out/${ISSUE}/b`]: '' })
    symlinkSync('../../../../../precious', `out/${ISSUE}/a.png`)
    const { database } = await loaded(archiveOf({ 1: [png()], 2: [png()] }))
    for (let i = 0; i < 2; i++) {
      expect((await extractTo(database, { force: true })).done).toMatchObject({
        written: 1,
        kept: 0,
      })
    }
    expect(lstatSync(`out/${ISSUE}/a.png`).isSymbolicLink()).toBe(false)
    expect(readFileSync('precious', 'utf8')).toBe('mine')
    expect(filesIn('out')).toEqual([`${ISSUE}/a.png`, `${ISSUE}/b`])
  })

  test('follows no link in the folder, whether to a folder or to nothing', async () => {
    inFolder({ 'elsewhere/x': '' })
    const { database } = await loaded(archiveOf({ 1: [png()] }))
    mkdirSync('out')
    for (const target of ['../elsewhere', '../nowhere']) {
      symlinkSync(target, 'out/o')
      await expect(extractTo(database, { force: true })).rejects.toMatchObject({
        code: 'output-refused',
        message: 'this is a link; links are not followed',
      })
      rmSync('out/o')
    }
    expect(readdirSync('elsewhere')).toEqual(['x'])
    expect(existsSync('nowhere')).toBe(false)
  })

  test('takes a folder that is a link itself: it was named', async () => {
    inFolder({ 'real/x': '' })
    symlinkSync('real', 'out')
    const { database } = await loaded(archiveOf({ 1: [png()] }))
    await extractTo(database)
    expect(filesIn('real')).toEqual([`${ISSUE}/a.png`, 'x'])
  })

  test('stops at a file where a folder is to be', async () => {
    inFolder({ 'out/o': 'a file' })
    const { database } = await loaded(archiveOf({ 1: [png()] }))
    await expect(extractTo(database)).rejects.toMatchObject({ code: 'output-refused' })
  })

  test(
    'writes no more than the limit, counting each content once, and no half of a file',
    THOROUGH,
    async () => {
      inFolder()
      const kib = (letter: string) => Buffer.alloc(1024, letter)
      const { database } = await loaded(archiveOf({ 1: [kib('a')], 2: [kib('a')], 3: [kib('b')] }))
      const options = { by: 'path', maxExtracted: 2047 } as const
      await expect(extractTo(database, options)).rejects.toMatchObject({
        code: 'limit-extracted',
        place: { entry: 'attachments/3/a.png' },
      })
      expect(filesIn('out')).toEqual(['attachments/1/a.png', 'attachments/2/a.png'])
      expect((await extractTo(database, { by: 'path', maxExtracted: 2048 })).done).toMatchObject({
        written: 1,
        kept: 2,
      })
    },
  )

  test('stops when the signal says so, and leaves no partial file', THOROUGH, async () => {
    inFolder()
    const { database } = await loaded(archiveOf({ 1: [png(1)], 2: [png(2)] }))
    const stop = new AbortController()
    const report = () => stop.abort()
    await expect(
      extractAttachments(database, 'out', { report, signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'interrupted' })
    expect(filesIn('out')).toEqual([`${ISSUE}/a.png`])
  })

  test('stops also for a signal of a timer, although it writes without waiting', async () => {
    inFolder()
    const { database } = await loaded(archiveOf({ 1: [png(1)], 2: [png(2)], 3: [png(3)] }))
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    await expect(
      extractAttachments(database, 'out', { signal: stop.signal }),
    ).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('says that contents were not loaded', THOROUGH, async () => {
    inFolder()
    const { database } = await loaded(archiveOf({ 1: [png()] }), { files: false })
    await expect(extractTo(database)).rejects.toMatchObject({ code: 'content-missing' })
    expect(filesIn('out')).toEqual([])
  })

  test('leaves no file with damaged content', async () => {
    inFolder()
    const { database } = await loaded(archiveOf({ 1: [png()] }))
    database.exec("UPDATE chunks SET bytes = x'00'")
    await expect(extractTo(database)).rejects.toMatchObject({ code: 'database-damaged' })
    expect(filesIn('out')).toEqual([])
  })
})

describe('A hostile archive', () => {
  test('A1: with addresses that lead out of it has no file there', async () => {
    const urls = [
      'tarball://root/../../etc/passwd',
      'tarball://root/attachments/../../../victim',
      'tarball://root//etc/passwd',
      'tarball://root/',
      'tarball://root/..\\..\\victim',
    ]
    const records = urls.map((asset_url, i) => attachment(`${i}`, { asset_url }))
    const { done, told } = await extracted(recordFile('attachments', ...records))
    expect(done).toMatchObject({ written: 0, missing: urls.length })
    expect(told).toEqual(urls.map(() => ['missing', undefined]))
    expect(filesIn('.').filter((path) => !path.startsWith('.'))).toEqual([])
  })

  // Names by hash have nothing of the archive in them but the ending.
  everyDay(1)<'issue' | 'path' | 'hash'>(['issue', 'path', 'hash'])(
    'A1: whose database SQL led out of the folder stays in it, by %s',
    async (by) => {
      const folder = inFolder()
      const { database } = await loaded(archiveOf({ 1: [png(1)] }))
      database.exec(`
        UPDATE files SET path = '../../../../victim', sha256 = '../../' || sha256;
        UPDATE attachments SET asset_url = 'tarball://root/../../../../victim', asset_name = '../../victim',
          issue = 'https://H/../../issues/../../victim'`)
      // A hash that is no hash is the content's neither, which ends before a file has its name.
      await expect(extractTo(database, { by })).rejects.toMatchObject({ code: 'database-damaged' })
      database.exec("UPDATE files SET sha256 = replace(sha256, '../../', '')")
      expect((await extractTo(database, { by })).done).toMatchObject({ written: 1 })
      expect(readdirSync(folder)).toEqual(['out'])
      expect(filesIn('out')).toHaveLength(1)
    },
  )

  test('A2: with addresses of other places is asked for nothing', THOROUGH, async () => {
    const urls = [
      '/etc/passwd',
      'file:///etc/passwd',
      'https://evil.example/a.png',
      'C:\\a.png',
      'javascript:alert(1)',
      'TARBALL://root/attachments/1/a.png',
    ]
    const records = urls.map((asset_url, i) => attachment(`${i}`, { asset_url }))
    const { done } = await extracted({
      ...recordFile('attachments', ...records),
      'attachments/2/b.png': png(),
    })
    expect(done).toMatchObject({ missing: urls.length, written: 1 })
    expect(filesIn('out')).toEqual(['unlinked/files/attachments/2/b.png'])
  })

  test(
    'A3: without a file, with one too many and with an empty one gives what there is',
    THOROUGH,
    async () => {
      const { done, told } = await extracted({
        ...recordFile('attachments', attachment('1'), attachment('2')),
        'attachments/2/a.png': '',
        'attachments/3/b.png': 'extra',
      })
      expect(done).toMatchObject({ written: 2, missing: 1 })
      expect(told[0]).toEqual(['missing', undefined])
      expect(filesIn('out')).toEqual([`${ISSUE}/a.png`, 'unlinked/files/attachments/3/b.png'])
    },
  )

  everyDay(1)<'issue' | 'path' | 'hash'>(['issue', 'path', 'hash'])(
    'A4: with names no system takes has them made safe, by %s',
    async (by) => {
      const names = [
        '../../../../up.png',
        '/etc/passwd',
        'C:\\x.png',
        'a\u0000b.png',
        '\x1b[31m.png',
        'CON',
        'nul.txt',
        'end.',
        'end ',
        '.',
        '..',
        '',
        'x'.repeat(300),
        '\u202egnp.exe',
        '.git',
      ]
      const folder = inFolder()
      const { database } = await loaded({
        'attachments_000001.json': names.map((asset_name, i) =>
          attachment(String(i), { asset_name }),
        ),
        ...Object.fromEntries(names.map((_, i) => [`attachments/${i}/a.png`, png(i)])),
      })
      expect((await extractTo(database, { by })).done).toMatchObject({ written: names.length })
      expect(readdirSync(folder)).toEqual(['out'])
      expect(filesIn('out')).toHaveLength(names.length)
      for (const part of filesIn('out').flatMap((path) => path.split('/'))) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
        expect(part).not.toMatch(/^\.|[. ]$|[\\:\p{Cc}\p{Bidi_Control}]|^(?:con|nul)(?:\.|$)/iu)
      }
    },
  )

  test('A4: with names that some system takes for one has a name for each', THOROUGH, async () => {
    const names = ['a.png', 'A.PNG', 'é.png', 'e\u0301.png', 'ﬁ.png', 'fi.png', 'a-2.png', 'a.png']
    await extracted({
      'attachments_000001.json': names.map((asset_name, i) =>
        attachment(String(i), { asset_name }),
      ),
      ...Object.fromEntries(names.map((_, i) => [`attachments/${i}/a.png`, png(i)])),
    })
    const found = filesIn(`out/${ISSUE}`)
    expect(found).toHaveLength(names.length)
    const folded = found.map((name) => name.normalize('NFKD').toLowerCase())
    expect(new Set(folded).size).toBe(names.length)
    expect(found).toEqual(expect.arrayContaining(['a.png', 'A-2.PNG', 'é.png', 'é-2.png']))
  })

  test(
    'A4: with folders in the name of an entry has them in the name of the file',
    THOROUGH,
    async () => {
      await extracted(
        {
          'attachments/1/x': png(1),
          'attachments/1/x/y.png': png(2),
          'attachments/1/x_y.png': png(3),
        },
        { by: 'path' },
      )
      expect(filesIn('out/attachments/1')).toEqual(['x', 'x_y-2.png', 'x_y.png'])
    },
  )

  test(
    'A5: with scripts in HTML and SVG has them extracted as they are, never to be run',
    THOROUGH,
    async () => {
      const html = '<script>alert(1)</script>'
      const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
      await extracted({
        ...recordFile('attachments', attachment('1', {}, 'a.html'), attachment('2', {}, 'b.svg')),
        'attachments/1/a.html': html,
        'attachments/2/b.svg': svg,
      })
      expect([content(`${ISSUE}/a.html`), content(`${ISSUE}/b.svg`)]).toEqual([html, svg])
      expect(statSync(`out/${ISSUE}/a.html`).mode & 0o111).toBe(0)
    },
  )

  test('A6: with one content many times writes it once, whatever its names', THOROUGH, async () => {
    const ids = Array.from({ length: 20 }, (_, i) => String(i).padStart(4, '0'))
    const record = (id: string, i: number) =>
      attachment(id, { asset_name: i % 2 ? 'same.png' : `${id}.png` })
    const { done, database } = await extracted({
      'attachments_000001.json': ids.map(record),
      ...Object.fromEntries(ids.map((id) => [`attachments/${id}/a.png`, png()])),
    })
    expect(done).toMatchObject({ written: 1, linked: 10, same: 9, bytes: 8 })
    expect(statSync(`out/${ISSUE}/same.png`).nlink).toBe(11)
    const hashed = await extractAttachments(database, 'by-hash', { by: 'hash' })
    expect(hashed).toMatchObject({ written: 1, same: 19 })
  })

  test('A6: with one name a thousand times has a name for each content', THOROUGH, async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => String(i).padStart(4, '0'))
    const { done } = await extracted({
      'attachments_000001.json': ids.map((id) => attachment(id)),
      ...Object.fromEntries(ids.map((id) => [`attachments/${id}/a.png`, png(id)])),
    })
    expect(done).toMatchObject({ written: 1_000 })
    expect(content(`${ISSUE}/a-1000.png`)).toMatch(/0999$/)
  })
})

test('another program may write beside it, and no file is lost', async () => {
  inFolder()
  const { database } = await loaded(archiveOf({ 1: [png(1)], 2: [png(2)] }))
  const report = () => {
    if (!existsSync(`out/${ISSUE}/a-2.png`)) writeFileSync(`out/${ISSUE}/a-2.png`, 'theirs')
  }
  const done = await extractAttachments(database, 'out', { report })
  expect(done).toMatchObject({ written: 1, kept: 1 })
  expect(content(`${ISSUE}/a-2.png`)).toBe('theirs')
})

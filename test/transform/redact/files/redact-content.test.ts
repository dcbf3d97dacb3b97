import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { gunzipSync, gzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { asBytes, collect } from '../../../../src/base/streams.ts'
import { createDetector } from '../../../../src/transform/redact/detect.ts'
import { DROPPED, redactContent } from '../../../../src/transform/redact/files/redact-content.ts'
import { createHintFinder } from '../../../../src/transform/redact/hints.ts'
import { parseOwnPatterns } from '../../../../src/transform/redact/own-patterns.ts'
import { createPseudonyms, MODES } from '../../../../src/transform/redact/pseudonyms.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../../src/transform/redact/redact-options.ts'
import type { Redaction } from '../../../../src/transform/redact/redact-records.ts'
import { createRemovedValues } from '../../../../src/transform/redact/removed-values.ts'
import { findTraces } from '../../../support/adversary.ts'
import { unpack } from '../../../support/build.ts'
import { type Files, tarOf } from '../../../support/build-tar.ts'
import { describeWhere } from '../../../support/describe-where.ts'
import { folderOf } from '../../../support/folder.ts'
import { loaded } from '../../../support/load.ts'
import { runs } from '../../../support/property-runs.ts'
import { outputOf, runProgram } from '../../../support/run-program.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'
import { token } from '../corpus.ts'

const KEY = Buffer.from('a key of thirty-two bytes or more')
const KNOWN = {
  email: 'zoe.z@navy.example',
  name: 'Zoë Žáková',
  ip: '93.184.216.34',
  secret: token('ghp_', 36),
}
const VALUES = Object.values(KNOWN)
/** A text that each encoding can write. */
const TEXT = `“by ${KNOWN.name}” <${KNOWN.email}>\r\nat ${KNOWN.ip} with ${KNOWN.secret} – end`
const PEOPLE = [
  {
    type: 'user',
    url: 'https://forge.example/zoe',
    login: 'zoe',
    name: KNOWN.name,
    created_at: '2020-01-01T00:00:00Z',
  },
]
const BASE: Files = { 'schema.json': { version: '1.2.0' }, 'users_000001.json': PEOPLE }

async function redacted(files: Files, options: RedactOptions = {}) {
  const named = Object.entries(files).map(([name, content]) => [`attachments/${name}`, content])
  const { database } = await loaded({ ...BASE, ...Object.fromEntries(named) })
  const output = join(await folderOf(), 'out.tar.gz')
  const report = await redactDatabase(database, output, { key: KEY, ...options })
  const { files: all } = await unpack(readFileSync(output))
  const contents = Object.entries(all).map(([path, content]) => [
    path.replace('attachments/', ''),
    Buffer.from(content, 'latin1'),
  ])
  return { report, files: Object.fromEntries(contents) as Record<string, Buffer>, output }
}

const big = (text: string) => Buffer.from(text, 'utf16le').swap16()
const windows = (text: string) =>
  Buffer.from(
    text.replace(/[“”–Žž]/g, (character) =>
      String.fromCharCode({ '“': 0x93, '”': 0x94, '–': 0x96, Ž: 0x8e, ž: 0x9e }[character] ?? 0),
    ),
    'latin1',
  )

type Member = [name: string, content: string | Buffer, compress?: boolean]

/** What a function returns, which is called once. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

async function zipOf(members: readonly Member[], comment = ''): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content, compress = true] of members) {
    const options = { compress, mtime: new Date(2020, 1, 2, 3, 4, 6), mode: 0o100640 }
    if (name.endsWith('/')) zip.addEmptyDirectory(name)
    else zip.addBuffer(Buffer.from(content as string), name, options)
  }
  zip.end({ comment, forceZip64Format: false })
  return collect(zip.outputStream as never)
}

async function unzipped(bytes: Buffer): Promise<Record<string, Buffer>> {
  const zip = await fromBufferPromise(bytes)
  const files: Record<string, Buffer> = {}
  for await (const entry of zip.eachEntry()) {
    files[entry.fileName] = await collect(await zip.openReadStreamPromise(entry))
  }
  return files
}

describe('A text is redacted as', () => {
  const encodings: Record<string, (text: string) => Buffer> = {
    'UTF-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
    'UTF-16, little end first, with a mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    'UTF-16, little end first': (text) => Buffer.from(text, 'utf16le'),
    'UTF-16, big end first, with a mark': (text) => big(`\ufeff${text}`),
    'UTF-16, big end first': big,
    'UTF-8 with zeros': (text) => Buffer.from(`\0${text}\0`),
    'UTF-8 that is cut within a character': (text) =>
      Buffer.concat([Buffer.from([0xbb]), Buffer.from(text), Buffer.from([0xe2, 0x80])]),
    'windows-1252': (text) => windows(text),
    gzip: (text) => gzipSync(text),
    'windows-1252 in gzip': (text) => gzipSync(windows(text)),
  }

  const written = Object.entries(encodings).map(([name, encode]) => [name, encode(TEXT)] as const)
  const share = once(() => redacted({ plain: TEXT, ...Object.fromEntries(written) }))

  everyDay(1)(Object.entries(encodings))('%s, with the same pseudonyms', async (name, encode) => {
    const { files } = await share()
    const plain = (files.plain as Buffer).toString()
    expect(plain).toMatch(
      /^“by person-\w{10}” <\w{10}@redacted\.invalid>\r\nat [\d.]+ with \[secret/,
    )
    const now = files[name] as Buffer
    if (name.endsWith('gzip')) expect(gunzipSync(now)).toEqual(gunzipSync(encode(plain)))
    else expect(now).toEqual(encode(plain))
  })

  test('each of these, and all of them are counted', async () => {
    const { report } = await share()
    const all = written.length + 1
    expect(report.files).toMatchObject({ changed: all, dropped: 0, unread: { count: 0 } })
    // Once more in the record of the person.
    expect(report.counts).toMatchObject({ email: all, secret: all, ip: all, name: all + 1 })
  })
})

describe('Within', () => {
  const XML = `<?xml version="1.0"?><w:p><w:t>${TEXT.replace(/[<>]/g, ' ')}</w:t></w:p>`
  const documents: Record<string, Member[]> = {
    'x.zip': [
      ['logs/', ''],
      ['logs/a.txt', TEXT],
      ['b.csv', `who,mail\r\n"${KNOWN.name}",${KNOWN.email}\r\n`, false],
      [`${KNOWN.email}.txt`, 'x'],
      ['wide.txt', Buffer.from(TEXT, 'utf16le')],
    ],
    'x.docx': [
      ['[Content_Types].xml', '<Types/>'],
      ['word/document.xml', XML],
      ['docProps/core.xml', `<dc:creator>${KNOWN.name}</dc:creator>`],
    ],
    'x.xlsx': [
      ['[Content_Types].xml', '<Types/>'],
      ['xl/sharedStrings.xml', XML],
    ],
    'x.odt': [
      ['mimetype', 'application/vnd.oasis.opendocument.text', false],
      ['content.xml', XML],
      ['meta.xml', `<dc:creator>${KNOWN.name}</dc:creator>`],
    ],
  }

  everyDay(1)(Object.entries(documents))('%s nothing is left', async (name, members) => {
    const written = await zipOf(members)
    const { files, report } = await redacted({ [`a/${name}`]: written, 'b/x.txt': TEXT })
    const now = files[`a/${name}`] as Buffer
    expect(findTraces(now, VALUES)).toEqual([])
    expect(report.files).toMatchObject({ changed: 2, dropped: 0, unread: { count: 0 } })
    const contents = await unzipped(now)
    expect(Object.keys(contents)).toHaveLength(members.length)
    const plain = (files['b/x.txt'] as Buffer).toString()
    const pseudonym = /\w{10}@redacted\.invalid/.exec(plain)?.[0] as string
    expect(Object.values(contents).some((content) => content.includes(pseudonym))).toBe(true)
  })

  test('an OpenDocument its type stays first and stored', THOROUGH, async () => {
    const { files } = await redacted({ 'a/x.odt': await zipOf(documents['x.odt'] as Member[]) })
    const head = files['a/x.odt']?.toString('latin1', 0, 80)
    expect(head).toMatch(/^PK.{28}mimetypeapplication\/vnd\.oasis\.opendocument\.text/s)
    expect(head?.charCodeAt(6)).toBe(0)
  })

  test('gzip nothing is left, its name included', THOROUGH, async () => {
    const written = gzipSync(TEXT)
    written[3] = 8
    const name = Buffer.from(`${KNOWN.email}\0`)
    const named = Buffer.concat([written.subarray(0, 10), name, written.subarray(10)])
    const { files } = await redacted({ 'a/x.gz': named, 'b/x.gz': gzipSync(TEXT) })
    expect(findTraces(files['a/x.gz'] as Buffer, VALUES)).toEqual([])
    expect(files['a/x.gz']).toEqual(files['b/x.gz'])
  })

  const programs = ['unzip', 'python3', 'gzip']
  const missing = programs.find((program) => runProgram(program, ['--help']).error)
  const toInstall = missing && `install ${missing}`
  describeWhere('each, other programs find what they read', 'MARC_TOOLS', toInstall, () => {
    everyDay(1)(Object.entries(documents))('%s', async (name, members) => {
      const { files } = await redacted({ [name]: await zipOf(members) })
      const folder = await folderOf({ [name]: files[name] as Buffer })
      outputOf('unzip', ['-tqq', name], { cwd: folder })
      outputOf('python3', ['-c', PYTHON, name], { cwd: folder })
    })

    test('x.gz', THOROUGH, async () => {
      const { files } = await redacted({ 'x.gz': gzipSync(TEXT) })
      outputOf('gzip', ['-t'], { input: files['x.gz'] as Buffer })
    })
  })

  const PYTHON = 'import sys, zipfile; assert zipfile.ZipFile(sys.argv[1]).testzip() is None'
})

describe('What holds no value stays byte for byte:', () => {
  everyDay(1)([
    [
      'zip',
      () =>
        zipOf([
          ['a.txt', 'x'.repeat(99)],
          ['d/', ''],
        ]),
    ],
    ['gzip', async () => gzipSync('nothing here')],
    ['a text that looks like no encoding is whole', async () => windows('Ždár – “x”')],
  ])('%s', async (_, content) => {
    const written = await content()
    const { files, report } = await redacted({ 'a/x': written })
    expect(files['a/x']).toEqual(written)
    expect(report.files.changed).toBe(0)
  })

  test('but old members that a zip file no longer lists are gone', THOROUGH, async () => {
    const written = await zipOf([['a.txt', 'x']])
    const old = (await zipOf([['old.txt', TEXT, false]])).subarray(0, 200)
    const end = Buffer.from(written.subarray(written.length - 22))
    const directory = Buffer.from(written.subarray(end.readUInt32LE(16), -22))
    directory.writeUInt32LE(old.length, 42)
    end.writeUInt32LE(end.readUInt32LE(16) + old.length, 16)
    const stale = Buffer.concat([
      old,
      written.subarray(0, written.length - 22 - directory.length),
      directory,
      end,
    ])
    expect(await unzipped(stale)).toEqual({ 'a.txt': Buffer.from('x') })
    const { files } = await redacted({ 'a/x.zip': stale })
    expect(findTraces(files['a/x.zip'] as Buffer, VALUES)).toEqual([])
    expect(await unzipped(files['a/x.zip'] as Buffer)).toEqual({ 'a.txt': Buffer.from('x') })
  })
})

describe('What is not read', () => {
  const damaged = async () => {
    const zip = await zipOf([['a.txt', TEXT]])
    zip[45] = (zip[45] as number) ^ 0xff
    return zip
  }
  const encrypted = async () => {
    const zip = await zipOf([['a.txt', TEXT]])
    const at = zip.lastIndexOf('PK\x01\x02')
    zip[at + 8] = (zip[at + 8] as number) | 1
    return zip
  }
  const cases: [string, string, () => Promise<Buffer>][] = [
    ['a PDF', 'PDF', async () => Buffer.from(`%PDF-1.7\n(${TEXT})`)],
    ['an RTF', 'RTF', async () => Buffer.from(`{\\rtf1 gra{\\b ce.h}@navy.example}`)],
    ['a GIF', 'GIF', async () => Buffer.from(`GIF89a\x01\0\x01\0 ${TEXT}`, 'latin1')],
    ['a TIFF', 'TIFF', async () => Buffer.from(`II*\0\x08\0\0\0 ${TEXT}`, 'latin1')],
    ['a video', 'MP4 or MOV', async () => Buffer.from(`\0\0\0\x18ftypmp42${TEXT}`)],
    ['a damaged picture', 'damaged JPEG', async () => Buffer.from(`\xff\xd8${TEXT}`, 'latin1')],
    ['something unknown', 'other binary', async () => Buffer.from(`\x01\x02\xff${TEXT}`, 'latin1')],
    ['a tar', 'tar', async () => tarOf({ 'a.txt': TEXT })],
    ['a tar in gzip', 'tar in gzip', async () => gzipSync(tarOf({ 'a.txt': TEXT }))],
    ['gzip in gzip', 'gzip in gzip', async () => gzipSync(gzipSync(TEXT))],
    ['damaged gzip', 'damaged gzip', async () => gzipSync(TEXT).subarray(0, -9)],
    ['a damaged zip file', 'damaged zip', damaged],
    ['an encrypted zip file', 'encrypted zip', encrypted],
  ]

  const share = once(async () => {
    const contents = cases.map(async ([name, , content]) => [name, await content()] as const)
    return redacted(Object.fromEntries(await Promise.all(contents)))
  })

  everyDay(1)(cases)('is left out and named by its type: %s', async (name, type) => {
    const { files, report } = await share()
    expect(files[name]).toEqual(DROPPED)
    expect(report.files.unread.types[type]).toBe(1)
    expect(report.files.unread.paths).toContain(`attachments/${name}`)
  })

  it('is counted', async () => {
    const { report } = await share()
    const { length } = cases
    expect(report.files).toMatchObject({ changed: 0, dropped: length, unread: { count: length } })
  })

  it('is what becomes too large', THOROUGH, async () => {
    // Up to 64 MiB contents may be compressed well.
    const large = Buffer.alloc(65 * 2 ** 20, ' ')
    const { report } = await redacted({
      'a/x.gz': gzipSync(large),
      'b/x.zip': await zipOf([['a.txt', large]]),
    })
    expect(report.files).toMatchObject({
      dropped: 2,
      unread: { types: { 'gzip that expands too much': 1, 'zip that expands too much': 1 } },
    })
  })

  it('is an office document in which markup divides a value, and only then', THOROUGH, async () => {
    const [first, rest] = KNOWN.email.split('@')
    const run = (text: string) => `<w:r><w:rPr><w:b/></w:rPr><w:t>${text}</w:t></w:r>`
    const paragraph = (...texts: string[]) => `<w:p>${texts.map(run).join('')}</w:p>`
    const document = (...paragraphs: string[]) =>
      zipOf([['word/document.xml', `<w:body>${paragraphs.join('')}</w:body>`]])
    const { files, report } = await redacted({
      divided: await document(paragraph(first as string, `@${rest}`)),
      whole: await document(paragraph(KNOWN.email, ' and'), paragraph('1.2'), paragraph('3.4.5')),
    })
    expect(files.divided).toEqual(DROPPED)
    expect(report.files.unread.types).toEqual({ 'office document with divided values': 1 })
    expect((await unzipped(files.whole as Buffer))['word/document.xml']?.toString()).toMatch(
      /<w:t>\w{10}@redacted\.invalid<\/w:t>.*<w:t>1\.2<\/w:t>/,
    )
  })

  it('stays on request', THOROUGH, async () => {
    const pdf = Buffer.from('%PDF-1.7\n(a)')
    const { files, report } = await redacted({ 'a/x': pdf }, { keepUnread: true })
    expect(files['a/x']).toEqual(pdf)
    expect(report.files.unread).toMatchObject({ count: 1, types: { PDF: 1 }, kept: true })
  })

  it('is refused on request if it has a value that was taken out elsewhere', THOROUGH, async () => {
    const files = { 'a/x.pdf': `%PDF-1.7\n(${TEXT})`, 'b/x.txt': TEXT }
    await expect(redacted(files, { keepUnread: true })).rejects.toMatchObject({
      code: 'redaction-incomplete',
      place: { entry: 'attachments/a/x.pdf' },
    })
  })

  it('is left out of a zip file, of which the rest stays', THOROUGH, async () => {
    const written = await zipOf([
      ['a.pdf', `%PDF-1.7\n(${TEXT})`],
      ['b.zip', await zipOf([['c.txt', TEXT]])],
      ['d.txt', TEXT],
    ])
    const { files, report } = await redacted({ 'a/x.zip': written })
    expect(findTraces(files['a/x.zip'] as Buffer, VALUES)).toEqual([])
    expect(Object.keys(await unzipped(files['a/x.zip'] as Buffer))).toEqual([
      'a.pdf',
      'b.zip',
      'd.txt',
    ])
    expect(report.files).toMatchObject({
      changed: 1,
      dropped: 0,
      unread: {
        count: 2,
        types: { 'PDF in zip': 1, 'zip in zip': 1 },
        paths: ['attachments/a/x.zip/a.pdf', 'attachments/a/x.zip/b.zip'],
      },
    })
    const kept = await redacted(
      { 'a/x.zip': await zipOf([['a.pdf', '%PDF-1.7']]) },
      { keepUnread: true },
    )
    expect(await unzipped(kept.files['a/x.zip'] as Buffer)).toEqual({
      'a.pdf': Buffer.from('%PDF-1.7'),
    })
  })
})

const LONG = { ...THOROUGH, timeout: 300_000 }

test('A long text becomes what its parts become, wherever values are', LONG, async () => {
  // Of characters of one to three bytes, so that values are at all places of windows.
  const filler = Array.from({ length: 4000 }, (_, i) => `é – ${'x'.repeat(i % 13)} `).join('')
  const long = Array.from({ length: 80 }, (_, i) => `${filler.slice(i)}${TEXT}`).join('')
  const { files } = await redacted({ plain: TEXT, long, wide: Buffer.from(long, 'utf16le') })
  const plain = (files.plain as Buffer).toString()
  const now = (files.long as Buffer).toString()
  expect(now === long.replaceAll(TEXT, plain)).toBe(true)
  expect((files.wide as Buffer).toString('utf16le') === now).toBe(true)
})

describe('What was valid stays valid:', () => {
  const fragments = fc.array(
    fc.oneof(
      fc.constantFrom(
        ...VALUES,
        ...KNOWN.name.split(' '),
        '\n',
        '\t',
        '"',
        '\\',
        ',',
        ';',
        '<',
        '&',
        ' ',
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 8 },
  )
  const texts = fragments.map((parts) => parts.join(''))
  const table = fc.array(fc.array(texts, { minLength: 2, maxLength: 2 }), { maxLength: 12 })
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const escaped = (text: string) =>
    text.replace(/[^\t\n -\ud7ff]/g, '').replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)
  const formats: Record<
    string,
    [write: (rows: string[][]) => string, read: (text: string) => unknown]
  > = {
    JSON: [(rows) => JSON.stringify(rows.map(([k, v]) => ({ [k as string]: v }))), JSON.parse],
    'JSON with numbers, also in a string': [
      (rows) => {
        const numbers = rows.map((row, i) => ({
          [`n${i}`]: 123_456 + i,
          all: [i, -98_765.5e3],
          row,
        }))
        return JSON.stringify({ log: JSON.stringify(numbers), numbers }, null, rows.length % 3)
      },
      (text) => JSON.parse(JSON.parse(text).log),
    ],
    'a program': [
      (rows) =>
        rows
          .map(
            ([k, v], i) =>
              `const a${i} = ${JSON.stringify(k)} // ${v?.replace(/\p{Zl}|\s/gu, ' ')}\n`,
          )
          .join(''),
      (text) => new Script(text),
    ],
    CSV: [
      (rows) => rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join(''),
      (text) => parse(text, { relax_column_count: false }),
    ],
    XML: [
      (rows) =>
        `<a>${rows.map(([k, v]) => `<b c="${escaped(k as string)}">${escaped(v as string)}</b>`).join('')}</a>`,
      (text) => {
        const faults = text.replace(/<\/?[ab](?: c="[^"<>]*")?>/g, '').match(/[<>]|&(?!#\d+;)/)
        if (faults) throw new Error(`not XML: ${faults[0]}`)
      },
    ],
  }

  const what = new Set(['emails', 'names', 'ips', 'secrets'] as const)
  const keep = new Set<string>()
  const names = [KNOWN.name]
  const own = parseOwnPatterns(['/\\d{5,9}/'])
  const redaction = {
    detect: createDetector({ what, keep, names, own }),
    what,
    keep,
    findHints: createHintFinder({ what, names, own }),
    pseudonyms: createPseudonyms(KEY, { keepDomain: false }),
    removed: createRemovedValues(),
    report: {
      counts: {},
      members: {},
      places: [],
      doubtful: { count: 0, alsoRemoved: 0, places: [] },
    },
  } as unknown as Redaction

  everyDay(1)(Object.entries(formats))('%s', async (_, [write, read]) => {
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(...MODES), async (rows, mode) => {
        const text = write(rows)
        const work = {
          redaction: { ...redaction, mode },
          path: 'x',
          keepUnread: false,
          isChanged: false,
        }
        const content = redactContent(() => asBytes([Buffer.from(text)]), {
          ...work,
          noteUnread: () => {},
        })
        const now = (await collect(content)).toString()
        expect(() => read(now), now).not.toThrow()
      }),
      { numRuns: runs(300) },
    )
  })
})

/** An adversary who knows every original value looks for it in the bytes that redact writes. */

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateRawSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { redactDatabase } from '../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../src/transform/redact/redact-options.ts'
import { findTraces } from '../../support/adversary.ts'
import { unpack } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { token } from './corpus.ts'

const HOST = 'https://forge.example'
const KNOWN = {
  email: 'grace.h@navy.example',
  name: 'Grace Hopper',
  login: 'gracehopper1906',
  ip: '93.184.216.34',
  secret: token('ghp_', 36),
  company: 'Eckert–Mauchly Computer Corporation',
}
const VALUES = Object.values(KNOWN)
const PLANTED = `by ${KNOWN.name} <${KNOWN.email}>, @${KNOWN.login}, at ${KNOWN.ip} with ${KNOWN.secret}.`
const KEY = Buffer.alloc(32, 7)
const EVERYTHING = ['emails', 'names', 'logins', 'ips', 'secrets'] as const

const zipped = (name: string, text: string): Buffer => {
  const content = deflateRawSync(text)
  const head = Buffer.alloc(30)
  head.write('PK\x03\x04', 'latin1')
  head.writeUInt16LE(8, 8)
  head.writeUInt32LE(content.length, 18)
  head.writeUInt32LE(Buffer.byteLength(text), 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, Buffer.from(name), content])
}
const pdf = (text: string): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n1 0 obj <</Filter /FlateDecode>>\nstream\n'),
    deflateSync(text),
    Buffer.from('\nendstream\0'),
  ])
const pngChunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.concat([Buffer.alloc(4), Buffer.from(type), data, Buffer.alloc(4)])
  bytes.writeUInt32BE(data.length)
  return bytes
}
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  pngChunk('IHDR', Buffer.alloc(13)),
  pngChunk('zTXt', Buffer.concat([Buffer.from('Author\0\0'), deflateSync(PLANTED)])),
  pngChunk('IEND', Buffer.alloc(0)),
])

const COMPRESSED: Files = {
  'attachments/c1/logs.gz': gzipSync(PLANTED),
  'attachments/c2/logs.zip': zipped('x.txt', PLANTED),
  'attachments/c3/letter.pdf': pdf(PLANTED),
  'attachments/c4/deep.gz': gzipSync(zipped('y.txt', PLANTED)),
}
const git = `repositories/${KNOWN.login}/tools.git`
const GIT: Files = {
  [`${git}/HEAD`]: 'ref: refs/heads/main\n',
  [`${git}/description`]: PLANTED,
}
const FILES: Files = {
  'schema.json': { version: '1.2.0' },
  'urls.json': { user: `${HOST}/{user}?mail=${KNOWN.email}` },
  'users_000001.json': [
    {
      type: 'user',
      url: `${HOST}/${KNOWN.login}`,
      login: KNOWN.login,
      name: KNOWN.name,
      emails: [{ address: KNOWN.email, primary: true }],
      company: KNOWN.company,
      created_at: '2020-01-01T00:00:00Z',
    },
  ],
  'issues_000001.json': [
    {
      type: 'issue',
      url: `${HOST}/${KNOWN.login}/tools/issues/1`,
      title: PLANTED,
      user: `${HOST}/${KNOWN.login}`,
      repository: `${HOST}/${KNOWN.login}/tools`,
      body: `${PLANTED}\n[mail](mailto:${KNOWN.email}) ?u=${KNOWN.email.replace('@', '%40')}`,
      labels: [],
      created_at: '2020-01-01T00:00:00Z',
    },
  ],
  'gadgets_000001.json': `[{"type":"gadget","note":"${PLANTED.replace('@', '\\u0040')}"}]`,
  [`attachments/a1/${KNOWN.email}.txt`]: PLANTED,
  'attachments/a2/photo.png': png,
}

async function redacted(files: Files, options: RedactOptions = {}, name = 'out.tar.gz') {
  const { database } = await loaded(files)
  const output = join(await folderOf(), name)
  const report = await redactDatabase(database, output, { key: KEY, what: EVERYTHING, ...options })
  return { output, report, bytes: readFileSync(output) }
}

/** The paths of the files in which a value is left. */
async function tracedIn(archive: Buffer): Promise<string[]> {
  const { files } = await unpack(archive)
  return Object.entries(files).flatMap(([path, content]) => {
    const bytes = Buffer.concat([Buffer.from(path), Buffer.from(content, 'latin1')])
    return findTraces(bytes, VALUES).length > 0 ? [path] : []
  })
}

describe('The adversary finds', () => {
  test.each([
    ['as it is', PLANTED],
    ['in other case', PLANTED.toUpperCase()],
    ['percent-encoded', encodeURIComponent(PLANTED)],
    ['escaped in JSON', JSON.stringify(PLANTED).replaceAll('@', '\\u0040')],
    ['as base64', Buffer.from(KNOWN.email).toString('base64')],
    ['as hexadecimal digits', Buffer.from(KNOWN.email).toString('hex')],
  ])('a value %s', (_, text) => {
    const found = findTraces(Buffer.from(`x ${text} y`), VALUES)
    expect(found.map(({ value }) => value)).toContain(KNOWN.email)
  })

  test.each(Object.entries({ ...COMPRESSED, 'photo.png': png }))('values within %s', (_, bytes) => {
    const inTar = Buffer.concat([Buffer.alloc(512), bytes as Buffer, Buffer.alloc(1024)])
    const found = findTraces(inTar, VALUES)
    const { company: _company, ...planted } = KNOWN
    expect(new Set(found.map(({ value }) => value))).toEqual(new Set(Object.values(planted)))
    expect(found.every(({ within }) => within.length > 0)).toBe(true)
  })
})

describe('Of an archive that is handed out', () => {
  it('he finds nothing, also not in what is compressed in it', async () => {
    const { bytes } = await redacted(FILES)
    expect(findTraces(gunzipSync(bytes), VALUES)).toEqual([])
    expect(findTraces(bytes, VALUES)).toEqual([])
  })

  it('he finds nothing in what is compressed, which is read or left out', THOROUGH, async () => {
    const { bytes, report } = await redacted({ ...FILES, ...COMPRESSED })
    expect(findTraces(bytes, VALUES)).toEqual([])
    expect(report.files).toMatchObject({
      changed: 3,
      dropped: 3,
      unread: { types: { 'damaged zip': 1, PDF: 1, 'zip in gzip': 1 } },
    })
  })

  it('he finds nothing in files that were replaced', THOROUGH, async () => {
    const { bytes } = await redacted({ ...FILES, ...COMPRESSED }, { attachments: 'drop' })
    expect(findTraces(bytes, VALUES)).toEqual([])
  })

  it(
    'he finds something only in Git data that was kept, and the report says that it was',
    THOROUGH,
    async () => {
      const { bytes, report } = await redacted({ ...FILES, ...GIT }, { git: 'keep' })
      expect(await tracedIn(bytes)).toEqual([
        expect.stringMatching(/^repositories\/user-\w{10}\/tools\.git\/description$/),
      ])
      expect(report.git.state).toBe('kept')
    },
  )

  it('he finds nothing where Git data was left out', THOROUGH, async () => {
    const { bytes } = await redacted({ ...FILES, ...GIT }, { git: 'drop' })
    expect(findTraces(bytes, VALUES)).toEqual([])
  })
})

it(
  'Of a database he finds nothing either: not in free pages, indexes or files beside it',
  THOROUGH,
  async () => {
    const { output, bytes } = await redacted({ ...FILES, ...GIT }, { git: 'drop' }, 'out.db')
    expect(findTraces(bytes, VALUES)).toEqual([])
    expect(readdirSync(dirname(output))).toEqual(['out.db'])
    const database = openDatabase(output)
    expect(database.pragma('freelist_count', { simple: true })).toBe(0)
    expect(database.prepare('SELECT count(*) FROM commits').pluck().get()).toBe(0)
    database.close()
  },
)

it.each(['mask', 'remove'] as const)('Nothing is left with the mode %s', THOROUGH, async (mode) => {
  const { bytes } = await redacted(FILES, { mode })
  expect(findTraces(bytes, VALUES)).toEqual([])
})

it('A value that only its base64 within other letters shows is no text to be replaced: nothing is written', async () => {
  const [issue] = FILES['issues_000001.json'] as object[]
  const body = `see ab${Buffer.from(KNOWN.email).toString('base64')}`
  const { database } = await loaded({ ...FILES, 'issues_000001.json': [{ ...issue, body }] })
  const folder = await folderOf()
  await expect(
    redactDatabase(database, join(folder, 'out.tar.gz'), { key: KEY, what: EVERYTHING }),
  ).rejects.toMatchObject({
    code: 'redaction-incomplete',
    place: { entry: 'issues_000001.json' },
    message: expect.not.stringContaining(KNOWN.email),
  })
  expect(readdirSync(folder)).toEqual([])
})

/** Between redaction and proof something goes wrong: a value gets back into the new archive. The proof has to see it. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { proveRedaction } from '../../../../src/transform/redact/proof/prove.ts'
import { redactAndProve } from '../../../../src/transform/redact/redact-database.ts'
import { unpack } from '../../../support/build.ts'
import { type Files, tarOf } from '../../../support/build-tar.ts'
import { folderOf } from '../../../support/folder.ts'
import { loaded, sourceOf } from '../../../support/load.ts'
import { everyDay } from '../../../support/thorough.ts'
import { zipOf } from '../adversary/clothes.ts'
import { token } from '../corpus.ts'

const HOST = 'https://forge.example'
const KNOWN = {
  'an address': 'grace.h@navy.example',
  'a name': 'Grace Hopper',
  'a login': '@gracehopper1906',
  'an IP address': '93.184.216.34',
  'a secret': token('ghp_', 36),
}
const PLANTED = Object.values(KNOWN).join(', ')
const FILES: Files = {
  'schema.json': { version: '1.2.0' },
  'users_000001.json': [
    {
      type: 'user',
      url: `${HOST}/gracehopper1906`,
      login: 'gracehopper1906',
      name: 'Grace Hopper',
    },
  ],
  'issues_000001.json': [1, 2].map((number) => ({
    type: 'issue',
    url: `${HOST}/a/b/issues/${number}`,
    title: 'Boils over',
    body: `${PLANTED} -`,
    created_at: '2020-01-01T00:00:00Z',
  })),
  'attachments/a1/log.txt': PLANTED,
}

const folder = mkdtempSync(join(tmpdir(), 'planted-leak-'))
let redacted: Record<string, string>
let prove: (archive: string) => Promise<void>

beforeAll(async () => {
  const path = join(folder, 'it.db')
  await loadArchive(sourceOf(FILES), path)
  const database = openDatabase(path)
  const what = ['emails', 'names', 'logins', 'ips', 'secrets'] as const
  await redactAndProve(database, join(folder, 'out.tar.gz'), { what }, async (archive, proof) => {
    redacted = (await unpack(readFileSync(archive))).files as Record<string, string>
    prove = proof
  })
  database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What the proof says of an archive with other files. */
async function proofOf(files: Files): Promise<unknown> {
  const archive = join(folder, 'leaking.tar.gz')
  writeFileSync(archive, gzipSync(tarOf(files), { level: 0 }))
  return prove(archive).then(
    () => undefined,
    (error: unknown) => error,
  )
}

const CLOTHINGS: Record<string, (value: string) => string | Buffer> = {
  'as it is': (value) => value,
  'in JSON': (value) => JSON.stringify(`\t${value}`).replaceAll('@', '\\u0040'),
  'in JSON within JSON': (value) => JSON.stringify(JSON.stringify(`\n${value}`)),
  'percent-encoded': encodeURIComponent,
  'in HTML': (value) => value.replaceAll('@', '&#64;').replaceAll('.', '&period;'),
  'in base64': (value) => Buffer.from(value).toString('base64'),
  'in base64 behind one byte': (value) => Buffer.from(`=${value}`).toString('base64'),
  'in base64 behind two bytes': (value) => Buffer.from(`: ${value}`).toString('base64'),
}
const WIDE: typeof CLOTHINGS = {
  'in UTF-16LE': (value) => Buffer.from(value, 'utf16le'),
  'in UTF-16BE': (value) => Buffer.from(value, 'utf16le').swap16(),
}

test('Nothing is found in what was written', async () => {
  expect(await proofOf(redacted)).toBeUndefined()
})

describe.each(Object.entries(KNOWN))('%s is caught', (kind, value) => {
  const message = `${kind} that was removed is still there`

  everyDay(1)(Object.entries(CLOTHINGS))('in a record, %s', async (_, dress) => {
    const text = redacted['issues_000001.json'] as string
    const at = text.lastIndexOf(' -"')
    const body = JSON.stringify(` ${dress(value)}`).slice(1, -1)
    const leaking = { ...redacted, 'issues_000001.json': text.slice(0, at) + body + text.slice(at) }
    expect(await proofOf(leaking)).toMatchObject({
      code: 'redaction-incomplete',
      message,
      place: { entry: 'issues_000001.json', record: 2, member: 'body' },
    })
  })

  everyDay(7)(Object.entries({ ...CLOTHINGS, ...WIDE }))('in a file, %s', async (_, dress) => {
    const leaking = { ...redacted, 'attachments/a1/log.txt': Buffer.from(dress(value) as string) }
    expect(await proofOf(leaking)).toMatchObject({
      code: 'redaction-incomplete',
      message,
      place: { entry: 'attachments/a1/log.txt' },
    })
  })

  test('in a gzip file', async () => {
    const leaking = { ...redacted, 'attachments/a1/log.txt': gzipSync(`of ${value}`) }
    expect(await proofOf(leaking)).toMatchObject({ message })
  })

  test('in a zip file, whose member the error names', async () => {
    const leaking = { ...redacted, 'attachments/a1/log.txt': zipOf({ 'logs/it.txt': value }) }
    expect(await proofOf(leaking)).toMatchObject({
      message,
      place: { entry: 'attachments/a1/log.txt', member: 'logs/it.txt' },
    })
  })

  test('in the name of a file, of which the error says what is before', async () => {
    const error = await proofOf({ ...redacted, [`attachments/a2/of ${value}.txt`]: 'x' })
    expect(error).toMatchObject({ message, place: { entry: 'attachments/a2/of …' } })
  })
})

everyDay(1)(['mask', 'remove'] as const)('With the mode %s, each is caught', async (mode) => {
  const { database } = await loaded(FILES)
  const output = join(await folderOf(), 'out.tar.gz')
  const what = ['emails', 'names', 'logins', 'ips', 'secrets'] as const
  const messages: unknown[] = []
  await redactAndProve(database, output, { what, mode }, async (archive, proof) => {
    const { files } = await unpack(readFileSync(archive))
    for (const value of Object.values(KNOWN)) {
      const leaking = join(folder, `${mode}.tar.gz`)
      writeFileSync(leaking, gzipSync(tarOf({ ...files, 'attachments/a2/x.txt': `- ${value}` })))
      await proof(leaking).catch(({ message }: Error) => messages.push(message))
    }
  })
  expect(messages).toEqual(
    Object.keys(KNOWN).map((kind) => `${kind} that was removed is still there`),
  )
})

test('An address that was kept somewhere as a doubtful version is no leak', async () => {
  const archive = join(folder, 'versions.tar.gz')
  writeFileSync(archive, gzipSync(tarOf({ 'schema.json': { version: '1.0.0.0' } })))
  const removed = [{ type: 'ip', value: '1.0.0.0' }] as const
  const prove = (doubtful: readonly string[]) =>
    proveRedaction(archive, { removed, doubtful: new Set(doubtful), keepsFiles: false })
  await expect(prove([])).rejects.toMatchObject({ code: 'redaction-incomplete' })
  await expect(prove(['1.0.0.0'])).resolves.toBeUndefined()
})

test.each([
  ['the name of a branch', { 'repositories/a/b.git/refs/heads/by-grace_hopper/fix': 'x' }],
  ['a folder of branches', { 'repositories/a/b.git/refs/heads/grace.hopper/': '' }],
  [
    'a list of refs',
    { 'repositories/a/b.git/packed-refs': `${'1'.repeat(40)} refs/heads/grace-hopper\n` },
  ],
])('A name with other signs for its spaces is found in %s', async (_, files) => {
  expect(await proofOf({ ...redacted, ...files })).toMatchObject({
    code: 'redaction-incomplete',
    message: 'a name that was removed is still there',
  })
})

test('The name of a repository stays', async () => {
  expect(
    await proofOf({ ...redacted, 'repositories/grace-hopper/b.git/HEAD': 'x' }),
  ).toBeUndefined()
})

test.each([
  ['a record', 'in one run', 1],
  ['a file', 'in a second run', 2],
  ['an escape', 'in a second run', 2],
])('A secret that %s tells is found where it stands for itself %s', async (where, _, runs) => {
  const secret = 'a1b2c3d4e5f6a1b2c3d4'
  const telling = `authorization: bearer ${secret}`
  const issue = (number: number, body: string) => ({
    type: 'issue',
    url: `${HOST}/a/b/issues/${number}`,
    title: 'It is hot',
    body,
    created_at: '2020-01-01T00:00:00Z',
  })
  const files: Record<string, Files> = {
    'a record': { 'issues_000001.json': [issue(1, `\`${secret}\``), issue(2, telling)] },
    'a file': {
      'issues_000001.json': [issue(1, `\`${secret}\``)],
      'attachments/a1/log.txt': telling,
    },
    'an escape': {
      'issues_000001.json': [issue(1, `\`${secret}\``), issue(2, telling.replace('au', 'a%75'))],
    },
  }
  const { database } = await loaded({ 'schema.json': { version: '1.2.0' }, ...files[where] })
  const output = join(await folderOf(), 'out.tar.gz')
  const proofs: string[] = []
  await redactAndProve(database, output, {}, async (archive) => void proofs.push(archive))
  expect(proofs).toHaveLength(runs)
  expect(JSON.stringify((await unpack(readFileSync(output))).files)).not.toContain(secret)
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { KINDS } from '../../../src/records/kinds/kinds.ts'
import { memberPaths } from '../../../src/records/kinds/member-paths.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import { redactDatabase } from '../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../src/transform/redact/redact-options.ts'
import { filesOf, worlds } from '../../support/arbitrary-world.ts'
import { built, unpack } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { token } from './corpus.ts'

const KEY = Buffer.from('a key of thirty-two bytes or more')
const HOST = 'https://forge.example'

/** What an adversary knows. */
const SECRETS = {
  email: 'grace.h@navy.example',
  name: 'Grace Hopper',
  ip: '93.184.216.34',
  secret: token('ghp_', 36),
}
const PLANTED = `by ${SECRETS.name} <${SECRETS.email}> at ${SECRETS.ip} with ${SECRETS.secret} end`
const HIDDEN = Object.values(SECRETS)

const user = (login: string, more: object = {}) => ({
  type: 'user',
  url: `${HOST}/${login}`,
  login,
  name: SECRETS.name,
  emails: [{ address: SECRETS.email, primary: true }],
  company: 'Navy',
  location: 'Arlington',
  website: null,
  created_at: '2020-01-01T00:00:00Z',
  ...more,
})

const issue = (more: object = {}) => ({
  type: 'issue',
  url: `${HOST}/a/b/issues/1`,
  repository: `${HOST}/a/b`,
  user: `${HOST}/grace`,
  title: 'x',
  body: PLANTED,
  created_at: '2020-01-01T00:00:00Z',
  ...more,
})

const FILES: Files = {
  'schema.json': { version: '1.2.0' },
  'users_000001.json': [user('grace')],
  'issues_000001.json': [issue()],
}

/** Redacts into an archive, and returns its files, its bytes before compression, and the report. */
async function redacted(files: Files, options: RedactOptions = {}, name = 'out.tar.gz') {
  const { database } = await loaded(files)
  const output = join(await folderOf(), name)
  const report = await redactDatabase(database, output, { key: KEY, ...options })
  const bytes = readFileSync(output)
  const isArchive = name.endsWith('.tar.gz')
  return { report, output, database, bytes: isArchive ? gunzipSync(bytes) : bytes }
}

/** Looks for everything an adversary knows, in the encodings that somebody may have used. */
function findAny(bytes: Buffer, values: readonly string[] = HIDDEN): string[] {
  const text = bytes.toString('latin1').toLowerCase()
  return values.filter((value) => {
    const lower = Buffer.from(value.toLowerCase()).toString('latin1')
    const forms = [
      lower,
      lower.replace('@', '%40'),
      lower.replace('@', '\\u0040'),
      ...[value, lower].map((each) =>
        Buffer.from(each).toString('base64').replace(/=+$/, '').toLowerCase(),
      ),
    ]
    return forms.some((form) => text.includes(form))
  })
}

describe('Planted values are gone', () => {
  it(
    'from every string member of every kind, from unknown members and kinds, names and files',
    THOROUGH,
    async () => {
      const records = Object.entries(KINDS).map(([stem, kind], i) => {
        const record: Record<string, unknown> = { type: kind.type, url: `${HOST}/${stem}/${i}` }
        for (const { steps, column } of memberPaths(kind)) {
          if (column.storage !== 'text' || steps.join() === 'url') continue
          plant(
            record,
            steps,
            column.refersTo ? `${HOST}/x?u=${SECRETS.email}&ip=${SECRETS.ip}` : PLANTED,
          )
        }
        return [
          `${stem}_000001.json`,
          [{ ...record, [`extra ${SECRETS.email}`]: { deep: [PLANTED] } }],
        ]
      })
      const { bytes, report } = await redacted({
        ...FILES,
        ...Object.fromEntries(records),
        'users_000002.json': [user('grace')],
        'gadgets_000001.json': [
          { type: 'gadget', url: `${HOST}/g`, note: PLANTED, [SECRETS.email]: 1 },
        ],
        [`attachments/a1/${SECRETS.email}.txt`]: PLANTED,
        [`repository_files/1/${SECRETS.name}.log`]: `x\r\n${PLANTED}`,
      })
      expect(findAny(bytes)).toEqual([])
      expect(bytes.toString('latin1')).not.toContain('Arlington')
      for (const type of ['email', 'name', 'ip', 'secret'] as const) {
        expect(report.counts[type], type).toBeGreaterThan(20)
      }
      expect(JSON.stringify(report).match(/.{60}(?:navy|hopper|93\.184|ghp_).{60}/gi)).toBeNull()
    },
  )

  it('from the file of a database, in which nothing is free', THOROUGH, async () => {
    const files = { ...FILES, 'attachments/a1/x.txt': PLANTED }
    const { bytes, output } = await redacted(files, {}, 'out.db')
    expect(findAny(bytes)).toEqual([])
    const database = openDatabase(output)
    expect(database.pragma('freelist_count', { simple: true })).toBe(0)
    expect(database.prepare('SELECT count(*) FROM commits').pluck().get()).toBe(0)
    database.close()
  })

  everyDay(1)(['mask', 'remove'] as const)('in the mode %s as well', async (mode) => {
    const { bytes } = await redacted(FILES, { mode })
    expect(findAny(bytes)).toEqual([])
    const { files } = await unpack(bytes)
    const [person] = JSON.parse(files['users_000001.json'] as string)
    expect(person).toMatchObject(
      mode === 'mask'
        ? { name: '[name]', emails: [{ address: '[email]' }] }
        : { name: null, company: null },
    )
    const [{ body }] = JSON.parse(files['issues_000001.json'] as string)
    expect(body).toBe(
      mode === 'mask' ? 'by [name] <[email]> at [ip] with [secret] end' : 'by  <> at  with  end',
    )
  })

  it(
    'with logins, also of people without a record, in names of packages and in text files',
    THOROUGH,
    async () => {
      const text = `@grace/kettle, \`@nobody\` ${HOST}/nobody?x @GRACE.`
      const { bytes, report } = await redacted(
        {
          ...FILES,
          'issues_000001.json': [
            issue({ body: text, reactions: [{ user: `${HOST}/nobody`, content: '+1' }] }),
          ],
          'repositories_000001.json': [
            {
              type: 'repository',
              url: `${HOST}/theowner/b`,
              name: 'b',
              owner: `${HOST}/theowner`,
            },
          ],
          'attachments/a1/x.txt': text,
        },
        { what: ['logins', 'emails', 'names'], mode: 'mask' },
      )
      expect(bytes.toString('latin1')).not.toMatch(/grace(?!\.h)|nobody|theowner/i)
      expect(report.counts.login).toBe(3)
    },
  )

  it('with logins, in mentions, URLs and paths', THOROUGH, async () => {
    const { bytes } = await redacted(
      {
        ...FILES,
        'issues_000001.json': [issue({ body: `@grace and ${HOST}/grace/x, \`@grace\`` })],
      },
      { what: ['logins', 'emails', 'names'] },
    )
    expect(bytes.toString('latin1')).not.toMatch(/(?:\/|@|")grace(?![.\w])/)
  })

  function plant(
    record: Record<string, unknown>,
    steps: readonly (string | null)[],
    value: string,
  ): void {
    let holder: Record<string, unknown> | unknown[] = record
    steps.forEach((step, i) => {
      const key = step ?? 0
      const own = holder as Record<string | number, unknown>
      if (i === steps.length - 1) own[key] = value
      else {
        own[key] ??= steps[i + 1] === null ? [] : {}
        holder = own[key] as Record<string, unknown>
      }
    })
  }
})

it('Pictures lose their metadata, and contents that are not read are listed', async () => {
  const chunk = (type: string, data: string) => {
    const bytes = Buffer.alloc(12 + data.length)
    bytes.writeUInt32BE(data.length)
    bytes.write(type + data, 4, 'latin1')
    return bytes
  }
  const head = Buffer.from('89504e470d0a1a0a', 'hex')
  const png = Buffer.concat([
    head,
    chunk('IHDR', 'x'.repeat(13)),
    chunk('tEXt', PLANTED),
    chunk('IEND', ''),
  ])
  const exif = Buffer.from(PLANTED)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  const jpeg = Buffer.concat([
    Buffer.from('ffd8ffe1', 'hex'),
    length,
    exif,
    Buffer.from('ffda0002ffd9', 'hex'),
  ])
  const { bytes, report } = await redacted({
    ...FILES,
    'attachments/a1/x.png': png,
    'attachments/a2/x.jpg': jpeg,
    'attachments/a3/x.zip': Buffer.from('PK\x03\x04'),
  })
  expect(findAny(bytes)).toEqual([])
  expect(report.files).toMatchObject({
    changed: 2,
    unread: { count: 1, types: { 'damaged zip': 1 }, paths: ['attachments/a3/x.zip'] },
  })
})

it('Contents can be replaced, or kept', THOROUGH, async () => {
  const files = {
    ...FILES,
    'attachments_000001.json': [
      {
        type: 'attachment',
        url: `${HOST}/u/1`,
        asset_content_type: 'image/gif',
        asset_url: 'tarball://root/attachments/a1/x.gif',
      },
    ],
    'attachments/a1/x.gif': `GIF89a\0${PLANTED}`,
  }
  await expect(redacted(files, { keepUnread: true })).rejects.toMatchObject({
    code: 'redaction-incomplete',
    place: { entry: 'attachments/a1/x.gif' },
  })
  const dropped = await unpack((await redacted(files, { attachments: 'drop' })).bytes)
  expect(dropped.files['attachments/a1/x.gif']).toHaveLength(1024)
  expect(dropped.files['attachments_000001.json']).toContain('text/plain')
  const kept = await redacted(files, { attachments: 'keep' })
  expect(findAny(kept.bytes)).toEqual(HIDDEN)
})

it('The audit log is left out, and the report says so', THOROUGH, async () => {
  const { bytes, report } = await redacted(
    { ...FILES, 'audit_log.csv': `action,actor_ip\nrepo.create,"${PLANTED}"\n` },
    { attachments: 'keep' },
  )
  expect(findAny(bytes)).toEqual([])
  expect(Object.keys((await unpack(bytes)).files)).not.toContain('audit_log.csv')
  expect(report.files.auditLog).toBe(true)
})

it(
  'Git data is kept as it is on request, and the report says so; or it is left out',
  THOROUGH,
  async () => {
    const git = 'repositories/a/b.git'
    const files = {
      ...FILES,
      [`${git}/HEAD`]: 'ref: refs/heads/main\n',
      [`${git}/logs/HEAD`]: PLANTED,
    }
    const { bytes, report } = await redacted(files, { git: 'keep' })
    expect(report.git.state).toBe('kept')
    expect(findAny(bytes)).toEqual(HIDDEN)
    const without = await redacted(files, { git: 'drop' })
    expect(without.report.git.state).toBe('dropped')
    expect(findAny(without.bytes)).toEqual([])
  },
)

it('Doubtful values stay and are listed, and kept ones are no findings', THOROUGH, async () => {
  const body = `v9.8.7.6 and ${SECRETS.email}`
  const { bytes, report } = await redacted(
    { ...FILES, 'issues_000001.json': [issue({ body })] },
    { keep: [SECRETS.email, 'navy.example'] },
  )
  expect(bytes.toString()).toContain(body)
  expect(report.doubtful).toMatchObject({
    count: 1,
    places: [{ kind: 'issues', member: 'body', entry: 'issues_000001.json', record: 1, offset: 1 }],
  })
})

it('An address that is a version elsewhere does not refuse the archive', THOROUGH, async () => {
  const { bytes, report } = await redacted({
    ...FILES,
    'issues_000001.json': [issue({ title: 'Version=1.0.0.0', body: 'ping 1.0.0.0' })],
  })
  expect(bytes.toString()).toContain('Version=1.0.0.0')
  expect(bytes.toString()).not.toContain('ping 1.0.0.0')
  expect(report).toMatchObject({
    counts: { ip: 1 },
    doubtful: { count: 1, alsoRemoved: 1 },
    proved: true,
  })
})

it.each([
  ['random', 'a1b2c3d4e5f6a1b2c3d4', '`a1b2c3d4e5f6a1b2c3d4`'],
  ['a word', 'summer2024', 'is "bearer summer2024"'],
])(
  'A secret that is %s and also stands for itself is gone everywhere',
  async (_, secret, alone) => {
    const { bytes, report } = await redacted({
      'schema.json': { version: '1.2.0' },
      'issues_000001.json': [
        issue({ body: `ünder ${alone}, it` }),
        issue({ url: `${HOST}/a/b/issues/2`, body: `{"authorization": "bearer ${secret}"}` }),
      ],
    })
    const text = bytes.toString()
    const written = text.match(/\[secret authorization \w{8}\]/g) ?? []
    expect(text).not.toContain(secret)
    expect([written.length, new Set(written).size]).toEqual([2, 1])
    expect(report).toMatchObject({ counts: { secret: 2 }, proved: true })
  },
)

it('Names in base64 behind an escape, and in UTF-16, do not refuse the archive', async () => {
  const base64 = Buffer.from(SECRETS.name).toString('base64')
  const wide = Buffer.from(`see ${SECRETS.name} there`, 'utf16le').toString('latin1')
  const bodies = [`{"log":"line\\n${base64}"}`, `${HOST}/id_${base64}`, wide, JSON.stringify(wide)]
  const issues = bodies.map((body, i) => issue({ url: `${HOST}/a/b/issues/${i}`, body }))
  const { bytes } = await redacted({ ...FILES, 'issues_000001.json': issues })
  expect(findAny(bytes)).toEqual([])
})

it('Own words and patterns are taken out', THOROUGH, async () => {
  const body = 'Project Bluebird, case AB-1234'
  const { bytes } = await redacted(
    { ...FILES, 'issues_000001.json': [issue({ body })] },
    { also: ['bluebird', '/[A-Z]{2}-\\d{4}/'] },
  )
  expect(findAny(bytes, ['bluebird', 'AB-1234'])).toEqual([])
})

it('What was written instead is no finding of an own pattern', THOROUGH, async () => {
  const also = ['/[0-9][a-z]/', 'redacted', 'name', 'Hopper']
  const once = await redacted(FILES, { also })
  const { database } = await loaded(once.bytes)
  const output = join(await folderOf(), 'twice.tar.gz')
  await redactDatabase(database, output, { key: KEY, also })
  expect(gunzipSync(readFileSync(output)).equals(once.bytes)).toBe(true)
})

describe('A bad option is refused:', () => {
  everyDay(2)([
    [{ key: new Uint8Array() }, 'key: expected 32 bytes or more, found none'],
    [{ key: new Uint8Array(31) }, 'key: expected 32 bytes or more, found 31'],
    [
      { also: ['x', '/(a+)+b/'] },
      'also, line 2: a quantifier within a quantified group may take exponential time',
    ],
    [
      { also: ['/((a|b)c)*d/'] },
      'also, line 1: a quantifier within a quantified group may take exponential time',
    ],
    [{ also: ['/a*/'] }, 'also, line 1: the pattern matches the empty text'],
    [{ also: ['/a(/'] }, 'also, line 1: Invalid regular expression'],
    [{ what: ['everything'] }, 'what[0]: expected'],
  ] as [RedactOptions, string][])('%#', async (options, message) => {
    await expect(redacted(FILES, options)).rejects.toThrow(message)
  })
})

describe('On arbitrary archives', () => {
  const what = ['emails', 'names', 'logins', 'ips', 'secrets'] as const
  const twiceIsOnce = async (files: Files, mode?: RedactOptions['mode']) => {
    const once = await redacted(files, { what, mode })
    const { database: first } = await loaded(once.bytes)
    const output = join(await folderOf(), 'twice.tar.gz')
    await redactDatabase(first, output, { key: KEY, what, mode })
    expect(gunzipSync(readFileSync(output)).equals(once.bytes)).toBe(true)
  }

  it('twice is once, as on this one', () => twiceIsOnce(FILES))

  it.each(['mask', 'remove'] as const)('twice is once with the mode %s', THOROUGH, (mode) =>
    twiceIsOnce(FILES, mode),
  )

  it('twice is once, and the same key gives the same pseudonyms', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, (world) => twiceIsOnce(filesOf(world))),
      { numRuns: runs(5) },
    )
  })

  const reportsAll = async (files: Files) => {
    const { bytes, report, database } = await redacted(files)
    const { database: after } = await loaded(bytes)
    const ignore = Object.keys(report.members).map((member) => member.replace(/\[\].*$/, ''))
    expect(await listOf(diffDatabases(database, after, { ignore }))).toEqual([])
  }

  it('the report names every member that changed, as on this one', THOROUGH, () =>
    reportsAll(FILES),
  )

  it('the report names every member that changed', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, (world) => reportsAll(filesOf(world))),
      { numRuns: runs(5) },
    )
  })

  it('another key has no pseudonym in common', THOROUGH, async () => {
    const pseudonyms = async (key: Buffer) =>
      new Set(
        (await redacted(FILES, { key })).bytes
          .toString()
          .match(/[0-9a-z]{10}(?=@redacted)|person-\w+/g),
      )
    const [one, other] = [await pseudonyms(KEY), await pseudonyms(Buffer.from(`another ${KEY}`))]
    expect(one.size).toBeGreaterThan(1)
    expect([...one].filter((each) => other.has(each))).toEqual([])
  })

  const staysAsItIs = async (files: Files) => {
    const { database } = await loaded({ ...files, 'users_000001.json': [] })
    const output = join(await folderOf(), 'same.tar.gz')
    await redactDatabase(database, output, { key: KEY })
    expect(readFileSync(output).equals(await built(database))).toBe(true)
  }

  it('where there is nothing to find, the same bytes are built, as on this one', THOROUGH, () =>
    staysAsItIs({ ...FILES, 'issues_000001.json': [issue({ body: 'It boils.' })] }),
  )

  it('where there is nothing to find, the same bytes are built', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, (world) => staysAsItIs(filesOf(world))),
      { numRuns: runs(5) },
    )
  })
})

import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import type { BuildOptions } from '../../src/build/build-options.ts'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { writeRecords } from '../../src/records/write-records.ts'
import { issue, user } from '../support/archives.ts'
import { built, builtFiles, builtUrls, contentOf, sha256Of, unpack } from '../support/build.ts'
import { type Files, tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { objectsWith } from '../support/json-objects.ts'
import { columnOf, loaded, opened, rowsOf } from '../support/load.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { runs } from '../support/property-runs.ts'
import { ROOT } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const SAMPLES = join(ROOT, 'samples')
const samples = [
  ['hello.tar.gz', {}],
  ['organization.tar.gz', THOROUGH],
] as const

/** Files in the form of the host. */
const asHost = (files: Record<string, JsonObject[] | string>, emptyArray: 'old' | 'new' = 'new') =>
  Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === 'string'
        ? content
        : Buffer.concat([...writeRecords(content, { emptyArray })]).toString(),
    ]),
  )

const SCHEMA = { 'schema.json': '{"version":"1.0.1","github_sha":"c0ffee"}' }

const WITH_FILE: Files = { ...SCHEMA, 'attachments/a/x': 'xyz' }

async function again(archive: Uint8Array) {
  const path = join(await folderOf(), 'again.db')
  await loadArchive({ name: 'again.tar.gz', bytes: inPiecesOf(archive) }, path)
  return opened(path)
}

describe.each(samples)('of %s', (name, suite) => {
  const original = readFileSync(join(SAMPLES, name))
  let folder: string
  let database: Database
  let archive: Buffer
  const load = async (path: string) => {
    await loadArchive({ name, bytes: inPiecesOf(original) }, path)
    return openDatabase(path)
  }
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'marc-build-'))
    database = await load(join(folder, 'sample.db'))
    archive = await built(database)
    return () => {
      database.close()
      rmSync(folder, { recursive: true })
    }
  })

  test('every file comes back byte for byte, with its time', suite, async () => {
    const before = await unpack(original)
    const after = await unpack(archive)
    expect(Object.keys(after.files).sort()).toEqual(Object.keys(before.files).sort())
    for (const [path, content] of Object.entries(before.files)) {
      expect(after.files[path] === content, path).toBe(true)
      expect(after.times[path], path).toBe(before.times[path])
    }
  })

  test('another load makes the same rows', suite, async () => {
    expect(contentOf(await again(archive))).toEqual(contentOf(database))
  })

  test('another build makes the same bytes', suite, async () => {
    expect(sha256Of(await built(database))).toBe(sha256Of(archive))
    const other = await load(join(folder, 'other.db'))
    expect(sha256Of(await built(other))).toBe(sha256Of(archive))
    other.close()
  })
})

describe('what was loaded', () => {
  it('comes back whatever the records are', { ...THOROUGH, timeout: 60_000 }, async () => {
    const stems = ['issues', 'users', 'releases', 'gadgets', 'Old_issues']
    const members = ['type', ...Object.keys(KINDS.issues.columns), 'gadget', 'count']
    // Names that look like an index come first in a JavaScript object, wherever they stood.
    const isIndex = (record: object) => JSON.stringify(record).match(/"\d+":/) !== null
    const record = objectsWith(members).filter((record) => !isIndex(record))
    const recordFiles = fc.uniqueArray(
      fc.record({
        stem: fc.constantFrom(...stems),
        name: fc.constantFrom('000001', '000002', '000007', '000001(2)', '1'),
        records: fc.array(record, { maxLength: 4 }),
      }),
      { maxLength: 6, selector: ({ stem, name }) => `${stem}_${name}` },
    )
    await fc.assert(
      fc.asyncProperty(recordFiles, fc.constantFrom('old', 'new'), async (made, emptyArray) => {
        let next = 0
        const files = asHost(
          Object.fromEntries(
            made.map(({ stem, name, records }) => [
              `${stem}_${name}.json`,
              records.map((record) => ({ ...record, url: `x://${next++}`, list: [] })),
            ]),
          ),
          emptyArray,
        )
        const { database } = await loaded({ ...SCHEMA, ...files })
        const archive = await built(database)
        const found = (await unpack(archive)).files
        const text = (content: string) => Buffer.from(content).toString('latin1')
        const expected = Object.entries({ ...SCHEMA, ...files })
        expect(found).toEqual(
          Object.fromEntries(expected.map(([path, content]) => [path, text(content)])),
        )
        expect(contentOf(await again(archive))).toEqual(contentOf(database))
      }),
      { numRuns: runs(20) },
    )
  })

  it('keeps the old and the new form of empty arrays, also where files differ in it', async () => {
    const files = {
      ...asHost({ 'issues_000001.json': [issue(1, 'One', { labels: [] })] }, 'old'),
      ...asHost({ 'users_000001.json': [user('ada', { emails: [] })] }, 'new'),
    }
    const { database } = await loaded(files)
    expect(await builtFiles(database)).toMatchObject(files)
  })

  it('keeps compact JSON compact, also where a record was changed', THOROUGH, async () => {
    const records = [issue(1, 'One', { labels: [] }), issue(2, 'Two')]
    const files = { 'issues_000001.json': JSON.stringify(records), 'users_000001.json': '[]' }
    const { database, problems } = await loaded(files)
    expect(await builtFiles(database)).toMatchObject(files)
    expect(problems.map(({ code }) => code)).not.toContain('json-layout')
    database.exec(`UPDATE issues SET title = 'Uno' WHERE title = 'One'`)
    const changed = JSON.stringify([{ ...records[0], title: 'Uno' }, records[1]])
    expect(await builtFiles(database)).toMatchObject({ 'issues_000001.json': changed })
  })

  it(
    'reports another layout of JSON when it is loaded, and is built in that of GitHub',
    THOROUGH,
    async () => {
      const records = [issue(1, 'One')]
      const { database, problems } = await loaded({
        'issues_000001.json': JSON.stringify(records, null, 4),
      })
      const place = { entry: 'issues_000001.json' }
      expect(problems).toContainEqual(expect.objectContaining({ code: 'json-layout', place }))
      expect(await builtFiles(database)).toMatchObject(asHost({ 'issues_000001.json': records }))
    },
  )

  it('keeps numbers as they were written', async () => {
    const file = '[\n  {\n    "url": "x://1",\n    "a": 1.0,\n    "b": 1e400,\n    "c": -0\n  }\n]'
    const { database } = await loaded({ 'gadgets_000001.json': file })
    expect((await builtFiles(database))['gadgets_000001.json']).toBe(file)
  })

  it('keeps short, renamed and empty record files', THOROUGH, async () => {
    const files = asHost({
      'users_000001.json': [user('ada')],
      'users_000001(2).json': [user('grace')],
      'users_000003.json': [user('linus')],
      'issues_000001.json': [],
    })
    const { database } = await loaded(files)
    expect(await builtFiles(database)).toMatchObject(files)
  })

  it('keeps a record in its file though another kind has it', async () => {
    const files = asHost({
      'milestones_000001.json': [user('ada'), { type: 'milestone', url: 'x' }],
    })
    const { database } = await loaded(files)
    expect(await builtFiles(database)).toMatchObject(files)
  })

  it('keeps a file that is too large to hold', THOROUGH, async () => {
    const body = 'x'.repeat(100_000)
    const records = Array.from({ length: 120 }, (_, i) => ({
      ...issue(1, 'T', { body }),
      url: `x://${i}`,
    }))
    const files = asHost({ 'issues_000001.json': records })
    const { database } = await loaded(files)
    expect((await builtFiles(database))['issues_000001.json'] === files['issues_000001.json']).toBe(
      true,
    )
  })

  const files = {
    'releases/b/x': 'x',
    'attachments/a/y': 'y',
    ...asHost({
      'zebras_000001.json': [{ url: 'x://z' }],
      'issues_000002.json': [issue(2, 'Two')],
      'issues_000001.json': [issue(1, 'One')],
      'users_000001.json': [user('ada')],
    }),
    'urls.json': '{"user":"x"}',
    ...SCHEMA,
  }

  it('comes in the order that the archive had', THOROUGH, async () => {
    const { database } = await loaded(files)
    expect(Object.keys(await builtFiles(database))).toEqual(Object.keys(files))
  })

  it(
    'of several archives has documents first, then kinds in the order of an import, then files',
    THOROUGH,
    async () => {
      const { database } = await loaded([files, { ...SCHEMA, 'urls.json': '{"user":"x"}' }])
      expect(Object.keys(await builtFiles(database))).toEqual([
        'schema.json',
        'urls.json',
        'users_000001.json',
        'issues_000001.json',
        'issues_000002.json',
        'zebras_000001.json',
        'attachments/a/y',
        'releases/b/x',
      ])
    },
  )

  it('of several archives has the directories that Git insists on', THOROUGH, async () => {
    const head = { 'repositories/ada/tools.git/HEAD': 'ref: refs/heads/main\n' }
    const { database } = await loaded([
      { ...head, 'repositories/ada/tools.git/packed-refs': '' },
      SCHEMA,
    ])
    const { directories } = await unpack(await built(database))
    const git = 'repositories/ada/tools.git/'
    expect(directories.filter((path) => path.startsWith(git))).toEqual(
      ['', 'objects/', 'objects/info/', 'objects/pack/', 'refs/', 'refs/heads/', 'refs/tags/'].map(
        (path) => git + path,
      ),
    )
  })

  it('is read from a database that is open for reading alone, and that stays usable', async () => {
    const { path } = await loaded(asHost({ 'users_000001.json': [user('ada')] }))
    const database = openDatabase(path)
    expect(Object.keys(await builtUrls(database))).toEqual(['users_000001.json'])
    expect(rowsOf(database, 'SELECT count(*) FROM temp.sqlite_schema')).toEqual([[0]])
    database.close()
  })
})

describe('changes made with SQL', () => {
  it('are what is built', async () => {
    const { database } = await loaded(asHost({ 'issues_000001.json': [issue(1, 'One')] }))
    database.exec(`UPDATE issues SET title = 'Uno', labels = '["x://l"]'`)
    const [record] = JSON.parse((await builtFiles(database))['issues_000001.json'] as string)
    expect(record).toMatchObject({ title: 'Uno', labels: ['x://l'], body: null })
  })

  it('keep every digit of an integer', async () => {
    const reviews = [{ url: 'x://r', state: 40 }]
    const { database } = await loaded(asHost({ 'pull_request_reviews_000001.json': reviews }))
    database.exec('UPDATE pull_request_reviews SET state = 9007199254740993')
    const { 'pull_request_reviews_000001.json': built } = await builtFiles(database)
    expect(built).toContain('"state": 9007199254740993')
  })

  it('leave out what was deleted, and the file with the last of it', async () => {
    const { database } = await loaded(
      asHost({
        'issues_000001.json': [issue(1, 'One')],
        'users_000001.json': [user('ada'), user('grace')],
      }),
    )
    database.exec(`DELETE FROM issues; DELETE FROM users WHERE login = 'ada'`)
    expect(await builtUrls(database)).toEqual({ 'users_000001.json': [user('grace').url] })
  })

  it('leave out columns that were added, and say so', async () => {
    const { database } = await loaded(asHost({ 'issues_000001.json': [issue(1, 'One')] }))
    database.exec(`ALTER TABLE issues ADD COLUMN mood TEXT; UPDATE issues SET mood = 'calm'`)
    const problems: Problem[] = []
    const files = await builtFiles(database, { report: (problem) => void problems.push(problem) })
    expect(files['issues_000001.json']).not.toContain('calm')
    const place = { member: 'issues.mood' }
    const message = expect.stringMatching(/not written.*_extra/)
    expect(problems).toContainEqual({ code: 'column-unknown', place, message })
  })

  it('are refused without the table of a kind', async () => {
    const { database } = await loaded(asHost({ 'issues_000001.json': [issue(1, 'One')] }))
    database.exec('DROP TABLE issue_comments')
    const message = expect.stringMatching(/issue_comments is missing.*marc doctor/)
    await expect(built(database)).rejects.toMatchObject({ code: 'database-damaged', message })
  })

  it(
    'put added rows into files of at most 100 after the last one, dated by the newest',
    THOROUGH,
    async () => {
      const { database } = await loaded(asHost({ 'issues_000004.json': [issue(1, 'One')] }))
      database.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 101)
      INSERT INTO issues (url, title, created_at)
      SELECT 'x://' || i, 'Added', printf('2024-01-%02dT00:00:00Z', 1 + i % 28) FROM n`)
      const { files, times } = await unpack(await built(database))
      const counts = Object.entries(files)
        .filter(([path]) => path.startsWith('issues'))
        .map(([path, text]) => [path, JSON.parse(text).length])
      expect(counts).toEqual([
        ['issues_000004.json', 1],
        ['issues_000005.json', 100],
        ['issues_000006.json', 1],
      ])
      expect(times['issues_000005.json']).toBe(Date.UTC(2024, 0, 28) / 1000)
      expect(times['issues_000004.json']).toBe(1_500_000_000)
    },
  )

  everyDay(1)([`'x'`, `x'00'`, '-1', '1.5', '1e300', '9007199254740993', `'inf'`])(
    'that say a record stood in place %s lose none',
    async (place) => {
      const records = Array.from({ length: 101 }, (_, i) => ({ url: `x://${i}` }))
      const { database } = await loaded(asHost({ 'issues_000001.json': records }))
      for (const loosely of ['', ', _archive = 9']) {
        database.exec(`UPDATE issues SET _record_number = ${place}${loosely}`)
        const urls = Object.values(await builtUrls(database)).flat()
        expect(new Set(urls).size).toBe(101)
      }
    },
  )

  it('that store invalid JSON in a column are refused', async () => {
    const { database } = await loaded(asHost({ 'issues_000001.json': [issue(1, 'One')] }))
    database.exec(`UPDATE issues SET labels = 'no JSON'`)
    await expect(built(database)).rejects.toMatchObject({ code: 'database-damaged' })
  })

  it('that lead a file out of the archive are refused', async () => {
    const { database } = await loaded(WITH_FILE)
    database.exec(`UPDATE files SET path = 'attachments/../../x'`)
    await expect(built(database)).rejects.toMatchObject({ code: 'path-hostile' })
  })

  const tooMany: [what: string, sql: string, entry?: string][] = [
    [
      'two files of records',
      `UPDATE record_files SET kind = 'issues' WHERE kind = 'users'; INSERT INTO users (url) VALUES ('x://y')`,
      'users_000001.json',
    ],
    ['two files', `UPDATE files SET path = 'attachments/a/x'`, 'attachments/a/x'],
    ['a file of records and another', `UPDATE files SET path = 'users_000001.json'`],
    ['a file and a folder', `UPDATE files SET path = 'attachments/a' WHERE id = 1`],
    [
      'two empty files of records',
      `UPDATE record_files SET path = 'a_1.json', records = 0`,
      'a_1.json',
    ],
    [
      'a file of records and a document',
      `UPDATE record_files SET path = 'schema.json', records = 0`,
    ],
    ['a file of records and a folder', `UPDATE files SET path = 'users_000001.json/' || id`],
  ]
  everyDay(1)(tooMany)('that give one path to %s are refused', async (_, sql, entry) => {
    const { database } = await loaded({
      ...asHost({ 'issues_000001.json': [issue(1, 'One')], 'users_000001.json': [user('ada')] }),
      ...SCHEMA,
      'attachments/a/x': 'x',
      'attachments/a/y': 'y',
    })
    database.exec(sql)
    const place = { entry: entry ?? expect.any(String), archive: database.name }
    const refused = { code: 'entry-repeated', place }
    await expect(built(database)).rejects.toMatchObject(refused)
  })

  everyDay(1)(['./x', '', '.', 'a//x', 'a/'])('that make %j a path are refused', async (path) => {
    for (const table of ['files', 'record_files']) {
      const { database } = await loaded({
        ...WITH_FILE,
        ...asHost({ 'users_000001.json': [user('ada')] }),
      })
      database.exec(`UPDATE ${table} SET path = '${path}'`)
      const refused = { code: 'database-damaged', place: { entry: path } }
      await expect(built(database)).rejects.toMatchObject(refused)
    }
  })

  it('T8: leave alone what stood twice in the archive', async () => {
    const twice = { 'attachments/a/x': 'one', './attachments/a/x': 'two' }
    const { database } = await loaded(twice)
    expect((await builtFiles(database))['attachments/a/x']).toBe('two')
  })

  it('T8: leave alone a file with the path of a folder, which was reported', THOROUGH, async () => {
    const files = {
      'attachments/a': '1',
      'attachments/a-b/x': '2',
      'attachments/a/x': '3',
      ...SCHEMA,
      ...asHost({ 'users_000001.json': [user('ada')] }),
      'users_000001.json/x': '4',
    }
    const { database, problems } = await loaded(files)
    const repeated = problems.filter(({ code }) => code === 'entry-repeated')
    expect(repeated.map(({ place }) => place.entry)).toEqual(['attachments/a', 'users_000001.json'])
    expect(await builtFiles(database)).toEqual(files)
  })

  it('that take away a piece of a file are refused', async () => {
    const { database } = await loaded(WITH_FILE)
    database.exec('DELETE FROM file_chunks')
    await expect(built(database)).rejects.toMatchObject({
      code: 'database-damaged',
      place: { entry: 'attachments/a/x' },
    })
  })

  everyDay(1)(['_member_order', 'title'])(
    'that take away the column %s are refused, and no record is left out',
    async (column) => {
      const { database } = await loaded({ 'issues_000001.json': [issue(1, 'One')] })
      const views = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck()
      for (const view of views.all()) database.exec(`DROP VIEW "${view}"`)
      database.exec(`ALTER TABLE issues DROP COLUMN ${column}`)
      await expect(built(database)).rejects.toMatchObject({
        code: 'database-damaged',
        message: expect.stringContaining(`issues.${column}`),
      })
    },
  )

  it('that turn a chunk into text are written as its bytes', async () => {
    const { database } = await loaded(WITH_FILE)
    database.exec(`UPDATE chunks SET bytes = 'abc'`)
    expect((await builtFiles(database))['attachments/a/x']).toBe('abc')
    database.exec(`UPDATE chunks SET bytes = 7`)
    await expect(built(database)).rejects.toMatchObject({ code: 'database-damaged' })
  })

  it('that make a file shorter than its content are refused', async () => {
    const { database } = await loaded(WITH_FILE)
    database.exec('UPDATE files SET size = 1')
    await expect(built(database)).rejects.toMatchObject({
      code: 'database-damaged',
      message: 'expected a file of 1 bytes, found 3',
    })
  })

  everyDay(1)(['record_files', 'archives', 'files', 'chunks'])(
    'that take away the table %s are refused',
    async (table) => {
      const { database } = await loaded(WITH_FILE)
      database.pragma('foreign_keys = OFF')
      database.exec(`DROP TABLE ${table}`)
      await expect(built(database)).rejects.toMatchObject({
        code: 'database-damaged',
        message: `no such table: ${table}`,
      })
    },
  )
})

everyDay(2)<[object, string]>([
  [{ part: 'both' }, 'part: expected git or metadata, found "both"'],
  [{ kinds: 'users' }, 'kinds: expected an array, found "users"'],
  [{ repositories: [7] }, 'repositories[0]: expected a string, found 7'],
  [{ since: '2024-01-01' }, 'since: expected a valid Date, found "2024-01-01"'],
  [{ level: 99 }, 'level: expected an integer from -1 to 9, found 99'],
])('an option such as %j is refused', async (options, message) => {
  const { database } = await loaded(SCHEMA)
  await expect(built(database, options)).rejects.toMatchObject({ code: 'option-invalid', message })
})

describe('records that break a rule', () => {
  const ada = user('ada', { emails: [] })
  const faulty = asHost({ 'users_000001.json': [ada, user('grace')] })
  const strict = (source: Database | string, more: BuildOptions = {}) =>
    built(source, { allowInvalid: false, ...more })

  it('come back unchanged in an unchanged file', async () => {
    const { database } = await loaded(faulty)
    expect(await unpack(await strict(database))).toMatchObject({ files: faulty })
  })

  it('are refused with rule, kind, url and place once something in the file was changed', async () => {
    const { database } = await loaded(faulty)
    database.exec(`UPDATE users SET name = 'Ada' WHERE login = 'ada'`)
    await expect(strict(database)).rejects.toMatchObject({
      code: 'member-missing',
      message: `users ${user('grace').url}: emails is missing`,
      place: { entry: 'users_000001.json', record: 2, member: 'emails' },
    })
  })

  it('are refused in files that are new: of added rows, of a folder', THOROUGH, async () => {
    const { database } = await loaded(asHost({ 'users_000001.json': [ada] }))
    database.exec(`INSERT INTO users (url, login) VALUES ('${user('grace').url}', 'grace')`)
    await expect(strict(database)).rejects.toMatchObject({ code: 'emails-null' })
    await expect(strict(await folderOf(faulty))).rejects.toMatchObject({ code: 'member-missing' })
  })

  it.each<[form: string, file: string]>([
    ['of the host', String(faulty['users_000001.json'])],
    ['that is compact', JSON.stringify([ada, user('grace')])],
  ])(
    'are refused in a selection only if they themselves were changed, in a file %s',
    async (_, users) => {
      const { database } = await loaded({
        ...asHost({ 'issues_000001.json': [issue(1, 'One')] }),
        'users_000001.json': users,
      })
      const problems: Problem[] = []
      const report = (problem: Problem) => void problems.push(problem)
      const select = () => strict(database, { kinds: ['users'], report })
      const { files } = await unpack(await select())
      expect(files).toMatchObject(faulty)
      database.exec(`UPDATE users SET name = 'Ada' WHERE login = 'ada'`)
      expect((await unpack(await select())).files['users_000001.json']).toContain('"name": "Ada"')
      expect(problems).toEqual([])
      database.exec(`UPDATE users SET name = 'Grace' WHERE login = 'grace'`)
      await expect(select()).rejects.toMatchObject({
        code: 'member-missing',
        place: { entry: 'users_000001.json', record: 2, member: 'emails' },
      })
    },
  )

  it(
    'do not stop a selection of an export whose files were never there, but are reported',
    THOROUGH,
    async () => {
      const { database } = await loaded(
        asHost({
          'users_000001.json': [ada, { ...ada, url: 'https://host.example/bob', login: 'bob' }],
          'attachments_000001.json': [
            {
              type: 'attachment',
              url: 'https://host.example/files/1',
              user: ada.url,
              asset_url: 'tarball://root/attachments/1/x',
              asset_name: 'x',
            },
          ],
        }),
      )
      const codes: string[] = []
      const report = ({ code }: Problem) => void codes.push(code)
      await strict(database, { kinds: ['attachments'], report })
      expect(codes).toEqual(['file-missing'])
    },
  )

  it('are written if allowed, and reported', THOROUGH, async () => {
    const { database } = await loaded(asHost({ 'users_000001.json': [ada] }))
    database.exec(`UPDATE users SET created_at = 'yesterday', emails = NULL`)
    const codes: string[] = []
    const { files } = await unpack(
      await strict(database, { allowInvalid: true, report: ({ code }) => void codes.push(code) }),
    )
    expect(files['users_000001.json']).toContain('"created_at": "yesterday"')
    expect(codes).toEqual(['emails-null', 'date-form'])
  })

  it('are found by other records: references, labels, files', THOROUGH, async () => {
    const repository = `${user('ada').url}/kettle`
    const whole = asHost({
      'users_000001.json': [ada],
      'attachments_000001.json': [
        {
          type: 'attachment',
          url: 'https://host.example/files/1',
          user: ada.url,
          issue: `${repository}/issues/1`,
          asset_name: 'x',
          asset_content_type: 'text/plain',
          asset_url: 'tarball://root/attachments/1/x',
          created_at: ada.created_at,
        },
      ],
      'attachments/1/x': 'x',
    })
    const { database } = await loaded(whole)
    database.exec(`UPDATE attachments SET asset_name = 'y'`)
    const breaches: string[] = []
    const report = ({ code, place }: Problem) => void breaches.push(`${code} ${place.member}`)
    await built(database, { report })
    expect(breaches).toEqual(['reference-record issue'])
    database.exec(`DELETE FROM files; UPDATE attachments SET user = NULL, issue = NULL`)
    breaches.length = 0
    await built(database, { report })
    expect(breaches).toEqual([
      'file-missing undefined',
      'member-missing issue',
      'file-missing asset_url',
    ])
  })

  it('are reported in unchanged files if they refer to deleted records', THOROUGH, async () => {
    const grace = user('grace', { emails: [] })
    const { database } = await loaded(
      asHost({
        'users_000001.json': [ada, grace],
        'attachments_000001.json': [
          { type: 'attachment', url: 'x://1', user: ada.url, issue: 'x://never-there' },
          { type: 'attachment', url: 'x://2', user: grace.url, issue: 'x://never-there' },
        ],
      }),
    )
    const breaches: Problem[] = []
    const report = (problem: Problem) => void breaches.push(problem)
    database.exec(`UPDATE users SET login = 'hopper' WHERE login = 'grace'`)
    await built(database, { report })
    expect(breaches).toMatchObject([{ code: 'name-url', place: { entry: 'users_000001.json' } }])
    breaches.length = 0
    database.exec(`DELETE FROM users WHERE login = 'hopper'`)
    await built(database, { report })
    expect(breaches).toMatchObject([
      {
        code: 'reference-person',
        place: { entry: 'attachments_000001.json', record: 2, member: 'user' },
      },
    ])
  })

  everyDay(1)([
    [
      'an issue was given another number',
      `UPDATE issues SET url = replace(url, '/3', '/33') WHERE number = 3`,
      { 'issue_comments.issue': 2, 'issue_events.issue': 5, 'attachments.issue': 1 },
    ],
    [
      'a label was given another URL',
      `UPDATE repositories SET labels = replace(labels, 'labels/bug', 'labels/fault')`,
      { 'issues.labels[0]': 2, 'pull_requests.labels[0]': 1 },
    ],
  ] as const)('are reported in unchanged files when %s', async (_, sql, expected) => {
    const { database } = await loaded(readFileSync(join(SAMPLES, 'hello.tar.gz')))
    database.exec(sql)
    const breaches: Record<string, number> = {}
    const report = ({ code, place: { entry = '', member } }: Problem) => {
      if (!code.startsWith('reference-')) return
      const reference = `${entry.replace(/_\d+\.json$/, '')}.${member}`
      breaches[reference] = (breaches[reference] ?? 0) + 1
    }
    await built(database, { report })
    expect(breaches).toEqual(expected)
  })
})

describe('several archives', () => {
  it('make one; what is only in one of them keeps its file', async () => {
    const common = { 'users_000001.json': [user('ada')] }
    const { database } = await loaded([
      asHost({ ...common, 'issues_000001.json': [issue(1, 'One')] }),
      asHost({ ...common, 'issues_000002.json': [issue(2, 'Two')] }),
    ])
    expect(await builtUrls(database)).toEqual({
      'users_000001.json': [user('ada').url],
      'issues_000001.json': [issue(1, '').url],
      'issues_000002.json': [issue(2, '').url],
    })
  })

  it(
    'of which both have a file of one name give that kind new files, in order',
    THOROUGH,
    async () => {
      const people = Array.from({ length: 99 }, (_, i) => user(`p${i}`))
      const { database } = await loaded([
        asHost({
          'users_000001.json': [user('ada'), ...people],
          'issues_000007.json': [issue(1, 'One')],
        }),
        asHost({ 'users_000001.json': [user('grace'), user('ada', { name: 'Ada' })] }),
      ])
      const urls = await builtUrls(database)
      expect(Object.keys(urls)).toEqual([
        'users_000001.json',
        'users_000002.json',
        'issues_000007.json',
      ])
      expect(urls['users_000001.json']).toEqual([...people, user('grace')].map(({ url }) => url))
      expect(urls['users_000002.json']).toEqual([user('ada').url])
    },
  )

  it('take the documents of the last one', THOROUGH, async () => {
    const { database } = await loaded([SCHEMA, { 'schema.json': '{"version":"1.1.0"}' }])
    expect(await builtFiles(database)).toEqual({ 'schema.json': '{"version":"1.1.0"}' })
  })

  it('an archive with one path twice gives that kind new files', THOROUGH, async () => {
    const one = tarGzOf(asHost({ 'users_000001.json': [user('ada')] }))
    const two = tarGzOf(asHost({ 'users_000001.json': [user('grace')] }))
    const tar = Buffer.concat([gunzipSync(one).subarray(0, -1024), gunzipSync(two)])
    const path = join(await folderOf(), 'it.db')
    await loadArchive({ name: 'it', bytes: inPiecesOf(tar) }, path)
    expect(await builtUrls(opened(path))).toEqual({
      'users_000001.json': [user('ada').url, user('grace').url],
    })
  })
})

describe('files', () => {
  const archive: Files = { ...SCHEMA, 'attachments/a/x': 'x', 'releases/r/empty': '' }

  it('are left out on demand', async () => {
    const { database } = await loaded(archive)
    expect(Object.keys(await builtFiles(database, { files: false }))).toEqual(['schema.json'])
  })

  it('whose contents were not loaded are refused', async () => {
    const { database } = await loaded(archive, { files: false })
    await expect(built(database)).rejects.toMatchObject({
      code: 'content-missing',
      place: { entry: 'attachments/a/x' },
    })
    expect(Object.keys(await builtFiles(database, { files: false }))).toEqual(['schema.json'])
  })
})

describe('form', () => {
  const uploads = asHost({ 'attachments_000001.json': [{ type: 'attachment', url: 'x' }] })
  const theirs = { 'schema.json': '{"version":"1.2.0"}', 'urls.json': '{"user":"x"}' }
  const documents = async (files: Files, form?: 'github' | 'ghes' | 'exporter') => {
    const { database } = await loaded(files)
    const { 'schema.json': schema, 'urls.json': urls } = await builtFiles(database, { form })
    return [schema, urls]
  }

  it('is as loaded by default', async () => {
    expect(await documents(SCHEMA)).toEqual([SCHEMA['schema.json'], undefined])
    expect(await documents(theirs)).toEqual(Object.values(theirs))
    expect(await documents(uploads)).toEqual(['{"version":"1.1.0"}', undefined])
  })

  it('github keeps what the host wrote and knows no urls.json', THOROUGH, async () => {
    expect(await documents(SCHEMA, 'github')).toEqual([SCHEMA['schema.json'], undefined])
    expect(await documents(theirs, 'github')).toEqual(['{"version":"1.0.1"}', undefined])
    expect(await documents({ ...theirs, ...uploads }, 'github')).toEqual([
      '{"version":"1.1.0"}',
      undefined,
    ])
  })

  it('ghes has one version alone', async () => {
    expect(await documents(SCHEMA, 'ghes')).toEqual([SCHEMA['schema.json'], undefined])
    expect(await documents(uploads, 'ghes')).toEqual(['{"version":"1.0.1"}', undefined])
  })

  it('exporter writes the shapes of URLs', async () => {
    expect(await documents(theirs, 'exporter')).toEqual(Object.values(theirs))
    const [schema, urls] = await documents(SCHEMA, 'exporter')
    expect(schema).toBe('{"version":"1.2.0"}')
    expect(JSON.parse(urls as string)).toMatchObject({
      repository: '{scheme}://{+host}/{owner}/{repository}',
    })
  })
})

describe('date', () => {
  it('is that of every entry', async () => {
    const { database } = await loaded({
      ...WITH_FILE,
      ...asHost({ 'users_000001.json': [user('ada')] }),
    })
    const { times } = await unpack(
      await built(database, { date: new Date('2020-02-02T00:00:00Z') }),
    )
    expect(new Set(Object.values(times))).toEqual(new Set([Date.UTC(2020, 1, 2) / 1000]))
  })
})

describe('part', () => {
  const archive: Files = {
    ...SCHEMA,
    ...asHost({
      'users_000001.json': [user('ada')],
      'organizations_000001.json': [{ type: 'organization', url: 'x://o' }],
      'repositories_000001.json': [{ type: 'repository', url: 'x://o/r' }],
    }),
    'attachments/a/x': 'x',
    'repositories/o/r.git/HEAD': 'ref: refs/heads/main\n',
  }

  it('makes the pair that importers take, with the same documents', async () => {
    const { database } = await loaded(archive)
    const git = await builtFiles(database, { part: 'git' })
    const metadata = await builtFiles(database, { part: 'metadata' })
    const all = await builtFiles(database)
    const names = ['schema.json', 'organizations_000001.json', 'repositories_000001.json']
    expect(Object.keys(git)).toEqual([...names, 'repositories/o/r.git/HEAD'])
    expect(Object.keys(metadata)).toEqual(Object.keys(all).filter((path) => !/HEAD/.test(path)))
    for (const name of names) expect(git[name]).toBe(metadata[name])
    const pair = await loaded([git, metadata])
    expect(Object.keys(await builtFiles(pair.database))).toEqual(Object.keys(all))
  })
})

describe('a folder', () => {
  const names = [
    'issues-2.json',
    'data/users.json',
    'issues/1.json',
    'git/repositories/a/b.git/HEAD',
  ]
  const [second, people, first, head] = names as [string, string, string, string]
  const files = {
    [first]: JSON.stringify([issue(1, 'One')]),
    [second]: JSON.stringify([issue(2, 'Two')]),
    [people]: JSON.stringify(Array.from({ length: 101 }, (_, i) => user(`p${i}`))),
    [head]: 'ref: refs/heads/main\n',
    'media/attachments/a1/x': 'x',
  }

  it('loosely laid out is put in order, with the same bytes wherever it lies', async () => {
    const archive = await built(await folderOf(files))
    const { files: found, times } = await unpack(archive)
    expect(Object.keys(found)).toEqual([
      'schema.json',
      'users_000001.json',
      'users_000002.json',
      'issues_000001.json',
      'attachments/a1/x',
      'repositories/a/b.git/HEAD',
    ])
    expect(JSON.parse(found['users_000001.json'] as string)).toHaveLength(100)
    expect(JSON.parse(found['issues_000001.json'] as string)).toEqual([
      issue(1, 'One'),
      issue(2, 'Two'),
    ])
    // Not the time of the copy: that of the newest record.
    expect(new Set(Object.values(times))).toEqual(new Set([Date.UTC(2021, 1, 1) / 1000]))
    expect(sha256Of(await built(await folderOf(files)))).toBe(sha256Of(archive))
  })

  it('reports files that it skips or cannot place', THOROUGH, async () => {
    const folder = await folderOf({
      'users.json': JSON.stringify([user('ada'), user('ada')]),
      'notes.txt': 'x',
    })
    symlinkSync('users.json', join(folder, 'issues.json'))
    const told: Problem[] = []
    await built(folder, { report: (problem) => told.push(problem) })
    expect(
      told
        .filter(({ place: { member } }) => member === undefined)
        .map(({ code, place }) => [code, place.entry]),
    ).toEqual([
      ['entry-type', 'issues.json'],
      ['entry-unknown', 'notes.txt'],
      ['record-duplicate', 'users.json'],
    ])
  })

  it('may leave the type of records to the names of files', async () => {
    const { type, ...members } = user('ada', { emails: [] })
    const codes: string[] = []
    const files = await builtFiles(await folderOf({ 'users.json': JSON.stringify([members]) }), {
      report: ({ code }) => void codes.push(code),
    })
    expect(Object.keys(JSON.parse(files['users_000001.json'] as string)[0])[0]).toBe('type')
    expect(JSON.parse(files['users_000001.json'] as string)[0].type).toBe(type)
    expect(codes).toEqual([])
  })

  it('without a record in it is refused', async () => {
    await expect(built(await folderOf({ 'notes.txt': 'x' }))).rejects.toMatchObject({
      code: 'records-not-found',
    })
  })

  it('that does not exist is refused', async () => {
    await expect(built(join(await folderOf(), 'none'))).rejects.toMatchObject({
      code: 'archive-not-found',
    })
  })
})

test('stops when the signal fires', THOROUGH, async () => {
  const { database } = await loaded({ ...SCHEMA, 'users_000001.json': [user('ada')] })
  const stop = new AbortController()
  const progress = () => stop.abort()
  await expect(built(database, { progress, signal: stop.signal })).rejects.toMatchObject({
    code: 'interrupted',
  })
})

test('reports its progress', async () => {
  const { database } = await loaded({
    ...SCHEMA,
    ...asHost({ 'users_000001.json': [user('ada')] }),
  })
  const seen: unknown[] = []
  await built(database, { progress: (done) => seen.push(done) })
  const [size] = columnOf(database, 'SELECT size FROM record_files')
  expect(seen).toEqual([
    { entries: 1, records: 0, bytes: 41, total: size },
    { entries: 2, records: 1, bytes: 41 + Number(size), total: size },
  ])
})

test('a database in memory is built, too', async () => {
  const { database } = await loaded(SCHEMA)
  const { default: Sqlite } = await import('better-sqlite3')
  const memory = new Sqlite(database.serialize())
  expect(await builtFiles(memory)).toEqual(SCHEMA)
})

describe('other programs', () => {
  const long = `repositories/ada/${'long-'.repeat(30)}.git/HEAD`
  const has = (program: string) => {
    try {
      outputOf(program, ['--version'])
      return true
    } catch {
      return false
    }
  }
  const environment = { ...process.env, LC_ALL: 'C.UTF-8', PYTHONUTF8: '1' }
  const list = async (program: string, ...args: string[]): Promise<string[]> => {
    const folder = await folderOf()
    // Two archives, so that all headers are our own.
    const { database } = await loaded([
      { ...SCHEMA, [long]: 'ref' },
      { ...SCHEMA, 'attachments/a/läger 🍵.png': 'x' },
    ])
    writeFileSync(join(folder, 'it.tar.gz'), await built(database))
    const output = outputOf(program, [...args, join(folder, 'it.tar.gz')], { env: environment })
    return output.toString().trimEnd().split('\n')
  }
  const python = 'import sys, tarfile; print("\\n".join(m.name for m in tarfile.open(sys.argv[1])))'

  it.for([
    ['tar', '--quoting-style=literal', '-tzf'],
    ['bsdtar', '-tzf'],
    ['python3', '-c', python],
  ] as const)(
    '%s lists it with long and other names',
    THOROUGH,
    async ([program, ...args], { skip }) => {
      skip(!has(program), `${program} is not installed here`)
      const names = await list(program, ...args)
      expect(names).toContain(`./${long}`)
      expect(names).toContain('./attachments/a/läger 🍵.png')
      expect(names).toContain('./schema.json')
    },
  )
})

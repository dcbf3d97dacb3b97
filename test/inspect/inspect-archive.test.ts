import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { type Inspection, inspectArchive } from '../../src/inspect/inspect-archive.ts'
import { inspectDatabase } from '../../src/inspect/inspect-database.ts'
import { type Files, tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, type Loaded, loaded, recordFile, rowsOf, sourceOf } from '../support/load.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { runs } from '../support/property-runs.ts'

const inspect = (files: Files) => inspectArchive(sourceOf(files))
const repository = 'https://H/o/r'

describe('inspectArchive', () => {
  test('finds kinds, dates and repositories', async () => {
    const issues = [
      { url: 'a', repository, created_at: '2020' },
      { url: 'b', repository, created_at: '2019' },
    ]
    const found = await inspect({
      ...recordFile('repositories', { url: repository }),
      ...recordFile('issues', ...issues),
    })
    expect(found.kinds).toEqual({
      repositories: { records: 1, files: 1, known: true },
      issues: { records: 2, files: 1, known: true, first: '2019', last: '2020' },
    })
    expect(found.repositories).toEqual({ 'o/r': { repositories: 1, issues: 2 } })
  })

  test('counts repositories of two hosts with one name apart, as in the database', async () => {
    const issues = ['https://H/o/r', 'https://I/o/r', 'https://H/o/s'].map((repository, i) => ({
      url: `${repository}/issues/${i}`,
      repository,
    }))
    const files = recordFile('issues', ...issues)
    const { repositories } = await inspect(files)
    expect(repositories).toEqual({
      'https://H/o/r': { issues: 1 },
      'https://I/o/r': { issues: 1 },
      'o/s': { issues: 1 },
    })
    expect(inspectDatabase((await loaded(files)).database).repositories).toEqual(repositories)
  })

  test('counts files and their bytes by role and repository', async () => {
    const found = await inspect({
      'attachments/1/x.png': 'PNG',
      'attachments/2/y.png': 'PNGPNG',
      'repositories/o/r.git/HEAD': 'ref',
      'repositories/o/r.git/packed-refs': '# pack',
      'repositories/o/r.wiki.git/HEAD': 'wiki',
      'what/ever': '',
    })
    expect(found.files).toEqual({
      attachment: { count: 2, bytes: 9 },
      git: { count: 3, bytes: 13 },
      unknown: { count: 1, bytes: 0 },
    })
    expect(found.git).toEqual({
      'o/r': { count: 2, bytes: 9 },
      'o/r.wiki': { count: 1, bytes: 4 },
    })
  })

  test('takes any name of a repository for a name', async () => {
    const names = ['__proto__', 'constructor', 'toString']
    const files = names.map((name) => [`repositories/${name}.git/HEAD`, 'x'])
    const { git } = await inspect(Object.fromEntries(files))
    expect(Object.entries(git)).toEqual(names.map((name) => [name, { count: 1, bytes: 1 }]))
  })

  test.each([
    ['first', { 'schema.json': '{"version":"1.0.1"}', ...recordFile('issues', { url: 'a' }) }],
    ['last', { ...recordFile('issues', { url: 'a' }), 'schema.json': '{"version":"1.0.1"}' }],
  ])('reads schema.json, be it %s', async (_place, files) => {
    const { schema, files: others } = await inspect(files)
    expect(schema).toEqual({ version: '1.0.1' })
    expect(others).toEqual({})
  })

  test('does not hold a schema.json of any size', async () => {
    const { files, schema } = await inspect({ 'schema.json': ' '.repeat(2 ** 20 + 1) })
    expect(schema).toBeUndefined()
    expect(files).toEqual({ schema: { count: 1, bytes: 2 ** 20 + 1 } })
  })

  test('finds name, size and form', async () => {
    const bytes = tarGzOf(recordFile('issues', { url: 'a' }), { prefix: './', directories: true })
    const found = await inspectArchive(`${await folderOf({ 'it.tar.gz': bytes })}/it.tar.gz`)
    expect(found).toMatchObject({ name: 'it.tar.gz', size: bytes.length })
    expect(found.form).toMatchObject({ container: 'gzip', prefix: './', directories: true })
  })

  test('reports problems with their places', async () => {
    const { problems, problemCount } = await inspect({
      ...recordFile('issues', 5, { url: 'a' }),
      'schema.json': '[]',
      'urls.json': 'oh',
    })
    expect(problems.map(({ code, place }) => [code, place])).toEqual([
      ['record-not-object', { entry: 'issues_000001.json', record: 1 }],
      ['schema-invalid', { entry: 'schema.json' }],
      ['schema-invalid', { entry: 'urls.json' }],
    ])
    expect(problemCount).toBe(3)
  })

  test('lists a thousand problems and counts the rest', async () => {
    const none = Array.from({ length: 1200 }, () => null)
    const { problems, problemCount } = await inspect(recordFile('issues', ...none))
    expect([problems.length, problemCount]).toEqual([1000, 1200])
  })

  test('refuses what it cannot read, and says where', async () => {
    await expect(inspect({ 'issues_000001.json': '[{' })).rejects.toMatchObject({
      code: 'json-damaged',
      place: { archive: 'it.tar.gz', entry: 'issues_000001.json' },
    })
  })

  test('stops when the signal fires', async () => {
    const signal = AbortSignal.abort()
    const inspecting = inspectArchive(sourceOf(recordFile('issues', {})), { signal })
    await expect(inspecting).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('reports its progress', async () => {
    const seen: number[] = []
    const bytes = tarGzOf(recordFile('issues', { url: 'a' }))
    const source = { name: 'it', bytes: inPiecesOf(bytes) }
    await inspectArchive(source, { progress: ({ bytes }) => void seen.push(bytes) })
    expect(seen).toEqual([bytes.length])
  })
})

const stems = fc.constantFrom('issues', 'issue_comments', 'users', 'bots', 'gadgets', 'old_issues')
const records = fc.record(
  {
    type: fc.constantFrom('issue', 'issue_comment', 'user', 'gadget'),
    repository: fc.constantFrom(repository, 'https://H/p/q'),
    created_at: fc.integer({ min: 2010, max: 2030 }).map((year) => `${year}-01-01T00:00:00Z`),
  },
  { requiredKeys: [] },
)
const worlds = fc
  .record({
    recordFiles: fc.array(
      fc.tuple(stems, fc.array(fc.oneof(records, fc.constant(null)), { maxLength: 4 })),
      {
        maxLength: 6,
      },
    ),
    files: fc.dictionary(
      fc.constantFrom(
        'attachments/1/a',
        'repositories/o/r.git/HEAD',
        'repositories/o/r.git/x',
        'b',
      ),
      fc.string({ maxLength: 9 }),
    ),
  })
  .map(({ recordFiles, files }): Files => {
    let url = 0
    const texts = recordFiles.map(([stem, records], i) => [
      `${stem}_${String(i + 1).padStart(6, '0')}.json`,
      records.map((record) => record && { ...record, url: String(url++) }),
    ])
    return { ...Object.fromEntries(texts), ...files }
  })

type Aspect = (found: Inspection, loaded: Loaded) => [inspected: unknown[][], loaded: unknown[][]]

const SHARED = ['kind-unknown', 'record-type', 'record-without-url', 'record-not-object']

const ASPECTS: [string, Aspect][] = [
  [
    'how many records of each kind there are',
    ({ kinds }, { summary: { archives } }) => [
      countedIn(kinds).map(([kind, { records }]) => [kind, records]),
      Object.entries(archives[0]?.kinds ?? {}).map(([kind, { added }]) => [kind, added]),
    ],
  ],
  [
    'from when they are',
    ({ kinds }, { database }) => {
      const counted = countedIn(kinds).filter(([, { known }]) => known)
      const dates = (kind: string) =>
        rowsOf(database, `SELECT min(created_at), max(created_at) FROM ${kind}`)
      return [
        counted.map(([, { first, last }]) => [first ?? null, last ?? null]),
        counted.flatMap(([kind]) => dates(kind)),
      ]
    },
  ],
  [
    'in which repositories issues are',
    ({ repositories }, { database }) => [
      Object.entries(repositories).flatMap(([name, { issues }]) =>
        issues ? [[name, issues]] : [],
      ),
      rowsOf(database, 'SELECT full_name, count(*) FROM issues WHERE full_name > ? GROUP BY 1', ''),
    ],
  ],
  [
    'how large the files are',
    ({ files }, { database }) => [
      Object.entries(files).map(([role, { count, bytes }]) => [role, count, bytes]),
      rowsOf(database, 'SELECT role, count(*), sum(size) FROM files GROUP BY role'),
    ],
  ],
  [
    'how large the Git data of a repository are',
    ({ git }, { database }) => [
      Object.entries(git).map(([name, { count, bytes }]) => [name, count, bytes]),
      rowsOf(
        database,
        `SELECT repository, count(*), sum(size) FROM files
         WHERE repository IS NOT NULL GROUP BY repository`,
      ),
    ],
  ],
  [
    'what is wrong, and where it is first',
    ({ problems }, { problems: reported }) => {
      const told = (all: readonly Problem[]) =>
        all
          .filter(({ code }) => SHARED.includes(code))
          .map(({ code, place: { entry, record } }) => [code, entry, record])
      return [told(problems), told(reported)]
    },
  ],
]

const countedIn = (kinds: Inspection['kinds']) =>
  Object.entries(kinds).filter(([, { records }]) => records > 0)

test('inspectArchive and loadArchive agree on what is in an archive', async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const files = { ...BARE, ...world }
      const [inspection, database] = [await inspect(files), await loaded(files)]
      for (const [what, aspect] of ASPECTS) {
        const [inspected, stored] = aspect(inspection, database)
        expect(inspected.sort(), what).toEqual(stored.sort())
      }
    }),
    { numRuns: runs(20) },
  )
})

import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Overlap } from '../../src/index.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { builtFiles } from '../support/build.ts'
import { END, member } from '../support/build-tar.ts'
import { examineAt, updateIndexAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import {
  columnOf,
  type Loaded,
  loaded,
  opened,
  recordFile,
  rowsOf,
  sourceOf,
} from '../support/load.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

type World = Record<string, object[] | string>

/** An archive with this time at each entry. */
const dated = (date: string, world: World): Buffer =>
  Buffer.concat([
    ...Object.entries(world).map(([name, content]) =>
      member(
        { name, mtime: Date.parse(date) / 1000 },
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      ),
    ),
    END,
  ])

const HOST = 'https://forge.example/ada/kettle'
const issue = (number: number, title: string, more = {}) => ({
  type: 'issue',
  url: `${HOST}/issues/${number}`,
  title,
  ...more,
})
const issues = (...records: object[]) => ({ 'issues_000001.json': records })

const JANUARY = '2024-01-15T10:00:00Z'
const MARCH = '2024-03-20T10:00:00Z'
const january = dated(JANUARY, issues(issue(1, 'Old'), issue(2, 'Same'), issue(3, 'Deleted')))
const march = dated(MARCH, issues(issue(1, 'New'), issue(2, 'Same'), issue(4, 'Opened')))

const titlesOf = ({ database }: Pick<Loaded, 'database'>) =>
  columnOf(database, 'SELECT title FROM issues ORDER BY url')
const overlapsOf = ({ summary }: Loaded) => summary.archives.map(({ overlaps }) => overlaps)
const overlap = (age: Overlap['age'], exportedAt: string, records: number) =>
  expect.objectContaining({ age, exportedAt, records })

describe('Of two archives with the same records', () => {
  test('the load of the newer one says so, and has nothing to complain of', async () => {
    const both = await loaded([january, march])
    expect(titlesOf(both)).toEqual(['New', 'Same', 'Deleted', 'Opened'])
    expect(overlapsOf(both)).toEqual([undefined, [overlap('older', JANUARY, 2)]])
    expect(both.problems).toEqual([])
  })

  test(
    'the older one is reported where it takes back what the newer one says',
    THOROUGH,
    async () => {
      const both = await loaded([march, january])
      expect(titlesOf(both)).toEqual(['Old', 'Same', 'Deleted', 'Opened'])
      expect(overlapsOf(both)).toEqual([undefined, [overlap('newer', MARCH, 2)]])
      expect(both.problems).toEqual([
        {
          code: 'archive-older',
          place: {},
          message: `exported ${JANUARY}, before it.tar.gz (${MARCH}): 1 of its records replaced newer ones`,
          times: 1,
        },
      ])
    },
  )

  test(
    'the older one is not reported where it changes nothing, or has other records',
    THOROUGH,
    async () => {
      const same = dated(JANUARY, issues(issue(2, 'Same')))
      const other = dated(JANUARY, issues(issue(5, 'Elsewhere')))
      expect((await loaded([march, same])).problems).toEqual([])
      const apart = await loaded([march, other])
      expect([apart.problems, overlapsOf(apart)]).toEqual([[], [undefined, undefined]])
    },
  )
})

describe('An archive is dated', () => {
  const datesOf = async (...archives: (Buffer | World)[]) =>
    columnOf((await loaded(archives)).database, 'SELECT exported_at FROM archives')
  const made = (created_at: string, more = {}) => issues(issue(1, 'x', { created_at, ...more }))

  test('by the times of its files of records', async () => {
    expect(await datesOf(january, march)).toEqual([JANUARY, MARCH])
  })

  test('by its newest record where its files say to be older than that', async () => {
    const dates = [made('2024-02-01T00:00:00Z', { closed_at: MARCH }), made('2024-02-02T00:00:00Z')]
    const archives = dates.map((world) => dated(JANUARY, world))
    expect(await datesOf(...archives)).toEqual([MARCH, '2024-02-02T00:00:00Z'])
  })

  test('by its newest record where another one has the same times, as of a tool with its own', async () => {
    const dates = ['2023-03-01T00:00:00Z', '2023-02-01T00:00:00Z', '2023-01-01T00:00:00Z']
    const archives = dates.map((date, i) =>
      dated(JANUARY, issues(issue(i, 'x', { created_at: date }))),
    )
    expect(await datesOf(...archives)).toEqual(dates)
    expect(await datesOf(march, ...archives)).toEqual([MARCH, ...dates])
  })

  everyDay(1)([
    ['of 1970', '1970-01-01T00:00:00Z'],
    ['yet to come', '2200-01-01T00:00:00Z'],
  ])('neither by times %s nor by records with such times', async (_what, date) => {
    const world = issues(issue(1, 'x', { created_at: date }))
    expect(await datesOf(dated(date, world), dated(date, { ...world, 'x.json': '' }))).toEqual([
      null,
      null,
    ])
  })

  test('by its newest record where it is a folder, whose files were copied', async () => {
    const folder = await folderOf({ 'issues_000001.json': JSON.stringify([issue(1, 'x')]) })
    const path = join(await folderOf(), 'it.db')
    await loadArchive([folder, sourceOf(march)], path)
    expect(columnOf(opened(path), 'SELECT exported_at FROM archives')).toEqual([null, MARCH])
  })

  test('not at all where it has no records', async () => {
    expect(await datesOf({ 'schema.json': '{"version":"1.0.1"}' })).toEqual([null])
  })
})

describe('With newestWins', () => {
  const options = { newestWins: true }
  const contentOf = ({ database }: Loaded) =>
    rowsOf(
      database,
      `SELECT i.url, title, _member_order, name FROM issues AS i
       JOIN archives ON archives.id = _archive ORDER BY 1`,
    )

  test('records of the newer archive stay, in whichever order they come', THOROUGH, async () => {
    for (const archives of [
      [january, march],
      [march, january],
    ]) {
      const both = await loaded(archives, options)
      expect(titlesOf(both)).toEqual(['New', 'Same', 'Deleted', 'Opened'])
      expect(both.problems).toEqual([])
      expect(examineAt(both.path).faults).toEqual([])
    }
  })

  test('the summary counts what was outdated', async () => {
    const { summary } = await loaded([march, january], options)
    expect(summary.archives[1]?.kinds).toEqual({
      issues: { added: 1, replaced: 0, unchanged: 1, outdated: 1 },
    })
  })

  test('the newer archive comes back as it was, with what only the older one has', async () => {
    const both = await loaded([march, january], options)
    const built = await builtFiles(both.database)
    expect(
      JSON.parse(built['issues_000001.json'] ?? '').map(({ title }: { title: string }) => title),
    ).toEqual(['New', 'Same', 'Opened', 'Deleted'])
  })

  test(
    'each of three archives is held against the one whose record is there',
    THOROUGH,
    async () => {
      const february = dated('2024-02-01T00:00:00Z', issues(issue(1, 'Mid'), issue(3, 'Mid')))
      const three = await loaded([march, january, february], options)
      expect(titlesOf(three)).toEqual(['New', 'Same', 'Mid', 'Opened'])
      expect(examineAt(three.path).faults).toEqual([])
      expect(contentOf(three)).toHaveLength(4)
    },
  )

  test('the order decides where dates do not tell', THOROUGH, async () => {
    const [one, two] = ['One', 'Two'].map((title) => dated(JANUARY, issues(issue(1, title))))
    expect(titlesOf(await loaded([one as Buffer, two as Buffer], options))).toEqual(['Two'])
  })

  test('J7: of records that stand twice in the older archive none is left', THOROUGH, async () => {
    const twice = dated(JANUARY, issues(issue(1, 'a'), issue(1, 'b')))
    const both = await loaded([march, twice], options)
    expect(titlesOf(both)).toEqual(['New', 'Same', 'Opened'])
    expect(examineAt(both.path).faults).toEqual([])
  })

  test('J7: of what has no url, or an unknown kind, the newer stays too', THOROUGH, async () => {
    const world = (name: string) => ({
      ...issues({ type: 'issue', title: 'no url' }),
      'gadgets_000001.json': [{ url: 'g', name }],
      'Gadgets_000001.json': [{ url: 'g', name }],
    })
    const both = await loaded([dated(MARCH, world('new')), dated(JANUARY, world('old'))], options)
    expect(columnOf(both.database, 'SELECT _archive FROM issues')).toEqual([1])
    expect(columnOf(both.database, "SELECT _extra ->> 'name' FROM gadgets")).toEqual(['new'])
    expect(columnOf(both.database, "SELECT _extra ->> 'name' FROM unknown_records")).toEqual([
      'new',
    ])
    expect(examineAt(both.path).faults).toEqual([])
  })

  test('a person is of the kind that the newer archive says', THOROUGH, async () => {
    const ada = { type: 'user', url: 'https://forge.example/ada', login: 'ada' }
    const archives = [
      dated(MARCH, { 'bots_000001.json': [ada] }),
      dated(JANUARY, { 'users_000001.json': [ada] }),
    ]
    const both = await loaded(archives, options)
    expect(columnOf(both.database, 'SELECT kind FROM people')).toEqual(['bot'])
    expect(both.summary.archives[1]?.kinds.users).toEqual({
      added: 0,
      replaced: 0,
      unchanged: 0,
      outdated: 1,
    })
    expect(both.problems).toEqual([])
  })

  test('files and repositories of the newer archive stay', THOROUGH, async () => {
    const files = (content: string): World => ({
      ...issues(issue(1, content)),
      'attachments/1/x.txt': content,
      'repositories/a/b.git/HEAD': `ref: refs/heads/${content}\n`,
      [`repositories/a/b.git/refs/heads/${content}`]: `${'1'.repeat(40)}\n`,
      [`attachments/2/${content}.txt`]: content,
    })
    const { database, path } = await loaded(
      [dated(MARCH, files('new')), dated(JANUARY, files('old'))],
      options,
    )
    expect(rowsOf(database, 'SELECT path, archive FROM files ORDER BY path')).toEqual([
      ['attachments/1/x.txt', 1],
      ['attachments/2/new.txt', 1],
      ['attachments/2/old.txt', 2],
      ['repositories/a/b.git/HEAD', 1],
      ['repositories/a/b.git/refs/heads/new', 1],
    ])
    expect(columnOf(database, 'SELECT DISTINCT archive FROM refs')).toEqual([1])
    expect(examineAt(path).faults).toEqual([])
  })

  test('the search finds the remaining records, even if it was used before', THOROUGH, async () => {
    const { database, path } = await loaded(march)
    await updateIndexAt(path)
    await loadArchive(sourceOf(january), path, options)
    await updateIndexAt(path)
    const found = "SELECT count(*) FROM search_index WHERE search_index MATCH 'title: "
    expect(columnOf(database, `${found}new'`)).toEqual([1])
    expect(columnOf(database, `${found}old'`)).toEqual([0])
  })
})

test('A kind that only SQL put records into is merged without dates', async () => {
  const { database, path } = await loaded(recordFile('issues', issue(1, 'Loaded')))
  database.exec(`UPDATE issues SET _archive = NULL, _entry = NULL, title = 'Edited'`)
  const { archives } = await loadArchive(sourceOf(march), path, { newestWins: true })
  expect(archives[0]?.kinds.issues).toEqual({ added: 2, replaced: 1, unchanged: 0 })
})

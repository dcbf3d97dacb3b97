import { describe, expect, test } from 'vitest'
import { findRecord } from '../../src/database/rows/read-record.ts'
import { readEntry } from '../../src/query/read-entry.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { END, member } from '../support/build-tar.ts'
import { columnOf, loaded, recordFile, rowsOf } from '../support/load.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const kinds: [string, Kind][] = Object.entries(KINDS)

test('loadArchive puts a record of each kind into its table', async () => {
  const files = kinds.map(([name, { type }]) => recordFile(name, { type, url: name }))
  const { database, summary } = await loaded(Object.assign({}, ...files))
  for (const [name, { type }] of kinds) {
    expect(rowsOf(database, `SELECT url, type, _entry, _record_number FROM ${name}`)).toEqual([
      [name, type, `${name}_000001.json`, 1],
    ])
  }
  const added = kinds.map(([name]) => [name, { added: 1, replaced: 0, unchanged: 0 }])
  expect(summary.archives[0]?.kinds).toEqual(Object.fromEntries(added))
  expect(summary.archives[0]?.problems).toEqual({})
})

describe('loadArchive, with a kind it does not know,', () => {
  const gadget = { type: 'gadget', url: 'g', size: 1, parts: ['x'] }

  test('creates a table for it with all values', async () => {
    const { database, problems } = await loaded(recordFile('gadgets', gadget))
    expect(rowsOf(database, "SELECT url, type, _extra ->> 'size' FROM gadgets")).toEqual([
      ['g', 'gadget', 1],
    ])
    expect(findRecord(database, 'g')).toEqual(gadget)
    expect(problems).toEqual([
      {
        code: 'kind-unknown',
        place: { entry: 'gadgets_000001.json', record: 1 },
        message: 'records of the unknown kind gadgets are in the table gadgets',
      },
    ])
  })

  everyDay(1)([
    ['labels', 'labels_records'],
    ['Gadgets', 'unknown_records'],
    ['issues_labels', 'issues_labels_records'],
    ['archives', 'archives_records'],
    ['issues_by_url', 'issues_by_url_records'],
    ['json_each', 'json_each_records'],
    ['pragma_table_xinfo', 'pragma_table_xinfo_records'],
    ['repeated', 'repeated'],
    ['select', 'select'],
    ['sqlite_schema', 'unknown_records'],
    [`long_${'x'.repeat(90)}`, 'unknown_records'],
  ])('keeps records of %s in the table %s', async (stem, table) => {
    // Twice the same url, so that the way of duplicates is gone too.
    const records = [{ ...gadget, size: 0 }, gadget]
    const { database } = await loaded({
      ...recordFile('issues', { url: 'i' }),
      ...recordFile(stem, ...records),
    })
    expect(rowsOf(database, `SELECT url, _entry FROM "${table}"`)).toEqual([
      ['g', `${stem}_000001.json`],
    ])
    expect(findRecord(database, 'g')).toEqual(gadget)
    expect(columnOf(database, 'SELECT count(*) FROM issues_labels')).toEqual([0])
  })

  test('takes a name like SQL for the name of a file and no more', async () => {
    const path = `x"); DROP TABLE issues; --_000001.json`
    const { database } = await loaded({ [path]: [gadget], ...recordFile('issues', { url: 'i' }) })
    expect(columnOf(database, 'SELECT url FROM issues')).toEqual(['i'])
    expect(rowsOf(database, 'SELECT path, role FROM files')).toEqual([[path, 'unknown']])
  })

  test('J7: keeps records of two kinds apart that share a table and a url', async () => {
    const kinds = (value: number) => ({
      ...recordFile('Gadgets', { url: 'g', value }),
      ...recordFile('Widgets', { url: 'g', value: -value }),
    })
    const { database, problems } = await loaded([kinds(1), kinds(2)])
    const sql = "SELECT _entry, _extra ->> 'value' FROM unknown_records"
    expect(rowsOf(database, sql)).toEqual([
      ['Gadgets_000001.json', 2],
      ['Widgets_000001.json', -2],
    ])
    expect(problems.map(({ code }) => code)).not.toContain('record-duplicate')
  })

  test('J7: keeps a file of an unknown kind without an array as a file', async () => {
    const files = {
      'config_2.json': '{"a":1}',
      'empty_1.json': '',
      'page_404.json': '<html>',
      ...recordFile('gadgets', { url: 'g' }),
    }
    const { database, problems } = await loaded(files)
    expect(rowsOf(database, 'SELECT path, role, size FROM files ORDER BY path')).toEqual([
      ['config_2.json', 'unknown', 7],
      ['empty_1.json', 'unknown', 0],
      ['page_404.json', 'unknown', 6],
    ])
    expect(problems).toContainEqual({
      code: 'entry-unknown',
      place: { entry: 'config_2.json' },
      message: 'expected records of an unknown kind, found no array; it was kept as a file',
    })
    expect(Buffer.concat([...readEntry(database, 'config_2.json')]).toString()).toBe('{"a":1}')
  })

  test('makes a hundred tables and no more', THOROUGH, async () => {
    const files = Array.from({ length: 103 }, (_, i) => recordFile(`kind${i}`, { url: `${i}` }))
    const { database } = await loaded(Object.assign({}, ...files))
    const tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'kind%'"
    expect(columnOf(database, tables)).toEqual([100])
    expect(columnOf(database, 'SELECT count(*) FROM unknown_records')).toEqual([3])
    expect(findRecord(database, '102')).toEqual({ url: '102' })
  })

  test(
    'makes a hundred tables and no more in all, and finds again those it made',
    THOROUGH,
    async () => {
      const files = (from: number, length: number, value: number) =>
        Object.assign(
          {},
          ...Array.from({ length }, (_, i) =>
            recordFile(`kind${from + i}`, { url: `${from + i}`, value }),
          ),
        )
      const { database, summary } = await loaded([
        files(0, 60, 1),
        files(55, 50, 2),
        files(95, 10, 3),
      ])
      const tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name LIKE 'kind%'"
      expect(columnOf(database, tables)).toEqual([100])
      expect(columnOf(database, 'SELECT count(*) FROM unknown_records')).toEqual([5])
      const replaced = Object.values(summary.archives[2]?.kinds ?? {}).map((kind) => kind.replaced)
      expect(replaced.reduce((sum, n) => sum + n)).toBe(10)
    },
  )

  test('reports the same unknown kind once', async () => {
    const { problems } = await loaded(recordFile('gadgets', gadget, { url: 'h' }, { url: 'i' }))
    expect(problems.map(({ message }) => message)).toEqual([
      'records of the unknown kind gadgets are in the table gadgets, in 3 records; this is the first',
    ])
  })
})

describe('loadArchive, with records it does not foresee,', () => {
  test('keeps and reports members that are unknown, or of another type', async () => {
    const cases = [
      ['member-unknown', { colour: 'red' }, 'issues.colour is unknown'],
      ['member-unknown', { constructor: 1 }, 'issues.constructor is unknown'],
      ['member-type', { title: 5 }, 'issues.title has an unexpected type'],
      ['text-cut', { title: 'an emoji was cut \ud83d' }, 'issues.title has half a character'],
      ['member-type', { labels: 'bug' }, 'issues.labels has an unexpected type'],
      ['member-type', { user: {} }, 'issues.user has an unexpected type'],
    ] as const
    const issues = cases.map(([, members], i) => ({ type: 'issue', url: `a${i}`, ...members }))
    const { database, problems } = await loaded(recordFile('issues', { url: 'b' }, ...issues))
    const places = cases.map(([, members], i) => ({
      entry: 'issues_000001.json',
      record: i + 2,
      member: Object.keys(members)[0] as string,
    }))
    expect(problems).toEqual(
      cases.map(([code, , message], i) => ({ code, place: places[i], message })),
    )
    expect(rowsOf(database, 'SELECT code, entry, record, member FROM problems')).toEqual(
      cases.map(([code], i) => [code, ...Object.values(places[i] ?? {})]),
    )
    for (const [i, issue] of issues.entries()) {
      const extra = 'SELECT _extra ->> ? FROM issues WHERE url = ?'
      expect(columnOf(database, extra, places[i]?.member, issue.url)).not.toContain(null)
      expect(findRecord(database, issue.url)).toEqual(issue)
    }
  })

  test('keeps and reports records without a url', async () => {
    const urls = [{}, { url: null }, { url: 7 }, { url: ['a'] }]
    const records = urls.map((record, i) => ({ title: `${i}`, ...record }))
    const { database, problems } = await loaded(recordFile('issues', ...records))
    const reported = problems.filter(({ code }) => code === 'record-without-url')
    expect(reported).toEqual([
      {
        code: 'record-without-url',
        place: { entry: 'issues_000001.json', record: 1 },
        message: 'a record of issues without a url, in 4 records; this is the first',
        times: 4,
      },
    ])
    expect(rowsOf(database, 'SELECT url, title FROM issues ORDER BY title')).toEqual(
      urls.map((_, i) => [null, `${i}`]),
    )
  })

  test('reports values that are not records, with their content', async () => {
    const cases = [
      [null, 'null'],
      [5, 'a number'],
      ['text', 'a string'],
      [[{ url: 'inner' }], 'an array'],
    ] as const
    const values = cases.map(([value]) => value)
    const { database, problems } = await loaded(recordFile('issues', ...values, { url: 'a' }))
    const contents = values.map((value) => JSON.stringify(value))
    expect(problems).toEqual(
      cases.map(([, found], i) => ({
        code: 'record-not-object',
        message: `expected an object, found ${found}`,
        place: { entry: 'issues_000001.json', record: i + 1 },
        content: contents[i],
      })),
    )
    expect(columnOf(database, 'SELECT content FROM problems')).toEqual(contents)
    expect(rowsOf(database, 'SELECT url, _record_number FROM issues')).toEqual([['a', 5]])
  })

  test('keeps what a double cannot hold', THOROUGH, async () => {
    const text = '[{"type":"issue","url":"a","title":1e400,"x":[1.0,-0,12345678901234567890]}]'
    const { database } = await loaded({ 'issues_000001.json': text })
    expect(JSON.stringify([findRecord(database, 'a')])).toBe(text)
  })

  test('keeps many names that differ in case only', THOROUGH, async () => {
    const names = Array.from({ length: 1100 }, (_, i) => (i % 2 ? `Name ${i}` : `NAME ${i + 1}`))
    const record = Object.fromEntries(names.map((name, i) => [name, i]))
    const { database } = await loaded(recordFile('issues', { url: 'a', ...record }))
    expect(findRecord(database, 'a')).toEqual({ url: 'a', ...record })
  })
})

describe('loadArchive, with a type that does not fit the file,', () => {
  test('believes a type it knows', async () => {
    const { database, problems } = await loaded(
      recordFile('Old_issues', { type: 'issue', url: 'a' }),
    )
    expect(columnOf(database, 'SELECT _entry FROM issues')).toEqual(['Old_issues_000001.json'])
    expect(problems).toEqual([
      {
        code: 'record-type',
        place: { entry: 'Old_issues_000001.json', record: 1 },
        message: 'a record of type issue in a file of Old_issues',
      },
    ])
  })

  test('believes the file where the type is not known', async () => {
    const { database } = await loaded(recordFile('issues', { type: 'task', url: 'a' }))
    expect(rowsOf(database, 'SELECT url, type FROM issues')).toEqual([['a', 'task']])
  })

  test('keeps bots apart from users, though both say user', async () => {
    const { database, problems } = await loaded(recordFile('bots', { type: 'user', url: 'b' }))
    expect(columnOf(database, 'SELECT url FROM bots')).toEqual(['b'])
    expect(problems).toEqual([])
  })
})

describe('loadArchive, with the same url again in one archive,', () => {
  const entry = 'issues_000001.json'

  test('keeps the later record, and what the earlier one said as a problem', async () => {
    const [old, other, young] = [
      { type: 'issue', url: 'a', title: 'Old', x: 1 },
      { type: 'issue', url: 'b' },
      { type: 'issue', url: 'a', title: 'Young' },
    ]
    const { database, summary } = await loaded(recordFile('issues', old, other, young))
    expect(rowsOf(database, 'SELECT url, title, _record_number FROM issues ORDER BY url')).toEqual([
      ['a', 'Young', 3],
      ['b', null, 2],
    ])
    const sql = `SELECT entry, record, message, content FROM problems WHERE code = 'record-duplicate'`
    expect(rowsOf(database, sql)).toEqual([
      [entry, 1, '"a" is repeated later with different content', JSON.stringify(old)],
    ])
    expect(summary.archives[0]?.kinds.issues).toEqual({ added: 2, replaced: 0, unchanged: 0 })
  })

  test('reports identical ones without their content', async () => {
    const { database, problems } = await loaded(recordFile('issues', { url: 'a' }, { url: 'a' }))
    const place = { entry, record: 1 }
    const message = '"a" is repeated later'
    expect(problems).toContainEqual({ code: 'record-duplicate', place, message })
    expect(columnOf(database, 'SELECT _record_number FROM issues')).toEqual([2])
  })

  test('keeps the last of many', THOROUGH, async () => {
    const records = Array.from({ length: 1300 }, (_, i) => ({ url: `${i % 3}`, title: `${i}` }))
    const { database, problems } = await loaded(recordFile('issues', ...records))
    expect(columnOf(database, 'SELECT title FROM issues ORDER BY url')).toEqual([
      '1299',
      '1297',
      '1298',
    ])
    expect(problems.filter(({ code }) => code === 'record-duplicate')).toHaveLength(1297)
  })

  test('keeps all records without one', async () => {
    const { database } = await loaded(recordFile('issues', {}, {}, { url: null }))
    expect(columnOf(database, 'SELECT count(*) FROM issues')).toEqual([3])
  })

  test('does the same where an earlier archive has filled the table', async () => {
    const again = [
      { url: 'a', title: 'Old' },
      { url: 'a', title: 'Young' },
    ]
    const { database, problems } = await loaded([
      recordFile('issues', { url: 'x' }),
      recordFile('issues', ...again),
    ])
    expect(columnOf(database, "SELECT title FROM issues WHERE url = 'a'")).toEqual(['Young'])
    expect(problems.filter(({ code }) => code === 'record-duplicate')).toEqual([
      {
        code: 'record-duplicate',
        place: { entry, record: 1 },
        message: '"a" is repeated later with different content',
        content: JSON.stringify(again[0]),
      },
    ])
  })
})

describe('loadArchive, with files around the records,', () => {
  const records = recordFile('issues', { url: 'a' })
  const schema = '{"version":"1.0.1","github_sha":"ab12"}'

  everyDay(1)([
    ['first', { 'schema.json': schema, ...records }],
    ['last', { ...records, 'schema.json': schema }],
  ])('reads schema.json, be it %s', async (_place, files) => {
    const { database, problems } = await loaded(files)
    const sql = 'SELECT schema_version, github_sha, schema, urls FROM archives'
    expect(rowsOf(database, sql)).toEqual([['1.0.1', 'ab12', schema, null]])
    expect(problems.filter(({ code }) => code.startsWith('schema'))).toEqual([])
  })

  test('does without schema.json', async () => {
    const { database } = await loaded(records)
    expect(rowsOf(database, 'SELECT schema_version, schema FROM archives')).toEqual([[null, null]])
  })

  everyDay(1)([
    ['{"version":"2.0.0"}', 'schema-version', '2.0.0'],
    ['{"version":', 'schema-invalid', null],
    ['{"version":3}', 'schema-version', null],
    ['', 'schema-invalid', null],
    ['[]', 'schema-invalid', null],
  ])('keeps and reports the schema.json %j', async (text, code, version) => {
    const { database, problems } = await loaded({ ...records, 'schema.json': text })
    expect(problems).toContainEqual(
      expect.objectContaining({ code, place: { entry: 'schema.json' } }),
    )
    const sql = 'SELECT schema, schema_version FROM archives'
    expect(rowsOf(database, sql)).toEqual([[text, version]])
  })

  test('keeps urls.json', async () => {
    const urls = '{ "user": "{scheme}://{+host}/{user}" }'
    const { database } = await loaded({ ...records, 'urls.json': urls })
    expect(columnOf(database, 'SELECT urls FROM archives')).toEqual([urls])
  })

  test('reports a urls.json that is not JSON, and keeps it', async () => {
    const { database, problems } = await loaded({ ...records, 'urls.json': 'oh' })
    expect(columnOf(database, 'SELECT urls FROM archives')).toEqual(['oh'])
    const place = { entry: 'urls.json' }
    expect(problems).toContainEqual({
      code: 'schema-invalid',
      place,
      message: 'expected a JSON object',
    })
  })

  test('J12: takes a schema.json too large to be one for a file, and reports it', async () => {
    const { database, problems } = await loaded({ 'schema.json': ' '.repeat(2 ** 20 + 1) })
    expect(rowsOf(database, 'SELECT path, size FROM files')).toEqual([['schema.json', 2 ** 20 + 1]])
    expect(problems).toMatchObject([{ code: 'schema-invalid', place: { entry: 'schema.json' } }])
    expect(Buffer.concat([...readEntry(database, 'schema.json')])).toHaveLength(2 ** 20 + 1)
  })

  test('J12: keeps a schema.json that is not UTF-8 byte for byte, and reports it', async () => {
    const bytes = Buffer.from('{"version":"1.0.1","x":"\xff"}', 'latin1')
    const { database, problems } = await loaded({ 'schema.json': bytes })
    expect(problems).toMatchObject([{ code: 'schema-invalid', place: { entry: 'schema.json' } }])
    expect(Buffer.concat([...readEntry(database, 'schema.json')])).toEqual(bytes)
  })

  test('T8: keeps what an earlier schema.json said', async () => {
    const archive = Buffer.concat([
      member({ name: 'schema.json' }, '{"version":"1.0.0"}'),
      member({ name: './schema.json' }, '{"version":"1.2.0"}'),
      END,
    ])
    const { problems } = await loaded(archive)
    expect(problems).toMatchObject([
      { code: 'entry-repeated', content: JSON.stringify('{"version":"1.0.0"}') },
    ])
  })
})

describe('loadArchive, with several files of one kind,', () => {
  test('stores the place of each record', async () => {
    const { database } = await loaded({
      'issues_000002.json': [{ url: 'c' }, { url: 'd' }],
      'users_000001.json': [{ url: 'u' }],
      'issues_000001.json': [{ url: 'a' }, { url: 'b' }],
    })
    const sql =
      'SELECT url, _archive, _entry, _record_number FROM issues ORDER BY _entry, _record_number'
    expect(rowsOf(database, sql)).toEqual([
      ['a', 1, 'issues_000001.json', 1],
      ['b', 1, 'issues_000001.json', 2],
      ['c', 1, 'issues_000002.json', 1],
      ['d', 1, 'issues_000002.json', 2],
    ])
  })

  test('lists the files in the order of the archive', async () => {
    const text = '[{"url":"a"},{"url":"b"}]'
    const { database } = await loaded({ 'issues_000002.json': text, 'issues_000001.json': '[]' })
    const sql = 'SELECT archive, path, kind, records, size, modified_at FROM record_files'
    const time = '2017-07-14T02:40:00.000Z'
    expect(rowsOf(database, sql)).toEqual([
      [1, 'issues_000002.json', 'issues', 2, text.length, time],
      [1, 'issues_000001.json', 'issues', 0, 2, time],
    ])
  })

  test('reads renamed copies, and keeps of each record the later one', async () => {
    const names = [
      'users_000001.json',
      'users_000001(2).json',
      'users_1.json',
      'users_0000001.json',
    ]
    const files = names.map((name) => [name, [{ url: 'u', name }]])
    const { database } = await loaded(Object.fromEntries(files))
    expect(rowsOf(database, 'SELECT name, _entry FROM users')).toEqual([
      ['users_0000001.json', 'users_0000001.json'],
    ])
    expect(columnOf(database, 'SELECT path FROM record_files')).toEqual(names)
  })
})

describe('loadArchive, with what once did harm,', () => {
  test('keeps records of a kind called sqlite, a name that SQLite keeps for itself', async () => {
    const { database } = await loaded(recordFile('sqlite', { url: 'it' }))
    expect(columnOf(database, 'SELECT url FROM unknown_records')).toEqual(['it'])
  })

  test('takes no name from the end of a crafted URL', async () => {
    const repository = `https://h/${'x'.repeat(200_000)}/${'y/'.repeat(100_000)}`
    const { database } = await loaded(recordFile('issues', { url: 'it', repository }))
    expect(columnOf(database, 'SELECT full_name FROM issues')).toEqual([null])
  })
})

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Edit } from '../../../src/conformance/doctor/database-fault.ts'
import { findEdits } from '../../../src/conformance/doctor/find-edits.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { issue, user } from '../../support/archives.ts'
import { END, type Files, member } from '../../support/build-tar.ts'
import { folderOf } from '../../support/folder.ts'
import { objectsWith } from '../../support/json-objects.ts'
import { loaded, opened, recordFile, sourceOf } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { ROOT } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const FILES: Files = {
  'schema.json': '{"version":"1.0.1"}',
  ...recordFile('issues', issue(1, 'One', { labels: [] }), issue(2, 'Two'), issue(3, 'Three')),
  ...recordFile('gadgets', { url: 'g', size: 1.5 }),
  'attachments/1/a.txt': 'x',
  'attachments/2/b.txt': 'y',
  'repositories/a/b.git/HEAD': 'ref: refs/heads/main',
}

const edited = (what: Edit['what'], kind: string, counts: Partial<Edit>): Edit => {
  return { what, kind, changed: 0, added: 0, removed: 0, ...counts }
}

const editsAfter = async (sql: string, archives: Parameters<typeof loaded>[0] = FILES) => {
  const { database } = await loaded(archives)
  database.exec(sql)
  return findEdits(database).edits
}

describe('what was edited', () => {
  everyDay(1)<[sql: string, ...Edit[]]>([
    [
      `UPDATE issues SET title = 'changed'; DELETE FROM files WHERE role = 'attachment'`,
      edited('records', 'issues', { changed: 3 }),
      edited('files', 'attachment', { removed: 2 }),
    ],
    [`UPDATE issues SET labels = '["x"]'`, edited('records', 'issues', { changed: 3 })],
    [
      `UPDATE issues SET _extra = '{"a":1}' WHERE url LIKE '%2'`,
      edited('records', 'issues', { changed: 1 }),
    ],
    [`UPDATE issues SET labels = 'no JSON'`, edited('records', 'issues', { changed: 3 })],
    [`INSERT INTO users (url) VALUES ('u')`, edited('records', 'users', { added: 1 })],
    [
      `INSERT INTO issues (url, _archive, _entry, _record_number) SELECT 'copy', _archive, _entry, _record_number FROM issues LIMIT 1`,
      edited('records', 'issues', { added: 1 }),
    ],
    [
      `UPDATE issues SET _archive = 7, _entry = 'none' WHERE url LIKE '%2'`,
      edited('records', 'issues', { added: 1, removed: 1 }),
    ],
    [
      `UPDATE gadgets SET _extra = '{"size":2}'; DELETE FROM issues WHERE title = 'Two'`,
      edited('records', 'gadgets', { changed: 1 }),
      edited('records', 'issues', { removed: 1 }),
    ],
    [
      `UPDATE files SET mode = 0, modified_at = '2020' WHERE path LIKE '%/a.txt'`,
      edited('files', 'attachment', { changed: 1 }),
    ],
    [
      `UPDATE files SET sha256 = lower(hex(zeroblob(32)))`,
      edited('files', 'attachment', { changed: 2 }),
      edited('files', 'git', { changed: 1 }),
    ],
    [
      `UPDATE files SET path = 'attachments/3/c.txt' WHERE path LIKE '%/a.txt'`,
      edited('files', 'attachment', { added: 1, removed: 1 }),
    ],
    [
      `INSERT INTO files SELECT 9, 1, 'attachments/4/d.txt', role, repository, size, sha256, mode, modified_at, stored FROM files LIMIT 1`,
      edited('files', 'attachment', { added: 1 }),
    ],
    [`UPDATE archives SET "schema" = '{}'`, edited('files', 'schema', { changed: 1 })],
    [
      `UPDATE archives SET "schema" = NULL, urls = '{}'`,
      edited('files', 'schema', { removed: 1 }),
      edited('files', 'urls', { added: 1 }),
    ],
  ])('by %s is reported by kind and count', async (sql, ...edits) => {
    const order = ({ what, kind }: Edit) => `${what} ${kind}`
    const found = (await editsAfter(sql)).sort((a, b) => (order(a) < order(b) ? -1 : 1))
    expect(found).toEqual(edits.sort((a, b) => (order(a) < order(b) ? -1 : 1)))
  })

  test(
    'is reported for every archive, and for records that others have replaced',
    THOROUGH,
    async () => {
      const archives = [
        FILES,
        { ...recordFile('issues', issue(1, 'Uno')), 'attachments/1/a.txt': 'z' },
      ]
      expect(await editsAfter('', archives)).toEqual([])
      expect(
        await editsAfter(`DELETE FROM issues WHERE title IN ('Uno', 'Two')`, archives),
      ).toEqual([edited('records', 'issues', { removed: 2 })])
      expect(await editsAfter(`DELETE FROM files WHERE role = 'attachment'`, archives)).toEqual([
        edited('files', 'attachment', { removed: 2 }),
      ])
    },
  )
})

const twice = (...parts: [string, Files[string]][]) =>
  Buffer.concat([...parts.map(([name, content]) => member({ name }, content)), END])

/** Archives of every form whose databases nobody has edited. */
const UNEDITED: Record<string, Parameters<typeof loaded>[0]> = {
  'an archive': FILES,
  'the same records in another order, and some in another kind': [
    FILES,
    { ...recordFile('issues', issue(3, 'Three'), issue(1, 'One', { labels: [] })) },
    { ...recordFile('milestones', issue(2, 'Two')) },
  ],
  'records that stand twice': recordFile(
    'issues',
    { url: 'a' },
    { url: 'a', title: 'x' },
    { url: 'b' },
    5,
  ),
  'records without a url that several archives have': [
    recordFile('issues', { title: 'x' }, { title: 'x' }, { title: 'y' }),
    recordFile('issues', { title: 'x' }),
  ],
  'one url for a user and a bot, in one archive and in several': [
    { ...recordFile('users', user('ada'), user('grace')), ...recordFile('bots', user('ada')) },
    { ...recordFile('bots', user('grace')) },
  ],
  'Git data that gave way to that of a later archive': [
    FILES,
    { 'repositories/a/b.git/HEAD': 'ref: refs/heads/other', 'repositories/a/b.git/config': '' },
  ],
  'one path twice': twice(
    ['issues_000001.json', [{ url: 'a' }, { url: 'b' }]],
    ['./issues_000001.json', [{ url: 'c' }, { url: 'd' }, { url: 'e' }]],
    ['attachments/1/a', 'x'],
    ['./attachments/1/a', 'y'],
  ),
  'compact JSON': { 'issues_000001.json': JSON.stringify([issue(1, 'One'), issue(2, 'Two')]) },
  'JSON in another layout': {
    'issues_000001.json': JSON.stringify([issue(1, 'One'), issue(2, 'Two')], null, 4),
    'users_000001.json': `${JSON.stringify([user('ada')], null, 2)}\n`,
    'gadgets_000001.json': '[{"a" : 1.0, "b": "\\u00e9", "1": 2, "a": 3}, {"0": []}]',
  },
  'JSON with empty arrays in both forms': {
    'issues_000001.json':
      '[\n  {\n    "url": "x",\n    "a": [\n\n    ],\n    "b": {\n    }\n  }\n]',
    'users_000001.json': '[\n  {\n    "url": "y",\n    "a": []\n  }\n]',
    'gadgets_000001.json': '[\n\n]',
  },
}

describe('nothing was edited', () => {
  everyDay(1)(Object.keys(UNEDITED))('where %s was loaded', async (name) => {
    expect(await editsAfter('', UNEDITED[name])).toEqual([])
  })

  test('where files were left out, or came later', THOROUGH, async () => {
    const { database, path } = await loaded(FILES, { files: false })
    expect(findEdits(database)).toEqual({ edits: [], unknown: [] })
    await loadArchive(sourceOf(FILES), path)
    expect(findEdits(database)).toEqual({ edits: [], unknown: [] })
  })

  test(
    'where a damaged archive was salvaged, and where the whole one followed',
    THOROUGH,
    async () => {
      const archive = Buffer.concat([
        member({ name: 'issues_000001.json' }, '[{"url":"a"},{"url":"b",,},{"url":"c"}]'),
        member({ name: 'attachments/1/a' }, 'x'),
        member({ name: 'attachments/2/b' }, 'y'.repeat(2000)).subarray(0, 1024),
      ])
      const { database, path } = await loaded(archive, { salvage: true })
      expect(findEdits(database)).toEqual({ edits: [], unknown: [] })
      await loadArchive(sourceOf(FILES), path)
      expect(findEdits(database)).toEqual({ edits: [], unknown: [] })
    },
  )

  test('where an older archive followed a newer one, and age decided', THOROUGH, async () => {
    const newer = {
      ...recordFile('issues', { ...issue(1, 'New'), updated_at: '2024-05-01T00:00:00Z' }),
    }
    const older = {
      ...recordFile(
        'issues',
        { ...issue(1, 'Old'), updated_at: '2022-05-01T00:00:00Z' },
        issue(2, 'Two'),
      ),
      'attachments/1/a.txt': 'x',
    }
    for (const newestWins of [true, false]) {
      const { database } = await loaded([{ ...newer, 'attachments/1/a.txt': 'y' }, older], {
        newestWins,
      })
      expect(findEdits(database)).toEqual({ edits: [], unknown: [] })
    }
  })

  const samples = readdirSync(join(ROOT, 'samples')).filter((name) => name.endsWith('.tar.gz'))
  everyDay(1)(samples)('of the sample %s', async (name) => {
    const path = join(await folderOf(), 'it.db')
    await loadArchive(join(ROOT, 'samples', name), path)
    expect(findEdits(opened(path))).toEqual({ edits: [], unknown: [] })
  })

  test('whatever the records and their layout', THOROUGH, async () => {
    const records = fc.array(objectsWith(['type', 'url', 'title', 'labels', 'gadget']), {
      maxLength: 4,
    })
    const layout = fc.constantFrom(undefined, 1, 2)
    const files = fc.dictionary(
      fc.constantFrom('issues_000001.json', 'users_000001.json', 'gadgets_000001.json'),
      fc.tuple(records, layout).map(([list, space]) => JSON.stringify(list, null, space)),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(files, { minLength: 1, maxLength: 2 }), async (archives) => {
        const whole = archives.map((files) => ({ 'schema.json': '{}', ...files }))
        expect(await editsAfter('', whole)).toEqual([])
      }),
      { numRuns: runs(12) },
    )
  })
})

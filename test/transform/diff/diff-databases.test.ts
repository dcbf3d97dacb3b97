import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { createRecordReader } from '../../../src/database/rows/read-record.ts'
import { toRow } from '../../../src/database/rows/to-row.ts'
import type { JsonObject, JsonValue } from '../../../src/records/json/json.ts'
import { parseLossless } from '../../../src/records/json/parse-lossless.ts'
import { kindNamed } from '../../../src/records/kinds/kind-of-record.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import type { Change, DiffOptions } from '../../../src/transform/diff/diff-options.ts'
import { filesOf, worlds } from '../../support/arbitrary-world.ts'
import { issue, user } from '../../support/archives.ts'
import { built } from '../../support/build.ts'
import type { Files } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { objectsWith } from '../../support/json-objects.ts'
import { copyOf, loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const diff = (a: Database, b: Database, options: DiffOptions = {}): Promise<Change[]> =>
  listOf(diffDatabases(a, b, options))

const BEFORE: Files = {
  'schema.json': { version: '1.0.1' },
  'users_000001.json': [user('ada'), user('bob')],
  'issues_000001.json': [
    issue(1, 'First', { labels: ['l/a', 'l/b'], reactions: [{ user: 'u', content: '+1' }] }),
    issue(2, 'Second'),
  ],
  'gadgets_000001.json': [{ type: 'gadget', url: 'https://host.example/g/1', size: 1 }],
  'attachments/a1/x.txt': 'one\ntwo\n',
}

const pairOf = async (after: Files, before: Files = BEFORE) => {
  const [a, b] = [await loaded(before), await loaded({ ...before, ...after })]
  return [a.database, b.database] as const
}

describe('Two databases', () => {
  it('with the same records in other files and another layout are equal', THOROUGH, async () => {
    const [a, b] = await pairOf({
      'issues_000001.json': JSON.stringify([(BEFORE['issues_000001.json'] as object[])[1]]),
      'issues_000002.json': JSON.stringify([(BEFORE['issues_000001.json'] as object[])[0]]),
    })
    expect(await diff(a, b)).toEqual([])
    const places = await diff(a, b, { bytes: true })
    expect(places.map(({ kind, url, change }) => [kind, url, change])).toEqual([
      ['entries', 'issues_000001.json', 'changed'],
      ['entries', 'issues_000002.json', 'added'],
    ])
  })

  it('differ in records that were added, removed and changed, with their members', async () => {
    const [a, b] = await pairOf({
      'users_000001.json': [user('ada', { name: 'Ada' }), user('carol')],
    })
    expect(await diff(a, b)).toEqual([
      {
        kind: 'users',
        url: 'https://host.example/ada',
        change: 'changed',
        members: { name: { before: null, after: 'Ada' } },
      },
      {
        kind: 'users',
        url: 'https://host.example/bob',
        change: 'removed',
        members: Object.fromEntries(
          Object.entries(user('bob')).map(([name, before]) => [name, { before }]),
        ),
      },
      expect.objectContaining({ url: 'https://host.example/carol', change: 'added' }),
    ])
  })

  it('tell absent from null, and a number from another text of it', THOROUGH, async () => {
    const before = '[{"type":"gadget","url":"g","n":1.0,"o":{"x":1},"a":null}]'
    const after = '[{"type":"gadget","url":"g","n":1,"o":{"x":1,"y":null}}]'
    const [a, b] = await pairOf(
      { 'gadgets_000001.json': after },
      { ...BEFORE, 'gadgets_000001.json': before },
    )
    const [change] = await diff(a, b)
    expect(JSON.stringify(change?.members)).toBe(
      '{"n":{"before":1.0,"after":1},"o.y":{"after":null},"a":{"before":null}}',
    )
  })

  it('tell what a list gained and lost', THOROUGH, async () => {
    const [a, b] = await pairOf({
      'issues_000001.json': [
        issue(1, 'First', {
          labels: ['l/b', 'l/c', 'l/a'],
          reactions: [{ user: 'u', content: 'heart' }],
        }),
        issue(2, 'Second'),
      ],
    })
    expect((await diff(a, b)).map(({ members }) => members)).toEqual([
      {
        labels: {
          before: ['l/a', 'l/b'],
          after: ['l/b', 'l/c', 'l/a'],
          removed: [],
          added: ['l/c'],
        },
        reactions: {
          before: [{ user: 'u', content: '+1' }],
          after: [{ user: 'u', content: 'heart' }],
          removed: [{ user: 'u', content: '+1' }],
          added: [{ user: 'u', content: 'heart' }],
        },
      },
    ])
  })

  it(
    'tell of another order of a list, which may be left out, and of members',
    THOROUGH,
    async () => {
      const [first, second] = BEFORE['issues_000001.json'] as Record<string, unknown>[]
      const { title, ...rest } = second ?? {}
      const [a, b] = await pairOf({
        'issues_000001.json': [
          { ...first, labels: ['l/b', 'l/a'] },
          { title, ...rest },
        ],
      })
      const changes = await diff(a, b)
      expect(changes.map(({ members }) => members)).toEqual([
        { 'labels.(order)': { before: ['l/a', 'l/b'], after: ['l/b', 'l/a'] } },
        {
          '(order)': { before: Object.keys(second ?? {}), after: ['title', ...Object.keys(rest)] },
        },
      ])
      expect(await diff(a, b, { ignore: ['*(order)'] })).toEqual([])
    },
  )

  it(
    'have records without a URL matched by what they hold, as often as it is there',
    THOROUGH,
    async () => {
      const one = { type: 'issue', title: 'no URL' }
      const [a, b] = await pairOf(
        { 'issues_000001.json': [one, { ...one, title: 'x' }] },
        { ...BEFORE, 'issues_000001.json': [one, one] },
      )
      expect((await diff(a, b)).map(({ change, url }) => [change, url])).toEqual([
        ['removed', null],
        ['added', null],
      ])
      expect(await diff(a, a)).toEqual([])
    },
  )

  it('differ in a kind that only one of them has', THOROUGH, async () => {
    const [a, b] = await pairOf({ 'widgets_000001.json': [{ type: 'widget', url: 'w' }] })
    expect(await diff(a, b)).toEqual([
      expect.objectContaining({ kind: 'widgets', change: 'added' }),
    ])
    expect(await diff(b, a)).toEqual([
      expect.objectContaining({ kind: 'widgets', change: 'removed' }),
    ])
  })

  it('differ in files, by size and sum', THOROUGH, async () => {
    const [a, b] = await pairOf({ 'attachments/a1/x.txt': 'one\n', 'attachments/a2/y.txt': 'y' })
    expect(await diff(a, b)).toEqual([
      {
        kind: 'files',
        url: 'attachments/a1/x.txt',
        change: 'changed',
        members: { size: { before: 8, after: 4 }, sha256: expect.anything() },
      },
      expect.objectContaining({ url: 'attachments/a2/y.txt', change: 'added' }),
    ])
    expect(await diff(a, b, { files: false })).toEqual([])
  })

  it('differ in refs, and not in how Git stores them', THOROUGH, async () => {
    const git = 'repositories/acme/tools.git'
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
    const [a, b] = await pairOf(
      {
        [`${git}/packed-refs`]: '',
        [`${git}/refs/heads/main`]: `${two}\n`,
        [`${git}/refs/heads/x`]: one,
      },
      {
        ...BEFORE,
        [`${git}/HEAD`]: 'ref: refs/heads/main',
        [`${git}/packed-refs`]: `${one} refs/heads/main\n`,
      },
    )
    expect((await diff(a, b)).map(({ url, members }) => [url, members.oid])).toEqual([
      ['acme/tools HEAD', { before: one, after: two }],
      ['acme/tools refs/heads/main', { before: one, after: two }],
      ['acme/tools refs/heads/x', { after: one }],
    ])
    expect(await diff(a, b, { refs: false })).toEqual([])
  })
})

it('Files and refs take time linear in their number', THOROUGH, async () => {
  const sides = await pairOf({})
  for (const [i, database] of sides.entries()) {
    const rows = `FROM (WITH RECURSIVE numbers (n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 12000) SELECT n FROM numbers)`
    database.exec(`
      INSERT INTO files (archive, path, role, size, sha256, mode, modified_at, stored)
      SELECT 1, 'attachments/' || n || '/x', 'attachment', n % ${2 + i}, '', 420, '', 0 ${rows};
      INSERT INTO refs (archive, repository, name, oid, packed)
      SELECT 1, 'acme/tools', 'refs/heads/' || n, printf('%040x', n % ${2 + i}), 1 ${rows}`)
  }
  const before = process.cpuUsage()
  const changes = await diff(...sides)
  // Compared each with each other one, they would take a quarter of a minute.
  expect(process.cpuUsage(before).user).toBeLessThan(6_000_000)
  expect(changes).toHaveLength(8000 + 8000)
})

describe('Only what counts is told:', () => {
  const after = {
    'issues_000001.json': [
      issue(1, 'Other', { labels: ['l/a'], updated_at: 'x', reactions: [] }),
      issue(3, 'Third'),
    ],
  }

  everyDay(1)([
    [{ only: ['added'] }, [['issues/3', []]]],
    [
      { members: ['title'] },
      [
        ['issues/1', ['title']],
        ['issues/2', []],
        ['issues/3', []],
      ],
    ],
    [{ members: ['labels'], files: false }, [['issues/1', ['labels']]]],
    [{ only: ['added'], members: ['login'] }, []],
    [
      { only: ['changed'], ignore: ['*.labels', 'issues.re*', 'issues.updated_at'] },
      [['issues/1', ['title']]],
    ],
    [{ only: ['changed'], ignore: ['issues.*'] }, []],
    [
      { where: [{ kind: 'issues', sql: 'number > 1' }], files: false },
      [
        ['issues/2', []],
        ['issues/3', []],
      ],
    ],
  ] as [DiffOptions, [string, string[]][]][])('%j', async (options, expected) => {
    const [a, b] = await pairOf(after)
    const changes = await diff(a, b, options)
    const found = changes.map(({ url, change, members }) => [
      url?.split('/').slice(-2).join('/'),
      change === 'changed' ? Object.keys(members) : [],
    ])
    expect(found).toEqual(expected)
  })
})

it('A database in memory is refused', async () => {
  const [a] = await pairOf({})
  const { tablesWith } = await import('../../support/tables.ts')
  await expect(diff(a, tablesWith())).rejects.toMatchObject({ code: 'option-invalid' })
})

describe('On arbitrary archives', () => {
  /** A record of every odd form in a table with columns and in one without. */
  const odd = fc.record({
    issues: fc.array(objectsWith(['url', 'title', 'labels', 'created_at', 'type']), {
      maxLength: 4,
    }),
    gadgets: fc.array(objectsWith(['url', 'type']), { maxLength: 3 }),
  })
  const oddFiles = ({
    issues,
    gadgets,
  }: {
    issues: JsonObject[]
    gadgets: JsonObject[]
  }): Files => ({
    'issues_000001.json': JSON.stringify(issues),
    'gadgets_000001.json': JSON.stringify(gadgets),
  })
  const archives = fc.tuple(worlds, odd).map(([world, records]) => ({
    ...filesOf(world),
    ...oddFiles(records),
  }))
  const load = async (files: Files) => loaded(files)

  it(
    'nothing differs from itself, or from what is built of it, byte for byte',
    THOROUGH,
    async () => {
      await fc.assert(
        fc.asyncProperty(archives, async (files) => {
          const { database } = await load(files)
          expect(await diff(database, database, { bytes: true })).toEqual([])
          const { database: again } = await loaded(await built(database))
          expect(await diff(database, again, { bytes: true })).toEqual([])
        }),
        { numRuns: runs(8) },
      )
    },
  )

  it('the other way round is the same with sides exchanged', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(archives, archives, async (one, other) => {
        const [a, b] = [(await load(one)).database, (await load(other)).database]
        const turned = (await diff(b, a)).map(({ change, members, ...rest }) => ({
          ...rest,
          change: { added: 'removed', removed: 'added', changed: 'changed' }[change],
          members: Object.fromEntries(
            Object.entries(members).map(([path, { before, after }]) => [
              path,
              JSON.stringify([after, before]),
            ]),
          ),
        }))
        const straight = (await diff(a, b)).map(({ members, ...rest }) => ({
          ...rest,
          members: Object.fromEntries(
            Object.entries(members).map(([path, { before, after }]) => [
              path,
              JSON.stringify([before, after]),
            ]),
          ),
        }))
        const key = (change: object) => JSON.stringify(change, Object.keys(change).sort())
        const sorted = (changes: { kind: string; url: string | null; change: string }[]) =>
          changes.map((each) => [each.kind, each.url, each.change, key(each)].join(' ')).sort()
        expect(sorted(turned)).toEqual(sorted(straight))
      }),
      { numRuns: runs(8) },
    )
  })

  it('its changes, applied one by one, make the first into the second', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(worlds, worlds, async (one, other) => {
        const [a, b] = [await load(filesOf(one)), await load(filesOf(other))]
        const changes = await diff(a.database, b.database, { files: false })
        const patched = await copyOf(a.path)
        for (const change of changes) apply(patched, JSON.parse(JSON.stringify(change)))
        expect(await diff(patched, b.database, { files: false })).toEqual([])
      }),
      { numRuns: runs(8) },
    )
  })
})

/** Applies the change of a record, knowing nothing but its JSON. */
function apply(database: Database, { kind, url, change, members }: Change): void {
  const known = kindNamed(kind)
  if (!known) throw new Error(`expected a known kind, found ${kind}`)
  const columns = [...Object.keys(known.columns), '_extra', '_member_order']
  const id = database.prepare(`SELECT rowid FROM ${kind} WHERE url = ?`).pluck().get(url) as number
  const record: JsonObject = change === 'added' ? {} : { ...createRecordReader(database, kind)(id) }
  const usual = ['type', ...Object.keys(known.columns)]
  const inOrder = (names: string[]) => [
    ...usual.filter((name) => names.includes(name)),
    ...names.filter((name) => !usual.includes(name)),
  ]
  const isUsual = String(Object.keys(record)) === String(inOrder(Object.keys(record)))
  const { '(order)': order, ...values } = members
  for (const [path, member] of Object.entries(values)) {
    const steps = path.replace(/\.\(order\)$/, '').split('.')
    const last = steps.pop() as string
    const holder = steps.reduce((object, step) => {
      object[step] = { ...(object[step] as JsonObject) }
      return object[step] as JsonObject
    }, record)
    if ('after' in member) holder[last] = member.after as JsonValue
    else delete holder[last]
  }
  database.prepare(`DELETE FROM ${kind} WHERE rowid = ?`).run(id)
  if (change === 'removed') return
  const own = Object.keys(record)
  const names =
    (order?.after as string[] | undefined) ?? (isUsual && change !== 'added' ? inOrder(own) : own)
  const ordered = Object.fromEntries(names.map((name) => [name, record[name]]))
  const places = columns.map(() => '?').join()
  database
    .prepare(`INSERT INTO ${kind} (${columns.join()}) VALUES (${places})`)
    .run(...toRow(known, parseLossless(JSON.stringify(ordered)) as JsonObject))
}

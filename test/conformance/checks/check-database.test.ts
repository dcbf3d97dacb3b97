import { describe, expect, test } from 'vitest'
import { type CheckResult, checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { packOfOne } from '../../support/git-pack.ts'
import { loaded } from '../../support/load.ts'
import { tablesWith } from '../../support/tables.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://host.example'
const user = (i: number) => ({ type: 'user', url: `${HOST}/u${i}`, login: `u${i}`, emails: null })

const codesIn = (result: CheckResult) => result.findings.map(({ code }) => code)

describe('checkDatabase', () => {
  test('counts all faults and keeps the first twenty', async () => {
    const database = tablesWith({ users: Array.from({ length: 50 }, (_, i) => user(i)) })
    const { findings } = await checkDatabase(database, { only: ['emails-null'] })
    expect(findings).toMatchObject([{ code: 'emails-null', severity: 'error', count: 50 }])
    expect(findings[0]?.places.map(({ url }) => url)).toEqual(
      Array.from({ length: 20 }, (_, i) => `${HOST}/u${i}`),
    )
  })

  test('keeps the requested number of places, and reads all of them on demand', async () => {
    const database = tablesWith({ users: Array.from({ length: 50 }, (_, i) => user(i)) })
    const only = ['emails-null', 'users-missing']
    const [finding] = (await checkDatabase(database, { only, places: 2 })).findings
    expect(finding?.places).toHaveLength(2)
    const urls = [...(finding?.allPlaces() ?? [])].map(({ url }) => url)
    expect(urls).toEqual(Array.from({ length: 50 }, (_, i) => `${HOST}/u${i}`))
  })

  test('reads places one by one, so that memory does not grow with them', async () => {
    const database = tablesWith({ users: Array.from({ length: 50 }, (_, i) => user(i)) })
    const [finding] = (await checkDatabase(database, { only: ['emails-null'] })).findings
    const places = finding?.allPlaces()[Symbol.iterator]()
    expect(places?.next().value?.url).toBe(`${HOST}/u0`)
    // An open statement keeps the connection from writing: what comes next is not read yet.
    expect(() => database.exec('DELETE FROM users')).toThrow('still being read')
    places?.return?.()
    database.exec('DELETE FROM users')
  })

  test('names _member_order if that makes a null of a member that SQL has removed', async () => {
    const repository = { wiki_url: 'x', type: 'repository', url: `${HOST}/ada/kettle` }
    const { database } = await loaded({ 'repositories_000001.json': [repository] })
    const findings = async () => {
      const result = await checkDatabase(database, { only: ['wiki-url-empty'] })
      return result.findings.flatMap(({ places }) => places.map(({ message }) => message))
    }
    database.exec('UPDATE repositories SET wiki_url = NULL')
    expect(await findings()).toEqual(['wiki_url is null, as _member_order lists it'])
    database.exec('UPDATE repositories SET _member_order = NULL')
    expect(await findings()).toEqual([])
  })

  test('shortens what is too long to read', async () => {
    const url = `${HOST}/${'u'.repeat(10_000)}`
    const database = tablesWith({ users: [{ ...user(1), url }] })
    const [finding] = (await checkDatabase(database, { only: ['emails-null'] })).findings
    expect(finding?.places[0]?.url?.length).toBeLessThan(600)
  })

  test('reports each finding as it is made, and sorts them by severity at the end', async () => {
    const told: string[] = []
    const only = ['organizations-missing', 'users-missing', 'repositories-missing']
    const report = ({ code }: { code: string }) => void told.push(code)
    const result = await checkDatabase(tablesWith(), { only, report })
    expect(codesIn(result)).toEqual([
      'repositories-missing',
      'users-missing',
      'organizations-missing',
    ])
    expect(told.toSorted()).toEqual(only.toSorted())
    expect(result).toMatchObject({ ok: false, checks: 3 })
  })

  test('takes a warning for a fault in the profile strict alone', async () => {
    const only = ['users-missing']
    expect((await checkDatabase(tablesWith(), { only })).ok).toBe(true)
    expect((await checkDatabase(tablesWith(), { only, profile: 'strict' })).ok).toBe(false)
  })

  test('refuses a database from which a table was taken away', async () => {
    const database = tablesWith()
    database.exec('DROP TABLE users')
    await expect(checkDatabase(database, { only: ['users-missing'] })).rejects.toMatchObject({
      code: 'database-damaged',
      message: 'no such table: users',
    })
  })

  everyDay(1)([
    [`issues`, `labels = 'null'`, 'list-expected'],
    [`issues`, `labels = ' {}'`, 'list-expected'],
    [`issues`, `title = x'00ff'`, 'member-type'],
    [`repositories`, `private = 'no'`, 'member-type'],
    [`pull_requests`, `base = 'null'`, 'member-type'],
    [`pull_requests`, `base = '[]'`, 'member-type'],
    [`pull_request_reviews`, `state = 1.5`, 'member-type'],
    [`issues`, `_extra = '[1]'`, 'json-damaged'],
    [`issues`, `_member_order = '{}'`, 'json-damaged'],
  ])('tells that in %s SQL put %s', async (table, change, code) => {
    const database = tablesWith({ [table]: [{ url: `${HOST}/1`, base: {}, labels: [] }] })
    const only = ['list-expected', 'member-type', 'json-damaged']
    const before = codesIn(await checkDatabase(database, { only }))
    database.exec(`UPDATE ${table} SET ${change}`)
    expect(before).not.toContain(code)
    expect(codesIn(await checkDatabase(database, { only }))).toContain(code)
  })

  everyDay(1)(["'[1,[2],{}]'", "x'00ff'", "'no JSON {'", '7', "'\"'", "char(0) || 'x'"])(
    'bears %s in any column, put there by SQL',
    async (odd) => {
      const { database } = await loaded({ 'issues_000001.json': [] })
      const tables = database
        .prepare<[], { name: string; column: string }>(
          `SELECT t.name, c.name AS "column" FROM sqlite_schema AS t, pragma_table_info(t.name) AS c
           WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*'
           AND EXISTS (SELECT 1 FROM pragma_table_info(t.name) WHERE name = '_member_order')`,
        )
        .all()
      for (const { name, column } of tables) {
        try {
          database.exec(`INSERT INTO "${name}" ("${column}") VALUES (${odd})`)
        } catch {
          // SQLite refuses it itself where another column follows from this one.
        }
      }
      expect(codesIn(await checkDatabase(database))).toContain('record-without-url')
    },
  )

  test('does not look for a commit whose id is no id', THOROUGH, async () => {
    const { pack, index } = packOfOne('c'.repeat(40), { size: 1, data: Buffer.alloc(1) })
    const git = 'repositories/a/b.git/objects/pack/pack-1'
    const { database } = await loaded({
      'repositories_000001.json': [
        { type: 'repository', url: `${HOST}/a/b`, git_url: 'tarball://root/repositories/a/b.git' },
      ],
      'commit_comments_000001.json': [
        {
          type: 'commit_comment',
          url: `${HOST}/a/b/commit/x#commitcomment-1`,
          repository: `${HOST}/a/b`,
          commit_id: 'x'.repeat(40),
        },
      ],
      [`${git}.pack`]: pack,
      [`${git}.idx`]: index,
    })
    expect(
      codesIn(await checkDatabase(database, { only: ['commit-id', 'comment-commit'] })),
    ).toEqual(['commit-id'])
  })

  test(
    'finds records on another host than most of their archive, with several archives too',
    THOROUGH,
    async () => {
      const at = (host: string, ...names: string[]) => ({
        'users_000001.json': names.map((login) => ({
          type: 'user',
          url: `${host}/${login}`,
          login,
        })),
      })
      const other = 'https://other.example'
      const mixed = at(HOST, 'ada', 'bo')
      mixed['users_000001.json'].push({ type: 'user', url: `${other}/eve`, login: 'eve' })
      const { database } = await loaded([mixed, at(other, 'cy')])
      const { findings } = await checkDatabase(database, { only: ['host-other'] })
      expect(findings.flatMap(({ places }) => places.map(({ url }) => url))).toEqual([
        `${other}/eve`,
      ])
    },
  )

  test('looks at each of several archives', THOROUGH, async () => {
    const { database } = await loaded([
      { 'schema.json': { version: '1.0.1' }, 'teams_000002.json': [] },
      { 'teams_000001.json': [] },
    ])
    const only = ['schema-missing', 'record-file-gap']
    expect((await checkDatabase(database, { only })).findings.map(({ count }) => count)).toEqual([
      1, 1,
    ])
  })

  test('asks for no schema.json of Git data beside an archive with records', THOROUGH, async () => {
    const git = { 'repositories/ada/kettle.git/HEAD': 'ref: refs/heads/main' }
    const only = ['schema-missing']
    const records = { 'schema.json': { version: '1.0.1' }, 'teams_000001.json': [] }
    for (const [archives, found] of [
      [[git, records], []],
      [[git], [1]],
      [[records, { ...git, 'teams_000002.json': [] }], [1]],
    ] as const) {
      const { database } = await loaded([...archives])
      const { findings } = await checkDatabase(database, { only })
      expect(findings.map(({ count }) => count)).toEqual(found)
    }
  })

  test('names the archive of a fault if there are several', THOROUGH, async () => {
    const people = { 'schema.json': { version: '1.0.1' }, 'users_000001.json': [user(1)] }
    const files = { 'users_000001.json': [user(2)], 'attachments/1/a.png': '' }
    const { database } = await loaded([people, files])
    database.exec("UPDATE archives SET name = 'part-' || id")
    const only = ['emails-null', 'schema-missing', 'file-empty']
    const { findings } = await checkDatabase(database, { only })
    const found = findings.flatMap(({ places }) => places)
    expect(found.map(({ archive, url, entry }) => [archive, url ?? entry])).toEqual([
      ['part-2', 'schema.json'],
      ['part-1', `${HOST}/u1`],
      ['part-2', `${HOST}/u2`],
      ['part-2', 'attachments/1/a.png'],
    ])
    const alone = await checkDatabase((await loaded(people)).database, { only })
    expect(alone.findings.flatMap(({ places }) => places)).toMatchObject([{ archive: null }])
  })
})

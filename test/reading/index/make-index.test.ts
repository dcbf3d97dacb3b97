import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openConnection } from '../../../src/database/connection.ts'
import { indexPath, writeIndex } from '../../../src/reading/index/index-file.ts'
import { makeIndex } from '../../../src/reading/index/make-index.ts'
import { madeNumber } from '../../../src/reading/numbers.ts'
import { openCatalog } from '../../../src/rest/catalog/catalog.ts'
import { Random } from '../../bench/random.ts'
import { editDatabase } from '../../faces/edit-database.ts'
import { oddRecords } from '../../faces/odd-world.ts'
import { folderOf } from '../../support/folder.ts'
import { loaded, rowsOf } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import {
  at,
  comment,
  event,
  filesOf,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  repository,
  user,
  worldRecords,
} from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

type Records = Readonly<Record<string, readonly object[]>>

/** The index of databases with these records, one database each. */
async function indexOf(
  worlds: readonly Records[],
  options: Partial<Parameters<typeof makeIndex>[3]> = {},
): Promise<Database> {
  const databases: Database[] = []
  for (const records of worlds) databases.push((await loaded(filesOf(records))).database)
  const path = join(await folderOf(), 'index.db')
  makeIndex(path, databases, 'key', { allEvents: false, ...options })
  const index = openConnection(path, { readonly: true })
  onTestFinished(() => void index.close())
  return index
}

const { paths } = shareDatabases(worldRecords())
/** The index of the world, which tests share. */
let index: Database
beforeAll(() => {
  const database = openConnection(paths[0] ?? '', { readonly: true })
  const path = `${paths[0]}.index`
  makeIndex(path, [database], 'key', { allEvents: false })
  database.close()
  index = openConnection(path, { readonly: true })
})
afterAll(() => void index.close())

const THREADS_BY_NUMBER = 'SELECT number, comments, events FROM threads ORDER BY number'
const ACTIVITY = `SELECT CAST(a.number / 1000000000000000 AS INTEGER), count(*) FROM activity AS a GROUP BY 1`

describe('The index', () => {
  test('has every thread of a repository with its comments and events', () => {
    const rows = rowsOf(
      index,
      `SELECT t.number, t.is_pull, t.comments, t.events FROM threads AS t
      JOIN repositories AS r ON r.id = t.repository WHERE r.name = 'forge/kettle' ORDER BY 1`,
    )
    expect(rows).toEqual([
      [1, 0, 2, 2],
      [2, 1, 1, 28],
      [3, 0, 1, 1],
      [4, 0, 0, 0],
    ])
  })

  test('keeps events in the order of repository, time and number, without gaps', () => {
    const ids = rowsOf(index, 'SELECT id FROM events ORDER BY repository, time, number')
    expect(ids).toEqual(ids.map((_, i) => [i + 1]))
    const inThreads = rowsOf(
      index,
      `SELECT p.id FROM thread_events AS p JOIN events AS e ON e.id = p.event
      ORDER BY e.thread, e.time, e.number`,
    )
    expect(inThreads).toEqual(ids)
  })

  test('counts each activity by the record that it was made of', () => {
    expect(rowsOf(index, ACTIVITY)).toEqual([
      [0, 1],
      [1, 3],
      [2, 1],
      // closed, reopened, head_ref_deleted and head_ref_restored of the pull request, three of issues
      [3, 8],
      [4, 5],
      [5, 1],
      [6, 2],
      [7, 1],
      [8, 1],
    ])
  })

  test(
    'takes a merge for a close only if no close is within a minute of it',
    THOROUGH,
    async () => {
      const closes = (second: string) => ({
        repositories: [repository(KETTLE)],
        pull_requests: worldRecords().pull_requests,
        issue_events: [
          event(`${KETTLE}/pull/2`, 1, 'merged', { created_at: at('05:00:00') }),
          event(`${KETTLE}/pull/2`, 2, 'closed', { created_at: at(second) }),
        ],
      })
      const events = async (second: string) =>
        rowsOf(
          await indexOf([closes(second)]),
          'SELECT number FROM activity WHERE number > 3e15 ORDER BY 1',
        )
      expect(await events('05:01:00')).toEqual([[3e15 + 2]])
      expect(await events('05:01:01')).toEqual([[3e15 + 1], [3e15 + 2]])
    },
  )

  test('indexes undocumented kinds of events only if it is asked to', async () => {
    const kinds = 'SELECT count(*) FROM events WHERE kind IS NULL'
    expect(rowsOf(index, kinds)).toEqual([[0]])
    expect(rowsOf(await indexOf([worldRecords()], { allEvents: true }), kinds)).toEqual([[1]])
  })

  test('leaves out what has no repository or no thread, and has texts without a time first', () => {
    const numbers = rowsOf(index, 'SELECT number % 1000000000000000 FROM activity').flat()
    expect(numbers).toContain(21)
    const ordered = rowsOf(
      index,
      'SELECT number % 1000000000000000 FROM activity ORDER BY id',
    ).flat()
    expect(ordered[0]).toBe(24)
    expect(numbers).not.toContain(26)
    expect(numbers).not.toContain(206)
  })

  test('gives a repository to the first database that has it, all of it', THOROUGH, async () => {
    const one = { repositories: [repository(KETTLE)], issues: [issue(ISSUE)] }
    const other = {
      repositories: [repository(KETTLE), repository(`${HOST}/ada/tea`)],
      issues: [issue(ISSUE), issue(`${KETTLE}/issues/8`), issue(`${HOST}/ada/tea/issues/9`)],
    }
    const index = await indexOf([one, other])
    expect(rowsOf(index, THREADS_BY_NUMBER)).toEqual([
      [1, 0, 0],
      [9, 0, 0],
    ])
    expect(rowsOf(index, 'SELECT shadowed FROM contents')).toEqual([[1]])
  })

  test('serves of two repositories with one name that with the smallest url', () => {
    expect(rowsOf(index, "SELECT url FROM repositories WHERE name = 'forge/kettle'")).toEqual([
      [KETTLE],
    ])
  })

  test('says how many repositories have no record', THOROUGH, async () => {
    const index = await indexOf([{ issues: [issue(ISSUE), issue(`${HOST}/ada/tea/issues/1`)] }])
    expect(rowsOf(index, 'SELECT unserved FROM contents')).toEqual([[2]])
  })

  test('does not say that one whose name is taken has no record', THOROUGH, async () => {
    const other = 'https://other.example/forge/kettle'
    const index = await indexOf([
      {
        repositories: [repository(KETTLE), repository(other)],
        issues: [issue(ISSUE), issue(`${other}/issues/1`)],
      },
    ])
    expect(rowsOf(index, 'SELECT shadowed, unserved FROM contents')).toEqual([[1, 0]])
  })
})

describe('Numbers', () => {
  const numbers = async (records: Records, sql: string, options = {}) =>
    rowsOf(await indexOf([records], options), sql)

  test('of accounts are those in their pictures; the smallest url keeps one that two have', () => {
    const found = rowsOf(
      index,
      `SELECT url, number FROM people WHERE database IS NOT NULL ORDER BY url`,
    )
    expect(found).toEqual([
      [`${HOST}/ada`, 17],
      [`${HOST}/bob`, 18],
      [`${HOST}/forge`, madeNumber('Organization', `${HOST}/forge`)],
      [`${HOST}/steam[bot]`, 7],
      [`${HOST}/twin`, madeNumber('User', `${HOST}/twin`)],
      ['https://other.example/ada', madeNumber('User', 'https://other.example/ada')],
    ])
  })

  test(
    'of comments and events are those in their urls; the smallest url keeps one that two have',
    THOROUGH,
    async () => {
      const records = {
        repositories: [repository(KETTLE)],
        issues: [issue(ISSUE), issue(`${KETTLE}/issues/3`)],
        issue_comments: [comment(`${KETTLE}/issues/3`, 5), comment(ISSUE, 5)],
        issue_events: [event(`${KETTLE}/issues/3`, 5, 'closed'), event(ISSUE, 5, 'closed')],
      }
      const later = `${KETTLE}/issues/3#`
      const activity = 'SELECT number FROM activity WHERE number > 3e15 ORDER BY number'
      expect(await numbers(records, activity)).toEqual([
        [3e15 + 5],
        [3e15 + madeNumber('ClosedEvent', `${later}event-5`)],
        [4e15 + 5],
        [4e15 + madeNumber('IssueComment', `${later}issuecomment-5`)],
      ])
      expect(await numbers(records, 'SELECT type, url FROM numbers ORDER BY 1')).toEqual([
        ['ClosedEvent', `${later}event-5`],
        ['IssueComment', `${later}issuecomment-5`],
      ])
    },
  )

  everyDay(1)(['0', '99999999999999999999', '281474976710656'])(
    'that no host gives, such as %s, are made',
    async (digits) => {
      const records = {
        repositories: [repository(KETTLE)],
        issues: [issue(ISSUE)],
        issue_events: [event(ISSUE, digits, 'closed')],
      }
      const made = madeNumber('ClosedEvent', `${ISSUE}#event-${digits}`)
      expect(await numbers(records, 'SELECT number FROM events')).toEqual([[made]])
    },
  )

  test('that are made and are the same go up by one, in the order of urls', THOROUGH, async () => {
    const records = {
      repositories: [repository(KETTLE)],
      issues: ['9', '10', '11'].map((n) => issue(`${KETTLE}/issues/${n}`)),
      users: [user('ada'), user('bob')],
    }
    const makeNumber = () => 2 ** 48
    const sql = 'SELECT number, issue_number - 281474976710656 FROM threads ORDER BY 2'
    expect(await numbers(records, sql, { makeNumber })).toEqual([
      [10, 0],
      [11, 1],
      [9, 2],
    ])
  })

  test('do not depend on the order of loading', THOROUGH, async () => {
    const records = worldRecords()
    const reversed = Object.fromEntries(
      Object.entries(records).map(([kind, each]) => [kind, each.toReversed()]),
    )
    const all = `SELECT number, time FROM activity UNION ALL SELECT number, time FROM events
      UNION ALL SELECT number, 0 FROM people ORDER BY 1, 2`
    expect(await numbers(reversed, all)).toEqual(rowsOf(index, all))
  })
})

const PERSON = (id: string) => `(SELECT url FROM people WHERE id = ${id})`
const OF = (table: string, columns: string, order = '1, 2, 3') =>
  `SELECT ${columns} FROM ${table} AS t ORDER BY ${order}`

/** All that an index says, whatever ids people and labels have, and whatever gaps are between events. */
const CONTENTS = {
  contents: OF('contents', 'shadowed, unserved', '1'),
  people: OF('people', 'url, login, kind, number, database, row'),
  repositories: OF(
    'repositories',
    `id, name, url, number, database, row, ${PERSON('t.owner')}, private, created, updated, pushed, size,
      first_thread, threads, open_threads, pull_requests, open_pull_requests, first_event, events`,
  ),
  organizations: OF('organizations', `${PERSON('t.id')}, level`, '1'),
  members: OF('members', `${PERSON('t.person')}, ${PERSON('t.organization')}, admin`),
  collaborators: OF('collaborators', `${PERSON('t.person')}, repository, level`),
  team_members: OF('team_members', `${PERSON('t.person')}, team`, '1, 2'),
  team_repositories: OF('team_repositories', 'team, repository, level'),
  milestones: OF('milestones', 'url, repository, number'),
  threads: OF(
    'threads',
    `id, repository, is_pull, row, number, issue_number, pull_number, ${PERSON('t.author')}, created, updated,
      closed, (SELECT url FROM milestones WHERE id = t.milestone), comments,
      CASE WHEN events > 0 THEN first_event END, events`,
  ),
  orders: OF('thread_orders', 'id, thread', '1'),
  labels: OF('thread_labels', '(SELECT name FROM label_names WHERE id = t.label), thread', '1, 2'),
  involved: OF('involved', `${PERSON('t.person')}, role, thread`),
  events: OF(
    'events',
    `id, repository, thread, row, kind, ${PERSON('t.actor')}, time, number`,
    'id',
  ),
  thread_events: OF('thread_events', 'id, event', 'id'),
  activity: OF(
    'activity',
    `number, time, public, repository, ${PERSON('t.actor')}, thread, row`,
    't.id',
  ),
  numbers: OF('numbers', 'type, url, number'),
  made: OF('made', 'type, url, number'),
}

const contentsOf = (index: Database) =>
  Object.fromEntries(Object.entries(CONTENTS).map(([name, sql]) => [name, rowsOf(index, sql)]))

/** The index of databases, and one of the first to which the others were added one by one. */
async function bothWays(paths: readonly string[]) {
  const databases = paths.map((path) => openConnection(path, { readonly: true }))
  const folder = await folderOf()
  const open = (name: string) => {
    const index = openConnection(join(folder, name), { readonly: true })
    onTestFinished(() => void index.close())
    return index
  }
  onTestFinished(() => {
    for (const database of databases) database.close()
  })
  makeIndex(join(folder, 'whole'), databases, 'key', { allEvents: false })
  for (const [known] of databases.entries()) {
    const some = databases.slice(0, known + 1)
    makeIndex(join(folder, 'added'), some, 'key', { allEvents: false, known })
  }
  return [contentsOf(open('added')), contentsOf(open('whole'))]
}

describe('A database that is added to an index', () => {
  const AT = `${HOST}/later/pot`
  const pathOf = async (records: Records) => (await loaded(filesOf(records))).path
  /** A repository with records that have numbers of the world's, and its people. */
  const later: Records = {
    users: [user('late', { avatar_url: 'https://avatars.example/u/17' }), user('cyd')],
    repositories: [repository(AT, { owner: `${HOST}/late` })],
    issues: [1, 2, 3].map((n) => issue(`${AT}/issues/${n}`, { created_at: at(`0${n}:30:00`) })),
    issue_comments: [24, 5, 6].map((n) => comment(`${AT}/issues/${(n % 3) + 1}`, n)),
    issue_events: [203, 2, 900].map((n) =>
      event(`${AT}/issues/1`, n, n === 2 ? 'mentioned' : 'closed'),
    ),
  }

  test('makes that of both', THOROUGH, async () => {
    const world = await pathOf(worldRecords())
    const [added, whole] = await bothWays([world, await pathOf(later), await pathOf({})])
    expect(added).toEqual(whole)
    const own = whole?.numbers?.filter(([, url]) => String(url).startsWith(`${HOST}/late`))
    expect(own?.map(([type]) => type)).toEqual(['ClosedEvent', 'IssueComment', 'User'])
  })

  test('makes that of both, whatever was edited', { ...THOROUGH, timeout: 300_000 }, async () => {
    const bases = [await pathOf(worldRecords()), await pathOf(later), await pathOf(oddRecords())]
    const folder = await folderOf()
    const refused: number[] = []
    for (let seed = 1; seed <= runs(40); seed++) {
      const random = new Random(seed, 0, 0)
      const paths = [0, 1, 2].map((i) => {
        const path = join(folder, `${seed}-${i}.db`)
        copyFileSync(random.pick(bases), path)
        editDatabase(path, random, { isOneOfSeveral: i > 0 })
        return path
      })
      try {
        const [added, whole] = await bothWays(paths)
        expect(added, `seed ${seed}`).toEqual(whole)
      } catch (error) {
        if (!(error instanceof RangeError)) throw error
        refused.push(seed)
      }
    }
    expect(refused.length).toBeLessThan(runs(40) / 2)
  })

  test('is the only one that is read', THOROUGH, async () => {
    const folder = await folderOf()
    const [first, second] = [await pathOf(worldRecords()), join(folder, 'imports', 'it.db')]
    mkdirSync(join(folder, 'imports'))
    copyFileSync(await pathOf(later), second)
    const [one, both] = [[first], [first, second]].map((paths) =>
      paths.map((path) => openConnection(path, { readonly: true })),
    ) as [Database[], Database[]]
    const options = { allEvents: false }
    writeIndex(folder, one, options)
    const path = indexPath(folder, [first])
    const mark = openConnection(path, { readonly: false })
    mark.exec('CREATE TABLE known (id INTEGER)')
    mark.close()
    writeIndex(folder, both, options)
    const index = openConnection(path, { readonly: true })
    expect(
      rowsOf(index, 'SELECT (SELECT count(*) FROM known), count(*) FROM repositories'),
    ).toEqual([[0, 4]])
    for (const database of [...one, ...both, index]) database.close()
  })

  test(
    'changes no number by which what is known is ordered: then all are indexed',
    THOROUGH,
    async () => {
      const early = `${HOST}/a/pot`
      const world = await pathOf(worldRecords())
      const other = await pathOf({
        repositories: [repository(early)],
        issues: [issue(`${early}/issues/1`)],
        issue_events: [event(`${early}/issues/1`, 203, 'closed')],
      })
      await expect(bothWays([world, other])).rejects.toThrow(RangeError)
    },
  )
})

/** A database, and a folder for its index that does not exist yet. */
async function contents(): Promise<{ path: string; folder: string }> {
  const { path } = await loaded(filesOf({ repositories: [repository(KETTLE)] }))
  return { path, folder: join(await folderOf(), 'state') }
}

describe('The file of the index', () => {
  test('is used again as long as the databases are the same', THOROUGH, async () => {
    const { path, folder } = await contents()
    const steps: string[] = []
    const progress = (what: string) => void steps.push(what)
    const open = async (allEvents: boolean) =>
      (await openCatalog([path], { folder, allEvents, progress, lookEvery: 0 })).close()
    await open(false)
    expect(steps).toContain('threads')
    steps.length = 0
    await open(false)
    expect(steps).toEqual([])
    await open(true)
    expect(steps).toContain('threads')
  })

  test('is made again when it is damaged, and other users cannot read it', THOROUGH, async () => {
    const { path, folder } = await contents()
    const file = indexPath(folder, [path])
    await (await openCatalog([path], { folder, lookEvery: 0 })).close()
    truncateSync(file, 4096)
    const catalog = await openCatalog([path], { folder, lookEvery: 0 })
    expect(catalog.read().repositories.findByName('forge/kettle')).toBeDefined()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await catalog.close()
  })

  test(
    'is one of its own for other databases, of which those written last are kept',
    THOROUGH,
    async () => {
      const { path, folder } = await contents()
      const steps: string[] = []
      const progress = (what: string) => void steps.push(what)
      const open = async (...paths: string[]) => {
        steps.length = 0
        await (await openCatalog(paths, { folder, progress, lookEvery: 0 })).close()
        return steps.length > 0
      }
      const copies = ['b', 'c', 'd', 'e'].map((name) => `${path}.${name}.db`)
      for (const copy of copies) copyFileSync(path, copy)
      const [copy = ''] = copies
      expect(await open(path)).toBe(true)
      expect(await open(path, copy)).toBe(true)
      expect(await open(path)).toBe(false)
      expect(await open(path, copy)).toBe(false)
      for (const each of copies) await open(each)
      const kept = copies.map((each) => basename(indexPath(folder, [each])))
      expect(readdirSync(folder).sort()).toEqual(kept.sort())
    },
  )

  test('is not made in a folder that cannot be made', async () => {
    const { path } = await contents()
    await expect(openCatalog([path], { folder: join(path, 'state') })).rejects.toMatchObject({
      code: 'output-refused',
    })
  })
})

describe('A large index is made in a child process', () => {
  const aside = { smallUpTo: 0, lookEvery: 0 }

  test('and is the same', THOROUGH, async () => {
    const { path, folder } = await contents()
    const other = await folderOf()
    const steps: string[] = []
    const progress = (what: string) => void steps.push(what)
    await (await openCatalog([path], { folder, lookEvery: 0 })).close()
    await (await openCatalog([path], { ...aside, folder: other, progress })).close()
    expect(steps).toContain('threads')
    const [one, two] = [folder, other].map((each) => readFileSync(indexPath(each, [path])))
    expect(two?.equals(one as Buffer)).toBe(true)
  })

  async function expectInterrupted(stopAt: 'start' | 'first step') {
    const { path, folder } = await contents()
    const stopping = new AbortController()
    const { signal } = stopping
    const progress = () => stopping.abort()
    const opening = openCatalog([path], { ...aside, folder, progress, signal })
    if (stopAt === 'start') stopping.abort()
    await expect(opening).rejects.toMatchObject({ code: 'interrupted' })
    // The process may have been faster than the signal.
    const left = existsSync(folder) ? readdirSync(folder) : []
    expect(left.filter((name) => name !== basename(indexPath(folder, [path])))).toEqual([])
    return left
  }

  test('which a signal stops immediately', THOROUGH, async () => {
    expect(await expectInterrupted('start')).toEqual([])
  })

  // Then there is a file that is not complete.
  test('which a signal stops at its first step, without partial files', THOROUGH, async () => {
    await expectInterrupted('first step')
  })

  test('whose errors are thrown here', THOROUGH, async () => {
    const { path } = await contents()
    await expect(
      openCatalog([path], { ...aside, folder: join(path, 'state') }),
    ).rejects.toMatchObject({ code: 'output-refused' })
  })
})

import Sqlite from 'better-sqlite3'
import { expect, vi } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { openPages } from '../../src/pages/open-pages.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { worldRecords } from '../support/rest-world.ts'
import { scansOf } from '../support/scans.ts'
import { accountsOf, as, shareDatabases } from '../support/serve-world.ts'
import { everyDay } from '../support/thorough.ts'

const shared = shareDatabases(worldRecords())

/** A statement, and the connection that ran it. */
interface Run {
  readonly database: Database
  readonly sql: string
}

interface Opened {
  close(): void | Promise<void>
}

/**
 * Opens pages or a server, asks it, and returns the tables of records that each statement about the archive's database reads
 * whole.
 */
async function tablesReadBy<Face extends Opened>(
  open: () => Face | Promise<Face>,
  ask: (face: Face) => Promise<void>,
): Promise<string[][]> {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare')
  let face: Face | undefined
  try {
    face = await open()
    const first = prepare.mock.calls.length
    await ask(face)
    const runs = prepare.mock.calls.slice(first).map(
      ([sql], i): Run => ({
        database: prepare.mock.contexts[first + i] as unknown as Database,
        sql,
      }),
    )
    const asked = runs.filter(
      ({ database, sql }) => database.name === shared.paths[0] && /^\s*(?:SELECT|WITH)\b/.test(sql),
    )
    expect(asked.length).toBeGreaterThan(0)
    return asked.map(tablesRead)
  } finally {
    prepare.mockRestore()
    await face?.close()
  }
}

/** A value for each parameter of a statement. */
function valuesFor(sql: string): unknown[] {
  const bare = sql.replace(/'[^']*'/g, '')
  const named = Array.from(bare.matchAll(/[:@$](\w+)/g), ([, name]) => [name, null])
  const unnamed = Array.from(bare.matchAll(/\?/g), () => null)
  return named.length > 0 ? [...unnamed, Object.fromEntries(named)] : unnamed
}

/** The tables of records that a statement reads whole. */
const tablesRead = ({ database, sql }: Run): string[] =>
  scansOf(database, sql, valuesFor(sql)).filter((table) => Object.hasOwn(KINDS, table))

/** Lists of pages, and the tables that may be read whole for one: what it counts or sorts of all databases. */
const PAGES: readonly (readonly [address: string, ...tables: string[]])[] = [
  ['/-/people', 'users', 'bots', 'organizations'],
  ['/orgs/forge/teams'],
  ['/', 'users', 'bots', 'organizations', 'issues', 'pull_requests'],
  ['/forge'],
  ['/ada'],
  ['/forge/kettle'],
  ['/forge/kettle/labels'],
  ['/forge/kettle/milestones'],
  ['/forge/kettle/milestone/1'],
  ['/forge/kettle/releases'],
  ['/forge/kettle/pull/2'],
  ['/forge/kettle/issues/1'],
]

everyDay(1)(PAGES)('%s is read by keys, and no table twice', async (address, ...tables) => {
  const openLibrary = () => {
    const pages = openPages(shared.paths)
    // What spans the databases is settled once.
    pages.library.repositories()
    return pages
  }
  const read = await tablesReadBy(openLibrary, async (pages) => {
    expect(await pages.render(address, new URLSearchParams())).toMatchObject({ status: 200 })
  })
  for (const each of read) expect(each).toEqual([...new Set(each)])
  expect(new Set(read.flat())).toEqual(new Set(tables))
})

const LISTS = [
  '/user/repos',
  '/orgs/forge/members',
  '/repos/forge/kettle/collaborators',
  '/repos/forge/kettle/assignees',
  '/repos/forge/kettle/labels',
  '/repos/forge/kettle/milestones?state=all',
  '/repos/forge/kettle/releases',
]

everyDay(1)(LISTS)('the interface reads %s by keys', async (path) => {
  const accounts = accountsOf({ ada: ['repo'] })
  const open = () => serveArchive(shared.paths, { accounts, state: ':memory:' })
  const read = await tablesReadBy(open, async (server) => {
    const request = new Request(`http://localhost${path}`, { headers: as('ada') })
    expect((await server.fetch(request)).status).toBe(200)
  })
  expect(read.flat()).toEqual([])
})

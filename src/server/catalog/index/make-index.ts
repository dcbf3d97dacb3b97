import { openConnection } from '../../../database/connection.ts'
import type { Database } from '../../../database/database.ts'
import { openDatabase } from '../../../database/open-database.ts'
import { madeNumber } from '../numbers.ts'
import { ORDER_THREADS } from '../thread-orders.ts'
import { indexActivity, sortActivity } from './index-activity.ts'
import { completeEvents, indexEvents, sortEvents } from './index-events.ts'
import { indexNamedPeople, indexPeople, indexPermissions } from './index-people.ts'
import {
  completeRepositories,
  countUnserved,
  indexRepositories,
  summariseRepositories,
} from './index-repositories.ts'
import {
  INDEX_APPLICATION_ID,
  INDEX_INDEXES,
  INDEX_TABLES,
  INDEX_VERSION,
  WORK_TABLES,
} from './index-schema.ts'
import { draftThreads, indexThreads } from './index-threads.ts'
import { type EachDatabase, NumberSettler } from './settle-numbers.ts'
import { addIndexFunctions, type MakeNumber } from './source-sql.ts'

export interface MakeIndexOptions {
  /** Also index events of kinds that the interface does not document. */
  allEvents: boolean
  /** Called with what is being indexed, and the part that is done, from 0 to 1. */
  progress?: ((what: string, part: number) => void) | undefined
  /** Replaced by tests. */
  makeNumber?: MakeNumber
}

/**
 * Makes the index of databases in a new file, with few statements over many rows each. The databases are read only.
 *
 * @param path the file of the index, which does not exist yet
 * @param databases paths of databases that have been opened before, the one that counts first first
 * @param key what the index is made of
 */
export function makeIndex(
  path: string,
  databases: readonly string[],
  key: string,
  { allEvents, progress = () => {}, makeNumber = madeNumber }: MakeIndexOptions,
): void {
  const index = openConnection(path, { name: path })
  try {
    // Whatever fails leaves a file that nobody reads.
    index.pragma('journal_mode = OFF')
    index.pragma('synchronous = OFF')
    index.pragma('main.locking_mode = EXCLUSIVE')
    index.pragma('cache_size = -32768')
    addIndexFunctions(index, makeNumber)
    index.exec(INDEX_TABLES)
    index.exec(WORK_TABLES)
    const each: EachDatabase = (work) => {
      for (const [number, database] of databases.entries())
        withSource(index, database, () => work(number))
    }
    const settler = new NumberSettler(index, makeNumber, each)
    let shadowed = 0
    let unserved = 0
    const steps: readonly (readonly [what: string, step: () => void])[] = [
      [
        'people and repositories',
        () =>
          each((database) => {
            shadowed += indexPeople(index, database)
            shadowed += indexRepositories(index, database)
          }),
      ],
      [
        'threads',
        () =>
          each((database) => {
            unserved += countUnserved(index, database)
            draftThreads(index, database)
            indexNamedPeople(index)
            completeRepositories(index, database)
            indexPermissions(index, database)
            indexThreads(index, database)
            indexEvents(index, database, { allEvents })
          }),
      ],
      [
        'events',
        () => {
          settler.settlePeople()
          settler.settleOthers()
          // Made before, as it shows which numbers are repeated.
          index.exec('CREATE INDEX events_by_number ON events (number)')
          if (settler.settleEvents()) sortEvents(index)
          completeEvents(index)
        },
      ],
      [
        'activity',
        () => {
          each((database) => indexActivity(index, database))
          settler.settleActivity()
          sortActivity(index)
        },
      ],
      [
        'order',
        () => {
          index.exec(INDEX_INDEXES)
          index.exec(ORDER_THREADS)
          summariseRepositories(index)
        },
      ],
    ]
    for (const [i, [what, step]] of steps.entries()) {
      progress(what, i / steps.length)
      step()
    }
    index.prepare('INSERT INTO contents VALUES (?, ?, ?)').run(key, shadowed, unserved)
    index.pragma(`application_id = ${INDEX_APPLICATION_ID}`)
    index.pragma(`user_version = ${INDEX_VERSION}`)
  } finally {
    index.close()
  }
}

/**
 * Attaches a database while `work` runs, which sees one state of it. If it fails, the index is of no use. SQLite attaches
 * it as a database that it may write to, and would do so with a write-ahead log when it detaches it: not while another
 * connection has it open.
 */
function withSource(index: Database, path: string, work: () => void): void {
  const other = openDatabase(path)
  try {
    other.exec('BEGIN')
    other.prepare('SELECT count(*) FROM sqlite_schema').get()
    index.prepare('ATTACH ? AS source').run(path)
    index.exec('BEGIN')
    work()
    index.exec('COMMIT')
    index.exec('DETACH source')
  } finally {
    other.close()
  }
}

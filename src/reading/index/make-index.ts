import { openConnection } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { refuseLargeCells } from '../../database/large-cells.ts'
import { madeNumber } from '../numbers.ts'
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
  selectKnown,
  WORK_TABLES,
} from './index-schema.ts'
import { draftThreads, indexThreads } from './index-threads.ts'
import { type EachDatabase, NumberSettler } from './settle-numbers.ts'
import { addIndexFunctions, type MakeNumber } from './source-sql.ts'
import { orderThreads } from './thread-orders.ts'

export interface MakeIndexOptions {
  /** Also index events of kinds that the interface does not document. */
  allEvents: boolean
  /** Called with what is being indexed, and the part that is done, from 0 to 1. */
  progress?: ((what: string, part: number) => void) | undefined
  /** How many of the databases the file is the index of already. Default none: the file is empty, or does not exist. */
  known?: number | undefined
  /** Replaced by tests. */
  makeNumber?: MakeNumber
}

/**
 * Makes the index of databases in a file, with few statements over many rows each. The databases are read only, by a
 * connection of its own. To an index of the first of them, only the others are added: their rows go after those that are
 * there, or between them.
 *
 * A database with a cell larger than a record may be is refused here, once for all that is read by its index.
 *
 * @param path the file of the index
 * @param databases files that are open and in no transaction, the one that counts first first
 * @param key what the index is made from
 * @throws `database-damaged`, and `RangeError` if the others cannot be added without changing what is there
 */
export function makeIndex(
  path: string,
  databases: readonly Database[],
  key: string,
  { allEvents, progress = () => {}, known: first = 0, makeNumber = madeNumber }: MakeIndexOptions,
): void {
  for (const database of databases.slice(first)) refuseLargeCells(database)
  const index = openConnection(path, { name: path })
  const source = createSource(index)
  try {
    // A failure leaves a file that is never read.
    index.pragma('journal_mode = OFF')
    index.pragma('synchronous = OFF')
    index.pragma('main.locking_mode = EXCLUSIVE')
    index.pragma('cache_size = -32768')
    addIndexFunctions(index, makeNumber)
    if (first === 0) index.exec(INDEX_TABLES)
    index.exec(WORK_TABLES)
    const known = selectKnown(index)
    const eachFrom =
      (start: number): EachDatabase =>
      (work) => {
        for (const [number, database] of databases.entries())
          if (number >= start) source.read(database, () => work(number))
      }
    const each = eachFrom(first)
    const settler = new NumberSettler(index, known, makeNumber, eachFrom(0))
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
          index.exec('CREATE INDEX IF NOT EXISTS events_by_number ON events (number)')
          if (settler.settleEvents()) sortEvents(index, known)
          completeEvents(index, known)
        },
      ],
      [
        'activity',
        () => {
          each((database) => indexActivity(index, database, known))
          settler.settleActivity()
          sortActivity(index)
        },
      ],
      [
        'order',
        () => {
          if (first === 0) index.exec(INDEX_INDEXES)
          orderThreads(index, known)
          summariseRepositories(index, known)
        },
      ],
    ]
    for (const [i, [what, step]] of steps.entries()) {
      progress(what, i / steps.length)
      step()
    }
    if (first === 0) index.exec("INSERT INTO contents VALUES ('', 0, 0)")
    index
      .prepare('UPDATE contents SET key = ?, shadowed = shadowed + ?, unserved = unserved + ?')
      .run(key, shadowed, unserved)
    index.pragma(`application_id = ${INDEX_APPLICATION_ID}`)
    index.pragma(`user_version = ${INDEX_VERSION}`)
  } finally {
    index.close()
    source.release()
  }
}

/**
 * The database that is attached to the index, as `source`. It stays so until another one is wanted: SQLite parses the whole
 * schema of a database each time that it attaches it.
 */
function createSource(index: Database) {
  let attached: Database | undefined
  const release = () => {
    if (attached?.inTransaction) attached.exec('COMMIT')
    attached = undefined
  }
  return {
    /**
     * Runs `work`, which sees one state of a database. SQLite attaches it as one that it may write to, and would carry out
     * a write-ahead log when it detaches it: not while another connection reads it.
     */
    read(database: Database, work: () => void): void {
      if (attached !== database) {
        if (attached) index.exec('DETACH source')
        release()
        database.exec('BEGIN')
        attached = database
        // The first look at the file starts the transaction. This one needs no schema.
        database.pragma('user_version')
        index.prepare('ATTACH ? AS source').run(database.name)
      }
      index.exec('BEGIN')
      work()
      index.exec('COMMIT')
    },
    /** Ends the transaction of the database when the index is closed, and no longer reads it. */
    release,
  }
}

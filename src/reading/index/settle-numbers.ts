import type { Database } from '../../database/database.ts'
import { FIRST_MADE } from '../numbers.ts'
import { ACTIVITY_CODES, CODE_UNIT, IS_PART, type Known } from './index-schema.ts'
import type { MakeNumber } from './source-sql.ts'

/** Rows whose numbers must differ. */
interface Numbered {
  readonly table: string
  readonly column: string
  /** Where else the numbers of other rows are. */
  readonly others?: string
  /** Which of the rows. */
  readonly where?: string
  /** SQL for the type that made numbers are made of. */
  readonly type: string
  /** SQL for the url, of `t` or of `o`. */
  readonly url: string
  /** The records `o` of the attached database. */
  readonly source?: string
}

const ofThreads = (isPull: boolean) => ({
  table: 'threads',
  where: `is_pull = ${Number(isPull)}`,
  url: 'o.url',
  source: isPull ? 'pull_requests' : 'issues',
})

const CODED: readonly (readonly [code: number, table: string, type: string])[] = [
  [ACTIVITY_CODES.comment, 'issue_comments', 'IssueComment'],
  [ACTIVITY_CODES.review, 'pull_request_reviews', 'PullRequestReview'],
  [ACTIVITY_CODES.reviewComment, 'pull_request_review_comments', 'PullRequestReviewComment'],
  [ACTIVITY_CODES.commitComment, 'commit_comments', 'CommitComment'],
  [ACTIVITY_CODES.release, 'releases', 'Release'],
]

/** Everything with a number but the events, which are put in order by it before the activity is gathered. */
const NUMBERED: readonly Numbered[] = [
  { table: 'repositories', column: 'number', type: `'Repository'`, url: 't.url' },
  ...[false, true].map((isPull) => ({
    ...ofThreads(isPull),
    column: 'issue_number',
    type: `'Issue'`,
  })),
  { ...ofThreads(true), column: 'pull_number', type: `'PullRequest'` },
  ...['Milestone', 'Label'].map((type) => ({
    table: 'made',
    where: `type = '${type}'`,
    column: 'number',
    type: `'${type}'`,
    url: 't.url',
  })),
]

const PEOPLE: Numbered = { table: 'people', column: 'number', type: 't.kind', url: 't.url' }

const EVENTS: Numbered = {
  table: 'events',
  column: 'number',
  url: 'o.url',
  source: 'issue_events',
  type: 'marc_event_type(o.event)',
}

/** The rows of the activity that have one code. */
const codedRows = ([code, source, type]: (typeof CODED)[number]): Numbered => ({
  table: 'temp.happened',
  column: 'number',
  type: `'${type}'`,
  url: 'o.url',
  source,
  where: `number BETWEEN ${code * CODE_UNIT} AND ${(code + 1) * CODE_UNIT - 1}`,
  others: 'activity',
})

/** Attaches each database in turn. */
export type EachDatabase = (work: (database: number) => void) => void

/**
 * Gives numbers of their own to records that have that of another one, whose url is smaller. When a database is added, those
 * that are known keep the numbers by which rows are ordered, or it throws `RangeError`.
 */
export class NumberSettler {
  readonly #index: Database
  readonly #make: MakeNumber
  readonly #eachDatabase: EachDatabase
  readonly #known: Known

  constructor(index: Database, known: Known, make: MakeNumber, eachDatabase: EachDatabase) {
    this.#index = index
    this.#known = known
    this.#make = make
    this.#eachDatabase = eachDatabase
  }

  settlePeople = (): boolean => this.#settle(PEOPLE)
  settleEvents = (): boolean => this.#settle(EVENTS)
  settleActivity(): void {
    // What has the number of an event that is added.
    for (const codes of [IS_PART, `number >= ${ACTIVITY_CODES.release * CODE_UNIT}`]) {
      this.#index.exec(`INSERT INTO temp.happened (rowid, number, time, repository, actor, thread, row)
        SELECT -id, number, time, repository, actor, thread, row FROM activity
        WHERE ${codes} AND number IN (SELECT number FROM temp.happened WHERE ${codes})`)
    }
    for (const coded of CODED) this.#settle(codedRows(coded))
  }
  settleOthers(): void {
    for (const numbered of NUMBERED) this.#settle(numbered)
  }

  /** Whether any number was changed. */
  #settle(numbered: Numbered): boolean {
    const { table, column, where = '1' } = numbered
    const index = this.#index
    index.exec(`CREATE TEMP TABLE repeated_numbers AS
      SELECT ${column} AS number FROM ${table} WHERE ${where} GROUP BY 1 HAVING count(*) > 1`)
    const isRepeated = index.prepare('SELECT 1 FROM temp.repeated_numbers').get() !== undefined
    if (isRepeated) this.#separate(numbered)
    index.exec('DROP TABLE temp.repeated_numbers')
    return isRepeated
  }

  #separate(numbered: Numbered): void {
    const { table, column, where = '1', type, url, source } = numbered
    const index = this.#index
    index.exec('CREATE TEMP TABLE rivals (id INTEGER, number INTEGER, type TEXT, url TEXT)')
    const select = (database?: number) =>
      `INSERT INTO temp.rivals SELECT t.rowid, t.${column}, ${type}, ${url} FROM (
        SELECT rowid, * FROM ${table} WHERE ${where} AND ${column} IN (SELECT number FROM temp.repeated_numbers)) AS t
      ${
        database === undefined
          ? ''
          : `JOIN repositories AS r ON r.id = t.repository AND r.database = ${database}
             JOIN source.${source} AS o ON o.rowid = t.row`
      }`
    if (source === undefined) index.exec(select())
    else this.#eachDatabase((database) => index.exec(select(database)))
    index.exec(`CREATE TEMP TABLE ranked AS SELECT * FROM temp.rivals ORDER BY number, url;
      DROP TABLE temp.rivals`)
    this.#rename(numbered)
    index.exec('DROP TABLE temp.ranked')
  }

  /** The first of each number keeps it. */
  #rename({ table, column, others }: Numbered): void {
    const index = this.#index
    const [schema, name] = table.includes('.') ? table.split('.') : ['main', table]
    // Outside of a transaction each change would be one. In a crafted archive all records may have one number.
    index.exec(`BEGIN; CREATE INDEX ${schema}.settled ON ${name} (${column})`)
    const next = index.prepare<[number], Rival>(
      'SELECT rowid AS place, * FROM temp.ranked WHERE rowid > ? LIMIT 1',
    )
    const isTaken = index.prepare(
      `SELECT 1 FROM ${table} WHERE ${column} = @taken
      ${others ? `UNION ALL SELECT 1 FROM ${others} WHERE number = @taken` : ''}`,
    )
    const { [table as keyof Known]: known = 0 } = this.#known
    const change = index.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`)
    const note = index.prepare('INSERT OR REPLACE INTO numbers VALUES (?, ?, ?)')
    let former: Rival | undefined
    for (let rival = next.get(0); rival; rival = next.get(rival.place)) {
      if (former?.number === rival.number) {
        if (rival.id <= known) throw new RangeError('a number that is known would change')
        const code = Math.floor(rival.number / CODE_UNIT) * CODE_UNIT
        const own = rival.number - code
        let number = own < FIRST_MADE ? this.#make(rival.type, rival.url) : own + 1
        while (isTaken.get({ taken: code + number })) number += 1
        change.run(code + number, rival.id)
        note.run(rival.type, rival.url, number)
      }
      former = rival
    }
    index.exec(`DROP INDEX ${schema}.settled; COMMIT`)
  }
}

interface Rival {
  readonly place: number
  readonly id: number
  readonly number: number
  readonly type: string
  readonly url: string
}

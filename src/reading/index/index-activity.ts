import type { Database } from '../../database/database.ts'
import { SAME_MOMENT } from '../../database/schema/facts/threads.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { kindCode } from './index-events.ts'
import { ACTIVITY_CODES, ACTIVITY_GAP, CODE_UNIT, type Known, NO_TIME } from './index-schema.ts'
import { threadOf } from './index-threads.ts'
import { computedOnce, isSafe, partNumber, type Shaped } from './source-sql.ts'

interface Part {
  readonly code: number
  readonly number: string
  readonly time: string
  readonly from: string
  readonly actor?: string
  readonly thread?: string
  readonly row?: string
  readonly repository?: string
  readonly where?: string
}

/** Records of a thread: `user` wrote them at `time`. */
const partOfThread = (
  database: number,
  code: number,
  table: string,
  thread: string,
  shape: { kind: Shaped; type: string; mark: string },
  { time = 'o.created_at', where = '1' } = {},
): Part => ({
  code,
  number: partNumber(shape, 'o.url', 'u.url'),
  time: `coalesce(${timeOf(time)}, ${NO_TIME})`,
  from: `source.${table} AS o ${threadOf(database, thread)}
    LEFT JOIN people AS p ON p.url = o.user`,
  thread: 'u.thread',
  repository: 'u.repository',
  where: `${where} AND ${isSafe('o')}`,
})

const { closed, reopened, merged, head_ref_deleted, head_ref_restored } = {
  closed: kindCode('closed'),
  reopened: kindCode('reopened'),
  merged: kindCode('merged'),
  head_ref_deleted: kindCode('head_ref_deleted'),
  head_ref_restored: kindCode('head_ref_restored'),
}

const partsOf = (database: number): readonly Part[] => {
  const ofRepository = `JOIN repositories AS r ON r.url = o.repository AND r.database = ${database}
    LEFT JOIN people AS p ON p.url = o.user`
  return [
    {
      code: ACTIVITY_CODES.repository,
      number: 'r.number',
      time: 'r.created',
      actor: 'r.owner',
      row: 'r.row',
      repository: 'r.id',
      from: 'repositories AS r LEFT JOIN people AS g ON g.id = r.owner',
      where: `r.database = ${database} AND g.kind IS NOT 'Organization'`,
    },
    ...[0, 1].map((isPull) => ({
      code: isPull ? ACTIVITY_CODES.pullRequest : ACTIVITY_CODES.issue,
      number: isPull ? 't.pull_number' : 't.issue_number',
      time: 't.created',
      actor: 't.author',
      thread: 't.id',
      row: 't.row',
      repository: 't.repository',
      from: 'threads AS t JOIN repositories AS r ON r.id = t.repository',
      where: `t.is_pull = ${isPull} AND r.database = ${database}`,
    })),
    {
      code: ACTIVITY_CODES.event,
      number: 'e.number',
      time: 'e.time',
      actor: 'e.actor',
      thread: 'e.thread',
      row: 'e.row',
      repository: 'e.repository',
      from: `events AS e JOIN threads AS t ON t.id = e.thread
        JOIN repositories AS r ON r.id = e.repository`,
      where: `r.database = ${database} AND (e.kind IN (${closed}, ${reopened})
        OR t.is_pull AND e.kind IN (${head_ref_deleted}, ${head_ref_restored})
        OR t.is_pull AND e.kind = ${merged} AND NOT EXISTS (SELECT 1 FROM temp.closings AS c
          WHERE c.thread = e.thread
            AND c.time BETWEEN e.time - ${SAME_MOMENT} AND e.time + ${SAME_MOMENT}))`,
    },
    partOfThread(database, ACTIVITY_CODES.comment, 'issue_comments', 'o.thread', {
      kind: 'issue_comments',
      type: `'IssueComment'`,
      mark: '#issuecomment-',
    }),
    partOfThread(
      database,
      ACTIVITY_CODES.review,
      'pull_request_reviews',
      'o.pull_request',
      {
        kind: 'pull_request_reviews',
        type: `'PullRequestReview'`,
        mark: '/files#pullrequestreview-',
      },
      { time: '(coalesce(o.submitted_at, o.created_at))', where: 'o.state IS NOT 0' },
    ),
    partOfThread(
      database,
      ACTIVITY_CODES.reviewComment,
      'pull_request_review_comments',
      'o.pull_request',
      {
        kind: 'pull_request_review_comments',
        type: `'PullRequestReviewComment'`,
        mark: '/files#r',
      },
      { where: 'o.state IS NOT 0' },
    ),
    {
      code: ACTIVITY_CODES.commitComment,
      number: partNumber(
        { kind: 'commit_comments', type: `'CommitComment'`, mark: '#commitcomment-' },
        'o.url',
        `o.repository || '/commit/' || o.commit_id`,
      ),
      time: `coalesce(${timeOf('o.created_at')}, ${NO_TIME})`,
      repository: 'r.id',
      from: `source.commit_comments AS o ${ofRepository}`,
      where: isSafe('o'),
    },
    {
      code: ACTIVITY_CODES.release,
      number: `marc_made('Release', o.url)`,
      time: timeOf('o.published_at'),
      repository: 'r.id',
      from: `source.releases AS o ${ofRepository}`,
      where: `o.state = 'published' AND marc_has_shape('releases', o.url) AND ${isSafe('o')}`,
    },
  ]
}

/** Gathers the activity of a database. `sortActivity` puts that of all databases in order. */
export function indexActivity(index: Database, database: number, { events }: Known): void {
  index.exec(`DELETE FROM temp.closings;
    INSERT OR IGNORE INTO temp.closings
      SELECT thread, time FROM events WHERE id > ${events} AND kind = ${closed} AND time IS NOT NULL ORDER BY 1, 2`)
  for (const part of partsOf(database)) {
    const { code, number, time, from, where = '1' } = part
    const { repository, row = 'o.rowid', actor = 'coalesce(p.id, 0)', thread = 'NULL' } = part
    index.exec(`INSERT INTO temp.happened
      SELECT ${code} * ${CODE_UNIT} + number, time, repository, actor, thread, row
      FROM ${computedOnce(`SELECT ${number} AS number, ${time} AS time, ${repository} AS repository,
          ${actor} AS actor, ${thread} AS thread, ${row} AS row
        FROM ${from} WHERE ${where}`)}
      WHERE number IS NOT NULL AND time IS NOT NULL`)
  }
}

/** Puts what was gathered into the index, in the order of feeds. */
export function sortActivity(index: Database): void {
  index.exec(`CREATE TEMP TABLE sorted AS
      SELECT number, time, repository, actor, thread, row FROM temp.happened
      WHERE rowid > 0 ORDER BY time, number;
    DROP TABLE temp.happened`)
  const moments = momentsOf(index, 'temp.sorted')
  const known = momentsOf(index, 'activity')
  const insert = index.prepare<[Record<'before' | 'gap' | 'first' | 'last', number>]>(
    `INSERT INTO activity (id, number, time, public, repository, actor, thread, row)
    SELECT CAST(@before + (h.rowid - @first + 1) * @gap AS INTEGER), h.number, h.time, NOT r.private, h.repository, h.actor, h.thread, h.row
    FROM temp.sorted AS h JOIN repositories AS r ON r.id = h.repository
    WHERE h.rowid BETWEEN @first AND @last`,
  )
  // All that goes between the same two is added at once: of the first database, all.
  let first: Moment | undefined = moments.at(1)
  while (first) {
    const after = known.firstAfter(first)
    const before = known.lastBefore(after?.id)
    const next = after && moments.firstAfter(after)
    const last = next ? next.id - 1 : moments.last
    const gap = after ? Math.floor((after.id - before) / (last - first.id + 2)) : ACTIVITY_GAP
    if (gap === 0) throw new RangeError('there is no room between two events')
    insert.run({ before, gap, first: first.id, last })
    first = next
  }
  index.exec('DROP TABLE temp.sorted')
}

interface Moment {
  readonly id: number
  readonly time: number
  readonly number: number
}

/** Finds rows of a table whose ids are in the order of time and number. */
function momentsOf(index: Database, table: string) {
  const at = index.prepare<[number], Moment>(
    `SELECT rowid AS id, time, number FROM ${table} WHERE rowid >= ? ORDER BY rowid LIMIT 1`,
  )
  const before = index.prepare<[number], number>(`SELECT max(rowid) FROM ${table} WHERE rowid < ?`)
  const lastBefore = (id: number = Number.MAX_SAFE_INTEGER) => before.pluck().get(id) ?? 0
  return {
    at: (id: number) => at.get(id),
    /** 0 if there is none. */
    lastBefore,
    get last() {
      return lastBefore()
    },
    firstAfter: ({ time, number }: Moment) =>
      firstWhere(
        lastBefore(),
        (id) => at.get(id),
        (one) => one.time > time || (one.time === time && one.number > number),
      ),
  }
}

/**
 * The first row for which something is true that is true for all rows after it as well.
 *
 * @param newest the largest id
 * @param at reads the first row with this id or a larger one
 */
export function firstWhere<Row extends { readonly id: number }>(
  newest: number,
  at: (id: number) => Row | undefined,
  isTrue: (row: Row) => boolean,
): Row | undefined {
  let [low, high] = [1, newest + 1]
  let found: Row | undefined
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = at(middle)
    if (row && !isTrue(row)) low = row.id + 1
    else {
      found = row
      high = middle
    }
  }
  return found
}

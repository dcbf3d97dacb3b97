import type { Database } from '../../database/database.ts'
import { timeOf } from '../../database/schema/facts/values.ts'
import { ISSUE_EVENT_KINDS } from '../../records/kinds/event-types.ts'
import { COMMIT_ID } from '../../rules/sql/record-select.ts'
import { type Known, ROLES } from './index-schema.ts'
import { threadOf } from './index-threads.ts'
import { computedOnce, isSafe, partNumber } from './source-sql.ts'

/** The place of a kind in `ISSUE_EVENT_KINDS`, as the index has it. */
export const kindCode = (kind: string): number => ISSUE_EVENT_KINDS.indexOf(kind)

/** Adds the issue events of the threads of a database. */
export function indexEvents(
  index: Database,
  database: number,
  { allEvents }: { allEvents: boolean },
): void {
  const add = index.prepare('INSERT OR IGNORE INTO temp.kinds VALUES (?, ?)')
  for (const [code, name] of ISSUE_EVENT_KINDS.entries()) add.run(name, code)
  const number = partNumber(
    { kind: 'issue_events', type: 'marc_event_type(o.event)', mark: '#event-' },
    'o.url',
    'u.url',
  )
  index.exec(`INSERT INTO events (repository, thread, row, kind, actor, time, number)
    SELECT * FROM ${computedOnce(`
      SELECT u.repository AS repository, u.thread, o.rowid, k.code, coalesce(p.id, 0),
        ${timeOf('o.created_at')} AS time, ${number} AS number
      FROM source.issue_events AS o
        ${threadOf(database, 'coalesce(o.issue, o.pull_request)')}
        ${allEvents ? 'LEFT ' : ''}JOIN temp.kinds AS k ON k.name = o.event
        LEFT JOIN people AS p ON p.url = o.actor
      WHERE (o.event <> 'referenced' OR o.commit_id GLOB '${COMMIT_ID}') AND ${isSafe('o')}`)}
    WHERE number IS NOT NULL
    ORDER BY repository, time, number`)
}

/** Puts the events that were added in order again after numbers of some have changed. */
export function sortEvents(index: Database, { events }: Known): void {
  index.exec(`CREATE TEMP TABLE sorted AS
      SELECT * FROM events WHERE id > ${events} ORDER BY repository, time, number;
    DELETE FROM events WHERE id > ${events};
    INSERT INTO events SELECT ${events} + rowid, repository, thread, row, kind, actor, time, number FROM temp.sorted;
    DROP TABLE temp.sorted`)
}

/** Adds what follows from the events that were added: their positions, and who was mentioned or subscribed. */
export function completeEvents(index: Database, { threads, events }: Known): void {
  index.exec(`
    INSERT INTO thread_events (event) SELECT id FROM events WHERE id > ${events} ORDER BY thread, id;

    UPDATE threads SET first_event = e.first, events = e.n
    FROM (SELECT v.thread, min(t.id) AS first, count(*) AS n
      FROM thread_events AS t CROSS JOIN events AS v ON v.id = t.event
      WHERE t.id > ${events} GROUP BY 1) AS e
    WHERE threads.id = e.thread AND threads.id > ${threads};

    INSERT OR IGNORE INTO involved
    SELECT actor, iif(kind = ${kindCode('mentioned')}, ${ROLES.mentioned}, ${ROLES.subscribed}), thread
    FROM events WHERE id > ${events} AND kind IN (${kindCode('mentioned')}, ${kindCode('subscribed')})
    ORDER BY 1, 2, 3`)
}

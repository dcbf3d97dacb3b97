import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import type { Selection } from '../../database/rows/selection.ts'
import type { Io, Output } from '../command/io.ts'
import { secondsOf } from '../options/timeout-option.ts'
import { runInTime } from './run-in-process.ts'

/** Seconds that a statement may take, unless something else was typed. */
const SECONDS = '60'

/**
 * Throws `query-timeout` if a condition or query of a selection takes too long: each that may is first tried in a process that
 * can be stopped. Invalid ones are left to the selection, which says what is wrong.
 */
export async function tryConditions(
  database: Database,
  { where = [], fromQuery }: Selection,
  { timeout, io }: { timeout: string | undefined; io: Io },
): Promise<void> {
  const statements = where.map(
    ({ kind, sql }) => `SELECT count(*) FROM ${quoteName(kind)} WHERE (\n${sql}\n)`,
  )
  if (fromQuery !== undefined) {
    statements.push(`SELECT count(*) FROM (\n${fromQuery.replace(/(?<![\s;])[\s;]+$/, '')}\n)`)
  }
  const seconds = secondsOf(timeout ?? SECONDS)
  if (seconds === undefined) return
  for (const sql of statements) {
    if (timeout === undefined && isOneLoop(database, sql)) continue
    const argv = ['query', '--no-pager', '--max-memory=off', '--', resolve(database.name), '-']
    const streams = { stdout: nowhere(), stderr: nowhere() }
    await runInTime(argv, { input: sql, seconds }, { ...io, ...streams })
  }
}

/** Whether a statement reads at most one table, once: the time is that of reading it. True for an invalid statement. */
function isOneLoop(database: Database, sql: string): boolean {
  try {
    const plan = database.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
    return plan.filter(({ detail }) => /^(?:SCAN|SEARCH) /.test(detail)).length <= 1
  } catch {
    return true
  }
}

const nowhere = () => new Writable({ write: (_, __, done) => done() }) as unknown as Output

/** The child process that runs queries and checks, one after another: only its parent can stop SQLite. */

import self from 'node:process'
import { openDatabase } from '../../database/open-database.ts'
import { ArchiveError, type ErrorCode } from '../../errors.ts'
import type { Parameters } from '../../query/run-query.ts'
import { type Answer, answerOf } from '../answer.ts'
import type { CheckReport } from '../check-report.ts'

/** A message from the parent. */
export type Task =
  | {
      readonly task: 'query'
      readonly path: string
      readonly sql: string
      readonly parameters: Parameters
    }
  | { readonly task: 'check'; readonly path: string }

/** A message to the parent. An error without a code is a bug of this program. */
export type TaskOutcome =
  | { readonly answer: Answer }
  | { readonly report: CheckReport }
  | { readonly message: string; readonly code: ErrorCode | undefined }

async function carryOut(order: Task): Promise<TaskOutcome> {
  const database = openDatabase(order.path)
  try {
    if (order.task === 'query') {
      return { answer: answerOf(database, order.sql, order.parameters) }
    }
    // The rules of archives take longer to load than most answers.
    const { checkDatabase } = await import('../../check/check-database.ts')
    const { reportOf } = await import('../check-report.ts')
    return { report: reportOf(checkDatabase(database)) }
  } finally {
    database.close()
  }
}

self.on('message', async (order: Task) => {
  self.send?.(await carryOut(order).catch(asOutcome))
})

const asOutcome = (error: unknown): TaskOutcome =>
  error instanceof ArchiveError
    ? { message: error.message, code: error.code }
    : { message: String(error), code: undefined }

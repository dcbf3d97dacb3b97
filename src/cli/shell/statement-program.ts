import { openDatabase } from '../../database/open-database.ts'
import { inBatches } from '../output/write-all.ts'
import { answerStatement } from './answer-statement.ts'
import type { RunStatement } from './statement-process.ts'

/** Runs a statement of a shell, and gives its result in pieces. */
export const runStatement: RunStatement = async function* ({ path, asked }) {
  const database = openDatabase(path)
  try {
    const pieces = answerStatement(database, asked)
    yield* Symbol.iterator in pieces ? inBatches(pieces) : pieces
  } finally {
    database.close()
  }
}

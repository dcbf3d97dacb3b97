import { openAsked } from '../../database/sources/open-asked.ts'
import { answerStatement } from './answer-statement.ts'
import { databaseSource } from './asked-source.ts'
import type { RunStatement } from './statement-process.ts'

/** Runs a statement of a shell, and gives its result in pieces. */
export const runStatement: RunStatement = async function* ({ source, asked }) {
  if (!('path' in source)) {
    const { datasetSource } = await import('./dataset-source.ts')
    return yield* answerStatement(datasetSource(source), asked)
  }
  const database = await openAsked(source)
  try {
    yield* answerStatement(databaseSource(database), asked)
  } finally {
    database.close()
  }
}

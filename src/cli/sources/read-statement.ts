import { readFile } from 'node:fs/promises'
import { parseSavedQuery, type SavedQuery } from '../../query/parse-saved-query.ts'
import { collect } from '../../streams.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { savedQuery } from './saved-queries.ts'

export interface StatementOptions {
  sql?: string | undefined
  file?: string | undefined
  saved?: string | undefined
}

/** The statement that was typed, piped, saved or is in a file. Throws `UsageError`. */
export async function readStatement(options: StatementOptions, io: Io): Promise<SavedQuery> {
  const { sql, file, saved } = options
  if (saved !== undefined) {
    if (sql === undefined && file === undefined) return savedQuery(saved, io)
    throw new UsageError('expected a statement or a saved query, found both')
  }
  if (sql !== undefined && file !== undefined) {
    throw new UsageError('expected a statement or a file with one, found both')
  }
  const { stdin } = io
  const piped = sql === '-' || (sql === undefined && !stdin.isTTY)
  const text =
    file !== undefined ? await readSql(file) : piped ? (await collect(stdin)).toString('utf8') : sql
  if (text?.trim()) return parseSavedQuery(text)
  throw new UsageError(
    'the statement is missing',
    'Begin with: marc query <database> "select * from threads limit 5"',
  )
}

const readSql = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'ENOENT' ? 'there is no such file' : error.message
    throw new UsageError(message, 'Check the path after -f.', { archive: file })
  })

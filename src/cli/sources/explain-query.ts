import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { hasRelation, RELATIONS } from '../../database/schema/schema.ts'
import { parseSqliteError } from '../../database/sqlite-messages.ts'
import { meantInStatement, onlyTable, ownersOf } from '../../query/meant-in-statement.ts'
import { WRITES } from '../../query/run-query.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { AdvisedError, shellWord } from '../command/usage-error.ts'

/** Adds advice to the error of a statement, if there is any. */
export function explainQuery(error: unknown, sql: string, database: Database): unknown {
  if (!(error instanceof ArchiveError)) return error
  const advice =
    error.code === 'query-writes'
      ? adviceOnWriting(error)
      : error.code === 'query-invalid'
        ? adviceOn(error, sql, database)
        : undefined
  return advice === undefined ? error : new AdvisedError(error, advice)
}

/** Adds advice to the error of a statement over datasets, which have the tables of a database. */
export function explainDatasetQuery(error: unknown): unknown {
  if (!(error instanceof ArchiveError)) return error
  if (error.code === 'table-empty') {
    const filling = error.value?.replace(' <database>', '')
    return new AdvisedError(error, `Fill it in a database with ${filling}, and export that again.`)
  }
  if (error.code === 'limit-memory') {
    return new AdvisedError(error, 'Select smaller values, or fewer: DuckDB may use 512 MB.')
  }
  if (error.code !== 'query-invalid') return error
  const advice = adviceOnDataset(error)
  return new AdvisedError(error, advice ?? 'The tables are those of a database; DuckDB answers.')
}

/** Adds advice to the error of a count of all tables of datasets. */
export function explainDatasetCount(error: unknown): unknown {
  const isFull = error instanceof ArchiveError && error.code === 'limit-memory'
  const advice =
    'Count one table, for which DuckDB may use 512 MB: marc query <dataset> "select count(*) from issues"'
  return isFull ? new AdvisedError(error, advice) : error
}

function adviceOnDataset({ message }: ArchiveError): string | undefined {
  const [, table] = /^Table with name (\w+) does not exist/.exec(message) ?? []
  if (table !== undefined) {
    return didYouMean(
      table,
      RELATIONS.map(({ name }) => name),
    )
  }
  const [, parameter] = /^the parameter :(\w+) has no value$/.exec(message) ?? []
  if (parameter !== undefined) return adviceOnParameter(parameter)
  return message.startsWith('a parameter without a name') ? NAME_PARAMETER : undefined
}

const adviceOnParameter = (name: string) => `Give it with: -p ${name} <value>`
const NAME_PARAMETER = 'Name it, such as :name in place of ?, and give it with: -p name <value>'

const adviceOnWriting = ({ value }: ArchiveError): string | undefined =>
  value === WRITES ? 'To edit a database, use sqlite3; marc doctor lists the changes.' : undefined

function adviceOn(error: ArchiveError, sql: string, database: Database): string | undefined {
  const { fault, name = '' } = parseSqliteError(error) ?? {}
  switch (fault) {
    case 'several-statements':
      return 'Run them one after the other with: marc shell <database> "<statements>"'
    case 'parameter-missing':
      return /^\w+$/.test(name) ? adviceOnParameter(name) : undefined
    case 'parameters-too-few':
      return NAME_PARAMETER
    case 'column-ambiguous': {
      const owners = ownersOf(name, sql, database)
      return owners.length > 1
        ? `Say which: ${owners.map((alias) => `${alias}.${name}`).join(' or ')}`
        : undefined
    }
  }
  const meant = meantInStatement(error, sql, database)
  if (meant !== undefined) return `Did you mean ${meant}?`
  const table = fault === 'column-unknown' ? onlyTable(name, sql, database) : undefined
  return table && hasRelation(database, table)
    ? `See its columns with: marc schema <database> ${shellWord(table)}`
    : undefined
}

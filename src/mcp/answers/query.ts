import { closestMatch } from '../../base/closest-match.ts'
import { ArchiveError } from '../../base/errors.ts'
import { checkNeeds, hasTable } from '../../query/check-needs.ts'
import { describeDatabase } from '../../query/describe-database.ts'
import { meantInStatement } from '../../query/meant-in-statement.ts'
import type { Parameters, SqlValue } from '../../query/run-query.ts'
import { checkParameters, valuesOf, wholeValue } from '../../query/saved-parameters.ts'
import { type NamedQuery, readQueries, SHIPPED_QUERIES } from '../../query/saved-queries.ts'
import { namesFor, namesIn } from '../../reading/databases/resolve-name.ts'
import type { Store } from '../../reading/store.ts'
import { answerQuery } from '../../tasks/run-task.ts'
import type { Answer, Asked } from '../tool.ts'
import { pageOf, Room, shortName } from '../writing.ts'

/** Rows on a page. */
const MOST = 1_000

/** Characters of a value. */
const LONGEST = 2_000

export interface Question {
  parameters?: Record<string, SqlValue>
  database?: number
  cursor?: string
}

/** A database by its number. Throws `option-invalid`. */
function storeNumbered({ library }: Asked, number = 1): Store {
  const store = library.stores[number - 1]
  if (store) return store
  throw new ArchiveError('option-invalid', `there are ${library.stores.length} databases`)
}

async function rowsOf(
  { database }: Store,
  {
    sql,
    parameters = {},
    cursor,
  }: { sql: string; parameters?: Parameters | undefined; cursor: string | undefined },
  { bytes, limits, signal }: Asked,
): Promise<Answer> {
  const answer = await answerQuery(database.name, sql, parameters, { ...limits, signal }).catch(
    (error: unknown) => {
      const isInvalid = error instanceof ArchiveError && error.code === 'query-invalid'
      throw isInvalid ? error.about(sql, meantInStatement(error, sql, database)) : error
    },
  )
  let isCut = answer.isCut
  const shownOf = (value: SqlValue) => {
    if (typeof value === 'bigint') return String(value)
    if (typeof value !== 'string' || value.length <= LONGEST) return value
    isCut = true
    return `${value.slice(0, LONGEST)}…`
  }
  const total = answer.rows.length
  const { items, next_cursor } = pageOf(
    { total, cursor, bytes, most: MOST },
    (offset, limit) => answer.rows.slice(offset, offset + limit),
    (row) => row.map(shownOf),
  )
  return {
    summary: `${items.length} of ${total} rows.`,
    columns: answer.columns.map(shortName),
    rows: items,
    is_cut: isCut,
    next_cursor,
  }
}

let known: readonly NamedQuery[] | undefined

/** The saved questions of this program. */
function savedQuestions(): readonly NamedQuery[] {
  known ??= readQueries(SHIPPED_QUERIES)
  return known
}

const describeQuestion = ({ name, summary, parameters }: NamedQuery) => ({
  name,
  summary,
  parameters: parameters.map((parameter) => ({
    name: parameter.name,
    description: parameter.description,
    required: parameter.standard === undefined,
  })),
})

export const query = (
  { sql, parameters = {}, database, cursor }: Question & { sql: string },
  asked: Asked,
): Promise<Answer> => {
  const values = Object.entries(parameters).map(([name, value]) => [name, wholeValue(value)])
  return rowsOf(
    storeNumbered(asked, database),
    { sql, parameters: Object.fromEntries(values), cursor },
    asked,
  )
}

export function schema(
  { table, database, cursor }: { table?: string; database?: number; cursor?: string },
  asked: Asked,
): Answer {
  const relations = describeDatabase(storeNumbered(asked, database).database)
  const { bytes } = asked
  if (table !== undefined) {
    const { columns } = relations.find(({ name }) => name === table) ?? {}
    if (!columns) {
      const names = relations.map(({ name }) => name)
      const error = new ArchiveError('kind-not-found', `there is no table or view ${table}`)
      throw error.about(table, closestMatch(table, names))
    }
    const { items, next_cursor } = pageOf(
      { total: columns.length, cursor, bytes, most: MOST },
      (offset, limit) => columns.slice(offset, offset + limit),
      ({ name, type, description }) => ({
        name: shortName(name),
        type: shortName(type),
        description,
      }),
    )
    const summary = `${items.length} of ${columns.length} columns.`
    return { summary, relations: [], columns: items, saved_questions: [], next_cursor }
  }
  const questions = cursor === undefined ? savedQuestions().map(describeQuestion) : []
  const room = new Room(bytes, questions)
  const shown: unknown[] = []
  const offset = Math.trunc(Number(cursor ?? 0))
  for (const { name, type, summary } of relations.slice(offset)) {
    if (!room.add(shown, { name: shortName(name), type, summary })) break
  }
  const next = offset + shown.length
  return {
    summary: `${shown.length} of ${relations.length} tables and views.`,
    relations: shown,
    columns: [],
    saved_questions: questions,
    next_cursor: next < relations.length ? String(next) : null,
  }
}

export async function savedQuestion(
  { name, parameters = {}, database, cursor }: Question & { name: string },
  asked: Asked,
): Promise<Answer> {
  const question = savedQuestions().find((each) => each.name === name)
  if (!question) {
    const message = `there is no saved question ${name}; the tool schema lists them`
    const names = savedQuestions().map((each) => each.name)
    throw new ArchiveError('option-invalid', message).about(name, closestMatch(name, names))
  }
  const store = storeNumbered(asked, database)
  const { sql, summary } = question
  checkParameters(Object.keys(parameters), question)
  checkNeeds(question, (table) => hasTable(store.database, table))
  const values = await valuesOf(parameters, question, async () => namesFor(namesIn(store.database)))
  const rows = await rowsOf(store, { sql, parameters: values, cursor }, asked)
  return { ...rows, question: summary }
}

import type { SqlValue } from './query-result.ts'

/** What the value of a parameter may be: a name that the database has, or a number; a thread is one by its number. */
type ParameterType = 'repository' | 'person' | 'label' | 'milestone' | 'kind' | 'thread' | 'number'

/** A parameter of a question as its head describes it. */
export interface QueryParameter {
  readonly name: string
  /** What its value is checked to be; without a type it may be anything. */
  readonly type?: ParameterType
  readonly description: string
  /** Undefined where a value must be given. */
  readonly standard?: SqlValue
}

/** A statement with what the comments at its head say of it. */
export interface SavedQuery {
  readonly summary: string
  readonly parameters: readonly QueryParameter[]
  /** The table without whose rows there is no answer, and the command that fills it. */
  readonly needs?: { readonly table: string; readonly command: string }
  readonly sql: string
}

const PARAMETER =
  /^:(\w+)(?: (repository|person|label|milestone|kind|thread|number))?(?: = (?:'([^']*)'|(-?\d+(?:\.\d+)?)|(null)))?, (.+)$/
const NEEDS = /^needs (\w+): (.+)$/

/**
 * Reads the comments that a statement begins with: what it answers, then `:name type = value, what for` for each
 * parameter, without a value where there is no standard, without a type where anything will do, and `needs table: command`.
 */
export function parseSavedQuery(sql: string): SavedQuery {
  const summary: string[] = []
  const parameters: QueryParameter[] = []
  let needs: SavedQuery['needs']
  for (const line of headOf(sql)) {
    const parameter = PARAMETER.exec(line)
    const need = NEEDS.exec(line)
    if (parameter) parameters.push(asParameter(parameter))
    else if (need) needs = { table: need[1] as string, command: need[2] as string }
    else summary.push(line)
  }
  return { summary: summary.join(' '), parameters, ...(needs && { needs }), sql }
}

function headOf(sql: string): string[] {
  const lines = sql.replace(/^\ufeff?\s*/, '').split(/\r?\n/)
  const end = lines.findIndex((line) => !line.startsWith('--'))
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(2).trim())
}

function asParameter(match: RegExpExecArray): QueryParameter {
  const [, name = '', type, text, number, nothing, description = ''] = match
  const given = text ?? (number === undefined ? undefined : asNumber(number))
  const standard = nothing === undefined ? given : null
  return {
    ...{ name, description },
    ...(type !== undefined && { type: type as ParameterType }),
    ...(standard !== undefined && { standard }),
  }
}

// A plain number would be a REAL to SQLite: 7 / 2 would be 3.5.
const asNumber = (typed: string): SqlValue => (typed.includes('.') ? Number(typed) : BigInt(typed))

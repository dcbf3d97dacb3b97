import type { SqlValue } from './run-query.ts'

/** The type of a parameter: a name that the database has, a number, or a thread, named by its number. */
type ParameterType = 'repository' | 'person' | 'label' | 'milestone' | 'kind' | 'thread' | 'number'

/** A parameter of a saved query. */
export interface QueryParameter {
  readonly name: string
  /** Without a type any value is accepted. */
  readonly type?: ParameterType
  readonly description: string
  /** The default value; undefined if the parameter is required. */
  readonly standard?: SqlValue
}

/** A statement with the contents of its leading comments. */
export interface SavedQuery {
  readonly summary: string
  readonly parameters: readonly QueryParameter[]
  /** A table that must not be empty, and the command that fills it. */
  readonly needs?: { readonly table: string; readonly command: string }
  readonly sql: string
}

const PARAMETER =
  /^:(\w+)(?: (repository|person|label|milestone|kind|thread|number))?(?: = (?:'([^']*)'|(-?\d+(?:\.\d+)?)|(null)))?, (.+)$/
const NEEDS = /^needs (\w+): (.+)$/

/**
 * Parses the leading comments of a statement: a summary, a line `:name type = default, meaning` per parameter (type and
 * default are optional), and `needs table: command`.
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
    name,
    description,
    ...(type !== undefined && { type: type as ParameterType }),
    ...(standard !== undefined && { standard }),
  }
}

// A JavaScript number would be bound as REAL: 7 / 2 would be 3.5.
const asNumber = (text: string): SqlValue => (text.includes('.') ? Number(text) : BigInt(text))

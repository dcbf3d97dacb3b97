import { quoteName, quoteText } from '../../database/quote.ts'
import type { Column, Kind } from '../../records/kinds/kind.ts'
import { KINDS, type KindName } from '../../records/kinds/kinds.ts'
import { type MemberPath, memberPaths } from '../../records/kinds/member-paths.ts'

/** A member of a kind, and the SQL that reads it from records `o` with `elements`. */
export interface KnownMember {
  kind: KindName
  path: MemberPath
  /** The column of the table that holds it. */
  within: string
  column: Column
  /** Its value; a text if `isText`, which takes longer to evaluate. */
  text: string
  isText: string
  /** Its JSON type, or NULL if absent. Null for a whole column, whose rules are about the column. */
  type: string | null
  /** The object with this member, as JSON; null for a column and for an element of a list. */
  parent: string | null
  /** The list in it as JSON; NULL if it is not a list. */
  list: string
  /** Opens the lists on the way to it. */
  elements: string
}

/** Every member of records, of objects in them, and of the lists in them. */
export const KNOWN_MEMBERS: readonly KnownMember[] = Object.entries(KINDS).flatMap(
  ([kind, definition]) =>
    memberPaths(definition as Kind).map((path) => ({
      kind: kind as KindName,
      path,
      column: path.column,
      within: path.steps[0] as string,
      ...readMember(path.steps, (definition as Kind).columns[path.steps[0] as string]),
    })),
)

type Read = Pick<KnownMember, 'text' | 'isText' | 'type' | 'parent' | 'list' | 'elements'>

function readMember([name, ...steps]: MemberPath['steps'], column?: Column): Read {
  const own = `o.${quoteName(name as string)}`
  // Most lists are empty: a comparison finds that out faster than a parser.
  const isFilled = column?.list ? `${own} <> '[]' AND ` : ''
  const json = `CASE WHEN ${isFilled}json_valid(${own}) THEN ${own} END`
  if (steps.length === 0)
    return { text: own, isText: 'true', type: null, parent: null, list: json, elements: '' }
  return readSteps(steps, json, '', 0)
}

/** Reads the rest of a path from JSON, or from an element `e1`, `e2` of a list. */
function readSteps(
  steps: MemberPath['steps'],
  json: string,
  elements: string,
  depth: number,
): Read {
  const next = steps.indexOf(null)
  const names = (next < 0 ? steps : steps.slice(0, next)) as string[]
  const at = quoteText(['$', ...names.map((name) => `"${name}"`)].join('.'))
  if (next < 0) {
    const type = `json_type(${json}, ${at})`
    const value = `json_extract(${json}, ${at})`
    const list = `CASE ${type} WHEN 'array' THEN ${value} END`
    const parent = names.length === 1 ? json : null
    return { type, text: value, isText: `${type} = 'text'`, parent, list, elements }
  }
  const e = `e${depth + 1}`
  const list = names.length === 0 ? json : `${json}, ${at}`
  const opened = `${elements}, json_each(${list}) AS ${e}`
  const rest = steps.slice(next + 1)
  if (rest.length === 0) {
    const list = `CASE ${e}.type WHEN 'array' THEN ${e}.value END`
    const isText = `${e}.type = 'text'`
    return { type: `${e}.type`, text: `${e}.value`, isText, parent: null, list, elements: opened }
  }
  return readSteps(rest, `CASE ${e}.type WHEN 'object' THEN ${e}.value END`, opened, depth + 1)
}

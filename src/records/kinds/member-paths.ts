import { isObject, type JsonObject, type JsonValue } from '../json/json.ts'
import type { Column, Kind, Members } from './kind.ts'

/** A known member of a kind at any depth: `url`, `base.sha`, `labels[]`, `emails[].address`. */
export interface MemberPath {
  readonly text: string
  /** Its name, or that of the list for an element. */
  readonly name: string
  readonly column: Column
  /** The names that lead to it; null means each element of a list. */
  readonly steps: readonly (string | null)[]
}

const cache = new WeakMap<Kind, readonly MemberPath[]>()

/** All known members of a kind. */
export function memberPaths(kind: Kind): readonly MemberPath[] {
  const paths = cache.get(kind) ?? [...pathsIn(kind.columns, '', [])]
  cache.set(kind, paths)
  return paths
}

/** Visits the values of a record at a path, each with its place, such as `labels[3].color`. */
export function eachValue(
  record: JsonObject,
  { steps }: MemberPath,
  visit: (value: JsonValue, place: string) => void,
): void {
  visitFrom(record, steps, 0, '', visit)
}

function visitFrom(
  value: JsonValue | undefined,
  steps: MemberPath['steps'],
  at: number,
  place: string,
  visit: (value: JsonValue, place: string) => void,
): void {
  if (value === undefined) return
  const step = steps[at]
  if (step === undefined) {
    visit(value, place)
  } else if (step === null) {
    if (!Array.isArray(value)) return
    for (const [i, element] of value.entries()) {
      visitFrom(element, steps, at + 1, `${place}[${i}]`, visit)
    }
  } else if (isObject(value) && Object.hasOwn(value, step)) {
    visitFrom(value[step], steps, at + 1, place === '' ? step : `${place}.${step}`, visit)
  }
}

function* pathsIn(
  members: Members,
  before: string,
  steps: MemberPath['steps'],
): Generator<MemberPath> {
  for (const [name, column] of Object.entries(members)) {
    const text = before === '' ? name : `${before}.${name}`
    const way = [...steps, name]
    yield { text, name, column, steps: way }
    if (column.members) yield* pathsIn(column.members, text, way)
    if (!column.list) continue
    const { element } = column.list
    if (!isColumn(element)) yield* pathsIn(element, `${text}[]`, [...way, null])
    else yield { text: `${text}[]`, name, column: element, steps: [...way, null] }
  }
}

/** Whether the elements of a list are values, rather than objects with members. */
export const isColumn = (element: Column | Members): element is Column =>
  typeof element.storage === 'string'

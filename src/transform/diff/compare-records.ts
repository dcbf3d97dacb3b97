import { isObject, type JsonObject, type JsonValue } from '../../records/json/json.ts'
import type { Column, Kind, Members } from '../../records/kinds/kind.ts'
import type { MemberChange } from './diff-options.ts'

/** The pseudo member that holds the names of all members in order. */
export const ORDER = '(order)'

/**
 * The members by which two records of a kind differ, with both values. Numbers differ if their texts do. Known lists are sets:
 * if they hold the same in another order, the member is `labels.(order)`. Other arrays of one length are compared by index. The
 * order of members is that of those that count.
 */
export function compareRecords(
  kind: Kind,
  before: JsonObject,
  after: JsonObject,
  counts: (name: string) => boolean = () => true,
): Record<string, MemberChange> {
  const found: Found = []
  compareObjects('', before, after, found, kind.columns)
  const [old, now] = [before, after].map((record) => Object.keys(record).filter(counts))
  if (old && now && isMoved(kind, old, now)) found.push([ORDER, { before: old, after: now }])
  return Object.fromEntries(found)
}

/** All members of a record that is only on one side. */
export const allMembers = (
  record: JsonObject,
  side: keyof MemberChange,
): Record<string, MemberChange> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [pathTo('', name), { [side]: value }]),
  )

/** Whether two values have the same JSON, with the text of numbers. */
const isSameJson = (left: JsonValue, right: JsonValue): boolean =>
  left === right || JSON.stringify(left) === JSON.stringify(right)

type Found = [string, MemberChange][]

function compareObjects(
  path: string,
  before: JsonObject,
  after: JsonObject,
  found: Found,
  columns: Members = {},
): void {
  const columnOf = (name: string) => (Object.hasOwn(columns, name) ? columns[name] : undefined)
  for (const name of Object.keys(before)) {
    const own = pathTo(path, name)
    const old = before[name] as JsonValue
    if (!Object.hasOwn(after, name)) found.push([own, { before: old }])
    else compareValues(own, old, after[name] as JsonValue, found, columnOf(name))
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name))
      found.push([pathTo(path, name), { after: after[name] as JsonValue }])
  }
}

function compareValues(
  path: string,
  before: JsonValue,
  after: JsonValue,
  found: Found,
  column: Column | undefined,
): void {
  if (isSameJson(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    compareArrays(path, before, after, found, column?.list !== undefined)
    return
  }
  const count = found.length
  if (isObject(before) && isObject(after)) {
    // Within members, another order of the same members is a difference of the whole.
    compareObjects(path, before, after, found, column?.members)
    if (!isSameOrder(before, after)) found.length = count
  }
  if (found.length === count) found.push([path, { before, after }])
}

function compareArrays(
  path: string,
  before: JsonValue[],
  after: JsonValue[],
  found: Found,
  isSet: boolean,
): void {
  if (!isSet && before.length === after.length) {
    before.forEach((element, i) => {
      compareValues(`${path}[${i}]`, element, after[i] as JsonValue, found, undefined)
    })
    return
  }
  const [removed, added] = [without(before, after), without(after, before)]
  if (removed.length + added.length === 0) found.push([`${path}.${ORDER}`, { before, after }])
  else found.push([path, { before, after, removed, added }])
}

/** The elements of one list that another does not have, as often as they are there. */
function without(list: readonly JsonValue[], excluded: readonly JsonValue[]): JsonValue[] {
  const counts = new Map<string, number>()
  for (const value of excluded) {
    const text = JSON.stringify(value)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return list.filter((value) => {
    const text = JSON.stringify(value)
    const count = counts.get(text) ?? 0
    counts.set(text, count - 1)
    return count <= 0
  })
}

/** Whether setting the members of one object would leave them in the order of the other. */
function isSameOrder(before: JsonObject, after: JsonObject): boolean {
  const kept = Object.keys(before).filter((name) => Object.hasOwn(after, name))
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name))
  return isSameJson([...kept, ...added], Object.keys(after))
}

/**
 * Whether the order of members does not follow from their names. It does if the members of both records are in the order of
 * the kind, or if they stay in their order and new ones come last.
 */
function isMoved(kind: Kind, before: readonly string[], after: readonly string[]): boolean {
  const usual = new Map(['type', ...Object.keys(kind.columns)].map((name, i) => [name, i]))
  const inOrder = (names: readonly string[]) => {
    const known = names.filter((name) => usual.has(name))
    known.sort((one, other) => (usual.get(one) ?? 0) - (usual.get(other) ?? 0))
    return [...known, ...names.filter((name) => !usual.has(name))]
  }
  const expected = (from: readonly string[], to: readonly string[]) => {
    const names = [
      ...from.filter((name) => to.includes(name)),
      ...to.filter((name) => !from.includes(name)),
    ]
    return isSameJson([...from], inOrder(from)) ? inOrder(names) : names
  }
  const follows = (from: readonly string[], to: readonly string[]) =>
    isSameJson(expected(from, to), [...to])
  return !follows(before, after) || !follows(after, before)
}

/** `base.sha`; an odd name is quoted as in JSON: `base["a.b"]`. */
export function pathTo(path: string, name: string): string {
  if (!/^[^.[\]"()*]+$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}

import type { Report } from '../base/errors.ts'
import { describeLoss } from '../records/json/describe-loss.ts'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { Loss } from '../records/json/lossless-assembler.ts'
import { parseLossless } from '../records/json/parse-lossless.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** A list of records in an object that is not a record. */
export interface RecordList {
  stem: string
  records: JsonValue[]
}

/**
 * The lists of records in an object, the only element of an array: lists named after kinds, or a single list in a file
 * named after a kind, as in `{"users": […]}` or `{"total": 2, "items": […]}`. Reports other members of the object as
 * `member-around`. Returns none for a record, any other value, or damaged JSON.
 */
export function unwrapRecords(
  text: string,
  { path, stem, report }: { path: string; stem: string | undefined; report: Report | undefined },
): RecordList[] {
  const losses: Loss[] = []
  const object = parseOne(text, losses)
  const lists = object ? listsIn(object, stem) : {}
  const names = Object.keys(lists)
  if (!object || names.length === 0) return []
  for (const { path: steps, ...loss } of losses) {
    report?.(describeLoss({ ...loss, path: steps.slice(1) } as Loss, path, 1))
  }
  for (const member of Object.keys(object)) {
    if (names.includes(member)) continue
    const message = 'a member beside a list of records was left out'
    report?.({ code: 'member-around', place: { entry: path, member }, message })
  }
  return names.map((name) => ({
    stem: kindNamed(name) ? name : (stem as string),
    records: lists[name] as JsonValue[],
  }))
}

function listsIn(object: JsonObject, stem: string | undefined): Record<string, JsonValue[]> {
  const columns = (stem === undefined ? undefined : kindNamed(stem)?.columns) ?? {}
  // Records have lists, too, but also members that their kind knows.
  if (Object.keys(object).some((name) => Object.hasOwn(columns, name))) return {}
  const lists = Object.entries(object).filter((member): member is [string, JsonValue[]] =>
    Array.isArray(member[1]),
  )
  const named = lists.filter(
    // Files of other programs may have members such as releases or projects.
    ([name, list]) => kindNamed(name) && (stem === name || list.every(isRecord)),
  )
  if (named.length > 0) return Object.fromEntries(named)
  return stem !== undefined && lists.length === 1 ? Object.fromEntries(lists) : {}
}

const isRecord = (value: JsonValue): boolean => isObject(value) && typeof value.url === 'string'

function parseOne(text: string, losses: Loss[]): JsonObject | undefined {
  try {
    const value = parseLossless(text, { around: 1, lose: (loss) => void losses.push(loss) })
    const [only] = Array.isArray(value) ? value : []
    return isObject(only) ? only : undefined
  } catch {
    return undefined
  }
}

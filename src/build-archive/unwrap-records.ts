import type { Report } from '../errors.ts'
import { describeLoss } from '../records/json/describe-loss.ts'
import { isObject, type JsonObject, type JsonValue } from '../records/json/json.ts'
import type { Loss } from '../records/json/lossless-assembler.ts'
import { parseLossless } from '../records/json/parse-lossless.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** A list of records in an object that is none itself. */
export interface RecordList {
  stem: string
  records: JsonValue[]
}

/**
 * The lists of records in an object around them, which is the one element of an array: those called as kinds are, or
 * the only one in a file whose name tells the kind, as in `{"users": […]}` or `{"total": 2, "items": […]}`.
 * What else the object has is reported as `member-around`. None where it is a record itself, something else, or
 * damaged.
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
    const message = 'what stands beside a list of records was left out'
    report?.({ code: 'member-around', place: { entry: path, member }, message })
  }
  return names.map((name) => ({
    stem: kindNamed(name) ? name : (stem as string),
    records: lists[name] as JsonValue[],
  }))
}

function listsIn(object: JsonObject, stem: string | undefined): Record<string, JsonValue[]> {
  const columns = (stem === undefined ? undefined : kindNamed(stem)?.columns) ?? {}
  // A record has lists, too, but no member that its kind does not know beside them alone.
  if (Object.keys(object).some((name) => Object.hasOwn(columns, name))) return {}
  const lists = Object.entries(object).filter((member): member is [string, JsonValue[]] =>
    Array.isArray(member[1]),
  )
  const named = lists.filter(
    // Any other program may have releases or projects in a file of its own.
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

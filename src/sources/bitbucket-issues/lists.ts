import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { timeOf } from '../members.ts'

/** The lists of an export. */
export interface Lists {
  issues: JsonObject[]
  comments: JsonObject[]
  logs: JsonObject[]
  attachments: JsonObject[]
  milestones: JsonObject[]
  /** Elements that are no objects, by list. */
  others: Map<string, JsonValue[]>
}

/** The lists that are read; others are kept. */
export const LISTS = ['issues', 'comments', 'logs', 'attachments', 'milestones'] as const

/** The lists in the object of an export. */
export function listsOf(value: JsonObject): Lists {
  const others: Lists['others'] = new Map()
  const list = (name: string): JsonObject[] => {
    const elements = value[name] ?? []
    const all = Array.isArray(elements) ? elements : [elements]
    const rest = all.filter((element) => !isObject(element))
    if (rest.length > 0) others.set(name, rest)
    return all.filter(isObject)
  }
  const [issues = [], comments = [], logs = [], attachments = [], milestones = []] = LISTS.map(list)
  return { issues, comments, logs, attachments, milestones, others }
}

/** The latest time of an issue or comment. */
export function latestOf({ issues, comments }: Lists): string {
  let latest = ''
  for (const { updated_on, created_on } of [...issues, ...comments]) {
    for (const value of [updated_on, created_on]) {
      const time = typeof value === 'string' ? timeOf(value) : undefined
      if (time !== undefined && time > latest) latest = time
    }
  }
  return latest
}

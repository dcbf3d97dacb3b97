import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import type { SourceRepository } from '../source-repository.ts'
import { keyOf, type Survey } from './survey.ts'

/** The project that has them. */
type Owner = SourceRepository & {
  readonly survey: Survey
  add(kind: string, record: JsonObject): void
  rest(members: Members, entry: string): JsonObject | undefined
  text(text: string | null, entry: string): string | null
}

/** The milestones of a project and of its group. */
export class Milestones {
  readonly #project: Owner
  readonly #numbers: ReadonlyMap<string, number>
  readonly #records = new Map<number, JsonObject>()

  constructor(project: Owner) {
    this.#project = project
    this.#numbers = numbersOf(project.survey)
  }

  /** The url of a milestone, whose record is made when it is seen first. */
  urlOf(object: JsonValue | undefined, entry: string, at: string): string | null {
    const project = this.#project
    if (!isObject(object)) return null
    const number = this.#numbers.get(keyOf(object))
    if (number === undefined) return null
    const url = `${project.url}/milestones/${number}`
    if (this.#records.has(number)) return url
    const members = project.members(object, entry, at)
    members.take('iid')
    const updated_at = members.time('updated_at')
    const created_at = project.date(members, 'created_at', entry, updated_at)
    const isClosed = members.text('state') === 'closed'
    if (isClosed) {
      const reason = 'closed_at of milestones is the time of the last change'
      project.problem('date-estimated', reason, entry, at)
    }
    const due = members.text('due_date')
    const record: JsonObject = {
      type: 'milestone',
      url,
      repository: project.url,
      user: null,
      title: members.text('title') ?? '',
      description: project.text(members.text('description'), entry),
      state: isClosed ? 'closed' : 'open',
      due_on: due !== null && /^\d{4}-\d\d-\d\d$/.test(due) ? `${due}T00:00:00Z` : null,
      created_at,
      updated_at: updated_at ?? created_at,
      closed_at: isClosed ? (updated_at ?? created_at) : null,
    }
    const kept = project.rest(members, entry)
    this.#records.set(number, kept ? { ...record, gitlab: kept } : record)
    return url
  }

  /** Adds their records, by number. */
  finish(): void {
    const sorted = [...this.#records].sort(([left], [right]) => left - right)
    for (const [, record] of sorted) this.#project.add('milestones', record)
  }
}

/** Numbers of milestones: those of the project keep theirs, those of its group come after them. */
function numbersOf({ milestones }: Survey): Map<string, number> {
  const numbers = new Map<string, number>()
  let highest = 0
  const others: [key: string, order: string][] = []
  for (const [key, { iid, created, title }] of milestones) {
    if (iid === undefined) others.push([key, `${created} ${title}`])
    else {
      numbers.set(key, iid)
      if (iid > highest) highest = iid
    }
  }
  others.sort(([, left], [, right]) => (left < right ? -1 : 1))
  for (const [key] of others) numbers.set(key, ++highest)
  return numbers
}

import type { JsonObject } from '../../records/json/json.ts'
import type { SourceRepository } from '../source-repository.ts'
import { isDerivable, OF_NUMBERED } from './derivable.ts'
import { fromRest, type ReadsPeople } from './from-rest.ts'

/** Members that count issues. */
const COUNTS = ['open_issues', 'closed_issues']

const isOfMilestone = (name: string): boolean =>
  isDerivable(name) || COUNTS.includes(name) || OF_NUMBERED.includes(name)

/** The milestones of a repository, each with its newest description. */
export class Milestones {
  readonly #repository: SourceRepository & ReadsPeople
  readonly #found = new Map<number, { at: string; record: JsonObject }>()

  constructor(repository: SourceRepository & ReadsPeople) {
    this.#repository = repository
  }

  /** The url of a milestone; undefined for an object without a number. */
  urlOf(object: JsonObject, entry: string, at: string): string | undefined {
    const repository = this.#repository
    const { number } = object
    if (!Number.isSafeInteger(number) || (number as number) < 1) return undefined
    const url = `${repository.url}/milestones/${number}`
    const members = repository.members(object, entry, at)
    const updated = members.time('updated_at')
    const rank = updated ?? ''
    const known = this.#found.get(number as number)
    if (known && known.at >= rank) return url
    const state = members.text('state')
    const created_at = repository.date(members, 'created_at', entry, updated)
    const told = fromRest(repository, 'milestones', members, created_at)
    const record: JsonObject = {
      type: 'milestone',
      url,
      repository: repository.url,
      user: told.user,
      title: told.title,
      description: told.description,
      state: state === 'closed' ? 'closed' : 'open',
      due_on: told.due_on,
      created_at,
      updated_at: updated ?? created_at,
      closed_at: told.closed_at,
    }
    const kept = members.rest('milestones', isOfMilestone)
    this.#found.set(number as number, { at: rank, record: { ...record, ...kept } })
    return url
  }

  /** Adds their records, by number. */
  finish(): void {
    const sorted = [...this.#found].sort(([left], [right]) => left - right)
    for (const [, { record }] of sorted) this.#repository.making.files.add('milestones', record)
    this.#found.clear()
  }
}

import type { JsonObject } from '../../records/json/json.ts'
import { madeId } from '../made-id.ts'
import type { Members } from '../members.ts'
import type { SourceOptions } from '../source-options.ts'
import { encodeName, type Making, SourceRepository } from '../source-repository.ts'
import { labelOf, type MadeLabel } from './labels.ts'
import type { ListedMilestone } from './lists.ts'
import type { Names } from './people.ts'

/** The host of these exports. */
export const HOST = 'https://bitbucket.org'

type Label = MadeLabel & { url: string; created_at: string }

interface Dated {
  /** The dates of the issues that have it. */
  first: string
  last: string
}

type Milestone = Partial<Dated> & {
  number: number
  /** The members that it has in its list, without its name. */
  kept?: JsonObject
}

/** The one repository of an export, whose issues are being made into records. */
export class Tracker extends SourceRepository {
  readonly names: Names
  /** Whether texts are rewritten as GitHub has them, with links to what is attached. */
  readonly rewritesTexts: boolean
  readonly #labels = new Map<string, Label>()
  readonly #milestones = new Map<string, Milestone>()
  readonly #ids = new Map<string, number>()

  constructor(
    place: { host: string; owner: string; name: string },
    making: Making,
    names: Names,
    milestones: readonly ListedMilestone[],
    { texts }: Pick<SourceOptions, 'texts'> = {},
  ) {
    super(place, making)
    this.rewritesTexts = texts !== 'as-is'
    this.names = names
    for (const { name, kept } of milestones) this.#milestone(name).kept = kept
  }

  /** Adds a record, with the members that it has no other place for. */
  add(kind: string, record: JsonObject, kept: JsonObject | undefined): void {
    this.making.files.add(kind, kept ? { ...record, bitbucket: kept } : record)
  }

  /** The url of the person in a member. */
  person(members: Members, name: string, at: string): string | null {
    const value = members.take(name)
    const login = this.names.loginOf(value)
    if (login === undefined) return members.refuse(name, value)
    return this.account(login, at)
  }

  account(login: string | null, at: string): string | null {
    return (login !== null && this.making.people.urlOf({ login, type: 'User' }, at)) || null
  }

  /** The url and the look of the label of a value of a field, which is made when it is first seen. */
  label(field: string, word: string, at: string): Label | undefined {
    const made = labelOf(field, word)
    if (!made) return undefined
    const known = this.#labels.get(made.name.toLowerCase())
    if (known) return known
    const url = `${this.url}/labels/${encodeName(made.name)}`
    const label = { url, ...made, created_at: at }
    this.#labels.set(made.name.toLowerCase(), label)
    return label
  }

  /** The url of a milestone, by its name. */
  milestone(name: string, at: string): string {
    const milestone = this.#milestone(name)
    if (!milestone.first || at < milestone.first) milestone.first = at
    if (!milestone.last || at > milestone.last) milestone.last = at
    return `${this.url}/milestones/${milestone.number}`
  }

  #milestone(name: string) {
    const known = this.#milestones.get(name)
    if (known) return known
    const made: Milestone = { number: this.#milestones.size + 1 }
    this.#milestones.set(name, made)
    return made
  }

  /** Ids are made for one issue after the other. */
  startIssue(): void {
    this.#ids.clear()
  }

  /** Makes an id for a record of an issue that has none. The order tells records with the same key apart. */
  idOf(kind: string, key: string): number {
    const whole = `bitbucket-issues ${kind} ${key}`
    const before = this.#ids.get(whole) ?? 0
    this.#ids.set(whole, before + 1)
    return madeId(`${whole} ${before}`)
  }

  /**
   * Adds the records that all issues contribute to.
   *
   * @param branch the branch that HEAD names
   * @param kept what belongs to no issue
   */
  finish(entry: string, branch: string, kept: JsonObject | undefined): void {
    const created_at = this.earliest()
    for (const [title, { number, first, last, kept }] of this.#milestones) {
      this.problem('date-estimated', 'milestones have the dates of their issues', entry, title)
      const record = {
        type: 'milestone',
        url: `${this.url}/milestones/${number}`,
        repository: this.url,
        user: null,
        title,
        description: null,
        state: 'open',
        due_on: null,
        created_at: first ?? created_at,
        updated_at: last ?? created_at,
        closed_at: null,
      }
      const says = kept && Object.keys(kept).length > 0
      this.add('milestones', record, says ? kept : undefined)
    }
    for (const { name } of this.#labels.values()) {
      this.problem('source-made', 'labels were made of fields of issues', entry, String(name))
    }
    this.problem('date-estimated', 'created_at is the earliest date of a record', entry)
    const owner = this.making.people.owner(this.owner, created_at)
    const record = {
      ...this.emptyRecord(),
      owner,
      labels: [...this.#labels.values()].map((label) => ({ ...label })),
      created_at,
      default_branch: branch,
    }
    this.add('repositories', record, kept)
  }
}

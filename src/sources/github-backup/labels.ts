import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import { encodeName, oneLine, type SourceRepository } from '../source-repository.ts'
import { isDerivable } from './derivable.ts'

interface Label {
  url: string
  name: string
  color: string
  description: string | null
  /** When the newest object that describes it was seen. */
  rank: string
  at: string | null
  /** The members that have no other place in a record. */
  kept: JsonObject
}

/** The labels of a repository, each with its newest description. */
export class Labels {
  readonly #repository: SourceRepository
  readonly #labels = new Map<string, Label>()

  constructor(repository: SourceRepository) {
    this.#repository = repository
  }

  /**
   * The url of a label; undefined for what has no name.
   *
   * @param seen when a thread had it; null for one of the repository's own list
   */
  urlOf(object: JsonValue, entry: string, at: string, seen: string | null): string | undefined {
    if (!isObject(object)) return undefined
    const { name } = object
    if (typeof name !== 'string' || name === '') return undefined
    const key = name.toLowerCase()
    const label = this.#labels.get(key) ?? this.#start(key, name)
    if (seen !== null && (label.at === null || seen < label.at)) label.at = seen
    // The list of the repository, which has no date, counts for more than threads do.
    const rank = seen ?? '9999'
    if (rank >= label.rank) this.#describe(label, this.#repository.members(object, entry, at), rank)
    return label.url
  }

  #describe(label: Label, members: Members, rank: string): void {
    const color = (members.text('color') ?? '').replace(/^#/, '')
    if (/^[0-9a-f]{6}$/i.test(color)) label.color = color
    label.description = oneLine(members.text('description'))
    label.rank = rank
    members.take('name')
    // These are members of the record.
    const record = { url: null, created_at: null }
    label.kept = { ...label.kept, ...members.rest('', isDerivable, record) }
  }

  #start(key: string, name: string): Label {
    const url = `${this.#repository.url}/labels/${encodeName(name)}`
    const label = { url, name, color: '', description: null, rank: '', at: null, kept: {} }
    this.#labels.set(key, label)
    return label
  }

  /** All of them as the record of the repository has them. */
  records(created_at: string): JsonObject[] {
    return [...this.#labels.values()].map(({ url, name, color, description, at, kept }) => ({
      url,
      name,
      color: color || 'ededed',
      description,
      created_at: at ?? created_at,
      ...kept,
    }))
  }
}

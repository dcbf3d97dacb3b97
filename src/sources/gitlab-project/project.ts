import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { madeId } from '../made-id.ts'
import type { Members } from '../members.ts'
import { withoutSecrets } from '../secrets.ts'
import type { SourceOptions } from '../source-options.ts'
import { encodeName, type Making, oneLine, SourceRepository } from '../source-repository.ts'
import { createDiffReader, type Versions } from './git-hunks.ts'
import { Milestones } from './milestones.ts'
import { isId } from './people.ts'
import { objectsIn, type Survey } from './survey.ts'
import { type References, withReferences } from './texts.ts'
import { type ShownBy, Uploads } from './uploads.ts'

/** Members that say nothing which their place or other records do not say. */
const DERIVABLE = new Set([
  'id',
  'project_id',
  'target_project_id',
  'noteable_type',
  'target_type',
  'source_type',
  'awardable_type',
  'lock_version',
  'relative_position',
  'system',
  'author',
  'cached_markdown_version',
  'textColor',
])

export const isDerivable = (name: string): boolean => DERIVABLE.has(name)

/** The repository that a project becomes. */
export class Project extends SourceRepository {
  readonly survey: Survey
  /** Added to the numbers of merge requests, or of issues, which are counted apart from each other. */
  readonly base: number
  /** Whether what is confidential is left out. */
  readonly leavesOutConfidential: boolean
  readonly #keeps: 'issues' | 'merge-requests'
  /** Whether texts are rewritten as GitHub has them. */
  readonly rewritesTexts: boolean
  readonly #page: string
  readonly #names: readonly string[]
  readonly #labels = new Map<string, JsonObject>()
  readonly milestones: Milestones
  readonly uploads: Uploads
  readonly #ids = new Map<string, number>()
  #readDiff: ReturnType<typeof createDiffReader> | undefined
  readonly collaborators: JsonObject[] = []
  readonly kept: JsonObject = {}
  readonly settings: JsonObject = {}

  constructor(
    place: { host: string; owner: string; name: string; path: string },
    making: Making,
    survey: Survey,
    leavesOutConfidential: boolean,
    { numbers = 'issues', texts = 'github' }: Pick<SourceOptions, 'numbers' | 'texts'> = {},
  ) {
    super(place, making)
    this.survey = survey
    this.leavesOutConfidential = leavesOutConfidential
    this.#page = `${place.host}/${place.path}`
    this.#names = [place.path, place.name]
    const { issues, merge_requests } = survey.highest
    const kept = numbers === 'issues' ? issues : merge_requests
    this.base = issues > 0 && merge_requests > 0 ? baseAbove(kept) : 0
    this.#keeps = numbers
    this.rewritesTexts = texts === 'github'
    this.milestones = new Milestones(this)
    this.uploads = new Uploads(this)
  }

  /** The changes of a file, as the Git data of the project tell them. */
  diffOf(versions: Versions): string | undefined {
    const objects = this.survey.bundles.get('repository')?.objects
    if (!objects) return undefined
    this.#readDiff ??= createDiffReader(objects)
    return this.#readDiff(versions)
  }

  /** Whether an upload that no record shows may belong to something confidential that was left out. */
  hidesUploads = (): boolean => this.leavesOutConfidential && this.survey.hasConfidential

  /** Counts what may be a secret. */
  leavesOutSecret = (entry: string) => (name: string) =>
    this.problem('source-left-out', 'tokens and passwords', entry, name)

  pullNumber = (iid: number): number => (this.#keeps === 'issues' ? this.base + iid : iid)

  issueNumber = (iid: number): number => (this.#keeps === 'issues' ? iid : this.base + iid)

  /** A sentence about the numbers that were changed; undefined if none was. */
  renumbering(): string | undefined {
    if (this.base === 0) return undefined
    const first = this.base + 1
    return this.#keeps === 'issues'
      ? `merge request !1 is pull request #${first}, and so on, because issues have the same numbers`
      : `issue #1 is issue #${first}, and so on, because merge requests have the same numbers`
  }

  /** Adds a record, with what it has no other place for. */
  add(kind: string, record: JsonObject, kept?: JsonObject): void {
    this.making.files.add(kind, kept ? { ...record, gitlab: kept } : record)
  }

  /** The rest of an object whose members were taken; undefined if nothing is left. */
  rest(members: Members, entry: string, also: readonly string[] = []): JsonObject | undefined {
    if (objectsIn(members.see('events')).length > 0) {
      this.problem('source-left-out', 'lists of activity, which repeat what records say', entry)
    }
    return members.unused(
      (name, value) =>
        DERIVABLE.has(name) ||
        name === 'events' ||
        also.includes(name) ||
        (Array.isArray(value) && value.length === 0),
    )
  }

  /** The url of the person with the number in a member. */
  person(members: Members, name: string, at: string | null): string | null {
    const id = members.take(name)
    if (id === null) return null
    return isId(id) ? this.personWithId(id, at) : members.refuse(name, id)
  }

  personWithId(id: number, at: string | null): string {
    return this.personWithLogin(this.survey.accounts.loginOf(id), at)
  }

  personWithLogin(login: string, at: string | null): string {
    const type = /^(?:project|group)_\d+_bot/.test(login) ? 'Bot' : 'User'
    return this.making.people.urlOf({ login, type }, at) ?? ''
  }

  /** Forgets the keys of the thread before: those of each have its address, and the keys of all would take the memory. */
  startThread(): void {
    this.#ids.clear()
  }

  /** The id of a record, or a made one. The order tells records of a thread with the same key apart. */
  idOf(object: JsonObject, kind: string, key: string): number {
    if (isId(object.id) && object.id < 2 ** 46) return object.id
    const whole = `gitlab-project ${kind} ${key}`
    const before = this.#ids.get(whole) ?? 0
    this.#ids.set(whole, before + 1)
    return madeId(`${whole} ${before}`)
  }

  /** The label of an object with its title; undefined for what is none. */
  label(object: JsonValue | undefined, entry: string, at: string) {
    if (!isObject(object) || typeof object.title !== 'string' || object.title === '') {
      return undefined
    }
    const { title } = object
    const known = this.#labels.get(title.toLowerCase())
    if (known) return known
    const members = this.members(object, entry, at)
    const color = (members.text('color') ?? '').replace(/^#/, '').toLowerCase()
    const label: JsonObject = {
      url: `${this.url}/labels/${encodeName(title)}`,
      name: members.text('title'),
      color: /^[0-9a-f]{6}$/.test(color) ? color : 'ededed',
      description: oneLine(members.text('description')),
      created_at: this.date(members, 'created_at', entry, null),
    }
    const kept = this.rest(members, entry, ['type', 'updated_at'])
    const whole = kept ? { ...label, gitlab: kept } : label
    this.#labels.set(title.toLowerCase(), whole)
    return whole
  }

  /** A text with references as GitHub has them. What it uploads belongs to the record that shows it. */
  text(text: string | null, entry: string, shownBy?: ShownBy): string | null {
    if (text === null || !this.rewritesTexts) return text
    const references: References = {
      upload: (path) => shownBy && this.uploads.urlOf(path, shownBy),
      pull: this.pullNumber,
      issue: this.issueNumber,
      names: this.#names,
      page: this.#page,
      url: this.url,
    }
    const changed = withReferences(text, references)
    if (changed !== text) {
      const reason = 'references to merge requests, issues and uploads'
      this.problem('text-rewritten', reason, entry, shownBy?.url)
    }
    return changed
  }

  /** Adds the records that all others contribute to. */
  finish(branch: string, isPrivate: boolean): void {
    const { project = {} } = this.survey
    const entry = `${this.survey.top}tree/project.json`
    this.milestones.finish()
    const members = this.members(project, entry)
    const created = members.time('created_at')
    const created_at = created ?? this.earliest()
    if (created === null) {
      this.problem('date-estimated', 'created_at is the earliest date of a record', entry)
    }
    members.take('visibility_level')
    members.take('description')
    const kept = {
      ...this.rest(withoutSecrets(members, this.leavesOutSecret(entry)), entry),
      ...this.kept,
    }
    const record = {
      ...this.emptyRecord(),
      owner: this.making.people.owner(this.owner, created_at),
      description: oneLine(typeof project.description === 'string' ? project.description : null),
      private: isPrivate,
      ...this.settings,
      is_archived: members.flag('archived') ?? false,
      labels: [...this.#labels.values()],
      collaborators: this.collaborators,
      created_at,
      default_branch: branch,
      ...(this.survey.bundles.has('wiki') && {
        wiki_url: `tarball://root/${this.gitFolder('wiki')}`,
      }),
    }
    this.add('repositories', record, Object.keys(kept).length > 0 ? kept : undefined)
  }
}

/** The least of 1,000, 10,000 and so on that is above a number. */
function baseAbove(number: number): number {
  let base = 1000
  while (base <= number) base *= 10
  return base
}

import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { asUuid, madeId, madeUuid } from '../made-id.ts'
import type { Members } from '../members.ts'
import type { SourceOptions } from '../source-options.ts'
import { encodeName, type Making, oneLine, SourceRepository } from '../source-repository.ts'
import { uploadOf, uploadRecord } from '../upload.ts'
import { createDiffReader, type Versions } from './git-hunks.ts'
import { isId } from './people.ts'
import { keyOf, objectsIn, type Survey } from './survey.ts'
import { type References, withReferences } from './texts.ts'

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
  readonly #milestones: ReadonlyMap<string, number>
  readonly #milestoneRecords = new Map<number, JsonObject>()
  readonly #ids = new Map<string, number>()
  readonly #uploads = new Map<string, string>()
  /** Where the files of uploads go: several places for one that several threads show. */
  readonly moved = new Map<string, string[]>()
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
    this.#milestones = numbersOf(survey)
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

  /** The id of a record, or a made one. The order tells records with the same key apart. */
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

  /** The url of a milestone, whose record is made when it is seen first. */
  milestone(object: JsonValue | undefined, entry: string, at: string): string | null {
    if (!isObject(object)) return null
    const number = this.#milestones.get(keyOf(object))
    if (number === undefined) return null
    const url = `${this.url}/milestones/${number}`
    if (this.#milestoneRecords.has(number)) return url
    const members = this.members(object, entry, at)
    members.take('iid')
    const updated_at = members.time('updated_at')
    const created_at = this.date(members, 'created_at', entry, updated_at)
    const isClosed = members.text('state') === 'closed'
    if (isClosed) {
      const reason = 'closed_at of milestones is the time of the last change'
      this.problem('date-estimated', reason, entry, at)
    }
    const due = members.text('due_date')
    const record: JsonObject = {
      type: 'milestone',
      url,
      repository: this.url,
      user: null,
      title: members.text('title') ?? '',
      description: this.text(members.text('description'), entry),
      state: isClosed ? 'closed' : 'open',
      due_on: due !== null && /^\d{4}-\d\d-\d\d$/.test(due) ? `${due}T00:00:00Z` : null,
      created_at,
      updated_at: updated_at ?? created_at,
      closed_at: isClosed ? (updated_at ?? created_at) : null,
    }
    const kept = this.rest(members, entry)
    this.#milestoneRecords.set(number, kept ? { ...record, gitlab: kept } : record)
    return url
  }

  /** A text with references as GitHub has them. What it uploads belongs to the record that shows it. */
  text(
    text: string | null,
    entry: string,
    shownBy?: { thread: string; type: string; url: string; user: string | null; at: string },
  ): string | null {
    if (text === null || !this.rewritesTexts) return text
    const references: References = {
      upload: (path) => shownBy && this.#upload(path, shownBy),
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

  #upload(
    path: string,
    {
      thread,
      type,
      url,
      user,
      at,
    }: { thread: string; type: string; url: string; user: string | null; at: string },
  ): string | undefined {
    const head = this.survey.uploads.get(path)
    if (head === undefined) return undefined
    const known = this.#uploads.get(`${thread} ${path}`)
    if (known !== undefined) return known
    const [hex = '', name = ''] = path.split('/')
    // An importer moves a file. Each thread that shows it gets one of its own.
    const places = this.moved.get(path) ?? []
    const key = `gitlab-project uploads ${path}${places.length > 0 ? ` ${thread}` : ''}`
    const upload = uploadOf(this.host, {
      name,
      head,
      uuid: () => (places.length > 0 ? madeUuid(key) : asUuid(hex)),
      number: () => madeId(key),
    })
    places.push(upload.path)
    this.moved.set(path, places)
    this.#uploads.set(`${thread} ${path}`, upload.url)
    const of = { repository: this.url, parent: type, parentUrl: url, user, at }
    this.add(upload.kind, uploadRecord(upload, of))
    return upload.url
  }

  /** Adds the records that all others contribute to. */
  finish(branch: string, isPrivate: boolean): void {
    const { project = {} } = this.survey
    const entry = `${this.survey.top}tree/project.json`
    const numbers = [...this.#milestoneRecords.keys()].sort((a, b) => a - b)
    for (const n of numbers) this.add('milestones', this.#milestoneRecords.get(n) as JsonObject)
    const members = this.members(project, entry)
    const created = members.time('created_at')
    const created_at = created ?? this.earliest()
    if (created === null) {
      this.problem('date-estimated', 'created_at is the earliest date of a record', entry)
    }
    members.take('visibility_level')
    members.take('description')
    const kept = { ...this.rest(withoutSecrets(members, this, entry), entry), ...this.kept }
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

/** Members that may hold a secret. */
const SECRET = /token|secret|password/i

/** The same members without those that may hold a secret, which are counted. */
export function withoutSecrets(members: Members, project: Project, entry: string): Members {
  const leaveOut = (name: string) =>
    project.problem('source-left-out', 'tokens and passwords', entry, name)
  for (const name of members.names()) {
    const value = members.see(name)
    if (isSecret(name, value)) {
      members.take(name)
      leaveOut(name)
    } else if (typeof value === 'object' && value !== null) {
      members.keep(name, cleaned(value, leaveOut))
    }
  }
  return members
}

const isSecret = (name: string, value: JsonValue): boolean =>
  SECRET.test(name) && typeof value === 'string'

/** A value without secrets, however deep they are: settings of integrations have theirs in an object. */
function cleaned(value: JsonValue, leaveOut: (name: string) => void): JsonValue {
  if (Array.isArray(value)) return value.map((element) => cleaned(element, leaveOut))
  if (!isObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [name, inner] of Object.entries(value)) {
    if (isSecret(name, inner)) leaveOut(name)
    else kept.push([name, cleaned(inner, leaveOut)])
  }
  return Object.fromEntries(kept)
}

/** The least of 1,000, 10,000 and so on that is above a number. */
function baseAbove(number: number): number {
  let base = 1000
  while (base <= number) base *= 10
  return base
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

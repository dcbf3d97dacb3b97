import type { ArchiveEntry } from '../../archive/entry.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Clone } from '../clone.ts'
import type { Members } from '../members.ts'
import type { People } from '../people.ts'
import type { RecordFiles } from '../record-files.ts'
import {
  encodeName,
  type GitPart,
  type Making,
  oneLine,
  SourceRepository,
} from '../source-repository.ts'
import { isDerivable } from './derivable.ts'
import { fromRest } from './from-rest.ts'
import { Labels } from './labels.ts'
import { Milestones } from './milestones.ts'
import type { Unclaimed } from './named-files.ts'
import { endOfAddress, type SurveyedRepository } from './survey.ts'

/** A repository whose records are being made. */
export class Repository extends SourceRepository {
  readonly facts: SurveyedRepository
  readonly #people: People
  readonly #files: RecordFiles
  readonly labels = new Labels(this)
  readonly milestones = new Milestones(this)
  readonly #categories = new Set<string>()
  readonly #commitComments = new Set<string>()
  readonly #made = new Set<GitPart>()
  #newest: { at: string; object: JsonObject; entry: string } | undefined
  /** As its record has them. */
  webhooks: JsonObject[] = []
  #ownerIsPerson = false
  #ownerHasMembers = false

  constructor(facts: SurveyedRepository, making: Making) {
    super(facts, making)
    this.facts = facts
    this.#people = making.people
    this.#files = making.files
  }

  /** Adds a record, with the members that it has no other place for. */
  add(kind: string, record: JsonObject, members: Members, also: readonly string[] = []): void {
    const kept = members.rest(kind, (name) => isDerivable(name) || also.includes(name), record)
    this.#files.add(kind, { ...record, ...kept })
  }

  /** Adds a record of a kind that archives do not have, with all members but its address in the interface. */
  addWhole(kind: string, identity: JsonObject, members: Members): void {
    const record = { ...identity, repository: this.url }
    this.#files.add(kind, { ...record, ...members.rest(kind, (name) => name === 'url', record) })
  }

  /** The address of a page, with the name that the repository has now if it is one of its own. */
  current(page: string): string {
    const end = endOfAddress(page)
    const isOwn = this.facts.addresses.has(page.slice(0, end).toLowerCase())
    return isOwn ? this.url + page.slice(end) : page
  }

  /** Counts a thread whose page has a former name of the repository. */
  noteName(members: Members, entry: string): void {
    const page = members.see('html_url')
    if (typeof page !== 'string') return
    const { address, addresses } = this.facts
    const its = page.slice(0, endOfAddress(page)).toLowerCase()
    if (its === address || !addresses.has(its)) return
    this.problem('source-made', 'addresses with a former name of it got the new one', entry)
  }

  /**
   * Counts a member that says something else than another place, whose value was used.
   *
   * @param where the other place, such as `the name of the file`
   */
  compare(members: Members, name: string, used: JsonValue, where: string, entry: string): void {
    const told = members.see(name)
    if (told === null || told === used) return
    const reason = `${name} is not what ${where} says, which was used`
    this.problem('source-left-out', reason, entry, `${name} ${String(told).slice(0, 20)}`)
  }

  /** The url of a person in a member. */
  person(members: Members, name: string, at: string | null): string | null {
    const value = members.take(name)
    const url = this.#people.urlOf(value, at)
    return url === undefined ? members.refuse(name, value) : url
  }

  /** The urls of the people in a list. */
  persons(members: Members, name: string, at: string | null): string[] {
    const urls = members.list(name, (each) => this.#people.urlOf(each, at))
    return [...new Set(urls.filter((url) => url !== null))]
  }

  /** Remembers whose repository it may be. */
  noteAssociation(members: Members): void {
    const word = members.see('author_association')
    if (word === 'MEMBER') this.#ownerHasMembers = true
    const user = members.see('user')
    if (word !== 'OWNER' || !isObject(user) || typeof user.login !== 'string') return
    if (user.login.toLowerCase() === this.facts.owner.toLowerCase()) this.#ownerIsPerson = true
  }

  /** Remembers what a pull request says about its repository. */
  noteDescription(object: JsonObject, entry: string): void {
    const at = typeof object.updated_at === 'string' ? object.updated_at : ''
    if (this.#newest && this.#newest.at >= at) return
    this.#newest = { at, object, entry }
  }

  /** The Git data of the repository or its wiki, for which there is a clone, or must be an empty one. */
  override clone(part: GitPart): Clone {
    const { owner, name, clones } = this.facts
    const isNew = !clones.has(part) && !this.#made.has(part)
    if (isNew) {
      this.#made.add(part)
      const reason = 'there is no clone of it; an empty repository was made'
      this.problem('source-made', reason, `${owner}/${name}`)
    }
    return super.clone(part, clones.get(part) ?? false)
  }

  /** The url of a category of discussions, whose record is added when it is seen first. */
  category(object: JsonObject, entry: string): string {
    const members = this.members(object, entry, 'category')
    const name = members.text('name') || 'General'
    const url = `${this.url}/discussion_categories/${encodeName(name)}`
    if (this.#categories.has(url)) return url
    this.#categories.add(url)
    const record: JsonObject = {
      type: 'discussion_category',
      url,
      repository: this.url,
      name,
      emoji: members.text('emoji'),
      description: members.text('description'),
    }
    this.add('discussion_categories', record, members, ['id', 'emojiHTML', '__typename'])
    return url
  }

  /** Whether a comment on a commit was not seen before. */
  isNewCommitComment(url: string): boolean {
    const before = this.#commitComments.size
    return this.#commitComments.add(url).size > before
  }

  /** The uploads of a thread, such as `issues/7`. */
  uploadsOf(thread: string): Unclaimed {
    return new Map(this.facts.uploads.threads.get(thread))
  }

  /** Adds the records that all others contribute to. */
  *finish(): Generator<ArchiveEntry> {
    this.milestones.finish()
    const record = this.#record()
    this.#files.add('repositories', record)
    for (const clone of this.clones()) yield* clone.finish(String(record.default_branch))
  }

  #record(): JsonObject {
    const { facts } = this
    const { object = {}, entry = '' } = this.#newest ?? {}
    const members = this.members(object, entry, 'base.repo')
    const created = members.time('created_at')
    const created_at = created ?? this.earliest()
    if (created === null) {
      this.problem('date-estimated', 'created_at is the earliest date of a record', facts.name)
    }
    this.person(members, 'owner', created_at)
    const owner = this.#people.owner(facts.owner, created_at)
    if (this.#ownerIsPerson && !this.#ownerHasMembers) this.#people.notePerson(facts.owner)
    const branchOfClone = this.clone('repository').branch()
    const branch = members.branch('default_branch') ?? branchOfClone ?? null
    if (branch === null) {
      this.problem('source-made', 'default_branch is not told; main was used', facts.name)
    }
    const told = Object.entries(fromRest(this, 'repositories', members, created_at))
    const topics = members.texts('topics')
    members.take('name')
    return {
      ...this.emptyRecord(),
      owner,
      description: oneLine(members.text('description')),
      ...Object.fromEntries(told.filter(([, value]) => value !== null)),
      labels: this.labels.records(created_at),
      created_at,
      default_branch: branch ?? 'main',
      webhooks: this.webhooks,
      repository_topics: topics.map((topic) => ({
        topic_url: null,
        topic_name: topic,
        repository: this.url,
        creator: null,
        state: 'created',
        created_at,
        updated_at: created_at,
      })),
      ...(facts.clones.has('wiki') && { wiki_url: `tarball://root/${this.gitFolder('wiki')}` }),
      ...members.rest('repositories', (name) => isDerivable(name) || OF_REPOSITORY.has(name)),
    }
  }
}

/** Members of a repository that are counts, or say again what others say. */
const OF_REPOSITORY = new Set([
  'forks',
  'forks_count',
  'full_name',
  'open_issues',
  'open_issues_count',
  'stargazers_count',
  'visibility',
  'watchers',
  'watchers_count',
])

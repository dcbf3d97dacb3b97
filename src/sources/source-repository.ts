import type { JsonObject } from '../records/json/json.ts'
import { type Clone, openClone } from './clone.ts'
import { Members } from './members.ts'
import { type People, partOfUrl, UNKNOWN } from './people.ts'
import type { RecordFiles } from './record-files.ts'
import type { SourceProblems } from './source-problems.ts'

/** Everything that records of a repository are made with. */
export interface Making {
  people: People
  files: RecordFiles
  problems: SourceProblems
  /** The date of entries. */
  date: Date
  /** Whether it is private if nothing says so. */
  isPrivate: boolean
}

/** The Git data of a repository, or of its wiki. */
export type GitPart = 'repository' | 'wiki'

/** A repository whose records are being made. */
export class SourceRepository {
  readonly url: string
  readonly host: string
  readonly owner: string
  readonly name: string
  readonly making: Making
  readonly #clones = new Map<GitPart, Clone>()
  #earliest = ''

  constructor(place: { host: string; owner: string; name: string }, making: Making) {
    const { host, owner, name } = place
    this.host = host
    this.owner = owner
    this.name = name
    this.url = `${host}/${partOfUrl(owner)}/${partOfUrl(name)}`
    this.making = making
  }

  /** Reads the members of an object in a file. */
  members(object: JsonObject, entry: string, at = ''): Members {
    return new Members(object, (member) =>
      this.problem(
        'source-member',
        `the value of ${member.slice(0, 100)} has another type or form than expected; it was kept as it is`,
        entry,
        at === '' ? member : `${at}.${member}`,
      ),
    )
  }

  problem(code: Parameters<SourceProblems['add']>[0], reason: string, entry: string, at?: string) {
    this.making.problems.add(code, `${this.owner}/${this.name}: ${reason}`, entry, at)
  }

  /** A date that every record has. Without one, the earliest that is known of the thing. */
  date(members: Members, name: string, entry: string, otherwise: string | null): string {
    const found = members.time(name)
    const at = found ?? otherwise ?? UNKNOWN
    if (found === null) {
      const reason = `${name.slice(0, 100)} is missing; another date was used`
      this.problem('date-estimated', reason, entry)
    }
    if (this.#earliest === '' || at < this.#earliest) this.#earliest = at
    return at
  }

  /** The earliest date of a record. */
  earliest(): string {
    return this.#earliest || UNKNOWN
  }

  /** The Git data of the repository or its wiki. */
  clone(part: GitPart, hasWorkTree = false): Clone {
    let clone = this.#clones.get(part)
    if (!clone) {
      clone = openClone(this.gitFolder(part), {
        hasWorkTree,
        date: this.making.date,
        leaveOut: (reason, entry) => this.problem('source-left-out', reason, entry),
      })
      this.#clones.set(part, clone)
    }
    return clone
  }

  clones(): Iterable<Clone> {
    return this.#clones.values()
  }

  gitFolder(part: GitPart): string {
    return `repositories/${this.owner}/${this.name}${part === 'wiki' ? '.wiki' : ''}.git`
  }

  /** A record of it without anything that a source may say, to be completed. */
  protected emptyRecord(): JsonObject {
    return {
      type: 'repository',
      url: this.url,
      owner: null,
      name: this.name,
      description: null,
      website: null,
      private: this.making.isPrivate,
      has_issues: true,
      has_wiki: false,
      has_downloads: true,
      is_archived: false,
      labels: [],
      collaborators: [],
      created_at: this.earliest(),
      git_url: `tarball://root/${this.gitFolder('repository')}`,
      default_branch: 'main',
      webhooks: [],
      page: null,
      public_keys: [],
      repository_topics: [],
      autolinks: [],
    }
  }
}

/** A name in an address, as the host encodes those of labels. */
export const encodeName = (name: string): string => encodeURIComponent(name.toWellFormed())

// biome-ignore lint/suspicious/noControlCharactersInRegex: descriptions must not have them
const CONTROLS = /[\u0000-\u001f\u007f]+/g

/** A description of a repository or of a label, which has one line. */
export const oneLine = (text: string | null) => text?.replace(CONTROLS, ' ') ?? null

import type { ArchiveEntry } from '../../archive/entry.ts'
import { isObject, type JsonObject, type JsonValue, textOrEmpty } from '../../records/json/json.ts'
import { repositoryName } from '../file-name.ts'
import { timeOf } from '../members.ts'
import { type ParkedList, type ParkedLists, parkLists } from '../park-lists.ts'
import type { SourceReading } from '../source.ts'
import { collectNames, type Names } from './people.ts'

/** The lists that are read; other members are kept. */
const LISTS = ['issues', 'comments', 'logs', 'attachments', 'milestones'] as const

type ListName = (typeof LISTS)[number]

/** A list of things that belong to issues. */
export type OwnedList = 'comments' | 'logs' | 'attachments'

/** An attachment as its list has it. */
export interface Listed {
  path: string
  name: string
  issue: number
}

/** A milestone as its list has it, and what it says beside its name. */
export interface ListedMilestone {
  name: string
  kept: JsonObject
}

/** The lists of an export, and what must be known of them before records are made. */
export interface Lists {
  /** Members that are no such lists. */
  readonly rest: JsonObject
  /** Where the issue with each number is. */
  readonly issues: ReadonlyMap<number, number>
  readonly attachments: readonly Listed[]
  readonly names: Names
  readonly milestones: readonly ListedMilestone[]
  /** The owner and name of the repository, if a change tells them. */
  readonly repository: readonly [owner: string, name: string] | undefined
  /** The latest time of an issue or comment; empty if there is none. */
  readonly latest: string
  element(list: ListName, index: number): JsonObject
  /** The places of the things that belong to an issue. */
  of(list: OwnedList, issue: number): readonly number[]
  /** Elements that belong to no issue or are no objects, in the order of the file. */
  strays(): Generator<{ reason: string; at: string }>
  close(): void
}

/** Reads the lists of an export; undefined if the file holds something else. */
export async function readLists(
  entry: ArchiveEntry,
  reading: SourceReading,
): Promise<Lists | undefined> {
  const survey = new ListSurvey()
  const parked = await parkLists(entry, reading, {
    isParked: (name) => isList(name),
    visit: (list, element, index) => survey.note(list as ListName, element, index),
  })
  if (parked?.lists.has('issues')) return survey.finish(parked)
  parked?.close()
  return undefined
}

const isList = (name: string): boolean => (LISTS as readonly string[]).includes(name)

class ListSurvey {
  readonly #issues = new Map<number, number>()
  readonly #owned: Readonly<Record<OwnedList, Map<number, number[]>>> = {
    comments: new Map(),
    logs: new Map(),
    attachments: new Map(),
  }
  readonly #strays: { list: ListName; index: number; reason: string }[] = []
  readonly #attachments: Listed[] = []
  readonly #names = collectNames()
  readonly #milestones: ListedMilestone[] = []
  #repository: [string, string] | undefined
  #latest = ''

  note(list: ListName, element: JsonValue, index: number): void {
    if (list === 'attachments') this.#attachments[index] = listedAs(element)
    if (!isObject(element)) {
      this.#stray(list, index, `elements of ${list} that are no objects`)
    } else if (list === 'milestones') {
      const { name, ...kept } = element
      if (typeof name === 'string') this.#milestones.push({ name, kept })
      else this.#stray(list, index, 'milestones without a name')
    } else if (list === 'issues') {
      this.#noteIssue(element, index)
    } else {
      this.#names.note(element.user)
      if (list === 'comments') this.#noteTimes(element)
      if (list === 'logs') this.#repository ??= repositoryIn(element)
      this.#noteOwned(list, element, index)
    }
  }

  finish({ rest, lists, close }: ParkedLists): Lists {
    const none: ParkedList = { length: 0, get: () => null }
    const parked = (list: ListName) => lists.get(list) ?? none
    const strays = () => this.#orderedStrays()
    return {
      rest: Object.fromEntries(Object.entries(rest).filter(([name]) => !isList(name))),
      issues: this.#issues,
      attachments: this.#attachments,
      names: this.#names.finish(),
      milestones: this.#milestones,
      repository: this.#repository,
      latest: this.#latest,
      element: (list, index) => parked(list).get(index) as JsonObject,
      of: (list, issue) => this.#owned[list].get(issue) ?? [],
      *strays() {
        for (const list of LISTS) {
          const value = rest[list] ?? null
          if (value !== null) yield { reason: `${list} that are no list`, at: list }
        }
        yield* strays()
      },
      close,
    }
  }

  #noteIssue(issue: JsonObject, index: number): void {
    this.#names.note(issue.reporter)
    this.#names.note(issue.assignee)
    this.#noteTimes(issue)
    const { id } = issue
    if (!isNumber(id)) this.#stray('issues', index, 'issues without a number')
    else if (this.#issues.has(id)) {
      this.#stray('issues', index, 'issues with the number of another one')
    } else this.#issues.set(id, index)
  }

  #noteOwned(list: OwnedList, { issue }: JsonObject, index: number): void {
    const known = isNumber(issue) ? this.#owned[list].get(issue) : undefined
    if (!isNumber(issue)) this.#stray(list, index, `${list} of no issue`)
    else if (known) known.push(index)
    else this.#owned[list].set(issue, [index])
  }

  #noteTimes({ updated_on, created_on }: JsonObject): void {
    for (const value of [updated_on, created_on]) {
      const time = typeof value === 'string' ? timeOf(value) : undefined
      if (time !== undefined && time > this.#latest) this.#latest = time
    }
  }

  #stray(list: ListName, index: number, reason: string): void {
    this.#strays.push({ list, index, reason })
  }

  *#orderedStrays(): Generator<{ reason: string; at: string }> {
    const ofNone = Object.entries(this.#owned).flatMap(([list, owned]) =>
      [...owned]
        .filter(([issue]) => !this.#issues.has(issue))
        .flatMap(([, places]) => places)
        .map((index) => ({ list: list as ListName, index, reason: `${list} of no issue` })),
    )
    const place = ({ list, index }: { list: ListName; index: number }) =>
      LISTS.indexOf(list) * 2 ** 32 + index
    for (const { list, index, reason } of [...this.#strays, ...ofNone].sort(
      (a, b) => place(a) - place(b),
    )) {
      yield { reason, at: `${list}[${index}]` }
    }
  }
}

function listedAs(attachment: JsonValue): Listed {
  const { path, filename, issue } = isObject(attachment) ? attachment : {}
  return {
    path: textOrEmpty(path),
    name: textOrEmpty(filename),
    issue: isNumber(issue) ? issue : 0,
  }
}

const UPLOADED = /^\/([^/\s]+)\/([^/\s]+)\/issue-attachment\//

function repositoryIn({ field, changed_from: from }: JsonObject): [string, string] | undefined {
  const [, owner, name] =
    (field === 'attachment' && typeof from === 'string' && UPLOADED.exec(from)) || []
  return isName(owner) && isName(name) ? [owner, name] : undefined
}

const isName = (name: string | undefined): name is string =>
  name !== undefined && repositoryName(name) === name

export const isNumber = (value: JsonValue | undefined): value is number =>
  Number.isSafeInteger(value) && (value as number) > 0

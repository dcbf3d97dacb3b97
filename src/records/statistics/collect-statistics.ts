import type { Report } from '../../base/errors.ts'
import { copyOf, decodeUtf8, encodeUtf8 } from '../json/latin1.ts'
import { kindNamed, kindOfRecord } from '../kinds/kind-of-record.ts'
import { createProblemAggregator } from '../problem-aggregator.ts'
import type { PlacedRecord } from '../read-records.ts'
import { factsOf, type RecordFacts } from './record-facts.ts'
import { byFullName } from './repository-of-record.ts'

/** The records of a kind, counted. */
export interface KindStatistics {
  /** Number of records. */
  records: number
  /** Number of record files. */
  files: number
  /** Whether this package knows the kind. */
  known: boolean
  /** Earliest and latest created_at. */
  first?: string
  /** The latest created_at. */
  last?: string
  /** Records by the month of their created_at, such as 2024-05; of the years 1970 to 2199. */
  months?: Record<string, number>
}

/** Records that belong to a repository, by kind. */
export type RepositoryStatistics = Record<string, number>

/** A person and the number of issues, pull requests, comments, reviews, discussions and releases they wrote. */
export interface Writer {
  /** The login of the person. */
  login: string
  /** How many they wrote. */
  records: number
}

/** The result of a pass over records: counts, dates, repositories and people. */
export interface RecordStatistics {
  /** By the names of record files without their numbers: known kinds, and others. */
  kinds: Record<string, KindStatistics>
  /** By owner/name; by URL where repositories of two hosts have one name. */
  repositories: Record<string, RepositoryStatistics>
  /** The people who wrote the most. */
  writers(limit: number): Writer[]
  addRecordFile(stem: string): void
  /** Counts records read with `bytesAsText`. */
  add(stem: string, batch: readonly PlacedRecord[]): void
  /** Counts records whose texts are decoded. */
  addDecoded(stem: string, batch: readonly PlacedRecord[]): void
  /** Counts canonical records of a known kind. */
  addCanonical(stem: string, records: Iterable<RecordFacts>): void
  /** Reports the problems found. */
  finish(): void
}

/** The number of repositories and people counted separately, at most, so that memory stays bounded. */
const MOST_REPOSITORIES = 100_000
const MOST_PEOPLE = 100_000

const LONGEST_LOGIN = 500

/** Kinds whose records people write, by `user`. */
export const WRITTEN: ReadonlySet<string> = new Set([
  'issues',
  'pull_requests',
  'discussions',
  'releases',
  'issue_comments',
  'commit_comments',
  'pull_request_reviews',
  'pull_request_review_comments',
  'review_comments',
  'discussion_comments',
])

// Archives choose the times, so the number of months is limited.
const MONTH = /^(?:19[7-9]\d|2[01]\d\d)-(?:0[1-9]|1[0-2])-/

/** The counts of a kind. */
interface OpenKind {
  name: string
  survey: KindStatistics
  months: Counter
  isWritten: boolean
}

export function createRecordStatistics(report: Report): RecordStatistics {
  // Without prototypes, because archives choose the keys.
  const kinds: RecordStatistics['kinds'] = Object.create(null)
  const repositories: RecordStatistics['repositories'] = Object.create(null)
  const open = new Map<string, OpenKind>()
  const byRepository = new Map<string, Counter>()
  const people = new Counter(MOST_PEOPLE)
  const tally = createProblemAggregator(report)

  const openKind = (name: string): OpenKind => {
    let known = open.get(name)
    if (!known) {
      const survey = { records: 0, files: 0, known: kindNamed(name) !== undefined }
      kinds[name] = survey
      known = { name, survey, months: new Counter(), isWritten: WRITTEN.has(name) }
      open.set(name, known)
    }
    return known
  }
  const noteTime = ({ survey, months }: OpenKind, time: string) => {
    if (survey.first === undefined || time < survey.first) survey.first = copyOf(time)
    if (survey.last === undefined || time > survey.last) survey.last = copyOf(time)
    const month = time.slice(0, 7)
    if (!months.addKnown(month) && MONTH.test(time)) months.add(month)
  }
  const noteRepository = (url: string, kind: string) => {
    let counter = byRepository.get(url)
    if (!counter) {
      if (byRepository.size === MOST_REPOSITORIES) return
      counter = new Counter()
      byRepository.set(copyOf(url), counter)
    }
    counter.add(kind)
  }

  const note = (kind: OpenKind, { time, writer, repository }: RecordFacts) => {
    kind.survey.records++
    if (time !== undefined) noteTime(kind, time)
    // No login is that long, and it would be kept in memory.
    if (kind.isWritten && writer !== undefined && writer.length <= LONGEST_LOGIN) people.add(writer)
    if (repository !== undefined) noteRepository(repository, kind.name)
  }

  const addOne = (
    stem: string,
    { record, entry, index }: PlacedRecord,
    bytesOf: (text: string) => string,
  ) => {
    const name = kindOfRecord(stem, record)
    const kind = openKind(name)
    const { time, writer, repository } = factsOf(name, record)
    note(kind, {
      time,
      writer: writer && bytesOf(writer),
      repository: repository && bytesOf(repository),
    })

    const place = { entry, record: index }
    if (typeof record.url !== 'string')
      tally.note('record-without-url', `a record of ${name} without a url`, place)
    if (!kind.survey.known) tally.note('kind-unknown', `records of the unknown kind ${name}`, place)
    else if (name !== stem)
      tally.note('record-type', `a record of ${name} in a file of ${stem}`, place)
  }

  return {
    kinds,
    repositories,
    writers: (most) =>
      people.counts
        .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
        .slice(0, most)
        .map(([login, records]) => ({ login, records })),
    addRecordFile(stem) {
      openKind(stem).survey.files++
    },
    add(stem, batch) {
      for (const placed of batch) addOne(stem, placed, (text) => text)
    },
    addDecoded(stem, batch) {
      for (const placed of batch) addOne(stem, placed, encodeUtf8)
    },
    addCanonical(stem, records) {
      const kind = openKind(stem)
      for (const facts of records) note(kind, facts)
    },
    finish() {
      tally.flush()
      for (const { survey, months } of open.values()) {
        const { counts } = months
        if (counts.length > 0) survey.months = Object.fromEntries(counts)
      }
      for (const [name, { counts }] of byFullName(byRepository)) {
        const kinds = Object.assign(Object.create(null), Object.fromEntries(counts))
        repositories[decodeUtf8(name)] = kinds
      }
    },
  }
}

/** Counts Latin-1 strings taken from an archive. After `most` different ones, it counts only those it knows. */
class Counter {
  readonly #counts = new Map<string, { count: number }>()
  readonly #most: number

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most
  }

  add(text: string): void {
    if (this.addKnown(text) || this.#counts.size === this.#most) return
    this.#counts.set(copyOf(text), { count: 1 })
  }

  /** Counts a known string; returns false for any other. */
  addKnown(text: string): boolean {
    const known = this.#counts.get(text)
    if (known) known.count++
    return known !== undefined
  }

  /** Each string and its count, in order of first appearance. */
  get counts(): [text: string, count: number][] {
    return [...this.#counts].map(([text, { count }]) => [decodeUtf8(text), count])
  }
}

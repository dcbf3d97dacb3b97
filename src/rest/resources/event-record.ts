import { lockReasonOf } from '../../database/schema/facts/threads.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IssueEvent } from '../../reading/threads/issue-events.ts'
import { asObject, asTextOrNull, parseJson } from '../../reading/values.ts'
import type { Rendering } from './rendering.ts'

/** The previews that a request for issue events asks for. */
export interface EventPreviews {
  readonly projectCards: boolean
  readonly lockReasons: boolean
  readonly apps: boolean
  /** The documentation says that ids of cards are texts; clients expect numbers. */
  readonly cardIds: 'text' | 'number'
}

/** Columns that the members of an event come from. */
const COLUMNS = [
  'url',
  'actor',
  'event',
  'subject',
  'title_was',
  'title_is',
  'commit_id',
  'commit_repository',
  'label',
  'label_name',
  'label_color',
  'milestone_title',
  'milestone',
  '_extra',
] as const

/** The record of an issue event: its columns by name, and all members that have none. */
export interface EventRecord {
  readonly event: IssueEvent
  readonly repository: IndexedRepository
  readonly columns: Readonly<Record<Exclude<(typeof COLUMNS)[number], '_extra'>, unknown>>
  readonly extra: Readonly<Record<string, unknown>>
  /** Why it locked the thread; null if it did not, or does not say. */
  readonly lockReason: string | null
}

/** Reads the record of an issue event. Undefined if it is gone. */
export function readEvent({ reader }: Rendering, event: IssueEvent): EventRecord | undefined {
  const repository = reader.repositories.byId(event.repository)
  if (!repository) return undefined
  const columnsAndReason = `${COLUMNS.join(', ')}, ${lockReasonOf('issue_events')}`
  const row = repository.store.record('issue_events', columnsAndReason, event.row)
  if (!row) return undefined
  const columns = Object.fromEntries(COLUMNS.map((name, i) => [name, row[i]]))
  return {
    event,
    repository,
    extra: asObject(parseJson(columns._extra)),
    columns: columns as EventRecord['columns'],
    lockReason: asTextOrNull(row.at(-1)),
  }
}

const COMMIT_ID = /^[0-9a-f]{40}$/

/** A commit id of 40 hexadecimal digits; null for anything else. */
export const toCommitId = (value: unknown): string | null =>
  typeof value === 'string' && COMMIT_ID.test(value) ? value : null

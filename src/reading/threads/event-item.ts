import { readMilestone } from '../milestones.ts'
import { repositoryOf } from '../names.ts'
import { loginAt } from '../people/logins.ts'
import type { Store } from '../store.ts'
import {
  type EventPart,
  type EventRow,
  eventParts,
  eventWords,
  wordsElsewhere,
} from './event-sentences.ts'
import type { TimelineItem } from './thread.ts'

/** An event with its fields, for faces that show more than a sentence. */
export interface EventItem {
  readonly kind: 'event'
  readonly url: string | null
  readonly author: string | null
  readonly created_at: string | null
  readonly event: string
  /** The action of the author, in pieces. */
  readonly parts: EventPart[]
  /** The fields as stored. */
  readonly row: EventRow
}

/** An event of its row. */
export function toEvent(store: Store, row: EventRow): EventItem {
  const { url, author, created_at, event, subject = null } = row
  // A subject is a person, a team, a thread or a repository.
  const isPerson = subject !== null && repositoryOf(subject) === null
  const person = isPerson ? loginAt(store, subject) : null
  const title = milestoneTitle(store, row)
  return {
    kind: 'event',
    url,
    author,
    created_at,
    event: event ?? '',
    parts: eventParts(event ?? '', {
      ...eventWords(row),
      ...(person && { subject: person }),
      ...(title && { milestone_title: title }),
    }),
    row,
  }
}

/** The title of the milestone of an event. One of another repository, which no honest archive names, has none. */
function milestoneTitle(store: Store, { url, milestone, milestone_title }: EventRow) {
  if (milestone_title != null || milestone == null) return milestone_title
  const isOwn = repositoryOf(milestone) === repositoryOf(url)
  return isOwn ? readMilestone({ store }, milestone)?.title : undefined
}

/** An event with its action as one text, in which what `hides` says of a URL has no name. */
export function withSentence(
  { parts, row, ...event }: EventItem,
  hides: (url: string) => boolean = () => false,
): TimelineItem {
  const words = parts.map((part) => {
    if (typeof part === 'string') return part
    const value = row[part.field]
    return typeof value === 'string' && hides(value) ? wordsElsewhere(value) : part.text
  })
  return { ...event, sentence: words.join('') }
}

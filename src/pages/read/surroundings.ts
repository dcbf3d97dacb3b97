import type { Repository } from '../../reading/library.ts'
import { type Milestone, readMilestone } from '../../reading/milestones.ts'
import { loginAt, loginsAt } from '../../reading/people/logins.ts'
import type { Thread } from '../../reading/threads/thread.ts'
import {
  headRepository,
  type LinkedThread,
  linkedThreads,
  participantsOf,
  type RecordPlace,
  type Reviewer,
  readThreadFacts,
  recordPlace,
  reviewersOf,
} from '../../reading/threads/thread-facts.ts'

/** What a page shows around a thread. */
export interface Surroundings {
  readonly milestone: Milestone | undefined
  readonly reviewers: readonly Reviewer[]
  /** Logins of the first participants, in the order of their first activity. */
  readonly participants: readonly string[]
  /** The number of all participants. */
  readonly participantCount: number
  /** The threads that this closes, or that close this. */
  readonly closes: readonly LinkedThread[]
  readonly closedBy: readonly LinkedThread[]
  /** Whether its branch is in a repository that the page may not name. */
  readonly isHeadHidden: boolean
  /** Who merged it, null for a deleted account; undefined unless an event tells. */
  readonly merging: { readonly by: string | null } | undefined
  readonly place: RecordPlace | undefined
}

/** People that are named, and linked threads. */
const MOST = 24

interface Visibility {
  readonly hides: (url: string, isFork?: boolean) => boolean
  readonly localPath: (url: string) => string | undefined
}

/** Reads what a page shows around a thread, without what its readers may not see. */
export function readSurroundings(
  { store }: Repository,
  { hides, localPath }: Visibility,
  { kind, url, milestone_url, pull_request }: Thread,
): Surroundings {
  const participants = participantsOf(store, kind, url)
  const head = pull_request ? headRepository(store, url) : undefined
  const linked = (how: 'closes' | 'closed by') =>
    linkedThreads(store, how, url, MOST).filter((other) => localPath(other.url) !== undefined)
  const isMerged = pull_request !== null && pull_request.merged_at !== null
  const merged = isMerged ? readThreadFacts(store, kind, url) : undefined
  return {
    milestone: milestone_url === null ? undefined : readMilestone({ store }, milestone_url),
    reviewers: reviewersOf(store, url, MOST),
    participants: loginsAt(store, participants.slice(0, MOST)),
    participantCount: participants.length,
    isHeadHidden: head !== undefined && hides(head, true),
    merging:
      merged && merged.mergingEvent !== null ? { by: loginAt(store, merged.mergedBy) } : undefined,
    closes: kind === 'pull_request' ? linked('closes') : [],
    closedBy: kind === 'issue' ? linked('closed by') : [],
    place: recordPlace(store, kind, url),
  }
}

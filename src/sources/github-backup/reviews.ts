import { compareTexts } from '../../base/text.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { REVIEW_STATES } from '../../records/kinds/reviews.ts'
import { madeId } from '../made-id.ts'
import { idOf, reactionsOf } from './comments.ts'
import { type FromRest, fromRest } from './from-rest.ts'
import type { Thread } from './thread.ts'
import { claimUploads } from './uploads.ts'

/** The number of a state by its word, which the two programs write in different cases. */
const stateOf = (word: string): number | undefined => {
  const found = Object.entries(REVIEW_STATES).find(([, name]) => name === word.toLowerCase())
  return found && Number(found[0])
}

/** Adds reviews, and review comments with their threads. */
export function addReviews(
  thread: Thread,
  head: string | null,
  reviews: readonly JsonObject[],
  comments: readonly JsonObject[],
): void {
  const known = new Set<number>()
  for (const [i, review] of reviews.entries()) {
    const id = addReview(thread, head, review, `reviews[${i}]`)
    known.add(id)
  }
  const sorted = comments.toSorted(byTime)
  const ids = new Set(sorted.map(({ id }) => id))
  /** The first comment of each thread by its id, even if that comment was deleted. */
  const first = new Map<number, { comment: JsonObject; id: number; review: string }>()
  const replies = new Map(sorted.map(({ id, in_reply_to_id }) => [id, in_reply_to_id]))
  for (const [i, object] of sorted.entries()) {
    const { repository, entry, url, created_at: begun } = thread
    const at = `comments[${i}]`
    const members = repository.members(object, entry, at)
    repository.noteAssociation(members)
    const updated_at = members.time('updated_at')
    const created_at = repository.date(members, 'created_at', entry, updated_at ?? begun)
    const id = idOf(members, `review_comments ${url} ${at}`)
    let root = id
    const seen = new Set([id])
    for (;;) {
      const next = replies.get(root)
      if (typeof next !== 'number' || !Number.isSafeInteger(next) || seen.has(next)) break
      root = next
      seen.add(root)
      if (!ids.has(root)) break
    }
    members.take('in_reply_to_id')
    const told = fromRest(repository, 'pull_request_review_comments', members, created_at)
    const { user, body } = told
    const stated = members.integer('pull_request_review_id')
    const reviewId = stated ?? madeId(`github-backup pull_request_reviews ${url} ${id}`)
    const review = `${url}/files#pullrequestreview-${reviewId}`
    const place = placeOf(told, thread, head)
    const subject_type = members.text('subject_type')
    if (!known.has(reviewId)) {
      known.add(reviewId)
      repository.problem(
        'source-made',
        'a review was made for comments whose review is not there',
        entry,
      )
      repository.add(
        'pull_request_reviews',
        reviewRecord(thread, reviewId, {
          user,
          body: null,
          head_sha: place.original_commit_id,
          state: 1,
          created_at,
          submitted_at: created_at,
        }),
        repository.members({}, entry),
      )
    }
    const lines = fromRest(repository, 'pull_request_review_threads', members, created_at)
    const threadUrl = `${url}/files#pullrequestreviewthread-${root}`
    const subject = subject_type === null ? {} : { subject_type }
    const lead = first.get(root)
    const own = `${url}/files#r${id}`
    const kind = 'pull_request_review_comment'
    claimUploads(thread, body, { kind, url: own, user, at: created_at })
    if (!lead) {
      first.set(root, { comment: object, id, review })
      repository.add(
        'pull_request_review_threads',
        {
          type: 'pull_request_review_thread',
          url: threadUrl,
          pull_request: url,
          pull_request_review: review,
          ...place,
          ...lines,
          side: lines.side ?? 'right',
          created_at,
          resolved_at: null,
          resolver: null,
          ...subject,
          outdated: place.position === null && subject_type !== 'file',
        },
        repository.members({}, entry),
      )
    }
    repository.add(
      'pull_request_review_comments',
      {
        type: kind,
        url: own,
        pull_request: url,
        pull_request_review: review,
        pull_request_review_thread: threadUrl,
        user,
        body,
        formatter: 'markdown',
        ...place,
        state: 1,
        in_reply_to: lead ? `${url}/files#r${lead.id}` : null,
        reactions: [],
        created_at,
        ...subject,
        ...(updated_at !== null && { updated_at }),
        ...reactionsOf(members),
      },
      members,
      ['pull_request_url'],
    )
  }
}

function byTime(left: JsonObject, right: JsonObject): number {
  const key = ({ created_at }: JsonObject) => (typeof created_at === 'string' ? created_at : '')
  const idOf = ({ id }: JsonObject) => (typeof id === 'number' ? id : 0)
  const [a, b] = [key(left), key(right)]
  return compareTexts(a, b) || idOf(left) - idOf(right)
}

function addReview(thread: Thread, head: string | null, object: JsonObject, at: string): number {
  const { repository, entry, url, created_at: begun, updated_at } = thread
  const members = repository.members(object, entry, at)
  const id = idOf(members, `pull_request_reviews ${url} ${at}`)
  const word = members.text('state') ?? ''
  const state = stateOf(word)
  if (state === undefined) members.refuse('state', word)
  const submitted = members.time('submitted_at')
  const created_at = submitted ?? updated_at ?? begun
  const told = fromRest(repository, 'pull_request_reviews', members, created_at)
  const { user, body } = told
  const own = `${url}/files#pullrequestreview-${id}`
  claimUploads(thread, body, { kind: 'pull_request_review', url: own, user, at: created_at })
  repository.add(
    'pull_request_reviews',
    reviewRecord(thread, id, {
      user,
      body,
      head_sha: told.head_sha ?? head,
      state: state ?? 1,
      created_at,
      submitted_at: submitted,
    }),
    members,
    ['event', 'actor'],
  )
  return id
}

const reviewRecord = (
  { url }: Thread,
  id: number,
  facts: {
    user: string | null
    body: string | null
    head_sha: string | null
    state: number
    created_at: string
    submitted_at: string | null
  },
): JsonObject => ({
  type: 'pull_request_review',
  url: `${url}/files#pullrequestreview-${id}`,
  pull_request: url,
  user: facts.user,
  body: facts.body,
  head_sha: facts.head_sha,
  formatter: 'markdown',
  state: facts.state,
  reactions: [],
  created_at: facts.created_at,
  submitted_at: facts.submitted_at,
})

/** The place in the diff that a comment is about. */
function placeOf(
  { user: _, body: __, ...place }: FromRest<'pull_request_review_comments'>,
  { repository, entry }: Thread,
  head: string | null,
) {
  if (place.original_position === null) {
    repository.problem('source-made', 'original_position is missing; 1 was used', entry)
  }
  const commit_id = place.commit_id ?? head
  return {
    ...place,
    original_position: place.original_position ?? 1,
    commit_id,
    original_commit_id: place.original_commit_id ?? commit_id,
  }
}

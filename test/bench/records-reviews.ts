import { body, codeLine, word } from './prose.ts'
import { Random } from './random.ts'
import { reactions } from './records-subjects.ts'
import { later, pullAt, type Subject } from './subjects.ts'
import { date, randomOf, someAuthor, someUser, type World } from './world.ts'

/** Reviews come in pairs on one pull request: the first opens threads, the second answers them. */
function reviewedPull(world: World, review: number): Subject {
  const random = new Random(world.seed, 1, review >> 1)
  return pullAt(world, random.below(world.counts.pull_requests))
}

function reviewUrl(pull: Subject, review: number): string {
  return `${pull.url}/files#pullrequestreview-${315_000_000 + review * 7}`
}

export function review(world: World, index: number): object {
  const random = randomOf(world, 'pull_request_reviews', index)
  const pull = reviewedPull(world, index)
  const at = date(later(pull, random))
  return {
    type: 'pull_request_review',
    url: reviewUrl(pull, index),
    pull_request: pull.url,
    user: someAuthor(world, random),
    body: random.chance(0.3) ? null : random.chance(0.4) ? '' : body(random, 3),
    head_sha: random.hex(40),
    formatter: 'markdown',
    state: random.pick([1, 1, 1, 1, 30, 40, 40]),
    reactions: [],
    created_at: at,
    submitted_at: at,
  }
}

interface ThreadFacts {
  readonly pull: Subject
  readonly url: string
  readonly openingReview: number
  readonly place: object
  readonly at: number
  readonly line: number
  readonly outdated: boolean
  readonly random: Random
}

/** The members that a thread shares with its comments. */
function threadFacts(world: World, index: number): ThreadFacts {
  const { counts } = world
  const random = randomOf(world, 'pull_request_review_threads', index)
  const pairs = Math.floor(counts.pull_request_reviews / 2)
  const openingReview = 2 * Math.floor((index * pairs) / counts.pull_request_review_threads)
  const pull = reviewedPull(world, openingReview)
  const line = 1 + random.below(900)
  const outdated = random.chance(0.15)
  const position = 1 + random.below(40)
  const place = {
    diff_hunk: diffHunk(line, random),
    path: `src/${word(random)}/${word(random)}.ts`,
    position: outdated ? null : position,
    original_position: position,
    commit_id: random.hex(40),
    original_commit_id: random.hex(40),
  }
  const url = `${pull.url}/files#pullrequestreviewthread-${224_000_000 + index * 5}`
  return { pull, url, openingReview, place, at: later(pull, random), line, outdated, random }
}

function diffHunk(line: number, random: Random): string {
  const lines = Array.from(
    { length: 3 + random.skewed(24) },
    () => random.pick([' ', ' ', '+', '+', '-']) + codeLine(random),
  )
  return [`@@ -${line},${lines.length} +${line},${lines.length} @@`, ...lines].join('\n')
}

export function reviewThread(world: World, index: number): object {
  const facts = threadFacts(world, index)
  const { pull, line, outdated, random } = facts
  const resolved = random.chance(0.3)
  const span = random.chance(0.5) ? 1 + random.below(9) : null
  const start = span === null ? null : Math.max(1, line - span)
  return {
    type: 'pull_request_review_thread',
    url: facts.url,
    pull_request: pull.url,
    pull_request_review: reviewUrl(pull, facts.openingReview),
    ...facts.place,
    start_position_offset: start === null ? null : line - start,
    blob_position: line - 1,
    start_line: outdated ? null : start,
    line: outdated ? null : line,
    start_side: start === null ? null : 'right',
    side: 'right',
    original_start_line: start,
    original_line: line,
    created_at: date(facts.at),
    resolved_at: resolved ? date(facts.at + 0.003) : null,
    resolver: resolved ? someUser(world, random) : null,
    subject_type: 'line',
    outdated,
  }
}

export function reviewComment(world: World, index: number): object {
  const { counts } = world
  const random = randomOf(world, 'pull_request_review_comments', index)
  const threads = counts.pull_request_review_threads
  const comments = counts.pull_request_review_comments
  const thread = Math.floor((index * threads) / comments)
  const opener = Math.ceil((thread * comments) / threads)
  const { pull, url, openingReview, place, at } = threadFacts(world, thread)
  const commentUrl = (comment: number) => `${pull.url}/files#r${363_000_000 + comment * 9}`
  return {
    type: 'pull_request_review_comment',
    url: commentUrl(index),
    pull_request: pull.url,
    // A reply belongs to its own review, not to the one that opened the thread.
    pull_request_review: reviewUrl(pull, index === opener ? openingReview : openingReview + 1),
    pull_request_review_thread: url,
    user: someAuthor(world, random),
    body: body(random, 2),
    formatter: 'markdown',
    ...place,
    state: 1,
    in_reply_to: index === opener ? null : commentUrl(opener),
    reactions: reactions(world, 'PullRequestReviewComment', at, random),
    created_at: date(at + (index - opener) * 0.0001),
    subject_type: 'line',
  }
}

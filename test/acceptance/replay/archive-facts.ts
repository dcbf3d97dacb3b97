/**
 * What an importer must receive of an archive, one line of JSON for each fact, in order. It reads the JSON of the archive
 * and nothing of `src/`, so that it is a second opinion.
 */

import { createHash } from 'node:crypto'

interface Fields {
  readonly [member: string]: unknown
}

export interface ArchiveFiles {
  /** The records of all record files of a kind. */
  readonly records: (kind: string) => Iterable<unknown>
  /** The bytes of a file below the root of the archive. */
  readonly bytes: (path: string) => Uint8Array | undefined
}

const ROOT = 'tarball://root/'
const CONTENTS: Readonly<Record<string, string>> = {
  smile: 'laugh',
  thinking_face: 'confused',
  tada: 'hooray',
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : [])
const last = (value: unknown, mark: string): string => text(value).split(mark).at(-1) ?? ''
const numberAtEnd = (url: unknown): number => Number(/\d+$/.exec(text(url))?.[0])
/** UTC, to the second. */
const time = (value: unknown): string =>
  typeof value === 'string' ? `${new Date(value).toISOString().slice(0, 19)}Z` : ''
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** The facts about one repository, each as a line. */
export function* archiveFacts(files: ArchiveFiles, home: string): Generator<string> {
  for (const fact of allFacts(files, home)) yield JSON.stringify(fact)
}

function* allFacts(files: ArchiveFiles, home: string): Generator<readonly unknown[]> {
  const records = (kind: string) => files.records(kind) as Iterable<Fields>
  const logins = new Map<unknown, string>()
  for (const kind of ['organizations', 'bots', 'users']) {
    for (const { url, login } of records(kind)) logins.set(url, text(login))
  }
  const login = (url: unknown): string =>
    typeof url === 'string' ? (logins.get(url) ?? last(url, '/')) : 'ghost'
  const below = `${home}/`
  const labels = new Map<unknown, string>()
  const milestones = new Map<unknown, string>()
  for (const { url, ...repository } of records('repositories')) {
    if (url !== home) continue
    const topics = list(repository.repository_topics).filter(({ state }) => state === 'created')
    yield [
      'repository',
      repository.name,
      text(repository.description),
      repository.private,
      repository.default_branch,
      topics.map(({ topic_name }) => topic_name),
    ]
    for (const label of list(repository.labels)) {
      labels.set(label.url, text(label.name))
      yield ['label', label.name, label.color, text(label.description)]
    }
  }
  for (const milestone of records('milestones')) {
    if (milestone.repository !== home) continue
    const { title, description, state, created_at, closed_at, due_on } = milestone
    milestones.set(milestone.url, text(title))
    const times = [created_at, closed_at, due_on].map(time)
    yield ['milestone', title, text(description), state, ...times]
  }

  function* reactions(kind: string, number: number, column: unknown) {
    const seen = new Set<string>()
    for (const { user, content } of list(column)) {
      const word = CONTENTS[text(content)] ?? text(content)
      const key = `${text(user)} ${word}`
      if (!seen.has(key)) yield ['reaction', kind, number, login(user), word]
      seen.add(key)
    }
  }
  const subject = (record: Fields) => [
    numberAtEnd(record.url),
    text(record.title),
    text(record.body),
    login(record.user),
    record.closed_at == null ? 'open' : 'closed',
    time(record.created_at),
    time(record.closed_at),
    milestones.get(record.milestone) ?? '',
    (record.labels as string[]).map((url) => labels.get(url) ?? decodeURIComponent(last(url, '/'))),
    (record.assignees as string[]).map(login),
  ]
  for (const issue of records('issues')) {
    if (issue.repository !== home) continue
    yield ['issue', ...subject(issue)]
    yield* reactions('issue', numberAtEnd(issue.url), issue.reactions)
  }
  const reviewed = new Map<string, number>()
  for (const { pull_request, user, state, submitted_at, created_at } of records(
    'pull_request_reviews',
  )) {
    if (state === 0) continue
    const key = `${pull_request} ${user}`
    const at = Date.parse(text(submitted_at ?? created_at))
    reviewed.set(key, Math.max(at, reviewed.get(key) ?? at))
  }
  for (const pull of records('pull_requests')) {
    if (pull.repository !== home) continue
    const number = numberAtEnd(pull.url)
    const end = (value: unknown) => {
      const { ref, sha, user } = value as Fields
      return [ref, sha, login(user)]
    }
    yield [
      'pull',
      ...subject(pull),
      time(pull.merged_at),
      text(pull.merge_commit_sha),
      ...end(pull.head),
      ...end(pull.base),
    ]
    yield* reactions('issue', number, pull.reactions)
    for (const request of list(pull.review_requests)) {
      const { reviewer, reviewer_type, dismissed_at, created_at } = request
      const answered = reviewed.get(`${pull.url} ${reviewer}`) ?? Number.NEGATIVE_INFINITY
      const isAsked = reviewer_type === 'User' && dismissed_at == null
      // Archives keep requests that were answered.
      if (isAsked && answered <= Date.parse(text(created_at))) {
        yield ['requested', number, login(reviewer)]
      }
    }
  }
  for (const comment of records('issue_comments')) {
    const thread = text(comment.issue ?? comment.pull_request)
    if (!thread.startsWith(below)) continue
    const id = numberAtEnd(comment.url)
    const who = login(comment.user)
    yield ['comment', id, numberAtEnd(thread), who, text(comment.body), time(comment.created_at)]
    yield* reactions('comment', id, comment.reactions)
  }
  const states = { 1: 'COMMENTED', 30: 'CHANGES_REQUESTED', 40: 'APPROVED', 50: 'DISMISSED' }
  for (const review of records('pull_request_reviews')) {
    const state = states[review.state as keyof typeof states]
    if (!text(review.pull_request).startsWith(below) || state === undefined) continue
    yield [
      'review',
      numberAtEnd(review.pull_request),
      numberAtEnd(review.url),
      login(review.user),
      state,
      text(review.body),
      text(review.head_sha),
      time(review.submitted_at),
    ]
  }
  for (const comment of records('pull_request_review_comments')) {
    if (!text(comment.pull_request).startsWith(below) || comment.state !== 1) continue
    const id = numberAtEnd(comment.url)
    yield [
      'review comment',
      numberAtEnd(comment.pull_request),
      numberAtEnd(comment.pull_request_review),
      id,
      login(comment.user),
      text(comment.body),
      comment.path,
      sha256(Buffer.from(text(comment.diff_hunk))),
      comment.position ?? 0,
      comment.commit_id,
      numberAtEnd(comment.in_reply_to) || 0,
      time(comment.created_at),
    ]
    yield* reactions('review comment', id, comment.reactions)
  }
  for (const release of records('releases')) {
    if (release.repository !== home) continue
    const { tag_name, name, body, user, state, prerelease, target_commitish } = release
    yield [
      'release',
      tag_name,
      text(name),
      text(body),
      login(user),
      state !== 'published',
      prerelease,
      target_commitish,
      time(release.created_at),
      time(release.published_at),
    ]
    for (const asset of list(release.release_assets)) {
      const bytes = files.bytes(text(asset.asset_url).replace(ROOT, ''))
      yield [
        'asset',
        tag_name,
        asset.asset_name,
        asset.asset_content_type,
        login(asset.user),
        bytes?.length ?? 0,
        bytes ? sha256(bytes) : '',
        time(asset.created_at),
      ]
    }
  }
}

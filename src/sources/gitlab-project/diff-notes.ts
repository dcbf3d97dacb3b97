import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { NO_COMMIT } from '../members.ts'
import { bareHunk, findHunk, type Hunk } from './hunks.ts'
import { inOrder, keepAttachment, takeReactions } from './notes.ts'
import type { Project } from './project.ts'
import { objectsIn } from './survey.ts'
import type { Thread } from './thread.ts'

/** Where a note is in the changes of a merge request. */
interface Position {
  base: string
  head: string
  path: string
  oldPath: string
  left: number | null
  right: number | null
  /** The first line, if it is about several. */
  start: number | null
}

/** The last version of the changes of a merge request. */
export interface Changes {
  base: string
  head: string
  files: readonly JsonObject[]
}

/** Whether a note is about a place in the changes. */
export const isDiffNote = (note: JsonObject): boolean =>
  note.system !== true && positionOf(note.position ?? note.original_position) !== undefined

/** Adds the comments on places of the changes, their threads, and a review for each. */
export function addDiffNotes(thread: Thread, notes: readonly JsonObject[], changes: Changes): void {
  const { project, url, entry, created_at: begun } = thread
  const first = new Map<string, { id: number; own: string; thread: string }>()
  const resolved = new Map<string, JsonObject[]>()
  for (const note of notes) {
    const key = String(note.discussion_id)
    const known = resolved.get(key)
    if (known) known.push(note)
    else resolved.set(key, [note])
  }
  for (const { note, at } of inOrder(notes)) {
    const members = project.members(note, entry, at)
    const discussion = note.discussion_id ?? null
    const created_at = project.date(members, 'created_at', entry, begun)
    const key = `${url} ${discussion} ${note.created_at} ${note.author_id}`
    const id = project.idOf(note, 'review_comments', key)
    const user = project.person(members, 'author_id', created_at)
    const place = placeOf(thread, note, changes)
    const lead = discussion === null ? undefined : first.get(String(discussion))
    const review = `${url}/files#pullrequestreview-${id}`
    const own = `${url}/files#r${id}`
    const threadUrl = lead?.thread ?? `${url}/files#pullrequestreviewthread-${id}`
    project.add('pull_request_reviews', {
      type: 'pull_request_review',
      url: review,
      pull_request: url,
      user,
      body: null,
      head_sha: place.diff.original_commit_id,
      formatter: 'markdown',
      state: 1,
      reactions: [],
      created_at,
      submitted_at: created_at,
    })
    if (!lead) {
      first.set(String(discussion), { id, own, thread: threadUrl })
      const all = discussion === null ? [note] : (resolved.get(String(discussion)) ?? [])
      project.add('pull_request_review_threads', {
        type: 'pull_request_review_thread',
        url: threadUrl,
        pull_request: url,
        pull_request_review: review,
        ...place.diff,
        ...place.lines,
        created_at,
        ...resolutionOf(thread, all),
        subject_type: 'line',
        outdated: place.isOutdated,
      })
    }
    const type = 'pull_request_review_comment'
    const text = members.text('note')
    const body = project.text(text, entry, { thread: url, type, url: own, user, at: created_at })
    if (body !== text) members.keep('note', text)
    const reactions = takeReactions(project, members, 'PullRequestReviewComment', created_at)
    keepAttachment(members)
    const updated_at = members.time('updated_at')
    project.add(
      'pull_request_review_comments',
      {
        type,
        url: own,
        pull_request: url,
        pull_request_review: review,
        pull_request_review_thread: threadUrl,
        user,
        body: body ?? '',
        formatter: 'markdown',
        ...place.diff,
        state: 1,
        in_reply_to: lead?.own ?? null,
        reactions,
        created_at,
        subject_type: 'line',
        ...(updated_at !== null && { updated_at }),
      },
      project.rest(members, entry),
    )
  }
}

/** Who resolved a thread of notes, and when. */
function resolutionOf({ project, entry, created_at }: Thread, notes: readonly JsonObject[]) {
  for (const note of notes) {
    const members = project.members(note, entry)
    const resolved_at = members.time('resolved_at')
    if (resolved_at === null) continue
    return { resolved_at, resolver: project.person(members, 'resolved_by_id', created_at) }
  }
  return { resolved_at: null, resolver: null }
}

function placeOf({ project, entry, url }: Thread, note: JsonObject, changes: Changes) {
  const position = positionOf(note.position)
  const original = positionOf(note.original_position) ?? position
  const known = (position ?? original) as Position
  const begun = original ?? known
  const hunk =
    hunkOf(begun, changes) ??
    hunkInGit(project, begun) ??
    hunkOf(known, changes) ??
    hunkInGit(project, known)
  if (!hunk) {
    const reason = 'pieces of diffs are only their first lines'
    project.problem('source-made', reason, entry, url)
  }
  const { diff_hunk, position: at } = hunk ?? bareHunk(begun.left, begun.right)
  const isOutdated = known.head !== changes.head
  const line = known.right ?? known.left
  const originalLine = begun.right ?? begun.left
  const path = known.path || known.oldPath
  return {
    isOutdated,
    diff: {
      diff_hunk,
      path,
      position: isOutdated ? null : at,
      original_position: at,
      commit_id: known.head,
      original_commit_id: begun.head,
    },
    lines: {
      start_line: isOutdated ? null : known.start,
      line: isOutdated ? null : line,
      start_side: known.start === null ? null : 'right',
      side: known.right === null && known.left !== null ? 'left' : 'right',
      original_start_line: begun.start,
      original_line: originalLine,
    },
  }
}

function hunkOf(position: Position, { base, head, files }: Changes): Hunk | undefined {
  if (position.head !== head || position.base !== base) return undefined
  const file = files.find(
    ({ new_path, old_path }) => new_path === position.path && old_path === position.oldPath,
  )
  return typeof file?.utf8_diff === 'string' ? findHunk(file.utf8_diff, position) : undefined
}

/** The export has the last changes only: Git has all of them. */
function hunkInGit(project: Project, position: Position): Hunk | undefined {
  const { base, head, oldPath, path } = position
  const diff = project.diffOf({ base, head, oldPath: oldPath || path, path: path || oldPath })
  return diff === undefined ? undefined : findHunk(diff, position)
}

/** The position of a note: an object, or a text that holds it. */
function positionOf(value: JsonValue | undefined): Position | undefined {
  const object = typeof value === 'string' ? parsed(value) : value
  if (!isObject(object)) return undefined
  const { base_sha, head_sha, old_path, new_path, old_line, new_line, line_range } = object
  if (!isSha(base_sha) || !isSha(head_sha)) return undefined
  const path = typeof new_path === 'string' ? new_path : ''
  const oldPath = typeof old_path === 'string' ? old_path : ''
  if (path === '' && oldPath === '') return undefined
  const start = isObject(line_range) && isObject(line_range.start) ? line_range.start : {}
  const right = lineOf(new_line)
  const begins = right === null ? lineOf(start.old_line) : lineOf(start.new_line)
  const left = lineOf(old_line)
  return {
    base: base_sha,
    head: head_sha,
    path,
    oldPath,
    left,
    right,
    start: begins === (right ?? left) ? null : begins,
  }
}

/** A position is a short text. */
const LONGEST = 100_000

function parsed(text: string): JsonValue {
  try {
    return text.length > LONGEST ? null : JSON.parse(text)
  } catch {
    return null
  }
}

const lineOf = (value: JsonValue | undefined): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null

const isSha = (value: JsonValue | undefined): value is string =>
  typeof value === 'string' && /^[0-9a-f]{40}$/.test(value)

/** The last version of the changes of a merge request. */
export function changesOf(object: JsonObject): Changes {
  const diff = isObject(object.merge_request_diff) ? object.merge_request_diff : {}
  const sha = (...values: (JsonValue | undefined)[]) => values.find(isSha) ?? NO_COMMIT
  return {
    base: sha(diff.base_commit_sha, object.target_branch_sha, diff.start_commit_sha),
    head: sha(diff.head_commit_sha, object.diff_head_sha, object.source_branch_sha),
    files: objectsIn(diff.merge_request_diff_files),
  }
}

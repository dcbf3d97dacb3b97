import type { JsonObject } from '../../records/json/json.ts'
import { madeId } from '../made-id.ts'
import { type Members, timeOf } from '../members.ts'
import { UNKNOWN } from '../people.ts'
import { fromRest } from './from-rest.ts'
import type { Thread } from './thread.ts'
import { claimUploads } from './uploads.ts'

/** A positive number that identifies a record; a made one without it. */
export function idOf(members: Members, key: string): number {
  const id = members.see('id')
  if (Number.isSafeInteger(id) && (id as number) > 0) return id as number
  return madeId(`github-backup ${key}`)
}

/** Adds a comment on a thread. */
export function addComment(thread: Thread, object: JsonObject, at: string): void {
  const { repository, entry, url, parent, created_at: begun } = thread
  const members = repository.members(object, entry, at)
  repository.noteAssociation(members)
  const updated_at = members.time('updated_at')
  const created_at = repository.date(members, 'created_at', entry, updated_at ?? begun ?? UNKNOWN)
  const id = idOf(members, `issue_comments ${url} ${at}`)
  const told = fromRest(repository, 'issue_comments', members, created_at)
  const own = `${url}#issuecomment-${id}`
  claimUploads(thread, told.body, {
    kind: 'issue_comment',
    url: own,
    user: told.user,
    at: created_at,
  })
  repository.add(
    'issue_comments',
    {
      type: 'issue_comment',
      url: own,
      [parent]: url,
      ...told,
      formatter: 'markdown',
      reactions: [],
      created_at,
      ...(updated_at !== null && { updated_at }),
      ...reactionsOf(members),
    },
    members,
    ['event', 'actor'],
  )
}

/** Adds a comment on a commit, which the timelines of several threads may have. */
export function addCommitComment(thread: Thread, object: JsonObject, at: string): void {
  const { repository, entry, created_at: begun } = thread
  const members = repository.members(object, entry, at)
  const updated_at = members.time('updated_at')
  const seen = timeOf(String(members.see('created_at'))) ?? updated_at ?? begun
  const told = fromRest(repository, 'commit_comments', members, seen)
  const { commit_id: commit } = told
  if (commit === null) {
    repository.problem('source-left-out', 'comments on no commit', entry, at)
    return
  }
  const page = `${repository.url}/commit/${commit}`
  const url = `${page}#commitcomment-${idOf(members, `commit_comments ${page} ${at}`)}`
  if (!repository.isNewCommitComment(url)) return
  const created_at = repository.date(members, 'created_at', entry, updated_at ?? begun)
  repository.add(
    'commit_comments',
    {
      type: 'commit_comment',
      url,
      repository: repository.url,
      ...told,
      formatter: 'markdown',
      reactions: [],
      created_at,
      ...(updated_at !== null && { updated_at }),
      ...reactionsOf(members),
    },
    members,
  )
}

/** Counts of reactions: the host's JSON does not say whose they are. */
export function reactionsOf(members: Members): JsonObject {
  const reactions = members.object('reactions')
  if (reactions === null) return {}
  const { url: _, ...counts } = reactions
  const some = Object.entries(counts).some(([, count]) => count !== 0)
  return some ? { reaction_counts: counts } : {}
}

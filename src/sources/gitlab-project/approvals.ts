import type { JsonObject } from '../../records/json/json.ts'
import { isId } from './people.ts'
import { objectsIn } from './survey.ts'
import type { Event, Thread } from './thread.ts'

/** Adds a review for each approval. Returns the events of those that were taken back. */
export function addApprovals(thread: Thread, object: JsonObject, head: string): Event[] {
  const { project, url, entry, created_at: begun } = thread
  const approvals = objectsIn(object.approvals).map(({ user_id, created_at }) => ({
    user_id,
    created_at,
    isTaken: false,
  }))
  const events: Event[] = []
  const notes = objectsIn(object.notes).filter(({ system }) => system === true)
  const hasList = approvals.length > 0
  for (const note of notes) {
    const action = Object(note.system_note_metadata).action
    const { author_id: user_id, created_at } = note
    if (action === 'approved' && !hasList) approvals.push({ user_id, created_at, isTaken: false })
    if (action !== 'unapproved' || !isId(user_id)) continue
    const last = approvals.findLast((approval) => approval.user_id === user_id && !approval.isTaken)
    if (last && !hasList) last.isTaken = true
    events.push({
      event: 'review_dismissed',
      time: typeof created_at === 'string' ? created_at : '',
      actor: project.personWithId(user_id, begun),
      more: {},
      object: note,
      key: '',
    })
  }
  for (const { user_id, created_at: at, isTaken } of approvals) {
    if (!isId(user_id)) continue
    const members = project.members({ created_at: at ?? null }, entry, 'approvals')
    const created_at = project.date(members, 'created_at', entry, begun)
    const id = project.idOf({}, 'pull_request_reviews', `${url} approval ${user_id} ${String(at)}`)
    project.add('pull_request_reviews', {
      type: 'pull_request_review',
      url: `${url}/files#pullrequestreview-${id}`,
      pull_request: url,
      user: project.personWithId(user_id, created_at),
      body: null,
      head_sha: head,
      formatter: 'markdown',
      state: isTaken ? 50 : 40,
      reactions: [],
      created_at,
      submitted_at: created_at,
    })
  }
  return events
}

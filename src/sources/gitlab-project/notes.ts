import { compareTexts } from '../../base/text.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'
import { isId } from './people.ts'
import type { Project } from './project.ts'
import type { Thread } from './thread.ts'

/** Whether a note is only for some who see the project. */
export const isConfidential = ({ confidential, internal }: JsonObject): boolean =>
  confidential === true || internal === true

/** Adds the comments of a thread, in the order in which they were written. */
export function addComments(thread: Thread, notes: readonly JsonObject[]): void {
  const { project, parent, url, entry, created_at: begun } = thread
  for (const { note, at } of inOrder(notes)) {
    const members = project.members(note, entry, at)
    const created_at = project.date(members, 'created_at', entry, begun)
    const { discussion_id, author_id } = note
    const key = `${url} ${discussion_id} ${note.created_at} ${author_id}`
    const id = project.idOf(note, 'issue_comments', key)
    const own = `${url}#issuecomment-${id}`
    const user = project.person(members, 'author_id', created_at)
    const text = members.text('note')
    const shownBy = { thread: url, type: 'issue_comment', url: own, user, at: created_at }
    const body = withPlace(thread, note, project.text(text, entry, shownBy))
    if (body !== text) members.keep('note', text)
    const reactions = takeReactions(project, members, 'IssueComment', created_at)
    const updated_at = members.time('updated_at')
    keepAttachment(members)
    project.add(
      'issue_comments',
      {
        type: 'issue_comment',
        url: own,
        [parent]: url,
        user,
        body: body ?? '',
        formatter: 'markdown',
        reactions,
        created_at,
        ...(updated_at !== null && { updated_at }),
      },
      project.rest(members, entry),
    )
  }
}

/** The text of a note on changes, with the file that it is about if the note is too old to say where in it. */
function withPlace({ project, entry, url }: Thread, note: JsonObject, text: string | null) {
  const path = isObject(note.st_diff) ? note.st_diff.new_path : undefined
  if (typeof path !== 'string' || path === '' || !project.rewritesTexts) return text
  project.problem(
    'text-rewritten',
    'comments on changes name the file that they are about',
    entry,
    url,
  )
  const longest = Math.max(0, ...[...path.matchAll(/`+/g)].map(([marks]) => marks.length))
  const mark = '`'.repeat(longest + 1)
  return [`Commented on ${mark}${path.replace(/\s+/g, ' ')}${mark}`, text]
    .filter(Boolean)
    .join('\n\n')
}

/** Keeps the file of an old note, if it has one. */
export function keepAttachment(members: Members): void {
  const file = members.object('attachment')
  if (file && Object.values(file).some((value) => value !== null)) {
    members.keep('attachment', file)
  }
}

/** Notes by their time as written. */
export function inOrder(notes: readonly JsonObject[]): { note: JsonObject; at: string }[] {
  const time = ({ created_at }: JsonObject) => (typeof created_at === 'string' ? created_at : '')
  return notes
    .map((note, i) => ({ note, at: `notes[${i}]`, i }))
    .sort((left, right) => {
      const [a, b] = [time(left.note), time(right.note)]
      return compareTexts(a, b) || left.i - right.i
    })
}

const REACTIONS: { readonly [emoji: string]: string } = {
  thumbsup: '+1',
  thumbsdown: '-1',
  smile: 'smile',
  laughing: 'smile',
  grinning: 'smile',
  tada: 'tada',
  confused: 'thinking_face',
  thinking: 'thinking_face',
  heart: 'heart',
  rocket: 'rocket',
  eyes: 'eyes',
}

/** Members of a reaction that its record says, or its place. */
const OF_REACTIONS = new Set([
  'awardable_id',
  'awardable_type',
  'created_at',
  'id',
  'name',
  'updated_at',
  'user_id',
])

/** Takes the reactions that archives have. Others, and those that say more, are kept. */
export function takeReactions(
  project: Project,
  members: Members,
  type: string,
  at: string,
): JsonObject[] {
  const reactions: JsonObject[] = []
  const others: JsonObject[] = []
  for (const each of members.objects('award_emoji')) {
    const name = String(each.name)
    const content = Object.hasOwn(REACTIONS, name) ? REACTIONS[name] : undefined
    const { user_id } = each
    const isUsed = content !== undefined && isId(user_id)
    if (!isUsed || Object.keys(each).some((member) => !OF_REACTIONS.has(member))) others.push(each)
    if (!isUsed) continue
    reactions.push({
      user: project.personWithId(user_id, at),
      content,
      subject_type: type,
      created_at: project.members(each, '').time('created_at') ?? at,
    })
  }
  if (others.length > 0) members.keep('award_emoji', others)
  return reactions
}

import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { madeId } from '../made-id.ts'
import type { Members } from '../members.ts'
import type { Repository } from './repository.ts'
import { NAME_OF_FILE, type Thread } from './thread.ts'
import { addOtherUploads, claimUploads } from './uploads.ts'

/** Members that say again in another form what others say. */
const DERIVED = ['id', 'number', 'bodyHTML', 'bodyText', 'resourcePath', '__typename']

/** Members of lists that say what the list says. */
const OF_LISTS = new Set(['totalCount', 'pageInfo', '__typename'])

/** Adds the records of a file `discussions/N.json`, which comes from the host's other interface, with other names. */
export function addDiscussion(
  repository: Repository,
  number: number,
  object: JsonObject,
  entry: string,
): void {
  const members = repository.members(object, entry)
  repository.compare(members, 'number', number, NAME_OF_FILE, entry)
  const url = `${repository.url}/discussions/${number}`
  const updated = members.time('updatedAt')
  const created_at = repository.date(members, 'createdAt', entry, updated)
  const thread: Thread = {
    repository,
    parent: 'discussion',
    url,
    number,
    entry,
    created_at,
    updated_at: updated,
    uploads: repository.uploadsOf(`discussions/${number}`),
  }
  const user = repository.person(members, 'author', created_at)
  const body = members.text('body') ?? ''
  claimUploads(thread, body, { kind: 'discussion', url, user, at: created_at })
  const list = repository.members(members.object('labels') ?? {}, entry, 'labels')
  const labels = list.list('nodes', (label, i) =>
    repository.labels.urlOf(label, entry, `labels[${i}]`, updated ?? created_at),
  )
  members.keepRest('labels', list, (name) => OF_LISTS.has(name))
  const category = members.object('category')
  if (category === null)
    repository.problem('source-made', 'a category was made for discussions without one', entry)
  const record: JsonObject = {
    type: 'discussion',
    url,
    repository: repository.url,
    user,
    title: members.text('title') ?? '',
    body,
    labels,
    reactions: [],
    created_at,
    updated_at: updated ?? created_at,
    discussion_category: repository.category(category ?? { name: 'General' }, entry),
  }
  const comments = members.objects('comment_data')
  for (const [i, comment] of comments.entries()) addComments(thread, comment, `comment_data[${i}]`)
  addOtherUploads(thread, user)
  repository.add('discussions', record, members, DERIVED)
}

/** Adds a comment and the replies to it. Archives of the host have no such kind. */
function addComments(thread: Thread, object: JsonObject, at: string): void {
  const { repository, entry } = thread
  const members = repository.members(object, entry, at)
  const url = addComment(thread, members, at, null)
  for (const [i, reply] of takeReplies(object).entries()) {
    const place = `${at}.reply_data[${i}]`
    addComment(thread, repository.members(reply, entry, place), place, url)
  }
}

const takeReplies = ({ reply_data }: JsonObject): JsonObject[] =>
  Array.isArray(reply_data) ? reply_data.filter(isObject) : []

function addComment(thread: Thread, members: Members, at: string, above: string | null): string {
  const { repository, entry, url: discussion, created_at: begun } = thread
  if (above === null) members.objects('reply_data')
  const updated_at = members.time('updatedAt')
  const created_at = repository.date(members, 'createdAt', entry, updated_at ?? begun)
  const page = members.see('url')
  const [, inPage] = (typeof page === 'string' && /#discussioncomment-(\d+)$/.exec(page)) || []
  const number = members.see('databaseId')
  const id =
    inPage ??
    (Number.isSafeInteger(number)
      ? number
      : madeId(`github-backup discussion_comments ${discussion} ${at}`))
  const url = `${discussion}#discussioncomment-${id}`
  const user = repository.person(members, 'author', created_at)
  const body = members.text('body') ?? ''
  claimUploads(thread, body, { kind: 'discussion', url: discussion, user, at: created_at })
  repository.add(
    'discussion_comments',
    {
      type: 'discussion_comment',
      url,
      discussion,
      user,
      body,
      in_reply_to: above,
      is_answer: members.flag('isAnswer') ?? false,
      reactions: [],
      created_at,
      updated_at: updated_at ?? created_at,
    },
    members,
    DERIVED,
  )
  return url
}

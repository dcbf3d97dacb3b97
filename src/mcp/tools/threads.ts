import { ArchiveError } from '../../base/errors.ts'
import { milestoneTitled } from '../../reading/milestones.ts'
import { type ListName, listThreads, type ThreadRow } from '../../reading/threads/list-threads.ts'
import { parseTime } from '../../reading/times.ts'
import {
  count,
  flag,
  listOf,
  NEXT_CURSOR,
  object,
  oneOf,
  PAGING,
  REPOSITORY,
  THREAD_MEMBERS,
  TIME,
  words,
} from '../schemas.ts'
import { defineTool, repositoryNamed } from '../tool.ts'
import { nameOrNull, namesOf, pageOf, shortName } from '../writing.ts'

const MOST = 100

export const KINDS = ['issues', 'pulls', 'discussions'] as const satisfies readonly ListName[]

const LISTED = object({
  ...THREAD_MEMBERS,
  draft: flag('Whether it is a draft'),
  comments: count('Comments'),
})

interface Arguments {
  repository: string
  kind?: ListName
  state?: 'open' | 'closed' | 'all'
  labels?: string[]
  author?: string
  assignee?: string
  milestone?: string
  created_from?: string
  created_before?: string
  sort?: 'created' | 'comments'
  direction?: 'asc' | 'desc'
  cursor?: string
}

export const listThreadsTool = defineTool<Arguments>({
  title: 'List threads',
  description:
    'Lists issues, pull requests or discussions of one repository that fit all filters, in pages. To look for words in texts, use search; to count or group, use query.',
  input: {
    repository: REPOSITORY,
    kind: oneOf(KINDS, 'Which threads [issues]'),
    state: oneOf(['open', 'closed', 'all'], 'A merged pull request is closed [all]'),
    labels: {
      type: 'array',
      items: words('A name'),
      maxItems: 20,
      description: 'Labels, all of which it has',
    },
    author: words('Login of who opened it'),
    assignee: words('Login of who is assigned'),
    milestone: words('Title of its milestone'),
    created_from: TIME('Opened then or later'),
    created_before: TIME('Opened before'),
    sort: oneOf(['created', 'comments'], 'Order [created]'),
    direction: oneOf(['desc', 'asc'], 'desc begins with the newest, or most comments [desc]'),
    ...PAGING,
  },
  required: ['repository'],
  output: {
    total: count('Threads that fit'),
    threads: listOf(LISTED, 'A page of them'),
    next_cursor: NEXT_CURSOR,
  },
  run(asked, { library, bytes }) {
    const repository = repositoryNamed(library, asked.repository)
    const { kind = 'issues', state = 'all', labels, author, assignee, sort, direction } = asked
    const milestone =
      asked.milestone === undefined ? undefined : milestoneTitled(repository, asked.milestone)
    if (asked.milestone !== undefined && milestone === undefined) {
      throw new ArchiveError('record-not-found', 'there is no milestone with this title')
    }
    const found = listThreads(library, repository, kind, {
      state,
      labels,
      author,
      assignee,
      milestone,
      createdFrom: secondsOf('created_from', asked.created_from),
      createdBefore: secondsOf('created_before', asked.created_before),
      sort,
      ...(direction && { direction }),
    })
    const { items, next_cursor } = pageOf(
      { total: found.total, cursor: asked.cursor, bytes, most: MOST },
      found.rows,
      describe,
    )
    return {
      summary: `${items.length} of ${found.total} ${NAMES[kind]}.`,
      total: found.total,
      threads: items,
      next_cursor,
    }
  },
})

export const NAMES: Readonly<Record<ListName, string>> = {
  issues: 'issues',
  pulls: 'pull requests',
  discussions: 'discussions',
}

/** Seconds since 1970 of a time that was asked for. Throws `option-invalid`. */
export function secondsOf(name: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const seconds = parseTime(time)
  if (seconds === undefined)
    throw new ArchiveError('option-invalid', `${name}: there is no such day or time`)
  return seconds
}

const describe = ({ labels, assignees, draft, ...row }: ThreadRow) => ({
  number: row.number,
  url: shortName(row.url),
  title: nameOrNull(row.title),
  state: row.state,
  draft: draft === 1,
  author: nameOrNull(row.author),
  created_at: nameOrNull(row.created_at),
  closed_at: nameOrNull(row.closed_at),
  comments: row.comments,
  labels: namesOf(labels.map(({ name }) => name)),
  assignees: namesOf(assignees),
  milestone: nameOrNull(row.milestone),
  category: nameOrNull(row.category),
})

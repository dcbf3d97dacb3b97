import type { ListName } from '../../reading/threads/list-threads.ts'
import type { ListArguments } from '../answers/threads.ts'
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
import { defineTool } from '../tool.ts'

export const KINDS = ['issues', 'pulls', 'discussions'] as const satisfies readonly ListName[]

const LISTED = object({
  ...THREAD_MEMBERS,
  draft: flag('Whether it is a draft'),
  comments: count('Comments'),
})

export const listThreadsTool = defineTool<ListArguments>({
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
  run: async (options, asked) =>
    (await import('../answers/threads.ts')).listRepositoryThreads(options, asked),
})

import type { ThreadArguments } from '../answers/thread.ts'
import {
  count,
  flag,
  listOf,
  NEXT_CURSOR,
  object,
  oneOf,
  orNull,
  PAGING,
  REPOSITORY,
  THREAD_MEMBERS,
  TIME,
  text,
  textOrNull,
  WRITING,
  words,
} from '../schemas.ts'
import { defineTool, type Schema } from '../tool.ts'
import { KINDS } from './threads.ts'

const THREAD: Schema = object({
  ...THREAD_MEMBERS,
  repository: textOrNull('owner/name'),
  kind: text('issue, pull_request or discussion'),
  locked: flag('Whether only collaborators may comment'),
  reactions: { type: 'object', additionalProperties: { type: 'integer' } },
  pull_request: orNull({ type: 'object', description: 'Facts that only a pull request has' }),
})

const ITEM: Schema = {
  ...object(
    {
      kind: text('comment, review, review_thread, review_comment or event'),
      created_at: textOrNull('When'),
      words: WRITING,
      in_reply_to: textOrNull('Of a comment on a discussion: url of the comment that it answers'),
      is_answer: flag('Of a comment on a discussion: whether it was marked as the answer'),
      state: textOrNull('Of a review: such as approved'),
      reactions: { type: 'object', additionalProperties: { type: 'integer' } },
      place: { type: 'object', description: 'Of a review thread: path, lines, whether resolved' },
      diff: { type: 'object', description: 'Of a review thread: the lines that it is about' },
      event: text('Of an event: its type, such as labeled'),
      author: textOrNull('Of an event: who did it'),
      sentence: text('Of an event: what was done'),
    },
    ['kind', 'created_at'],
  ),
}

export const getThread = defineTool<ThreadArguments>({
  title: 'Read a thread',
  description:
    'Gives an issue, pull request or discussion by its number: facts, its first text, then comments, reviews with their lines, and events in order, in pages. A long text is cut: text_of with its url and text_offset give the rest.',
  input: {
    repository: REPOSITORY,
    number: { type: 'integer', minimum: 0, maximum: 2 ** 53 - 1 },
    kind: oneOf(KINDS, 'Which thread is meant, where two have the number'),
    comments_only: flag('Leave out events'),
    since: TIME('Only what happened then or later'),
    text_of: words('Give only the text with this url, from text_offset on'),
    text_offset: count('Its first character [0]'),
    ...PAGING,
  },
  required: ['repository', 'number'],
  output: {
    thread: THREAD,
    words: orNull(WRITING),
    total: count('Items of the whole timeline'),
    timeline: listOf(ITEM, 'A page of it'),
    next_cursor: NEXT_CURSOR,
  },
  run: async (options, asked) => (await import('../answers/thread.ts')).getThread(options, asked),
})

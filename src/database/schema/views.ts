import { KINDS } from '../../records/kinds/kinds.ts'
import { quoteName, quoteText } from '../quote.ts'
import { loginOf, PEOPLE_VIEWS } from './facts/people.ts'
import { REPOSITORY_VIEWS } from './facts/repositories.ts'
import { ASSIGNEES, closedAt, THREAD_VIEWS } from './facts/threads.ts'
import type { Relation } from './relation.ts'
import { uploads } from './uploads-view.ts'
import { type View, view } from './view.ts'

const place = {
  full_name: 'owner/name of the repository.',
  number: 'Number of the issue or pull request.',
}

/** Expressions about the person whom a column of a row `o` names by URL, such as `user`. */
export interface PersonSql {
  /** The login: that of the record, or else the end of the URL. */
  login(column: string): string
  /** Whether it is a bot. */
  isBot(column: string): string
}

/** Issues and pull requests together. */
export const threadsView = ({ login }: Pick<PersonSql, 'login'>): View => ({
  name: 'threads',
  summary: 'Issues and pull requests together.',
  columns: {
    url: 'URL of the record.',
    kind: 'issue or pull_request.',
    ...place,
    title: 'The title.',
    state: 'open, closed or merged.',
    user: 'Who opened it, by URL.',
    user_login: 'Login of who opened it.',
    body: 'The description in Markdown.',
    labels: 'Labels: a JSON array of URLs.',
    assignees: 'Assignees: a JSON array of URLs.',
    milestone: 'The milestone, by URL.',
    repository: 'The repository, by URL.',
    created_at: 'When it was opened.',
    closed_at: 'When it was closed.',
    merged_at: 'When it was merged.',
  },
  parts: [
    { from: 'issues', kind: "'issue'", user_login: login('user'), merged_at: 'NULL' },
    {
      from: 'pull_requests',
      kind: "'pull_request'",
      user_login: login('user'),
      closed_at: closedAt(true),
    },
  ],
})

// Archives refer to bots without a record, and bot records may have URLs like those of users.
const IN_SQLITE: PersonSql = {
  login: (column) => loginOf(`o.${column}`, `o.${column}_login`),
  isBot: (column) =>
    `coalesce(o.${column} IN (SELECT url FROM bots WHERE url IS NOT NULL) OR o.${column} LIKE '%[bot]', 0)`,
}

const THREADS = threadsView(IN_SQLITE)

/** In the database lists are JSON: archives before 2016 have one assignee, outside of the list. */
const threads = view({
  ...THREADS,
  parts: THREADS.parts.map((part) => ({
    ...part,
    from: `${part.from} AS o`,
    assignees: ASSIGNEES,
  })),
})

/** The columns of the author of a row. */
const byUser = ({ login, isBot }: PersonSql) => ({
  user_login: login('user'),
  by_bot: isBot('user'),
})

/** Events of issues and pull requests. */
export const timelineView = (sql: PersonSql): View => ({
  name: 'timeline',
  summary: 'All comments, reviews and events of issues and pull requests. Sort by created_at.',
  columns: {
    thread: 'The issue or pull request, by URL.',
    ...place,
    created_at: 'When.',
    kind: 'opened, comment, event, review or review_comment.',
    event: 'Type of an event, verdict of a review, or pending for an unsubmitted review comment.',
    user: 'The actor, by URL; NULL for a deleted account.',
    user_login: 'Login of the actor.',
    by_bot: '1 if the actor is a bot: it is in bots, or its login ends with [bot].',
    body: 'The text; for an event, its subject, such as a label.',
    url: 'URL of the record.',
  },
  parts: [
    { from: 'issues', thread: 'url', kind: "'opened'", event: 'NULL', ...byUser(sql) },
    { from: 'pull_requests', thread: 'url', kind: "'opened'", event: 'NULL', ...byUser(sql) },
    { from: 'issue_comments', kind: "'comment'", event: 'NULL', ...byUser(sql) },
    {
      from: 'issue_events',
      kind: "'event'",
      user: 'actor',
      user_login: sql.login('actor'),
      by_bot: sql.isBot('actor'),
      body: 'coalesce(label_name, milestone_title, title_is, subject, commit_id, ref)',
    },
    {
      from: 'pull_request_reviews',
      thread: 'pull_request',
      created_at: 'coalesce(submitted_at, created_at)',
      kind: "'review'",
      event: 'state_name',
      ...byUser(sql),
    },
    {
      from: 'pull_request_review_comments',
      thread: 'pull_request',
      kind: "'review_comment'",
      event: "nullif(state_name, 'submitted')",
      ...byUser(sql),
    },
  ],
})

const TIMELINE = timelineView(IN_SQLITE)

const timeline = view({
  ...TIMELINE,
  parts: TIMELINE.parts.map((part) => ({ ...part, from: `${part.from} AS o` })),
})

const ANSWERS = `SELECT * FROM timeline AS a
WHERE kind IN ('comment', 'review', 'review_comment') AND event IS NOT 'pending' AND NOT by_bot
  AND user IS NOT (SELECT t.user FROM threads AS t WHERE t.url = a.thread)`

const answers: Relation = {
  ...timeline,
  name: 'answers',
  summary:
    'Comments and reviews by people other than the author of the thread, without bots. Sort by created_at.',
  // Two deleted accounts count as one, because both are NULL.
  select: ANSWERS,
  sourced: () => ANSWERS,
}

const reactions = view({
  name: 'reactions',
  summary: 'All reactions.',
  columns: {
    subject: 'The record with the reaction, by URL.',
    kind: 'The kind of that record.',
    user: 'Who reacted, by URL; the record may be missing.',
    content: '+1, -1, heart, tada, rocket, eyes, smile or thinking_face.',
    created_at: 'When.',
  },
  parts: Object.entries(KINDS)
    .filter(([, kind]) => 'reactions' in kind.columns)
    .map(([name, kind]) => ({
      from: `${name}_reactions`,
      subject: quoteName(kind.type),
      kind: quoteText(kind.type),
    })),
})

/** Views that join what archives keep in several kinds. */
export const VIEWS: readonly Relation[] = [
  threads,
  timeline,
  answers,
  reactions,
  uploads,
  ...THREAD_VIEWS,
  ...PEOPLE_VIEWS,
  ...REPOSITORY_VIEWS,
]

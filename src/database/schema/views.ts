import { KINDS } from '../../records/kinds/kinds.ts'
import { quoteName, quoteText } from '../quote.ts'
import type { Relation } from './relation.ts'
import { attachmentsLinks } from './uploads-view.ts'
import { view } from './view.ts'

const place = {
  full_name: 'owner/name of the repository.',
  number: 'Number of the issue or pull request.',
}

const threads = view({
  name: 'threads',
  summary: 'Issues and pull requests together.',
  columns: {
    url: 'Identity.',
    kind: 'issue or pull_request.',
    ...place,
    title: 'The title.',
    state: 'open, closed or merged.',
    user: 'Who opened it, by url.',
    user_login: 'Login of who opened it.',
    body: 'The description in Markdown.',
    labels: 'Labels set: a JSON array of urls.',
    assignees: 'People assigned: a JSON array of urls.',
    milestone: 'The milestone, by url.',
    repository: 'The repository, by url.',
    created_at: 'When it was opened.',
    closed_at: 'When it was closed.',
    merged_at: 'When it was merged.',
  },
  parts: [
    { from: 'issues', kind: "'issue'", merged_at: 'NULL' },
    { from: 'pull_requests', kind: "'pull_request'" },
  ],
})

// Archives name bots of which they have no record, and records of bots whose urls are as those of people.
const byBot = (user: string) =>
  `coalesce(${user} IN (SELECT url FROM bots WHERE url IS NOT NULL) OR ${user} LIKE '%[bot]', 0)`

const timeline = view({
  name: 'timeline',
  summary: 'Everything that happened in issues and pull requests. Sort by created_at.',
  columns: {
    thread: 'The issue or pull request, by url.',
    ...place,
    created_at: 'When.',
    kind: 'opened, comment, event, review or review_comment.',
    event:
      'What an event was; the verdict of a review; pending for a review comment not yet submitted.',
    user: 'Who did it, by url; NULL for a deleted account.',
    user_login: 'Login of who did it.',
    by_bot: '1 if a bot did it: a record of bots, or a login that ends with [bot].',
    body: 'What was written; for an event what it was about.',
    url: 'Identity of the record.',
  },
  parts: [
    { from: 'issues', thread: 'url', kind: "'opened'", event: 'NULL', by_bot: byBot('user') },
    {
      from: 'pull_requests',
      thread: 'url',
      kind: "'opened'",
      event: 'NULL',
      by_bot: byBot('user'),
    },
    { from: 'issue_comments', kind: "'comment'", event: 'NULL', by_bot: byBot('user') },
    {
      from: 'issue_events',
      kind: "'event'",
      user: 'actor',
      user_login: 'actor_login',
      by_bot: byBot('actor'),
      body: 'coalesce(label_name, milestone_title, title_is, subject, commit_id, ref)',
    },
    {
      from: 'pull_request_reviews',
      thread: 'pull_request',
      created_at: 'coalesce(submitted_at, created_at)',
      kind: "'review'",
      event: 'state_name',
      by_bot: byBot('user'),
    },
    {
      from: 'pull_request_review_comments',
      thread: 'pull_request',
      kind: "'review_comment'",
      event: "nullif(state_name, 'submitted')",
      by_bot: byBot('user'),
    },
  ],
})

const answers: Relation = {
  ...timeline,
  name: 'answers',
  summary:
    'Comments and reviews that answer whoever opened the thread: by anybody else but bots. Sort by created_at.',
  // Two deleted accounts are taken for one, because nothing tells them apart.
  select: `SELECT * FROM timeline AS a
WHERE kind IN ('comment', 'review', 'review_comment') AND event IS NOT 'pending' AND NOT by_bot
  AND user IS NOT (SELECT t.user FROM threads AS t WHERE t.url = a.thread)`,
}

const people = view({
  name: 'people',
  summary: 'Users, bots and organizations together.',
  columns: {
    url: 'Identity.',
    kind: 'user, bot or organization.',
    login: 'The name they sign in with.',
    name: 'The name they go by.',
    location: 'Where they say they are.',
    website: 'Their page.',
    created_at: 'When the account was made.',
  },
  parts: [
    { from: 'users', kind: "'user'" },
    { from: 'bots', kind: "'bot'" },
    { from: 'organizations', kind: "'organization'" },
  ],
})

const labels = view({
  name: 'labels',
  summary: 'Labels of all repositories.',
  columns: {
    url: 'Identity.',
    repository: 'The repository, by url.',
    full_name: 'owner/name of the repository.',
    name: 'The name.',
    color: 'Six hexadecimal digits without #.',
    description: 'What it is for.',
    created_at: 'When it was made.',
  },
  parts: [{ from: 'repositories_labels' }],
})

const reactions = view({
  name: 'reactions',
  summary: 'Reactions to everything that people can react to.',
  columns: {
    subject: 'What was reacted to, by url.',
    kind: 'The kind of that record.',
    user: 'Who reacted, by url; may lead nowhere.',
    content: 'What the reaction says: +1, -1, heart, tada, rocket, eyes, smile, thinking_face.',
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

/** Views that put together what people look for and archives keep apart. */
export const VIEWS: readonly Relation[] = [
  ...[threads, timeline, answers, people, labels, reactions],
  attachmentsLinks,
]

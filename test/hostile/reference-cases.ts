import { filesCase, type HostileCase } from './case.ts'

const HOST = 'https://host.example'
const REPOSITORY = `${HOST}/acme/tools`

/** Records by the stem of their file; their kind's type is that of the file. */
const referenceCase = (code: string, name: string, files: Record<string, object[]>): HostileCase =>
  filesCase(
    code,
    name,
    {
      'schema.json': '{"version":"1.0.1"}',
      ...Object.fromEntries(
        Object.entries(files).map(([stem, records]) => [`${stem}_000001.json`, records]),
      ),
    },
    'read',
  )

const issue = (number: number, more: object = {}) => ({
  type: 'issue',
  url: `${REPOSITORY}/issues/${number}`,
  repository: REPOSITORY,
  ...more,
})
const user = (login: string) => ({ type: 'user', url: `${HOST}/${login}`, login })
const comment = (number: number) => ({
  type: 'issue_comment',
  url: `${REPOSITORY}/issues/${number}#issuecomment-1`,
  issue: `${REPOSITORY}/issues/${number}`,
  user: `${HOST}/ghost`,
})

// What refers to nothing is normal: each of these is read, and told by SQL alone.
export const REFERENCE_CASES: readonly HostileCase[] = [
  referenceCase('F1', 'a user, a repository and a fork that are not there', {
    issues: [issue(1, { user: `${HOST}/nobody`, repository: `${HOST}/no/where` })],
    repositories: [{ type: 'repository', url: REPOSITORY, owner: `${HOST}/nobody` }],
  }),
  referenceCase('F2', 'issues that are duplicates of each other', {
    issue_events: [1, 2].map((number) => ({
      type: 'issue_event',
      url: `${REPOSITORY}/issues/${number}#event-${number}`,
      issue: `${REPOSITORY}/issues/${number}`,
      event: 'marked_as_duplicate',
      actor: `${HOST}/ada`,
      created_at: '2020-01-01T00:00:00Z',
    })),
    issues: [issue(1), issue(2)],
  }),
  referenceCase('F3', 'a comment before its issue, and one whose issue is elsewhere', {
    issue_comments: [comment(1), comment(2)],
    issues: [issue(1)],
  }),
  referenceCase('F4', 'a review comment without a thread', {
    pull_request_review_comments: [
      {
        type: 'pull_request_review_comment',
        url: `${REPOSITORY}/pull/1/files#r1`,
        pull_request: `${REPOSITORY}/pull/1`,
        body: 'where?',
      },
    ],
  }),
  referenceCase('F5', 'logins equal but for case, a ghost and a bot', {
    users: [user('Ada'), user('ada'), user('ghost')],
    bots: [{ type: 'user', url: `${HOST}/apps/ada`, login: 'ada' }],
  }),
  referenceCase('F6', 'an issue and a pull request with one number', {
    issues: [issue(1)],
    pull_requests: [{ type: 'pull_request', url: `${REPOSITORY}/pull/1`, repository: REPOSITORY }],
  }),
  referenceCase('F7', 'an issue that was moved to another repository', {
    issues: [issue(1, { repository: `${HOST}/acme/other` })],
  }),
]

import { get, type Rest } from './endpoint.ts'

/** The facts that all endpoints of issues share. */
export const ISSUE: Rest = {
  who: 'all',
  chapter: 'issues/',
  hasPrivate: true,
  previews: ['sailor-v'],
}
const ISSUE_EVENT: Rest = {
  who: 'all',
  chapter: 'issues/events/',
  hasPrivate: true,
  previews: ['starfox', 'sailor-v'],
}
const COMMENT: Rest = { ...ISSUE, chapter: 'issues/comments/' }
const REACTION: Rest = { ...ISSUE, chapter: 'reactions/', list: 'list' }
const LABEL: Rest = { ...ISSUE, chapter: 'issues/labels/' }
const MILESTONE: Rest = { ...ISSUE, chapter: 'issues/milestones/' }
const PULL: Rest = { ...ISSUE, chapter: 'pulls/' }
const REVIEW: Rest = { ...ISSUE, chapter: 'pulls/reviews/' }
const REVIEW_COMMENT: Rest = { ...ISSUE, chapter: 'pulls/comments/' }

/** Endpoints of issues and pull requests, and of what belongs to them. */
export const THREAD_ENDPOINTS = [
  // Issue events
  get('/repos/:owner/:repo/issues/events', 'repositoryIssueEvents', 'issue events, newest first', {
    ...ISSUE_EVENT,
    list: 'list',
    index: 'issue_events_url',
  }),
  get('/repos/:owner/:repo/issues/events/:event_id', 'issueEvent', 'one issue event', {
    ...ISSUE_EVENT,
    previews: ['starfox', 'sailor-v', 'machine-man'],
  }),
  get(
    '/repos/:owner/:repo/issues/:issue_number/events',
    'threadIssueEvents',
    'events of an issue or pull request, oldest first',
    { ...ISSUE_EVENT, list: 'list' },
  ),
  get(
    '/repos/:owner/:repo/issues/:issue_number/timeline',
    'timeline',
    'events, comments and reviews of an issue or pull request, oldest first',
    { ...ISSUE_EVENT, chapter: 'issues/timeline/', list: 'list' },
  ),
  // Comments and reactions
  get('/repos/:owner/:repo/issues/comments', 'repositoryComments', 'comments on issues', {
    ...COMMENT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/issues/comments/:comment_id', 'issueComment', 'one comment', COMMENT),
  get(
    '/repos/:owner/:repo/issues/comments/:comment_id/reactions',
    'issueCommentReactions',
    'reactions to a comment',
    REACTION,
  ),
  get(
    '/repos/:owner/:repo/issues/:issue_number/comments',
    'threadComments',
    'comments on an issue or pull request, oldest first',
    { ...COMMENT, list: 'list' },
  ),
  get(
    '/repos/:owner/:repo/issues/:issue_number/reactions',
    'issueReactions',
    'reactions to an issue or pull request',
    REACTION,
  ),
  get(
    '/repos/:owner/:repo/pulls/comments/:comment_id/reactions',
    'reviewCommentReactions',
    'reactions to a review comment',
    REACTION,
  ),
  // Issues
  get('/repos/:owner/:repo/issues', 'repositoryIssues', 'issues and pull requests', {
    ...ISSUE,
    list: 'list',
    index: 'repository_issues_url',
  }),
  get('/repos/:owner/:repo/issues/:issue_number', 'issue', 'one issue or pull request', ISSUE),
  // Labels and milestones
  get('/repos/:owner/:repo/issues/:issue_number/labels', 'issueLabels', 'its labels', {
    ...LABEL,
    list: 'list',
  }),
  get('/repos/:owner/:repo/labels', 'repositoryLabels', 'labels', { ...LABEL, list: 'list' }),
  get('/repos/:owner/:repo/labels/:label_name', 'label', 'one label', LABEL),
  get('/repos/:owner/:repo/milestones', 'repositoryMilestones', 'milestones', {
    ...MILESTONE,
    list: 'list',
  }),
  get('/repos/:owner/:repo/milestones/:milestone_number', 'milestone', 'one milestone', MILESTONE),
  get(
    '/repos/:owner/:repo/milestones/:milestone_number/labels',
    'milestoneLabels',
    'labels of its issues and pull requests',
    { ...LABEL, list: 'list' },
  ),
  // Pull requests
  get('/repos/:owner/:repo/pulls', 'repositoryPulls', 'pull requests', { ...PULL, list: 'list' }),
  get('/repos/:owner/:repo/pulls/comments', 'repositoryReviewComments', 'review comments', {
    ...REVIEW_COMMENT,
    list: 'list',
  }),
  get(
    '/repos/:owner/:repo/pulls/comments/:comment_id',
    'reviewComment',
    'one review comment',
    REVIEW_COMMENT,
  ),
  get('/repos/:owner/:repo/pulls/:pull_number', 'pull', 'one pull request', PULL),
  get('/repos/:owner/:repo/pulls/:pull_number/files', 'pullFiles', 'the files that it changes', {
    ...PULL,
    list: 'list',
  }),
  get('/repos/:owner/:repo/pulls/:pull_number/commits', 'pullCommits', 'its commits', {
    ...PULL,
    list: 'list',
  }),
  get(
    '/repos/:owner/:repo/pulls/:pull_number/merge',
    'isMerged',
    '204 for one that was merged',
    PULL,
  ),
  get(
    '/repos/:owner/:repo/pulls/:pull_number/requested_reviewers',
    'requestedReviewers',
    'who was asked for a review',
    { ...PULL, chapter: 'pulls/review_requests/' },
  ),
  get('/repos/:owner/:repo/pulls/:pull_number/reviews', 'pullReviews', 'its reviews', {
    ...REVIEW,
    list: 'list',
  }),
  get(
    '/repos/:owner/:repo/pulls/:pull_number/reviews/:review_id/comments',
    'reviewComments',
    'comments of a review',
    { ...REVIEW, list: 'list' },
  ),
  get('/repos/:owner/:repo/pulls/:pull_number/comments', 'pullComments', 'its review comments', {
    ...REVIEW_COMMENT,
    list: 'list',
  }),
] as const

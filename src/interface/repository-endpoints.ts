import { get, type Rest } from './endpoint.ts'

export const REPOSITORY: Rest = { who: 'all', chapter: 'repos/', hasPrivate: true }
const COLLABORATOR: Rest = { ...REPOSITORY, chapter: 'repos/collaborators/' }
const BRANCH: Rest = { ...REPOSITORY, chapter: 'repos/branches/' }
const REF: Rest = { ...REPOSITORY, chapter: 'git/refs/' }
const COMMIT: Rest = { ...REPOSITORY, chapter: 'repos/commits/' }
const COMMIT_COMMENT: Rest = { ...REPOSITORY, chapter: 'repos/comments/' }
const STATUS: Rest = { ...REPOSITORY, chapter: 'repos/statuses/' }
const ASSIGNEE: Rest = { ...REPOSITORY, chapter: 'issues/assignees/' }
const HOOK: Rest = { ...REPOSITORY, chapter: 'repos/hooks/' }
const KEY: Rest = { ...REPOSITORY, chapter: 'repos/keys/' }
const UNKNOWN: Rest = { ...REPOSITORY, list: 'list' }
const TEXT: Rest = { ...REPOSITORY, chapter: 'pulls/', isText: true }
const OLDER_FILE: Rest = { ...REPOSITORY, chapter: '', isText: true }
const ATTACHED: Rest = { ...OLDER_FILE, isForCallers: true }
const CONTENTS: Rest = { ...REPOSITORY, chapter: 'repos/contents/', hasBytes: true }
const SOURCE: Rest = { ...REPOSITORY, chapter: 'repos/contents/', isText: true }

/** Endpoints of repositories, and of what is in their Git data. */
export const REPOSITORY_ENDPOINTS = [
  get('/repos/:owner/:repo', 'repository', 'one repository', {
    ...REPOSITORY,
    index: 'repository_url',
  }),
  get(
    '/repositories/:repository_id',
    'repositoryById',
    'one repository, by its number',
    REPOSITORY,
  ),
  get('/repos/:owner/:repo/languages', 'languages', 'bytes of code by language', REPOSITORY),
  get('/repos/:owner/:repo/topics', 'topics', 'topics of a repository', REPOSITORY),
  get('/users/:username/repos', 'repositoriesOfUser', 'repositories of a person', {
    ...REPOSITORY,
    list: 'list',
    index: 'user_repositories_url',
  }),
  get('/orgs/:org/repos', 'repositoriesOfOrganization', 'repositories of an organization', {
    ...REPOSITORY,
    list: 'list',
    index: 'organization_repositories_url',
  }),
  // People, for those who may push
  get('/repos/:owner/:repo/collaborators', 'collaborators', 'people with access', {
    ...COLLABORATOR,
    list: 'list',
  }),
  get(
    '/repos/:owner/:repo/collaborators/:username',
    'isCollaborator',
    '204 for somebody with access',
    COLLABORATOR,
  ),
  get(
    '/repos/:owner/:repo/collaborators/:username/permission',
    'collaboratorPermission',
    'what somebody may do',
    COLLABORATOR,
  ),
  get('/repos/:owner/:repo/teams', 'repositoryTeams', 'teams with access', {
    ...REPOSITORY,
    list: 'list',
  }),
  get('/repos/:owner/:repo/assignees', 'assignees', 'people who can be assigned', {
    ...ASSIGNEE,
    list: 'list',
  }),
  get(
    '/repos/:owner/:repo/assignees/:username',
    'isAssignee',
    '204 for somebody who can be assigned',
    ASSIGNEE,
  ),
  get('/repos/:owner/:repo/contributors', 'contributors', 'authors of commits, the busiest first', {
    ...REPOSITORY,
    list: 'list',
  }),
  // For administrators
  get('/repos/:owner/:repo/hooks', 'hooks', 'webhooks without their secrets', {
    ...HOOK,
    list: 'list',
  }),
  get('/repos/:owner/:repo/hooks/:hook_id', 'hook', 'one webhook', HOOK),
  get('/repos/:owner/:repo/keys', 'keys', 'deploy keys', { ...KEY, list: 'list' }),
  get('/repos/:owner/:repo/keys/:key_id', 'key', 'one deploy key', KEY),
  // Lists that archives do not have
  get('/repos/:owner/:repo/forks', 'forks', 'nothing: archives do not tell', UNKNOWN),
  get('/repos/:owner/:repo/stargazers', 'stargazers', 'nobody: archives do not tell', UNKNOWN),
  get('/repos/:owner/:repo/subscribers', 'subscribers', 'nobody: archives do not tell', UNKNOWN),
  get('/repos/:owner/:repo/subscription', 'subscription', '404: nobody watches it', REPOSITORY),
  get('/repos/:owner/:repo/notifications', 'repositoryNotifications', 'nothing', UNKNOWN),
  get('/repos/:owner/:repo/deployments', 'deployments', 'nothing: archives have none', UNKNOWN),
  get('/repos/:owner/:repo/downloads', 'downloads', 'nothing: archives have none', UNKNOWN),
  get('/repos/:owner/:repo/security-advisories', 'securityAdvisories', 'nothing', UNKNOWN),
  // Branches and tags
  get('/repos/:owner/:repo/branches', 'branches', 'branches by name', { ...BRANCH, list: 'list' }),
  get(
    '/repos/:owner/:repo/branches/:branch+/protection',
    'branchProtection',
    'the rules of a protected branch, for administrators',
    BRANCH,
  ),
  get('/repos/:owner/:repo/branches/:branch+', 'branch', 'one branch', BRANCH),
  get('/repos/:owner/:repo/tags', 'tags', 'tags by name', { ...REPOSITORY, list: 'list' }),
  // Git objects
  get('/repos/:owner/:repo/git/refs', 'gitRefs', 'refs by name', { ...REF, list: 'list' }),
  get('/repos/:owner/:repo/git/refs/:ref+', 'gitRefOrRefs', 'a ref, or those that begin so', REF),
  get('/repos/:owner/:repo/git/ref/:ref+', 'gitRef', 'one ref', REF),
  get('/repos/:owner/:repo/git/matching-refs/:ref+', 'matchingRefs', 'refs that begin so', {
    ...REF,
    list: 'list',
  }),
  get('/repos/:owner/:repo/git/commits/:commit_sha', 'gitCommit', 'a commit as Git has it', {
    ...REPOSITORY,
    chapter: 'git/commits/',
  }),
  get('/repos/:owner/:repo/git/trees/:tree_sha+', 'gitTree', 'a tree, or all below it', {
    ...REPOSITORY,
    chapter: 'git/trees/',
  }),
  get('/repos/:owner/:repo/git/blobs/:file_sha', 'gitBlob', 'a blob, or its bytes', {
    ...REPOSITORY,
    chapter: 'git/blobs/',
    hasBytes: true,
  }),
  get('/repos/:owner/:repo/git/tags/:tag_sha', 'gitTag', 'an annotated tag', {
    ...REPOSITORY,
    chapter: 'git/tags/',
  }),
  // Commits and contents
  get('/repos/:owner/:repo/commits', 'commits', 'commits, newest first', {
    ...COMMIT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/commits/:ref+/comments', 'commitComments', 'comments on a commit', {
    ...COMMIT_COMMENT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/commits/:ref+/pulls', 'commitPulls', 'pull requests that end in it', {
    ...COMMIT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/commits/:ref+/status', 'combinedStatus', 'pending: none', STATUS),
  get('/repos/:owner/:repo/commits/:ref+/statuses', 'commitStatuses', 'nothing', {
    ...STATUS,
    list: 'list',
  }),
  get('/repos/:owner/:repo/commits/:ref+/check-runs', 'checkRuns', 'nothing', STATUS),
  get('/repos/:owner/:repo/commits/:ref+/check-suites', 'checkSuites', 'nothing', STATUS),
  get('/repos/:owner/:repo/statuses/:ref+', 'statuses', 'nothing: archives have none', {
    ...STATUS,
    list: 'list',
  }),
  get('/repos/:owner/:repo/comments', 'repositoryCommitComments', 'comments on commits', {
    ...COMMIT_COMMENT,
    list: 'list',
  }),
  get('/repos/:owner/:repo/comments/:comment_id', 'commitComment', 'one comment', COMMIT_COMMENT),
  get(
    '/repos/:owner/:repo/comments/:comment_id/reactions',
    'commitCommentReactions',
    'reactions to a comment on a commit',
    { ...REPOSITORY, chapter: 'reactions/', list: 'list' },
  ),
  get('/repos/:owner/:repo/commits/:ref+', 'commit', 'one commit', COMMIT),
  get(
    '/repos/:owner/:repo/compare/:basehead+',
    'compare',
    'what a commit has since another',
    COMMIT,
  ),
  get('/repos/:owner/:repo/readme', 'readme', 'the file that introduces a repository', CONTENTS),
  get('/repos/:owner/:repo/contents', 'rootContents', 'files of the root folder', CONTENTS),
  get('/repos/:owner/:repo/tarball', 'tarball', 'redirect to the files as a tar.gz', SOURCE),
  get('/repos/:owner/:repo/tarball/:ref+', 'tarballOfRef', 'the same of a branch or tag', SOURCE),
  get('/repos/:owner/:repo/zipball', 'zipball', 'redirect to the files as a zip', SOURCE),
  get('/repos/:owner/:repo/zipball/:ref+', 'zipballOfRef', 'the same of a branch or tag', SOURCE),
  // For Git and people
  get('/user-attachments/assets/:id', 'attachment', 'the bytes of a file in a text', ATTACHED),
  get('/user-attachments/files/:id/:name', 'attachedFile', 'the same, by its name', ATTACHED),
  get('/:owner/:repo/assets/:id/:name', 'olderAttachment', 'the same, of older texts', OLDER_FILE),
  get('/:owner/:repo/files/:id/:name', 'olderFile', 'the same, of older texts', OLDER_FILE),
  get('/:owner/:repo/pull/:number.diff', 'pullDiff', 'what a pull request changes', TEXT),
  get('/:owner/:repo/pull/:number.patch', 'pullPatch', 'its commits, for git am', TEXT),
  get('/repos/:owner/:repo/contents/:path+', 'contents', 'a file or folder, or bytes', CONTENTS),
] as const

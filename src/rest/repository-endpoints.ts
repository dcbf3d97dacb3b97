import { get, type Rest } from './endpoint.ts'

export const REPOSITORY: Rest = { who: 'all', chapter: 'repos/', hasPrivate: true }
const COLLABORATOR: Rest = { ...REPOSITORY, chapter: 'repos/collaborators/' }
const BRANCH: Rest = { ...REPOSITORY, chapter: 'repos/branches/' }
const REF: Rest = { ...REPOSITORY, chapter: 'git/refs/' }
const COMMIT: Rest = { ...REPOSITORY, chapter: 'repos/commits/' }
const TEXT: Rest = { ...REPOSITORY, chapter: 'pulls/', isText: true }
const ATTACHED: Rest = { ...REPOSITORY, chapter: '', isText: true }
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
  get('/:owner/:repo/assets/:id/:name', 'olderAttachment', 'the same, of older texts', ATTACHED),
  get('/:owner/:repo/files/:id/:name', 'olderFile', 'the same, of older texts', ATTACHED),
  get('/:owner/:repo/pull/:number.diff', 'pullDiff', 'what a pull request changes', TEXT),
  get('/:owner/:repo/pull/:number.patch', 'pullPatch', 'its commits, for git am', TEXT),
  get('/repos/:owner/:repo/contents/:path+', 'contents', 'a file or folder, or bytes', CONTENTS),
] as const

import { readBitbucketIssues } from './bitbucket-issues/read-bitbucket-issues.ts'
import { readGithubBackup } from './github-backup/read-github-backup.ts'
import { readGitlabProject } from './gitlab-project/read-gitlab-project.ts'
import type { Source } from './source.ts'

/** THE TABLE of foreign sources that are read as migration archives. */
export const SOURCES: readonly Source[] = [
  { is: 'a folder of python-github-backup', read: readGithubBackup },
  // The same files of the host's JSON, each in an object around it.
  { is: 'a folder of github-metadata-backup', read: readGithubBackup },
  { is: 'an export of issues of Bitbucket', read: readBitbucketIssues },
  { is: 'a project export of GitLab', read: readGitlabProject },
]

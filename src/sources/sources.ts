import type { Source } from './source.ts'

type Read = Source['read']

/** A reader whose modules are loaded when it is called: no archive needs them. */
const onDemand = (load: () => Promise<Read>): Read =>
  async function* (...given) {
    yield* (await load())(...given)
  }

const readGithubBackup = onDemand(
  async () => (await import('./github-backup/read-github-backup.ts')).readGithubBackup,
)

/** THE TABLE of foreign sources that are read as migration archives. */
export const SOURCES: readonly Source[] = [
  {
    form: 'github-backup',
    is: 'a folder of python-github-backup',
    options: [],
    holds: 'issues, pull requests, discussions, releases, uploads and clones',
    again: 'Run github-backup again, without --incremental',
    read: readGithubBackup,
  },
  {
    form: 'github-metadata-backup',
    is: 'a folder of github-metadata-backup',
    options: [],
    holds: 'issues and pull requests',
    again: 'Delete state.json and run github-metadata-backup again, which then saves everything',
    // The same files of the host's JSON, each in an object around it.
    read: readGithubBackup,
  },
  {
    form: 'bitbucket-issues',
    is: 'an export of issues of Bitbucket',
    options: ['texts'],
    holds: 'the zip of Bitbucket Cloud: issues, comments, changes and attachments',
    // The host deleted all issues in 2026.
    again: 'Unpack it again or look for another copy, since Bitbucket gives no new one',
    read: onDemand(
      async () => (await import('./bitbucket-issues/read-bitbucket-issues.ts')).readBitbucketIssues,
    ),
  },
  {
    form: 'gitlab-project',
    is: 'a project export of GitLab',
    options: ['numbers', 'texts'],
    holds: 'issues, merge requests, Git, wiki and uploads, from Settings > General',
    again: 'Make the export again: Settings > General > Advanced > Export project',
    read: onDemand(
      async () => (await import('./gitlab-project/read-gitlab-project.ts')).readGitlabProject,
    ),
  },
]

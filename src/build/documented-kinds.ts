import type { BuildOptions } from './build-options.ts'

/** The files of records that the documentation of migrations lists, besides schema.json. */
const DOCUMENTED = [
  'attachments',
  'bases',
  'commit_comments',
  'issue_comments',
  'issue_events',
  'issues',
  'milestones',
  'organizations',
  'projects',
  'protected_branches',
  'pull_request_reviews',
  'pull_requests',
  'releases',
  'repositories',
  'review_comments',
  'users',
]

/** Kinds that the documentation has under another name, with the name of the files that they go to. */
const FILE_KINDS: Readonly<Record<string, string>> = {
  pull_request_review_comments: 'review_comments',
  bots: 'users',
}

/** Files that the documentation does not mention. */
const OTHER_ROLES = ['lfs', 'repository-file', 'release-asset', 'audit-log', 'unknown'] as const

/** The same options with what `archiveKinds` leaves out of these tables of records, and how it names files of records. */
export function withArchiveKinds<Options extends BuildOptions>(
  options: Options,
  tables: readonly string[],
): Options & { fileKinds: Readonly<Record<string, string>> } {
  if (options.archiveKinds !== 'documented') return { ...options, fileKinds: {} }
  const others = tables.filter((table) => !DOCUMENTED.includes(FILE_KINDS[table] ?? table))
  return {
    ...options,
    fileKinds: FILE_KINDS,
    withoutKinds: [...(options.withoutKinds ?? []), ...others],
    withoutRoles: [...(options.withoutRoles ?? []), ...OTHER_ROLES],
  }
}

import type { Relation } from './relation.ts'

/** The columns of `commits` after the repository, in their order. */
const COLUMNS = {
  oid: ['TEXT NOT NULL', 'Commit id, 40 hexadecimal digits.'],
  tree: ['TEXT NOT NULL', 'Id of its tree.'],
  parents: ['TEXT NOT NULL', 'Parent commits: a JSON array of ids.'],
  author_name: ['TEXT NOT NULL', 'Name of the author.'],
  author_email: ['TEXT NOT NULL', 'E-mail address of the author.'],
  authored_at: [
    'TEXT',
    'Author date in UTC; NULL without a date, or if its year does not have four digits.',
  ],
  author_zone: ['TEXT NOT NULL', 'Time zone of the author, such as +0200.'],
  committer_name: ['TEXT NOT NULL', 'Name of the committer.'],
  committer_email: ['TEXT NOT NULL', 'E-mail address of the committer.'],
  committed_at: ['TEXT', 'Commit date in UTC.'],
  committer_zone: ['TEXT NOT NULL', 'Time zone of the committer.'],
  subject: ['TEXT NOT NULL', 'First paragraph of the message as one line.'],
  message: ['TEXT NOT NULL', 'The message.'],
} as const

export type CommitColumn = keyof typeof COLUMNS

export const COMMIT_COLUMN_NAMES = Object.keys(COLUMNS) as CommitColumn[]

const REPOSITORY = 'owner/name, or owner/name.wiki for a wiki.'

/** The tables that `marc repo index` fills. They are emptied when Git data change. */
export const COMMIT_TABLES = ['commits', 'commits_files'] as const

const STATUS = 'A added, D deleted, M modified, R renamed, T of another type.'

/** These tables, and a view of the parents. */
export const COMMIT_RELATIONS: readonly Relation[] = [
  {
    name: 'commits',
    type: 'table',
    summary: 'The commits reachable from refs; empty until marc repo index fills it.',
    columns: [
      { name: 'repository', type: 'TEXT NOT NULL', description: REPOSITORY },
      ...Object.entries(COLUMNS).map(([name, [type, description]]) => ({
        name,
        type,
        description,
      })),
      {
        name: 'files',
        type: 'INTEGER',
        description: 'Number of files it changed; NULL without marc repo index --files.',
      },
    ],
    indexes: [
      { name: 'commits_by_oid', on: 'oid, repository', unique: true },
      { name: 'commits_by_repository', on: 'repository, committed_at' },
      { name: 'commits_by_author_email', on: 'author_email' },
    ],
  },
  {
    name: 'commits_files',
    type: 'table',
    summary:
      'The files that commits changed, a merge compared with its first parent; see marc repo index --files.',
    columns: [
      { name: 'repository', type: 'TEXT NOT NULL', description: REPOSITORY },
      { name: 'oid', type: 'TEXT NOT NULL', description: 'The commit.', refersTo: ['commits'] },
      { name: 'path', type: 'TEXT NOT NULL', description: 'Path; of a deleted file the old one.' },
      { name: 'status', type: 'TEXT NOT NULL', description: STATUS },
      { name: 'old_path', type: 'TEXT', description: 'Path before a rename; NULL without one.' },
      {
        name: 'inserted',
        type: 'INTEGER',
        description: 'Lines that were inserted; NULL for binary files and those above 1 MiB.',
      },
      {
        name: 'deleted',
        type: 'INTEGER',
        description: 'Lines that were deleted; NULL as inserted.',
      },
    ],
    indexes: [
      { name: 'commits_files_by_oid', on: 'oid, repository' },
      { name: 'commits_files_by_path', on: 'path, repository' },
      {
        name: 'commits_files_by_old_path',
        on: 'old_path, repository',
        where: 'old_path IS NOT NULL',
      },
    ],
  },
  {
    name: 'commits_parents',
    type: 'view',
    listOf: 'commits',
    summary: 'The parents of commits, one row each.',
    columns: [
      { name: 'repository', type: '', description: REPOSITORY },
      { name: 'oid', type: '', description: 'The commit.', refersTo: ['commits'] },
      { name: 'position', type: '', description: 'Place among the parents, from 0.' },
      { name: 'parent', type: '', description: 'The parent.', refersTo: ['commits'] },
    ],
    select: `SELECT c.repository, c.oid, e.key AS position, e.value AS parent
FROM commits AS c, json_each(c.parents) AS e`,
  },
]

import type { Relation } from './relation.ts'

/** The columns of `commits` beside the repository, in their order. */
const COLUMNS = {
  oid: ['TEXT NOT NULL', 'Its id, 40 hexadecimal digits.'],
  tree: ['TEXT NOT NULL', 'The id of the tree of all its files.'],
  parents: ['TEXT NOT NULL', 'The commits it comes from: a JSON array of ids.'],
  author_name: ['TEXT NOT NULL', 'Who wrote it.'],
  author_email: ['TEXT NOT NULL', 'Address of who wrote it.'],
  authored_at: ['TEXT', 'When it was written, in UTC; NULL for no date, or none of four digits.'],
  author_zone: ['TEXT NOT NULL', 'Difference to UTC where it was written, such as +0200.'],
  committer_name: ['TEXT NOT NULL', 'Who made the commit.'],
  committer_email: ['TEXT NOT NULL', 'Address of who made the commit.'],
  committed_at: ['TEXT', 'When the commit was made, in UTC.'],
  committer_zone: ['TEXT NOT NULL', 'Difference to UTC where the commit was made.'],
  subject: ['TEXT NOT NULL', 'First paragraph of the message, on one line.'],
  message: ['TEXT NOT NULL', 'The message.'],
} as const

export type CommitColumn = keyof typeof COLUMNS

export const COMMIT_COLUMN_NAMES = Object.keys(COLUMNS) as CommitColumn[]

const REPOSITORY = 'owner/name; .wiki at the end for a wiki.'

/** The table that `marc repo index` fills, and a view of who comes from whom. */
export const COMMIT_RELATIONS: readonly Relation[] = [
  {
    name: 'commits',
    type: 'table',
    summary: 'The commits that refs lead to; empty until marc repo index fills it.',
    columns: [
      { name: 'repository', type: 'TEXT NOT NULL', description: REPOSITORY },
      ...Object.entries(COLUMNS).map(([name, [type, description]]) => ({
        name,
        type,
        description,
      })),
    ],
    indexes: [
      { name: 'commits_by_oid', on: 'oid, repository', unique: true },
      { name: 'commits_by_repository', on: 'repository, committed_at' },
      { name: 'commits_by_author_email', on: 'author_email' },
    ],
  },
  {
    name: 'commits_parents',
    type: 'view',
    listOf: 'commits',
    summary: 'The commits that each commit comes from, one row each.',
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

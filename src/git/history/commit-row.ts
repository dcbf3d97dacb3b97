import type { CommitColumn } from '../../database/schema/commits-table.ts'
import type { SqlValue } from '../../database/schema/row-layout.ts'
import { type Commit, subjectOf } from '../parse/parse-commit.ts'
import { timeOf } from '../parse/parse-person.ts'

/** The value of each column, in the table `commits` and elsewhere. */
const VALUES: Record<CommitColumn, (commit: Commit) => SqlValue> = {
  oid: ({ oid }) => oid,
  tree: ({ tree }) => tree,
  parents: ({ parents }) => JSON.stringify(parents),
  author_name: ({ author }) => author.name,
  author_email: ({ author }) => author.email,
  authored_at: ({ author }) => timeOf(author),
  author_zone: ({ author }) => author.zone,
  committer_name: ({ committer }) => committer.name,
  committer_email: ({ committer }) => committer.email,
  committed_at: ({ committer }) => timeOf(committer),
  committer_zone: ({ committer }) => committer.zone,
  subject: subjectOf,
  message: ({ message }) => message,
}

/** The values of these columns. */
export const commitRow = (commit: Commit, columns: readonly CommitColumn[]): SqlValue[] =>
  columns.map((column) => VALUES[column](commit))

import type { Relation } from './relation.ts'

/** The column with the name of the source of a row, in a database that was made of several sources. */
export const SOURCE_COLUMN = '_source'

/** The records that a row `v` of a view is about, for views that read no table of records directly. */
const SUBJECTS: Readonly<Record<string, readonly string[]>> = {
  repository_facts: ['repositories AS r WHERE r.url = v.url'],
  milestone_facts: ['milestones AS r WHERE r.url = v.url'],
  label_facts: ['repositories AS r WHERE r.url = v.repository'],
  release_facts: ['releases AS r WHERE r.url = v.url'],
  requested_reviewers: ['pull_requests AS r WHERE r.url = v.pull_request'],
  reviewers: ['pull_requests AS r WHERE r.url = v.pull_request'],
  closing_pull_requests: [
    'pull_requests AS r WHERE r.url = v.pull_request',
    'issues AS r WHERE r.url = v.issue',
  ],
  members: ['organizations AS r WHERE r.url = v.organization', 'teams AS r WHERE r.url = v.team'],
  permissions: ['repositories AS r WHERE r.url = v.repository'],
  git_repositories: [
    'files AS r WHERE r.repository = v.repository LIMIT 1',
    'repositories AS r WHERE r.url = v.url',
  ],
  commits_parents: ['refs AS r WHERE r.repository = v.repository LIMIT 1'],
}

/** A view with the column `_source` at the end. */
export const withSource = (view: Relation): Relation => ({
  ...view,
  select: selectWithSource(view),
})

function selectWithSource({ name, select = '', sourced }: Relation): string {
  if (sourced) return sourced()
  const subjects = (SUBJECTS[name] ?? []).map((from) => `(SELECT r.${SOURCE_COLUMN} FROM ${from})`)
  const source = subjects.length > 1 ? `coalesce(${subjects.join(', ')})` : subjects[0]
  return `SELECT v.*, ${source ?? 'NULL'} AS ${SOURCE_COLUMN} FROM (\n${select}) AS v`
}

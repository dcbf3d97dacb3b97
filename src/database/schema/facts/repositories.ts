/** Counts and other facts of a repository: how many threads are open, how far a milestone is, which release is the latest. */

import type { Relation } from '../relation.ts'
import { view, viewOf } from '../view.ts'
import { isMilestoneOf } from './threads.ts'
import { elementsOf, integerOf, memberOf, textOf, timeOf, utcTimeOf } from './values.ts'

/** A number of rows of a table of which a column has the URL of the record `o`. */
const count = (table: string, column: string, condition = ''): string =>
  `(SELECT count(*) FROM ${table} WHERE ${column} = o.url${condition})`

const OPEN = " AND state = 'open'"

/** The issues and pull requests of a milestone `o`, all of its repository: each table by its index, which SQLite would not use below a view. */
const countThreads = (condition: string): string =>
  ['issues', 'pull_requests']
    .map((table) =>
      count(
        table,
        'milestone',
        ` AND ${isMilestoneOf('o.url', `${table}.repository`)}${condition}`,
      ),
    )
    .join(' + ')

/** Records without a repository of their own that name one. */
const NAMING = ['issues', 'pull_requests', 'discussions', 'releases', 'milestones']

const repositories = viewOf(
  'repository_facts',
  'Repositories, also those without a record that other records name, with what is in them.',
  {
    url: 'URL of the repository.',
    is_private: '0 if its record says that it is public; 1 otherwise.',
    has_record: '1 if the archive has its record.',
    issues: 'Number of issues.',
    open_issues: 'Number of open issues.',
    pull_requests: 'Number of pull requests.',
    open_pull_requests: 'Number of open pull requests: neither closed nor merged.',
    discussions: 'Number of discussions.',
    releases: 'Number of releases, drafts included.',
    milestones: 'Number of milestones.',
    labels: 'Number of labels.',
  },
  `SELECT o.url, o.is_private, o.has_record,
  ${count('issues', 'repository')} AS issues,
  ${count('issues', 'repository', OPEN)} AS open_issues,
  ${count('pull_requests', 'repository')} AS pull_requests,
  ${count('pull_requests', 'repository', OPEN)} AS open_pull_requests,
  ${count('discussions', 'repository')} AS discussions,
  ${count('releases', 'repository')} AS releases,
  ${count('milestones', 'repository')} AS milestones,
  ${count('labels', 'repository')} AS labels
FROM (
  SELECT url, private IS NOT 0 AS is_private, 1 AS has_record FROM repositories WHERE url IS NOT NULL
  UNION ALL SELECT url, 1, 0 FROM (
    ${NAMING.map((table) => `SELECT DISTINCT repository AS url FROM ${table} WHERE repository IS NOT NULL`).join('\n    UNION ')})
  WHERE url NOT IN (SELECT url FROM repositories WHERE url IS NOT NULL)) AS o`,
)

const milestones = viewOf(
  'milestone_facts',
  'Milestones, with how many of their issues and pull requests are done.',
  {
    url: 'URL of the milestone.',
    repository: 'The repository, by URL.',
    full_name: 'owner/name of the repository.',
    number: 'Number of the milestone.',
    title: 'The title.',
    description: 'The description.',
    user: 'Who made it, by URL.',
    state: 'open or closed.',
    created_at: 'When it was made.',
    updated_at: 'When it was last changed.',
    due_at: 'When it is due.',
    closed_at: 'When it was closed.',
    open_threads: 'Number of open issues and pull requests.',
    closed_threads: 'Number of closed ones; what is merged is closed.',
  },
  `SELECT o.url, o.repository, o.full_name, ${integerOf('o.number')} AS number, ${textOf('o.title')} AS title,
  ${textOf('o.description')} AS description, ${textOf('o.user')} AS user, iif(o.state IS 'closed', 'closed', 'open') AS state,
  ${utcTimeOf('o.created_at')} AS created_at, ${utcTimeOf('o.updated_at')} AS updated_at,
  ${utcTimeOf('o.due_on')} AS due_at, ${utcTimeOf('o.closed_at')} AS closed_at,
  ${countThreads(OPEN)} AS open_threads,
  ${countThreads(" AND state <> 'open'")} AS closed_threads
FROM milestones AS o`,
)

/** A text of an element; NULL for anything else. */
const textMember = (name: string): string => textOf(memberOf('e', name))

/** The labels in the records of repositories. */
const labels = view({
  name: 'labels',
  summary: 'Labels of all repositories.',
  columns: {
    url: 'URL of the record.',
    repository: 'The repository, by URL.',
    full_name: 'owner/name of the repository.',
    name: 'The name.',
    color: 'Six hexadecimal digits in lower case without #; NULL for anything else.',
    description: 'The description.',
    created_at: 'When it was created.',
  },
  parts: [
    {
      from: `repositories AS o, ${elementsOf('o.labels', 'e')}`,
      where: "e.type = 'object'",
      url: textMember('url'),
      repository: 'o.url',
      full_name: 'o.full_name',
      name: textMember('name'),
      color: `CASE WHEN ${memberOf('e', 'color')} GLOB '${'[0-9A-Fa-f]'.repeat(6)}' THEN lower(${memberOf('e', 'color')}) END`,
      description: textMember('description'),
      created_at: memberOf('e', 'created_at'),
    },
  ],
})

/**
 * Selects `url, repository, threads, open_threads` of labels.
 *
 * @param condition which threads `o` count; it is there twice, as SQLite would not move it below the grouping
 */
export const selectLabelFacts = (condition = '1'): string => {
  const labelled = ['issues', 'pull_requests'].map(
    (table) => `SELECT e.value AS url, o.repository, o.url AS thread, o.state
  FROM ${table} AS o, ${elementsOf('o.labels', 'e')} WHERE e.type = 'text' AND ${condition}`,
  )
  return `SELECT url, repository, count(DISTINCT thread) AS threads,
  count(DISTINCT iif(state = 'open', thread, NULL)) AS open_threads
FROM (${labelled.join('\n  UNION ALL ')})
GROUP BY repository, url`
}

const labelFacts = viewOf(
  'label_facts',
  'How many issues and pull requests have each label, also a label without a record.',
  {
    url: 'URL of the label.',
    repository: 'The repository, by URL.',
    threads: 'Number of issues and pull requests with it.',
    open_threads: 'Number of open ones.',
  },
  selectLabelFacts(),
)

/** When a release was published; a draft has only been made. */
const PUBLISHED = `coalesce(${timeOf('o.published_at')}, ${timeOf('o.created_at')})`

const releases = viewOf(
  'release_facts',
  'Releases, with when each was published and which is the latest.',
  {
    url: 'URL of the release.',
    repository: 'The repository, by URL.',
    full_name: 'owner/name of the repository.',
    tag_name: 'Name of the tag.',
    at: 'Seconds since 1970 of its publication; of a draft, of its making. Releases are listed by it, the newest first.',
    published_at: 'When it was published; NULL for a draft.',
    is_draft: '1 unless it is published.',
    is_prerelease: '1 if it is marked as not ready for everybody.',
    is_latest: '1 for the newest of its repository that is neither a draft nor a prerelease.',
    files: 'Number of its files.',
  },
  `SELECT o.url, o.repository, o.full_name, o.tag_name, ${PUBLISHED} AS at,
  ${utcTimeOf('o.published_at')} AS published_at,
  o.state IS NOT 'published' AS is_draft, o.prerelease IS 1 AS is_prerelease,
  o.state IS 'published' AND o.prerelease IS NOT 1 AND row_number() OVER (
    PARTITION BY o.repository, o.state IS 'published' AND o.prerelease IS NOT 1
    ORDER BY ${PUBLISHED} DESC, o.url DESC) = 1 AS is_latest,
  (SELECT count(DISTINCT ${memberOf('e', 'url')}) FROM ${elementsOf('o.release_assets', 'e')}) AS files
FROM releases AS o`,
)

/** Views of what is in repositories. */
export const REPOSITORY_VIEWS: readonly Relation[] = [
  repositories,
  milestones,
  labels,
  labelFacts,
  releases,
]

import { utcTimeOf } from '../database/schema/facts/values.ts'
import type { Repository } from './library.ts'
import { asObject, asText, asTextOrNull, parseJson } from './values.ts'

/** The members of the record of a repository that faces show. */
export interface RepositoryRecord {
  readonly name: string
  readonly description: string | null
  readonly website: string | null
  readonly defaultBranch: string
  /** In UTC; null if it is not a time. */
  readonly createdAt: string | null
  readonly isArchived: boolean
  readonly hasIssues: boolean
  readonly hasWiki: boolean
  readonly hasDownloads: boolean
  readonly hasPages: boolean
  /** Such as `projects` and `squash_merge`, which may be anything. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Those that were created, in the order of the record. */
  readonly topics: readonly string[]
}

const COLUMNS = `name, description, website, default_branch, ${utcTimeOf('created_at')}, is_archived, has_issues, has_wiki, has_downloads,
  page, general_settings, repository_topics`

/** The record of a repository; undefined if the database only names it. */
export function readRepositoryRecord({ store, url }: Repository): RepositoryRecord | undefined {
  const row = store.recordAt('repositories', COLUMNS, url)
  if (!row) return undefined
  const [name, description, website, branch, created, archived, issues, wiki, downloads] = row
  const [page, settings, topics] = row.slice(9).map(parseJson)
  return {
    name: asText(name),
    description: asTextOrNull(description),
    website: asTextOrNull(website),
    defaultBranch: asText(branch),
    createdAt: asTextOrNull(created),
    isArchived: archived === 1,
    hasIssues: issues === 1,
    hasWiki: wiki === 1,
    hasDownloads: downloads === 1,
    hasPages: typeof page === 'object' && page !== null && !Array.isArray(page),
    settings: asObject(settings),
    topics: (Array.isArray(topics) ? topics : [])
      .map(asObject)
      .flatMap(({ state, topic_name }) =>
        state === 'created' && typeof topic_name === 'string' ? [topic_name] : [],
      ),
  }
}

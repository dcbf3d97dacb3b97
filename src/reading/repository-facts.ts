/** What is in a repository, as `database/schema/facts/repositories.ts` counts it. */

import type { Repository } from './library.ts'
import { Memo } from './remembered.ts'
import type { Store } from './store.ts'
import { countProjects } from './threads/projects.ts'

/** Counts of a repository. What is merged is closed; two threads with one number are two. */
export interface RepositoryFacts {
  readonly issues: number
  readonly openIssues: number
  readonly pullRequests: number
  readonly openPullRequests: number
  readonly discussions: number
  /** Drafts included. */
  readonly releases: number
  readonly milestones: number
}

const FACTS = `SELECT issues, open_issues AS openIssues, pull_requests AS pullRequests,
    open_pull_requests AS openPullRequests, discussions, releases, milestones
  FROM repository_facts WHERE url = ?`

/** What is in the repository with a URL, whether it has a record or is only named; undefined otherwise. */
export const readRepositoryFacts = (store: Store, url: string): RepositoryFacts | undefined =>
  store.remember(FOUND, url, () => store.get<RepositoryFacts>(FACTS, url))

const FOUND = new Memo<RepositoryFacts | undefined>()

/** How many threads of each kind are open, and how many discussions and releases there are. */
export interface TabCounts {
  readonly issues: number
  readonly pulls: number
  readonly discussions: number
  readonly releases: number
  readonly projects: number
}

const TABS = new Memo<TabCounts>()

export const countTabs = (repository: Repository): TabCounts =>
  repository.store.remember(TABS, repository.url, () => {
    const { store, url } = repository
    const facts = readRepositoryFacts(store, url)
    return {
      issues: facts?.openIssues ?? 0,
      pulls: facts?.openPullRequests ?? 0,
      discussions: facts?.discussions ?? 0,
      releases: facts?.releases ?? 0,
      projects: countProjects(repository),
    }
  })

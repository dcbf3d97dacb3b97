import type { Database } from '../../database/database.ts'
import { Feeds } from './feeds.ts'
import { GitData } from './git-data.ts'
import { IssueEvents } from './issue-events.ts'
import { Milestones } from './milestones.ts'
import { Parts } from './parts.ts'
import { type AccountFacts, People } from './people.ts'
import { Permissions } from './permissions.ts'
import { Releases } from './releases.ts'
import { Repositories } from './repositories.ts'
import { asInteger, Sources } from './sources.ts'
import { Threads } from './threads.ts'

/** Answers questions about databases as they were when their index was made. */
export class CatalogReader {
  readonly sources: Sources
  readonly people: People
  readonly repositories: Repositories
  readonly permissions: Permissions
  readonly threads: Threads
  readonly milestones: Milestones
  readonly parts: Parts
  readonly releases: Releases
  readonly issueEvents: IssueEvents
  readonly feeds: Feeds
  readonly git: GitData

  constructor(index: Database, databases: readonly Database[], facts: AccountFacts) {
    // The file of the index never changes: in one transaction its questions need no locks.
    index.exec('BEGIN')
    this.sources = new Sources(index, databases)
    this.people = new People(this.sources)
    this.repositories = new Repositories(this.sources)
    this.permissions = new Permissions(this.sources, this.people)
    this.threads = new Threads(this.sources)
    this.milestones = new Milestones(this.sources)
    this.parts = new Parts(this.sources)
    this.releases = new Releases(this.sources, this.people)
    this.issueEvents = new IssueEvents(this.sources)
    this.feeds = new Feeds(this.sources, this.repositories, this.permissions)
    this.git = new GitData(this.sources)
    this.useAccounts(facts)
  }

  /** Takes what the accounts file says, and forgets what was made without it. */
  useAccounts(facts: AccountFacts): void {
    this.people.useAccounts(facts)
    this.permissions.useAccounts(facts)
    this.sources.forget()
  }

  /** How many repositories are served, and what is not served because its name is taken or it has no record. */
  counts(): { repositories: number; shadowed: number; unserved: number } {
    const row = this.sources.get(
      'SELECT (SELECT count(*) FROM repositories), shadowed, unserved FROM contents',
    )
    const [repositories, shadowed, unserved] = row ?? []
    return {
      repositories: asInteger(repositories),
      shadowed: asInteger(shadowed),
      unserved: asInteger(unserved),
    }
  }

  close(): void {
    this.sources.close()
  }
}

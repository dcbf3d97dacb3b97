import { Feeds } from './feeds.ts'
import type { IndexedLibrary } from './library.ts'
import { Milestones } from './milestones.ts'
import { People } from './people/people.ts'
import { Permissions } from './people/permissions.ts'
import type { AccountFacts } from './people/viewer.ts'
import { Repositories } from './repositories.ts'
import { Threads } from './threads/indexed-threads.ts'
import { IssueEvents } from './threads/issue-events.ts'
import { Parts } from './threads/parts.ts'
import { asInteger } from './values.ts'

/** Answers questions about databases as they were when their index was made. */
export class IndexedReader {
  readonly library: IndexedLibrary
  readonly people: People
  readonly repositories: Repositories
  readonly permissions: Permissions
  readonly threads: Threads
  readonly milestones: Milestones
  readonly parts: Parts
  readonly issueEvents: IssueEvents
  readonly feeds: Feeds

  constructor(library: IndexedLibrary, facts: AccountFacts) {
    this.library = library
    this.people = new People(this.library)
    this.repositories = new Repositories(this.library)
    this.permissions = new Permissions(this.library, this.people)
    this.threads = new Threads(this.library)
    this.milestones = new Milestones(this.library)
    this.parts = new Parts(this.library)
    this.issueEvents = new IssueEvents(this.library)
    this.feeds = new Feeds(this.library, this.repositories, this.permissions)
    this.useAccounts(facts)
  }

  /** Takes what the accounts file says, and forgets what was made without it. */
  useAccounts(facts: AccountFacts): void {
    this.people.useAccounts(facts)
    this.permissions.useAccounts(facts)
    this.library.forget()
  }

  /** How many repositories are served, and what is not served because its name is taken or it has no record. */
  counts(): { repositories: number; shadowed: number; unserved: number } {
    const row = this.library.index.row(
      'SELECT (SELECT count(*) FROM repositories), shadowed, unserved FROM contents',
    )
    const [repositories, shadowed, unserved] = row ?? []
    return {
      repositories: asInteger(repositories),
      shadowed: asInteger(shadowed),
      unserved: asInteger(unserved),
    }
  }
}

/** Where faces may differ. */

import type { Face } from './facts.ts'
import { elements, has, IN_THREAD, REVIEWS } from './when.ts'

/** Faces that tell facts differently from all others, and why they may. */
export interface Lawful {
  /** The noun, whose view `when` asks. */
  readonly noun: 'thread' | 'repository' | 'milestone' | 'label' | 'person' | 'release' | 'team'
  /** Names of facts. */
  readonly facts: readonly string[]
  /** The faces that stand apart. */
  readonly faces: readonly Face[]
  /** Of which records: SQL over a row `o` of the view of the noun. */
  readonly when: string
  readonly because: string
  /** The file that says so. */
  readonly saidIn: string
}

/** Differences that are meant. */
export const LAWFUL: readonly Lawful[] = [
  {
    noun: 'thread',
    facts: ['labels'],
    faces: ['sql', 'rest'],
    when: has(
      `${elements('o.labels')} WHERE e.value NOT IN (SELECT url FROM labels WHERE url IS NOT NULL)`,
    ),
    because: 'a label without a record is left out for programs, and named by its url for people',
    saidIn: 'rest/resources/threads.ts',
  },
  {
    noun: 'thread',
    facts: ['events'],
    faces: ['rest'],
    when: has(
      `issue_events AS c WHERE ${IN_THREAD} AND c.event = 'referenced' AND (c.commit_id IS NULL OR length(c.commit_id) <> 40)`,
    ),
    because: 'a reference by no commit does not exist',
    saidIn: 'reading/index/index-events.ts',
  },
  {
    noun: 'thread',
    facts: ['reviews'],
    faces: ['rest'],
    when: has(`${REVIEWS} AND r.state = 0`),
    because: "a review that was not handed in is its author's",
    saidIn: 'reading/threads/parts.ts',
  },
  {
    noun: 'thread',
    facts: ['reactions'],
    faces: ['rest'],
    when: has(
      `reactions AS x WHERE x.subject = o.url GROUP BY x.user, x.content HAVING count(*) > 1`,
    ),
    because: 'of two equal reactions by one person the interface has the first',
    saidIn: 'rest/resources/reactions.ts',
  },
  {
    noun: 'thread',
    facts: ['is at its number'],
    faces: ['rest'],
    when: 'o.repository NOT IN (SELECT url FROM repositories WHERE url IS NOT NULL)',
    because: 'a repository without a record is not served',
    saidIn: 'reading/index/index-repositories.ts',
  },
  {
    noun: 'release',
    facts: ['has a page'],
    faces: ['rest'],
    when: 'o.repository NOT IN (SELECT url FROM repositories WHERE url IS NOT NULL)',
    because: 'a repository without a record is not served',
    saidIn: 'reading/index/index-repositories.ts',
  },
  {
    noun: 'thread',
    facts: ['reviews'],
    faces: ['show', 'page'],
    when: has(`${REVIEWS} AND r.state = 1 AND coalesce(r.body, '') = ''`),
    because: 'a review that only holds replies is no item of the timeline',
    saidIn: 'reading/threads/review-threads.ts',
  },
  {
    noun: 'thread',
    facts: ['participants'],
    faces: ['show'],
    when: has(`${REVIEWS} AND r.state = 1 AND coalesce(r.body, '') = ''`),
    because: 'whoever wrote a review that is no item took part by its replies',
    saidIn: 'reading/threads/review-threads.ts',
  },
  {
    noun: 'thread',
    facts: ['closes'],
    faces: ['page'],
    when: `o.kind = 'pull_request' AND ${has(`closing_pull_requests AS c WHERE c.pull_request = o.url
      AND c.issue NOT IN (SELECT url FROM issues WHERE url IS NOT NULL)`)}`,
    because: 'a page lists the issues that it can show the state of',
    saidIn: 'reading/threads/thread-facts.ts',
  },
]

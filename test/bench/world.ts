import { words } from './prose.ts'
import { Random } from './random.ts'

/** How many records of each kind there are; with the seed, all that the archive follows from. */
export interface World {
  readonly seed: number
  readonly counts: Readonly<Record<Kind, number>>
}

export type Kind = (typeof kinds)[number]

/** The kinds by the names of their files. */
export const kinds = [
  'organizations',
  'teams',
  'users',
  'bots',
  'repositories',
  'protected_branches',
  'milestones',
  'issues',
  'pull_requests',
  'issue_comments',
  'issue_events',
  'pull_request_reviews',
  'pull_request_review_threads',
  'pull_request_review_comments',
  'commit_comments',
  'releases',
  'attachments',
  'repository_files',
  'discussions',
  'discussion_categories',
] as const

/** Every record of `records` in all, in the proportions of a busy repository. */
export function makeWorld(records: number, seed: number): World {
  if (!Number.isSafeInteger(records) || records < 100) {
    throw new RangeError(`An archive has 100 records or more, not ${records}`)
  }
  const share = (perTenThousand: number) => Math.floor((records * perTenThousand) / 10_000)
  const counts: Record<Kind, number> = {
    organizations: 1,
    teams: 4,
    users: Math.max(3, share(50)),
    bots: 2,
    repositories: 2,
    protected_branches: 2,
    milestones: 2 + share(5),
    issues: share(1000),
    pull_requests: share(600),
    issue_comments: share(3000),
    issue_events: 0,
    pull_request_reviews: share(300),
    pull_request_review_threads: share(200),
    pull_request_review_comments: share(300),
    commit_comments: share(10),
    releases: share(5),
    attachments: share(15),
    repository_files: share(5),
    discussions: share(10),
    discussion_categories: 12,
  }
  counts.issue_events = records - Object.values(counts).reduce((sum, count) => sum + count)
  return { seed, counts }
}

/** The random numbers of one record. */
export function randomOf(world: World, kind: Kind, index: number): Random {
  return new Random(world.seed, 100 + kinds.indexOf(kind), index)
}

export const host = 'https://github.com'
export const owner = 'lanterns'
export const repositoryNames = ['telemetry', 'telemetry-plugins'] as const

export function repositoryUrl(index: number): string {
  return `${host}/${owner}/${repositoryNames[index === 0 ? 0 : 1]}`
}

export function loginOf(index: number): string {
  return `${words[(index * 7919 + 400) % words.length]}-${words[(index * 31) % 997]}${index}`
}

/** The address of one of the users, early ones more often. */
export function someUser(world: World, random: Random): string {
  return `${host}/${loginOf(random.skewed(world.counts.users))}`
}

/** The address of someone who writes: a user, or at times a bot. */
export function someAuthor(world: World, random: Random): string {
  return random.chance(0.04) ? random.pick(botUrls) : someUser(world, random)
}

export const botUrls = [`${host}/lantern-builder[bot]`, `${host}/Lamplighter`] as const

const firstSecond = Date.UTC(2014, 0, 6) / 1000
const seconds = 11 * 365 * 24 * 3600

/** A moment in the years the archive spans: 0 is the first, 1 the last. */
export function date(part: number): string {
  const second = firstSecond + Math.floor(Math.min(part, 1) * seconds)
  return `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
}

/** The same with milliseconds and a local offset, as in reactions. */
export function localDate(part: number): string {
  return date(part).replace('Z', '.000+08:00')
}

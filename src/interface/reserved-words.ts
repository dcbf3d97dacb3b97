import { ENDPOINTS } from './endpoints.ts'

/**
 * The first segments of all paths of GitHub's interface. The server answers errors below them as JSON, also where it has no
 * endpoint. `octokit.rest` has the list; `octocat` is left out, because it is an account as well.
 */
const PUBLISHED = [
  'advisories',
  'agents',
  'app',
  'app-manifests',
  'applications',
  'apps',
  'assignments',
  'authorizations',
  'classrooms',
  'codes_of_conduct',
  'credentials',
  'emojis',
  'enterprises',
  'events',
  'feeds',
  'gists',
  'gitignore',
  'installation',
  'issues',
  'licenses',
  'markdown',
  'marketplace_listing',
  'meta',
  'networks',
  'notifications',
  'organizations',
  'orgs',
  'projects',
  'rate_limit',
  'repos',
  'repositories',
  'search',
  'teams',
  'user',
  'users',
  'versions',
  'zen',
]

/**
 * First segments of paths of the interface. One that is `served` is never the owner of a repository: this server has endpoints
 * below it. One that is `published` alone may be, in an archive of a host that lets people have this login.
 */
export const RESERVED: ReadonlyMap<string, 'served' | 'published'> = new Map([
  ...PUBLISHED.map((word) => [word, 'published'] as const),
  ...ENDPOINTS.map(({ path }) => path.split('/').slice(1))
    .filter(
      ([word = '', ...below]) =>
        /^\w/.test(word) && (below.length > 0 || !PUBLISHED.includes(word)),
    )
    .map(([word = '']) => [word, 'served'] as const),
])

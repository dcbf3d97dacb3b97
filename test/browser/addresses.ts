/** Addresses of pages of the samples: one or more of every kind. */

export const TEA = '/mona-lindqvist/tea-timer'
export const COMMIT = `${TEA}/commit/4831b6e612e85101831e662a74e33955652290ce`
const RAW = `/-/raw?url=https%3A%2F%2Fgithub.com${encodeURIComponent(`${TEA}/pull/5`)}`

/** Pages with all colors that there are. */
export const COLORFUL = [
  ...['/', `${TEA}/issues`, `${TEA}/issues/3`, `${TEA}/pull/5`, '/-/problems', TEA],
  ...[`${TEA}/blob/main/src/timer.js`, `${TEA}/pull/5/files`, `${TEA}/pulse`],
  ...['/-/questions/reviewers', COMMIT],
]

export const ADDRESSES = [
  ...[
    '/mona-lindqvist',
    '/mona-lindqvist?tab=comments',
    '/harbour-lights',
    '/-/people',
    '/-/archives',
    '/-/about',
    RAW,
  ],
  ...[`${TEA}/pulls?state=closed`, `${TEA}/issues/7`, `${TEA}/pull/2`, `${TEA}/discussions`],
  ...[`${TEA}/discussions/6`, `${TEA}/labels`, `${TEA}/labels/bug`, `${TEA}/milestones`],
  ...[`${TEA}/milestone/1`, `${TEA}/releases`, '/search', '/search?q=tea'],
  ...['/-/threads', '/-/threads?letter=T', '/-/threads?year=2024'],
  ...['/harbour-lights/tidewatch/issues/7', '/harbour-lights/almanac/pulls'],
  ...[`${TEA}/tree/main/src`, `${TEA}/blob/main/README.md`, `${TEA}/commits/main`],
  ...[`${TEA}/branches`, `${TEA}/tags`, `${TEA}/pull/5/commits`, `${TEA}/compare/v1.0.0...main`],
  ...['/harbour-lights/tidewatch', '/harbour-lights/tidewatch/wiki', '/-/questions'],
  ...['/-/questions/activity-by-month', '/-/attachments', '/-/schema', '/-/schema/issues'],
  ...[
    '/-/sql?sql=SELECT+number%2C+title+FROM+issues',
    '/-/check',
    `${TEA}/issues?label=none`,
    '/search?q=tea+OR',
  ],
  ...['/orgs/harbour-lights/teams', '/orgs/harbour-lights/teams/keepers', '/nothing/here'],
]

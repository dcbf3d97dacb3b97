import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { quoteName } from '../../../src/database/quote.ts'
import { madeNumber } from '../../../src/reading/numbers.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'
import { folderOf } from '../../support/folder.ts'
import { HOST, ISSUE, TODAY, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareDatabases } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { gitData, protectedBranches } from '../clients/served-world.ts'

const { paths } = shareDatabases({
  records: {
    ...worldRecords(),
    protected_branches: protectedBranches,
    attachments: [
      {
        type: 'attachment',
        url: `${HOST}/user-attachments/assets/a1`,
        issue: ISSUE,
        asset_name: 'HEAD',
        asset_url: 'tarball://root/attachments/a1',
        user: null,
      },
    ],
  },
  files: gitData,
})
const accounts = accountsOf({ ada: ['repo'] })
const PATHS = [
  '/events',
  '/repos/forge/kettle',
  '/repos/forge/kettle/events',
  '/repos/forge/secret',
  '/orgs/forge',
  '/orgs/forge/events',
  '/users/ada',
  '/users/steam%5Bbot%5D',
  '/user',
  '/users/ada/events',
  '/users/ada/received_events',
  '/user/repos',
  '/user/issues?filter=all&state=all',
  '/repos/forge/kettle/issues?state=all',
  '/repos/forge/kettle/issues/events',
  '/repos/forge/kettle/issues/2/events',
  '/repos/forge/kettle/labels',
  '/repos/forge/kettle/labels/bug',
  '/repos/forge/kettle/milestones?state=all&sort=due_on',
  '/repos/forge/kettle/milestones/1',
  '/repos/forge/kettle/issues/comments',
  '/repos/forge/kettle/issues/1/comments',
  '/repos/forge/kettle/issues/comments/22',
  '/repos/forge/kettle/issues/2/reactions',
  '/repos/forge/kettle/issues/comments/22/reactions',
  '/repos/forge/kettle/issues/1/reactions',
  '/repos/forge/kettle/pulls/comments/41/reactions',
  '/repos/forge/kettle/releases',
  '/repos/forge/kettle/releases/tags/v1',
  '/repos/forge/kettle/pulls?state=all',
  '/repos/forge/kettle/pulls/2',
  '/repos/forge/kettle/pulls?base=main&head=forge:topic',
  '/repos/forge/kettle/pulls/comments',
  '/repos/forge/kettle/pulls/2/reviews',
  '/repos/forge/kettle/pulls/2/requested_reviewers',
  '/repos/forge/kettle/pulls/2/reviews/31/comments',
  '/repos/forge/kettle/issues/1',
  '/repos/forge/kettle/issues/2',
  '/repos/forge/kettle/issues/2/timeline',
  '/repos/forge/secret/teams',
  '/repos/forge/secret/collaborators',
  '/repos/forge/secret/collaborators/bob/permission',
  '/users/ada/repos?type=all',
  '/orgs/forge/repos?sort=pushed',
  '/repos/forge/kettle/topics',
  '/repos/forge/kettle/branches',
  '/repos/forge/kettle/branches/main/protection',
  '/repos/forge/kettle/branches/main',
  '/repos/forge/kettle/tags',
  '/user-attachments/assets/a1',
  '/repos/forge/kettle/git/refs',
  '/repos/forge/kettle/commits?author=ada&sha=main',
  '/repos/forge/kettle/commits/main',
  '/repos/forge/kettle/contents?ref=main',
  '/repos/forge/kettle/hooks',
  '/repos/forge/kettle/keys',
  '/orgs/forge/hooks',
  '/repos/forge/kettle/assignees',
  '/repos/forge/kettle/contributors',
  '/orgs/forge/members',
  '/repos/forge/kettle/comments',
  '/repos/forge/kettle/comments/51',
  '/users/ada/orgs',
  '/repos/forge/kettle/comments/51/reactions',
  '/repos/forge/kettle/pulls/comments/41',
  '/repos/forge/kettle/commits/main/comments',
  '/repos/forge/kettle/commits/main/pulls',
  '/repos/forge/kettle/commits/main/status',
  '/repos/forge/kettle/issues/1/labels',
  '/repos/forge/kettle/milestones/1/labels',
  '/repos/forge/kettle/releases/latest',
  '/orgs/forge/issues?filter=all',
  `/teams/${madeNumber('Team', `${HOST}/orgs/forge/teams/cooks`)}`,
  '/users/dave',
  '/repos/forge/kettle/pulls/2/commits',
  '/repos/forge/kettle/languages',
  '/repos/forge/kettle/pulls/2/files',
  '/forge/kettle/pull/2.diff',
]
const accept = ['starfox', 'sailor-v', 'machine-man']
  .map((name) => `application/vnd.service.${name}-preview+json`)
  .join(', ')

const TABLES = [
  'users',
  'bots',
  'organizations',
  'teams',
  'repositories',
  'milestones',
  'issues',
  'pull_requests',
  'issue_events',
  'issue_comments',
  'pull_request_reviews',
  'pull_request_review_comments',
  'commit_comments',
  'releases',
  'protected_branches',
  'attachments',
  'refs',
]

/** Values that no honest program writes into these columns. */
const VALUES = {
  'a number': '7',
  'a number with a fraction': '1.5',
  'a huge number': '9223372036854775807',
  bytes: "x'ff00fe'",
  nothing: 'NULL',
  'text that is no JSON': `'[{"'`,
  'JSON of another type': `'{"a":[1,{"b":null}]}'`,
  'a list of everything': `'[null,1,"x",[],{},{"url":7,"user":{},"name":[],"state":"created"}]'`,
  'a long text': `replace(hex(zeroblob(2000)), '00', 'é/#')`,
}

/** Serves every path of a database with this value in every column. */
async function serveDamaged(_: string, value: string) {
  const path = join(await folderOf(), 'it.db')
  copyFileSync(paths[0] as string, path)
  const database = openDatabase(path, { readonly: false })
  for (const table of TABLES) {
    const columns = database
      .prepare<[], { name: string; hidden: number }>(`PRAGMA table_xinfo(${table})`)
      .all()
      .filter(({ name, hidden }) => hidden === 0 && !KEPT.has(name))
    for (const { name } of columns) {
      try {
        database.exec(`UPDATE ${table} SET ${quoteName(name)} = ${value}`)
      } catch {
        // An index needs it to be JSON.
      }
    }
  }
  database.close()
  const clock = () => new Date(`${TODAY}T12:00:00Z`)
  const server = await serveArchive([path], {
    state: ':memory:',
    accounts,
    clock,
    allEvents: true,
  })
  try {
    for (const each of PATHS) {
      const headers = { ...as('ada'), accept }
      const answer = await server.fetch(new Request(`http://localhost${each}`, { headers }))
      const body = await answer.text()
      expect([each, answer.status, body.slice(0, 200)]).toEqual([
        each,
        expect.toBeOneOf([200, 404, 409, 410, 422]),
        body.slice(0, 200),
      ])
      expect(() => JSON.parse(body)).not.toThrow()
    }
  } finally {
    await server.close()
  }
}

const isEveryDay = ([name]: readonly [string, string]) => name === 'a list of everything'
const values = Object.entries(VALUES)
const title = 'A database with %s in every column but the urls is served without a fault'
test.each(values.filter(isEveryDay))(title, serveDamaged)
test.each(values.filter((each) => !isEveryDay(each)))(title, THOROUGH, serveDamaged)

/** Without these there is nothing to be served. */
const KEPT = new Set([
  'url',
  'repository',
  'owner',
  'issue',
  'pull_request',
  'event',
  'created_at',
  'login',
  'submitted_at',
  'published_at',
  'private',
  'state',
  'repository_url',
])

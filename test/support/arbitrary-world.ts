/** Arbitrary small archives of several repositories, in which records refer to each other in every way. */

import fc from 'fast-check'
import type { Files } from './build-tar.ts'

export const HOST = 'https://forge.example'

/** Logins that begin alike, so that a careless search finds one in the other. */
const LOGINS = ['ada', 'adam', 'ada-x', 'bo', 'bob', 'Grace', 'x']
const OWNERS = ['acme', 'ac', 'ada']
const NAMES = ['tools', 'tool', 'tools-2']
const LABELS = ['bug', 'good first issue', 'area: x']

const year = fc.integer({ min: 2019, max: 2023 })
const at = (in_: number, second = 0) => `${in_}-03-04T05:06:${String(second).padStart(2, '0')}Z`

interface Thread {
  isPull: boolean
  repo: number
  user: number
  other: number
  year: number
  closed: boolean
  labels: number[]
  milestone: boolean
  comments: { user: number; year: number; upload: boolean; mention: number }[]
}

const thread: fc.Arbitrary<Thread> = fc.record({
  isPull: fc.boolean(),
  repo: fc.nat(2),
  user: fc.nat(6),
  other: fc.nat(6),
  year,
  closed: fc.boolean(),
  labels: fc.uniqueArray(fc.nat(2), { maxLength: 3 }),
  milestone: fc.boolean(),
  comments: fc.array(
    fc.record({ user: fc.nat(6), year, upload: fc.boolean(), mention: fc.nat(6) }),
    { maxLength: 3 },
  ),
})

export interface WorldOptions {
  host?: string
  threads: readonly Thread[]
  repos: readonly { owner: number; name: number }[]
  /** Logins without a record. */
  unknown: readonly number[]
}

/** The options of an arbitrary archive. */
export const worlds: fc.Arbitrary<WorldOptions> = fc.record({
  threads: fc.array(thread, { minLength: 1, maxLength: 6 }),
  repos: fc.uniqueArray(fc.record({ owner: fc.nat(2), name: fc.nat(2) }), {
    minLength: 3,
    maxLength: 3,
    selector: ({ owner, name }) => `${owner}/${name}`,
  }),
  unknown: fc.uniqueArray(fc.nat(6), { maxLength: 2 }),
})

/** The files of such an archive. */
export function filesOf({ threads, repos, unknown, host = HOST }: WorldOptions): Files {
  const person = (i: number) => `${host}/${LOGINS[i]}`
  const repoOf = (i: number) => {
    const { owner, name } = repos[i] as { owner: number; name: number }
    return { owner: OWNERS[owner] as string, name: NAMES[name] as string }
  }
  const urlOf = (i: number) => `${host}/${repoOf(i).owner}/${repoOf(i).name}`
  const records: Record<string, object[]> = {
    users: LOGINS.filter((_, i) => !unknown.includes(i) && LOGINS[i] !== 'ada').map((login) => ({
      type: 'user',
      url: `${host}/${login}`,
      login,
      name: `${login} Lovelace`,
      emails: [{ address: `${login.toLowerCase()}@forge.example`, primary: true }],
      created_at: at(2018),
    })),
    organizations: OWNERS.map((login) => ({
      type: 'organization',
      url: `${host}/${login}`,
      login,
      name: login,
      description: '',
      members: [{ user: person(1), role: 'admin', state: 'active' }],
      created_at: at(2018),
    })),
    repositories: repos.map((_, i) => ({
      type: 'repository',
      url: urlOf(i),
      owner: `${host}/${repoOf(i).owner}`,
      name: repoOf(i).name,
      description: `See ${urlOf(0)}`,
      private: false,
      labels: LABELS.map((name) => ({
        url: `${urlOf(i)}/labels/${encodeURIComponent(name)}`,
        name,
        color: 'ccccff',
        created_at: at(2018),
      })),
      collaborators: [{ user: person(i), permission: 'write' }],
      created_at: at(2018),
      git_url: `tarball://root/repositories/${repoOf(i).owner}/${repoOf(i).name}.git`,
      default_branch: 'main',
      webhooks: [],
      public_keys: [],
    })),
    teams: OWNERS.map((login, i) => ({
      type: 'team',
      url: `${host}/orgs/${login}/teams/core`,
      organization: `${host}/${login}`,
      name: 'core',
      permissions: [{ repository: urlOf(i), access: 'push' }],
      members: [{ user: person(2), role: 'member' }],
      created_at: at(2018),
    })),
    milestones: repos.map((_, i) => ({
      type: 'milestone',
      url: `${urlOf(i)}/milestones/1`,
      repository: urlOf(i),
      user: person(0),
      title: 'one',
      state: 'open',
      created_at: at(2019),
    })),
    issues: [],
    pull_requests: [],
    issue_comments: [],
    issue_events: [],
    attachments: [],
  }
  const files: Files = {}
  threads.forEach((made, t) => {
    const repository = urlOf(made.repo)
    const number = t + 1
    const url = `${repository}/${made.isPull ? 'pull' : 'issues'}/${number}`
    const parent = made.isPull ? { pull_request: url } : { issue: url }
    const closed_at = made.closed ? at(made.year, 59) : null
    const end = { ref: 'main', sha: 'a'.repeat(40), user: person(made.other), repo: repository }
    records[made.isPull ? 'pull_requests' : 'issues']?.push({
      type: made.isPull ? 'pull_request' : 'issue',
      url,
      repository,
      user: person(made.user),
      title: `Ask @${LOGINS[made.other]}`,
      body: `As in ${repository}/issues/1, /${LOGINS[0]}.`,
      assignee: person(made.other),
      assignees: [person(made.other)],
      milestone: made.milestone ? `${repository}/milestones/1` : null,
      labels: made.labels.map((i) => `${repository}/labels/${encodeURIComponent(LABELS[i] ?? '')}`),
      reactions: [{ user: person(made.other), content: '+1', subject_type: 'Issue' }],
      ...(made.isPull && { base: end, head: end, merged_at: closed_at }),
      closed_at,
      created_at: at(made.year),
    })
    records.issue_events?.push({
      type: 'issue_event',
      url: `${url}#event-${number}`,
      ...parent,
      actor: person(made.user),
      event: 'assigned',
      subject: person(made.other),
      created_at: at(made.year),
    })
    made.comments.forEach(({ user, year, upload, mention }, c) => {
      const id = number * 10 + c
      const link = `${host}/user-attachments/assets/a${id}`
      const comment = `${url}#issuecomment-${id}`
      records.issue_comments?.push({
        type: 'issue_comment',
        url: comment,
        ...parent,
        user: person(user),
        body: `@${LOGINS[mention]}: see ${person(mention)}${upload ? ` and ![](${link})` : '.'}`,
        formatter: 'markdown',
        created_at: at(year, c),
      })
      if (!upload) return
      records.attachments?.push({
        type: 'attachment',
        url: link,
        issue_comment: comment,
        user: person(user),
        asset_name: 'x.txt',
        asset_content_type: 'text/plain',
        asset_url: `tarball://root/attachments/a${id}/x.txt`,
        created_at: at(year, c),
      })
      files[`attachments/a${id}/x.txt`] = `upload ${id}`
    })
  })
  const named = Object.entries(records)
    .filter(([, list]) => list.length > 0)
    .map(([stem, list]) => [`${stem}_000001.json`, list] as const)
  return { 'schema.json': { version: '1.2.0' }, ...Object.fromEntries(named), ...files }
}

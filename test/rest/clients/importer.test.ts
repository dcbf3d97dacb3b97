import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Octokit } from '@octokit/rest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArchiveServer, serveArchive } from '../../../src/serve/serve-archive.ts'
import { archiveFacts } from '../../acceptance/replay/archive-facts.ts'
import { loadOnce } from '../../support/load-once.ts'
import { outputOf } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Imports a whole sample by way of its client, and compares what arrives with the JSON in the archive. */

const HELLO = join(import.meta.dirname, '../../../samples/hello.tar.gz')
const OF = { owner: 'mona-lindqvist', repo: 'tea-timer' }
const folder = mkdtempSync(join(tmpdir(), 'importer-'))
const TOKEN = 'replay-0123456789'
let server: ArchiveServer
let octokit: Octokit

beforeAll(async () => {
  const database = join(folder, 'hello.db')
  await loadOnce([readFileSync(HELLO)], database, {})
  server = await serveArchive([database], { port: 0, state: ':memory:', ownerToken: TOKEN })
  octokit = new Octokit({ auth: TOKEN, baseUrl: `${server.url}/api/v3` })
  outputOf('tar', ['-xzf', HELLO, '-C', folder])
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

function* expected(): Generator<string> {
  const names = readdirSync(folder)
  yield* archiveFacts(
    {
      *records(kind) {
        for (const name of names.filter((each) => each.startsWith(`${kind}_0`))) {
          yield* JSON.parse(readFileSync(join(folder, name), 'utf8'))
        }
      },
      bytes: (path) => readFileSync(join(folder, path)),
    },
    `https://github.com/${OF.owner}/${OF.repo}`,
  )
}

type User = { login: string } | null | undefined
const login = (user: User) => user?.login ?? ''
const logins = (users: User[] | null | undefined) => (users ?? []).map(login)
const names = (labels: (string | { name?: string | null })[]) =>
  labels.map((label) => (typeof label === 'string' ? label : label.name))
const sum = (bytes: string | ArrayBuffer) =>
  createHash('sha256')
    .update(Buffer.from(bytes as string))
    .digest('hex')

/** Everything that an importer asks for, in its order. */
async function* arriving(): AsyncGenerator<readonly unknown[]> {
  const { rest, paginate } = octokit
  const { data: repository } = await rest.repos.get(OF)
  yield [
    'repository',
    repository.name,
    repository.description ?? '',
    repository.private,
    repository.default_branch,
    repository.topics,
  ]
  for (const each of await paginate(rest.issues.listMilestones, { ...OF, state: 'all' })) {
    const times = [each.created_at, each.closed_at ?? '', each.due_on ?? '']
    yield ['milestone', each.title, each.description ?? '', each.state, ...times]
  }
  for (const { name, color, description } of await paginate(rest.issues.listLabelsForRepo, OF)) {
    yield ['label', name, color, description ?? '']
  }
  for (const each of await paginate(rest.repos.listReleases, OF)) {
    const { tag_name, body, draft, prerelease, target_commitish } = each
    yield [
      'release',
      tag_name,
      each.name ?? '',
      body ?? '',
      login(each.author),
      draft,
      prerelease,
      target_commitish,
      each.created_at,
      each.published_at ?? '',
    ]
  }
  const ofIssue = (issue_number: number) => ({ ...OF, issue_number })
  const reacted = (kind: string, id: number, list: { user: User; content: string }[]) =>
    list.map(({ user, content }) => ['reaction', kind, id, login(user), content])
  const all = { ...OF, state: 'all', sort: 'created', direction: 'asc', per_page: 2 } as const
  for (const issue of await paginate(rest.issues.listForRepo, all)) {
    const { number } = issue
    const found = await paginate(rest.reactions.listForIssue, ofIssue(number))
    yield* reacted('issue', number, found)
    if (issue.pull_request) continue
    yield [
      'issue',
      number,
      issue.title,
      issue.body ?? '',
      login(issue.user),
      issue.state,
      issue.created_at,
      issue.closed_at ?? '',
      issue.milestone?.title ?? '',
      names(issue.labels),
      logins(issue.assignees),
    ]
  }
  for (const each of await paginate(rest.issues.listCommentsForRepo, { ...OF, per_page: 5 })) {
    const { id, issue_url, user, body, created_at } = each
    yield ['comment', id, Number(issue_url.split('/').at(-1)), login(user), body, created_at]
    const of = { ...OF, comment_id: id }
    yield* reacted('comment', id, await paginate(rest.reactions.listForIssueComment, of))
  }
  for (const pull of await paginate(rest.pulls.list, all)) {
    const { number, title, body, user, state, created_at, closed_at, milestone, labels } = pull
    yield [
      'pull',
      number,
      title,
      body ?? '',
      login(user),
      state,
      created_at,
      closed_at ?? '',
      milestone?.title ?? '',
      names(labels),
      logins(pull.assignees),
      pull.merged_at ?? '',
      pull.merge_commit_sha ?? '',
      ...[pull.head, pull.base].flatMap(({ ref, sha, user }) => [ref, sha, login(user)]),
    ]
    const of = { ...OF, pull_number: number }
    for (const each of await paginate(rest.pulls.listReviews, of)) {
      const { id, user, state, body, commit_id, submitted_at } = each
      yield ['review', number, id, login(user), state, body, commit_id, submitted_at]
      const ofReview = { ...of, review_id: id }
      for (const comment of await paginate(rest.pulls.listCommentsForReview, ofReview)) {
        yield [
          'review comment',
          number,
          id,
          comment.id,
          login(comment.user),
          comment.body,
          comment.path,
          sum(comment.diff_hunk),
          comment.position ?? 0,
          comment.commit_id,
          comment.in_reply_to_id ?? 0,
          comment.created_at,
        ]
        const subject = { ...OF, comment_id: comment.id }
        const found = await paginate(rest.reactions.listForPullRequestReviewComment, subject)
        yield* reacted('review comment', comment.id, found)
      }
    }
    const { data } = await rest.pulls.listRequestedReviewers(of)
    for (const user of data.users) yield ['requested', number, login(user)]
  }
}

test('All of a repository arrives at an importer, once, with the right author, time and text', async () => {
  const arrived: string[] = []
  for await (const fact of arriving()) arrived.push(JSON.stringify(fact))
  const wanted = [...expected()]
  expect(arrived.toSorted()).toEqual(wanted.toSorted())
  const kinds = new Set(wanted.map((line) => (JSON.parse(line) as string[])[0]))
  expect([...kinds].sort()).toEqual([
    'comment',
    'issue',
    'label',
    'milestone',
    'pull',
    'reaction',
    'release',
    'repository',
    'review',
    'review comment',
  ])
})

test('The Git data come from the address that the repository says', THOROUGH, async () => {
  const { data } = await octokit.rest.repos.get(OF)
  expect(data.clone_url).toBe(`${server.url}/${OF.owner}/${OF.repo}.git`)
  const address = data.clone_url.replace('://', `://oauth2:${TOKEN}@`)
  const { stdout } = await promisify(execFile)('git', ['ls-remote', '--heads', address])
  const heads = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\trefs/heads/').toReversed())
  const branches = await octokit.paginate(octokit.rest.repos.listBranches, OF)
  expect(heads).toEqual(branches.map(({ name, commit }) => [name, commit.sha]))
})

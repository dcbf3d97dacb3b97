import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/interface/endpoint.ts'
import { REPOSITORY_ENDPOINTS } from '../../../../src/interface/repository-endpoints.ts'
import { LARGEST_BLOB } from '../../../../src/rest/handlers/git/send-blob.ts'
import { HANDLERS } from '../../../../src/rest/handlers/handlers.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { gitFiles } from '../../../support/git-files.ts'
import { gitText } from '../../../support/git-history.ts'
import { packOfOne } from '../../../support/git-pack.ts'
import { gitWorld } from '../../../support/git-world.ts'
import {
  at,
  HOST,
  KETTLE,
  NOTES,
  pullRequest,
  repository,
  SECRET,
  SHA,
  user,
} from '../../../support/rest-world.ts'
import { accountsOf, as, shareServer, type Told } from '../../../support/serve-world.ts'
import {
  blobShape,
  branchShape,
  changedFileShape,
  commitCommentShape,
  commitShape,
  comparisonShape,
  contentShape,
  expectShape,
  gitCommitShape,
  gitTagShape,
  protectionShape,
  refShape,
  tagShape,
  treeShape,
  wholeBranchShape,
  wholeCommitShape,
} from '../../../support/shapes.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'

const world = gitWorld()
afterAll(() => world.close())
const DIRECTORY = world.directoryOf('ada/kettle')
const answers = new Map<string, string>()
/** What git says of the repository, which does not change: each question takes a process once. */
const git = (...args: string[]): string => {
  const question = args.join(' ')
  const answer = answers.get(question) ?? gitText(DIRECTORY, args).trim()
  answers.set(question, answer)
  return answer
}
const linesOf = (...args: string[]) => git(...args).split('\n')

const LARGE = 'Steam! '.repeat(200_000)
const SMALL = oidOf('blob', 'x')
const LONG = 'sub'.repeat(3500)
const WIDE = treeOf(
  ...Array.from({ length: 700 }, (_, i) => ['160000', `${i}-${LONG}`, SMALL] as const),
)
/** A blob that claims to have more bytes than are sent. */
const CLAIM = oidOf('blob', 'claim')
const { pack, index } = packOfOne(CLAIM, { size: LARGEST_BLOB + 1, data: deflateSync('x') })
const large = repositoryOf('ada/large', {
  ...looseOf('blob', LARGE),
  ...looseOf('blob', 'x'),
  ...looseOf('tree', WIDE),
  'objects/pack/pack-00.pack': pack,
  'objects/pack/pack-00.idx': index,
  'refs/tags/large': `${oidOf('blob', LARGE)}\n`,
})

const branchRule = (name: string, more: object = {}) => ({
  type: 'protected_branch',
  name,
  repository_url: KETTLE,
  creator_url: `${HOST}/ada`,
  url: `${KETTLE}/settings/branches/${encodeURIComponent(name)}`,
  ...more,
})
/** A pull request of these commits; the merge of 8 is the one of topic. */
const pull = (number: number, base = SHA, head = SHA) => {
  const end = (revision: string) => ({
    ref: 'x',
    user: `${HOST}/ada`,
    repo: KETTLE,
    sha: revision === SHA ? SHA : git('rev-parse', `${revision}^{commit}`),
  })
  return {
    ...pullRequest(`${KETTLE}/pull/${number}`, { base: end(base), head: end(head) }),
    merge_commit_sha: git('rev-parse', 'main~1'),
  }
}
const ask = shareServer(
  [
    {
      users: [
        user('ada', { emails: [{ address: 'ADA@forge.example', primary: true }] }),
        user('bob'),
      ],
      repositories: [
        repository(KETTLE, { owner: `${HOST}/ada` }),
        repository(NOTES),
        repository(`${HOST}/ada/large`),
        repository(SECRET, { private: true, owner: `${HOST}/ada` }),
      ],
      protected_branches: [
        branchRule('main', {
          admin_enforced: true,
          requires_approving_reviews: true,
          allows_deletions: true,
          required_approving_review_count: 2,
          required_status_checks: ['build', 7, null],
          requires_status_checks: true,
          authorized_actors_only: true,
          authorized_user_urls: [`${HOST}/bob`],
          authorized_team_urls: [`${HOST}/orgs/forge/teams/cooks`, 'no team'],
        }),
        branchRule('topic', { block_deletions_enforcement_level: 2 }),
        branchRule('many/*'),
      ],
      pull_requests: [pull(7, 'v1.0', SHA), pull(8, 'main', git('rev-parse', 'topic')), pull(9)],
      commit_comments: [
        {
          type: 'commit_comment',
          repository: KETTLE,
          user: `${HOST}/ada`,
          body: 'Nice',
          url: `${KETTLE}/commit/${git('rev-parse', 'main')}#commitcomment-1`,
          commit_id: git('rev-parse', 'main'),
          created_at: at('06:00:00'),
        },
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'], bob: ['repo'] }) },
  {
    ...gitFiles(DIRECTORY, 'forge/kettle'),
    ...gitFiles(world.directoryOf('ada/pot'), 'ada/notes'),
    ...large,
  },
)
const R = '/repos/forge/kettle'

interface Named {
  readonly name: string
}
const each = async <T>(path: string, headers = {}) => (await ask<T[]>(path, headers)).body

/** All pages of a list, by following its links. */
async function allPages<T>(path: string): Promise<T[]> {
  const found: T[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers }: Told<T[]> = await ask<T[]>(next)
    found.push(...body)
    const url: string | undefined = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
    next = url?.replace('http://localhost:8730', '')
  }
  return found
}

describe('Branches and tags', () => {
  test('are those of Git, in pages', async () => {
    const found = await allPages<Named & { commit: { sha: string } }>(`${R}/branches?per_page=100`)
    for (const branch of found) expectShape(branch, branchShape)
    expect(found.map(({ name, commit }) => `${name} ${commit.sha}`)).toEqual(
      linesOf('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads'),
    )
    const tags = await each<Named & { commit: { sha: string } }>(`${R}/tags`)
    for (const tag of tags) expectShape(tag, tagShape)
    expect(tags.map(({ name, commit }) => [name, commit.sha])).toEqual(
      ['light', 'v1.0', 'v2.0'].map((name) => [name, git('rev-parse', `${name}^{commit}`)]),
    )
  })

  test('are protected or not', async () => {
    expect(await each(`${R}/branches?protected=true`)).toMatchObject([
      { name: 'main', protected: true },
      { name: 'topic', protected: true },
    ])
    const others = await each<Named>(`${R}/branches?protected=false&per_page=100`)
    expect(others.map(({ name }) => name)).not.toContain('main')
  })

  everyDay(1)(['heißes/wasser', 'hei%C3%9Fes%2Fwasser', 'many/007'])(
    'are found by name: %s',
    async (name) => {
      const { status, body } = await ask(`${R}/branches/${name}`)
      expect(status).toBe(200)
      expectShape(body, wholeBranchShape)
      expect(body).toMatchObject({
        commit: { sha: git('rev-parse', `refs/heads/${decodeURIComponent(name)}`) },
      })
    },
  )

  test('have rules that administrators may read', async () => {
    const { status, body } = await ask(`${R}/branches/main/protection`, as('ada'))
    expect(status).toBe(200)
    expectShape(body, protectionShape)
    expect(body).toMatchObject({
      required_status_checks: { contexts: ['build'], strict: false },
      required_pull_request_reviews: { required_approving_review_count: 2 },
      restrictions: { users: [{ login: 'bob' }], teams: [{ slug: 'cooks' }] },
      enforce_admins: { enabled: true },
      allow_deletions: { enabled: true },
    })
    const topic = await ask(`${R}/branches/topic/protection`, as('ada'))
    expectShape(topic.body, protectionShape)
    expect(topic.body).toMatchObject({ allow_deletions: { enabled: false } })
    for (const [name, login] of [
      ['main', 'bob'],
      ['none', 'ada'],
      ['many/007', 'ada'],
    ] as const) {
      expect((await ask(`${R}/branches/${name}/protection`, as(login))).status).toBe(404)
    }
    expect((await ask(`${R}/branches/main/protection`)).status).toBe(404)
  })

  test('of an empty repository, or of one without Git data, are none', async () => {
    for (const path of ['/repos/ada/notes', '/repos/forge/secret']) {
      expect(await each(`${path}/branches`, as('ada'))).toEqual([])
      expect(await each(`${path}/tags`, as('ada'))).toEqual([])
    }
  })
})

describe('Refs', () => {
  interface Ref {
    readonly ref: string
    readonly object: { readonly sha: string; readonly type: string }
  }
  const told = ({ ref, object: { sha, type } }: Ref) => `${sha} ${type}\t${ref}`

  test('are those of Git, with the types of their objects', async () => {
    const found = await allPages<Ref>(`${R}/git/refs?per_page=100`)
    for (const ref of found) expectShape(ref, refShape)
    expect(found.map(told)).toEqual(linesOf('for-each-ref'))
  })

  test('are found by name and by how their names begin', async () => {
    const one = await ask<Ref>(`${R}/git/ref/tags/v1.0`)
    expect(told(one.body)).toBe(git('for-each-ref', 'refs/tags/v1.0'))
    expect((await ask(`${R}/git/refs/tags/v1.0`)).body).toEqual(one.body)
    const begin = (await each<Ref>(`${R}/git/matching-refs/heads/m`)).map(({ ref }) => ref)
    expect(begin.slice(0, 2)).toEqual(['refs/heads/main', 'refs/heads/many/000'])
    expect(await each<Ref>(`${R}/git/refs/heads/many`)).toHaveLength(100)
    expect(await each<Ref>(`${R}/git/matching-refs/none`)).toEqual([])
  })

  test.each(['heads', 'heads/none', 'tags/..%2Fheads', 'heads/ma%3F'])(
    'have no other names: %s',
    async (name) => {
      expect((await ask(`${R}/git/ref/${name}`)).status).toBe(404)
    },
  )
})

describe('Objects', () => {
  test('are commits and tags as Git has them', async () => {
    const main = git('rev-parse', 'main')
    const { body } = await ask(`${R}/git/commits/${main}`)
    expectShape(body, gitCommitShape)
    expect(body).toMatchObject({
      sha: main,
      message: 'Loosely\n',
      tree: { sha: git('rev-parse', 'main^{tree}') },
      author: { name: 'Ada Kettle', email: 'ada@forge.example' },
      parents: [{ sha: git('rev-parse', 'main^') }],
    })
    const tag = await ask(`${R}/git/tags/${git('rev-parse', 'v1.0')}`)
    expectShape(tag.body, gitTagShape)
    expect(tag.body).toMatchObject({ tag: 'v1.0', message: 'First release\n' })
  })

  test('are trees, of which all below can be asked for', async () => {
    interface Tree {
      readonly tree: readonly { mode: string; type: string; sha: string; path: string }[]
    }
    const told = ({ tree }: Tree) =>
      tree.map(({ mode, type, sha, path }) => `${mode} ${type} ${sha}\t${path}`)
    const { body } = await ask<Tree>(`${R}/git/trees/main`)
    expectShape(body, treeShape)
    expect(told(body)).toEqual(linesOf('-c', 'core.quotePath=off', 'ls-tree', 'main'))
    const all = await ask<Tree>(`${R}/git/trees/hei%C3%9Fes%2Fwasser?recursive=0`)
    expect(told(all.body)).toEqual(linesOf('ls-tree', '-r', '-t', 'heißes/wasser'))
    expect(all.body).toMatchObject({ truncated: false })
  })

  test('are blobs, as JSON or as they are', async () => {
    const sha = git('rev-parse', 'main:src/boil.c')
    const { body } = await ask<{ content: string }>(`${R}/git/blobs/${sha}`)
    expectShape(body, blobShape)
    const text = `${git('cat-file', 'blob', sha)}\n`
    expect(Buffer.from(body.content, 'base64').toString()).toBe(text)
    expect(body.content.split('\n')[0]).toHaveLength(60)
    const accept = 'application/vnd.github.raw'
    const raw = await ask<string>(`${R}/git/blobs/${sha}`, { accept })
    expect(raw.body).toBe(text)
    expect(raw.headers.get('content-security-policy')).toContain('sandbox')
  })

  test.each([
    'git/commits/main',
    `git/commits/${'0'.repeat(40)}`,
    'git/trees/none',
    'git/trees/main~1',
    'git/trees/main%5E%7Btree%7D',
    'git/blobs/main:README.md',
    'git/tags/v1.0',
  ])('are not there by other names: %s', async (path) => {
    expect((await ask(`${R}/${path}`)).status).toBe(404)
  })

  test('of another type are not there', async () => {
    for (const path of [
      `git/blobs/${git('rev-parse', 'main')}`,
      `git/tags/${git('rev-parse', 'main')}`,
    ]) {
      expect([path, (await ask(`${R}/${path}`)).status]).toEqual([path, 404])
    }
  })

  test('are not asked for in an empty repository, nor without Git data', async () => {
    const { status, body } = await ask('/repos/ada/notes/git/trees/main')
    expect([status, body.message]).toEqual([409, 'Git Repository is empty.'])
    const without = await ask('/repos/forge/secret/commits', as('ada'))
    expect([without.status, without.body.message]).toEqual([
      404,
      'The archive has no Git data of this repository',
    ])
  })
})

describe('Commits', () => {
  interface Commit {
    readonly sha: string
    readonly author: { readonly login: string } | null
  }
  const shas = async (query: string) =>
    (await allPages<Commit>(`${R}/commits?${query}`)).map(({ sha }) => sha)

  everyDay(3)([
    ['sha=topic', ['topic']],
    ['', ['main']],
    ['per_page=2', ['main']],
    ['path=src', ['main', '--', 'src']],
    ['path=none', ['main', '--', 'none']],
    ['since=2024-05-01T12:00:04Z', ['main', '--since=2024-05-01T12:00:04Z']],
    ['until=2024-05-01T12:00:03Z', ['main', '--until=2024-05-01T12:00:03Z']],
    ['author=ada', ['main']],
    ['author=ada@forge.example&committer=bo@forge.example', ['main']],
  ])('with %s are those of git log', async (query, args) => {
    expect(await shas(query)).toEqual(
      git('log', '--format=%H', ...args)
        .split('\n')
        .filter(Boolean),
    )
  })

  test('that do not match are not listed; invalid parameters are refused', async () => {
    expect(await shas('author=bob')).toEqual([])
    expect(await shas('page=99')).toEqual([])
    expect((await ask(`${R}/commits?sha=none`)).status).toBe(404)
    expect((await ask(`${R}/commits?since=soon`)).status).toBe(422)
  })

  test(
    'name the accounts of those who wrote them, and count their comments',
    THOROUGH,
    async () => {
      const { body } = await ask<Commit>(`${R}/commits/main`)
      expectShape(body, wholeCommitShape)
      expect(body).toMatchObject({
        author: { login: 'ada' },
        committer: null,
        commit: { comment_count: 1 },
      })
      expect((await ask(`${R}/commits/${body.sha.slice(0, 10)}`)).body).toEqual(body)
      const { status, body: gone } = await ask(`${R}/commits/none`)
      expect([status, gone.message]).toEqual([422, 'No commit found for SHA: none'])
    },
  )

  test('have the comments on them, the pull requests that they end or merge, and no statuses', async () => {
    const oid = git('rev-parse', 'main')
    for (const name of ['main', oid]) {
      const comments = await each(`${R}/commits/${name}/comments`)
      for (const comment of comments) expectShape(comment, commitCommentShape)
      expect(comments).toMatchObject([{ id: 1, commit_id: oid, user: { login: 'ada' } }])
    }
    expect(await each(`${R}/commits/main/pulls`)).toEqual([])
    const merged = git('rev-parse', 'main~1')
    const pulls = await each<{ number: number }>(`${R}/commits/${merged}/pulls`)
    expect(pulls.map(({ number }) => number)).toEqual([7, 8, 9])
    expect((await each(`${R}/commits/topic/pulls`)).length).toBe(1)
    const { body } = await ask(`${R}/commits/main/status`)
    expect(body).toMatchObject({ state: 'pending', sha: oid, total_count: 0, statuses: [] })
    for (const path of ['commits/main/statuses', 'statuses/main', `statuses/${oid}`]) {
      expect(await each(`${R}/${path}`)).toEqual([])
    }
    expect((await ask(`${R}/commits/main/check-runs`)).body).toEqual({
      total_count: 0,
      check_runs: [],
    })
    expect((await ask(`${R}/commits/main/check-suites`)).body).toEqual({
      total_count: 0,
      check_suites: [],
    })
  })

  test.each(['comments', 'pulls', 'status', 'statuses', 'check-runs', 'check-suites'])(
    'that nothing is about have no %s either',
    async (what) => {
      const oid = '9'.repeat(40)
      const { status, body } = await ask(`${R}/commits/${oid}/${what}`)
      expect([status, body.message]).toEqual([422, `No commit found for SHA: ${oid}`])
    },
  )
})

interface ChangedFile {
  readonly filename: string
  readonly additions: number
  readonly deletions: number
  readonly patch?: string
  readonly previous_filename?: string
}

/** What git diff says of files: lines added and deleted, and the path. */
const numbersOf = (...range: string[]) =>
  git('diff', '--numstat', '-M', '--no-renames', ...range)
    .split('\n')
    .filter(Boolean)
const told = ({ additions, deletions, filename }: ChangedFile) =>
  `${additions}\t${deletions}\t${filename}`

describe('Changes', () => {
  test('of a commit are counted, with their patches', async () => {
    const sha = git('rev-parse', 'main~1^1')
    const { body } = await ask<{ files: ChangedFile[]; stats: object }>(`${R}/commits/${sha}`)
    expectShape(body, wholeCommitShape)
    expect(body.files.map(told)).toEqual(numbersOf(`${sha}^`, sha))
    expect(body.stats).toEqual({ additions: 21, deletions: 20, total: 41 })
    const patches = body.files.map(({ patch }) => patch).join('\n')
    const lines = git('diff', `${sha}^`, sha).split('\n')
    expect(patches.split('\n').filter((line) => !line.startsWith('@@'))).toEqual(
      lines.filter((line) => /^[-+ ](?![-+]{2})/.test(line)),
    )
  })

  everyDay(1)([
    [7, 'v1.0', 'refs/pull/7/head'],
    [8, 'main~1^1', 'topic'],
  ])('of pull request %d are those since it left its base', async (number, base, head) => {
    const files = await each<ChangedFile>(`${R}/pulls/${number}/files`)
    for (const file of files) expectShape(file, changedFileShape)
    const names = git('diff', '--name-only', `${base}...${head}`).split('\n')
    expect(files.map(({ filename }) => filename)).toEqual(names)
    const commits = await each<{ sha: string }>(`${R}/pulls/${number}/commits`)
    for (const commit of commits) expectShape(commit, commitShape)
    expect(commits.map(({ sha }) => sha)).toEqual(
      linesOf('rev-list', '--reverse', `${base}..${head}`),
    )
    const place = `/forge/kettle/pull/${number}`
    const diff = await ask<string>(`${place}.diff`, { accept: 'text/html' })
    expect(diff.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(diff.body).toBe(`${git('diff', '--abbrev=7', `${base}...${head}`)}\n`)
    const { body } = await ask<string>(`${place}.patch`)
    for (const sha of linesOf('rev-list', `${base}..${head}`)) {
      expect(body).toContain(`From ${sha} Mon Sep 17 00:00:00 2001\n`)
    }
    const etag = diff.headers.get('etag') ?? ''
    expect((await ask(`${place}.diff`, { 'if-none-match': etag })).status).toBe(304)
  })

  test.each([
    [7, 'v1.0', 'refs/pull/7/head'],
    [8, 'main~1^1', 'topic'],
  ])('of pull request %d are counted as Git counts them', async (number, base, head) => {
    const counts = linesOf('diff', '--numstat', `${base}...${head}`).map((line) =>
      line.split('\t', 2).map((count) => Number(count) || 0),
    )
    const sum = (column: 0 | 1) => counts.reduce((all, line) => all + (line[column] ?? 0), 0)
    expect((await ask(`${R}/pulls/${number}`)).body).toMatchObject({
      commits: linesOf('rev-list', `${base}..${head}`).length,
      additions: sum(0),
      deletions: sum(1),
      changed_files: counts.length,
    })
  })

  test('are not counted where the archive has none of them', async () => {
    expect((await ask(`${R}/pulls/9`)).body).toMatchObject({
      commits: null,
      additions: null,
      deletions: null,
      changed_files: null,
    })
  })

  test('have no commits where the archive has none, so that a program that copies all goes on', async () => {
    expect(await each(`${R}/pulls/9/commits`)).toEqual([])
    expect((await ask(`${R}/pulls/99/commits`)).status).toBe(404)
  })

  test('are not there for pull requests whose commits are not, nor for issues', async () => {
    for (const path of ['/pulls/9/files', '/pulls/99/files']) {
      expect((await ask(`${R}${path}`)).status).toBe(404)
    }
    for (const path of ['9.diff', '9.patch', '99.diff', 'x.patch', '7.txt']) {
      expect((await ask(`/forge/kettle/pull/${path}`)).status).toBe(404)
    }
    expect((await ask(`${R}/pulls/7/files?page=9`)).body).toEqual([])
  })

  everyDay(2)([
    ['v1.0', 'topic', 'ahead'],
    ['topic', 'v1.0', 'behind'],
    ['main', 'main', 'identical'],
    ['refs/pull/7/head', 'topic', 'diverged'],
    ['ada:heißes/wasser', 'forge:main', 'ahead'],
  ])('between %s and %s: %s', async (base, head, status) => {
    const { body, status: code } = await ask<{ commits: { sha: string }[]; files: ChangedFile[] }>(
      `${R}/compare/${encodeURIComponent(base.replace('ada:', ''))}...${encodeURIComponent(head)}`,
    )
    expect(code).toBe(200)
    expectShape(body, comparisonShape)
    const [from, to] = [base, head].map((name) => name.replace(/^\w+:/, '')) as [string, string]
    const ahead = git('rev-list', '--reverse', `${from}..${to}`).split('\n').filter(Boolean)
    expect(body.commits.map(({ sha }) => sha).toSorted()).toEqual(ahead.toSorted())
    expect(body).toMatchObject({
      status,
      ahead_by: ahead.length,
      behind_by: Number(git('rev-list', '--count', `${to}..${from}`)),
      merge_base_commit: { sha: git('merge-base', from, to) },
    })
    const names = git('diff', '--name-only', `${from}...${to}`).split('\n').filter(Boolean)
    expect(body.files.map(({ filename }) => filename)).toEqual(names)
  })

  test.each(['main', 'main...', '...main', 'main...none', 'other:main...topic', 'a/..%2F...b'])(
    'are not compared for %s',
    async (named) => {
      expect((await ask(`${R}/compare/${named}`)).status).toBe(404)
    },
  )
})

describe('Contents', () => {
  test('are files with their content, or as they are', async () => {
    const { body } = await ask<{ content: string }>(`${R}/contents/src/boil.c?ref=topic~0`)
    expect(body).toMatchObject({ message: 'No commit found for the ref topic~0' })
    const file = await ask<{ content: string }>(`${R}/contents/src/boil.c`)
    expectShape(file.body, contentShape)
    const text = `${git('cat-file', 'blob', 'main:src/boil.c')}\n`
    expect(Buffer.from(file.body.content, 'base64').toString()).toBe(text)
    const accept = 'application/vnd.github.v3.raw+json'
    expect((await ask(`${R}/contents/src/boil.c`, { accept })).body).toBe(text)
  })

  test('are folders, links and submodules', async () => {
    for (const path of ['', '/src', '/vendor']) {
      const entries = await each<Named>(`${R}/contents${path}?ref=refs/heads/main`)
      for (const entry of entries) expectShape(entry, contentShape)
      expect(entries.map(({ name }) => name)).toEqual(
        linesOf('ls-tree', '--name-only', `main:${path.slice(1)}`),
      )
    }
    expect((await ask(`${R}/contents/link`)).body).toMatchObject({
      type: 'symlink',
      target: 'README.md',
    })
    expect((await ask(`${R}/contents/vendor/spout`)).body).toMatchObject({
      type: 'submodule',
      submodule_git_url: null,
    })
  })

  test('are found by clients that write a slash before or after the path', async () => {
    const root = await ask(`${R}/contents`)
    expect(await ask(`${R}/contents/`)).toMatchObject({ status: 200, body: root.body })
    expect(await ask(`/api/v3${R}/contents/?ref=main`)).toMatchObject({ status: 200 })
    expect(await ask(`${R}/contents/%2F`)).toMatchObject({ status: 200, body: root.body })
    const readme = await ask(`${R}/contents/README.md`)
    expect(await ask(`${R}/contents//README.md`)).toMatchObject({ status: 200, body: readme.body })
  })

  test('begin with a file that introduces the repository', async () => {
    const { body } = await ask(`${R}/readme?ref=v1.0`)
    expect(body).toMatchObject({ path: 'README.md', encoding: 'base64' })
    expect((await ask(`${R}/readme?ref=none`)).status).toBe(404)
  })

  test.each(['none', 'README.md/x', 'src%2F..%2Flink', '%2e%2e/x', 'src//boil.c', 'a%00'])(
    'are nowhere else: %s',
    async (path) => {
      expect((await ask(`${R}/contents/${path}`)).status).toBe(404)
    },
  )
})

test('Languages are counted in bytes, by the endings of files', async () => {
  const size = Number(git('cat-file', '-s', 'main:src/boil.c'))
  const script = Number(git('cat-file', '-s', 'main:run.sh'))
  expect((await ask(`${R}/languages`)).body).toEqual({ C: size, Shell: script })
  expect((await ask('/repos/ada/notes/languages')).body).toEqual({})
})

describe('What is large', () => {
  const L = '/repos/ada/large'

  test('is sent while it is read: the JSON of a blob, or its bytes', async () => {
    const path = `${L}/git/blobs/${oidOf('blob', LARGE)}`
    const { body, headers } = await ask<{ content: string }>(path)
    expectShape(body, blobShape)
    expect(Buffer.from(body.content, 'base64').toString()).toBe(LARGE)
    expect(
      body.content
        .split('\n')
        .slice(0, -2)
        .every((line) => line.length === 60),
    ).toBe(true)
    const length = Buffer.byteLength(JSON.stringify(body))
    expect(headers.get('content-length')).toBe(String(length))
    const accept = 'application/vnd.github.raw+json'
    expect((await ask(path, { accept })).body).toBe(LARGE)
    const etag = headers.get('etag') ?? ''
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('is refused above 100 MB in the words of the host', async () => {
    const { status, body } = await ask(`${L}/git/blobs/${CLAIM}`)
    expect([status, body.errors]).toEqual([
      403,
      [{ resource: 'Blob', field: 'data', code: 'too_large' }],
    ])
    expect(body.message).toContain('blobs up to 100 MB')
  })

  test('is cut off where it is a tree', THOROUGH, async () => {
    const { body } = await ask<{ tree: object[] }>(`${L}/git/trees/${oidOf('tree', WIDE)}`)
    expectShape({ ...body, tree: body.tree.slice(0, 10) }, treeShape)
    expect(body).toMatchObject({ truncated: true })
    const bytes = JSON.stringify(body.tree).length
    expect([bytes > 6.9e6, bytes < 7.1e6]).toEqual([true, true])
  })
})

describe('No name makes a fault:', () => {
  const NAMES = [
    '.',
    '..',
    '%2e%2e',
    'a%2F..%2Fb',
    'http:%2F%2Fevil.example%2F',
    '%00',
    'a%0d%0aX:y',
  ]
  const ODD = ['HEAD', '@', '-', '^', '~', 'main~999999999', 'x:y', '*', 'a'.repeat(5000), '%F0%9F']
  const paths = (REPOSITORY_ENDPOINTS as readonly Endpoint[])
    .filter(({ handler }) => Object.hasOwn(HANDLERS, handler))
    .map(({ path }) => path.replace('/repos/:owner/:repo', R))
    .filter((path) => path.includes(':'))

  everyDay(1)(paths)('%s', async (path) => {
    for (const name of [...NAMES, ...ODD]) {
      const { status } = await ask(path.replace(/:\w+\+?/g, name))
      expect([name, [200, 302, 404, 422].includes(status)]).toEqual([name, true])
    }
  })

  test('in a query', async () => {
    for (const name of [...NAMES, ...ODD]) {
      const { status } = await ask(`${R}/contents?ref=${name}`)
      expect([name, [200, 404].includes(status)]).toEqual([name, true])
    }
  })
})

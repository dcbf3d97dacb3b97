import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Files } from '../../../samples/make/bitbucket-issues.ts'
import { gitlabProject, makeKettle } from '../../../samples/make/gitlab-project.ts'
import { inspectArchive, loadArchive, openDatabase, readArchive } from '../../../src/index.ts'
import { tarGzOf } from '../../support/build-tar.ts'
import { builtSource } from '../../support/built-source.ts'
import { folderOf } from '../../support/folder.ts'
import { run } from '../../support/run-command.ts'
import { outputOf } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOME = 'https://gitlab.com/harbour-stove/kettle'
const PULL = `${HOME}/pull/1012`
const GIT = makeKettle()
const FILES = gitlabProject('17', GIT)

const temporary = mkdtempSync(join(tmpdir(), 'gitlab-project-'))
afterAll(() => rmSync(temporary, { recursive: true }))
writeFileSync(join(temporary, 'kettle.tar.gz'), tarGzOf({ ...FILES }))
const { records, errors, problems, archive } = await builtSource(
  join(temporary, 'kettle.tar.gz'),
  temporary,
)

/** The files of an export in which the element of a list is changed. */
function changed(list: string, change: object, files: Files = FILES): Files {
  const path = `tree/project/${list}.ndjson`
  const [first = '{}'] = String(files[path]).split('\n')
  return { ...files, [path]: `${JSON.stringify({ ...JSON.parse(first), ...change })}\n` }
}

const codes = (of: string, all = problems) =>
  all.filter(({ code }) => code === of).map(({ message }) => message.split(': ')[1])

test('A project becomes the records of an archive, which has no error', () => {
  expect(errors).toEqual([])
  expect(
    Object.fromEntries(Object.entries(records).map(([kind, all]) => [kind, all.length])),
  ).toEqual({
    users: 3,
    organizations: 1,
    repositories: 1,
    protected_branches: 1,
    milestones: 1,
    issues: 1,
    pull_requests: 1,
    pull_request_reviews: 3,
    pull_request_review_threads: 1,
    pull_request_review_comments: 2,
    commit_comments: 1,
    issue_comments: 1,
    issue_events: 9,
    attachments: 2,
    releases: 1,
    // Those of kinds that archives do not have: gitlab_triggers.
    undefined: 1,
  })
})

test(
  'A tar, a folder around it, and an export with ids become the same threads',
  THOROUGH,
  async () => {
    const tar = join(await folderOf(), '2026-01-31_10-20-123_harbour_stove_kettle_export.tar.gz')
    const around = Object.fromEntries(
      Object.entries(FILES).map(([path, text]) => [`x/${path}`, text]),
    )
    writeFileSync(tar, tarGzOf(around))
    expect((await builtSource(tar)).records).toEqual(records)
    const older = await builtSource(await folderOf({ ...gitlabProject('13', GIT) }))
    expect(older.errors).toEqual([])
    expect(older.records.issues).toEqual(records.issues)
    expect(older.records.issue_comments?.[0]?.url).toBe(`${HOME}/issues/12#issuecomment-3`)
  },
)

test('An export of before 2020 has everything in one file', THOROUGH, async () => {
  const project = JSON.parse(String(FILES['tree/project.json']))
  for (const [path, text] of Object.entries(FILES)) {
    const [, list] = /^tree\/project\/(.+)\.ndjson$/.exec(path) ?? []
    if (list) {
      const lines = String(text).trim().split('\n').filter(Boolean)
      project[list] = lines.map((line) => JSON.parse(line))
    }
  }
  const others = Object.entries(FILES).filter(([path]) => !path.startsWith('tree/'))
  const old = await builtSource(
    await folderOf({ ...Object.fromEntries(others), 'project.json': JSON.stringify(project) }),
  )
  expect(old.records.issues).toEqual(records.issues)
  expect(old.records.pull_requests).toEqual(records.pull_requests)
})

test('An issue has what archives have, and the rest in an object of the host', () => {
  const [picture] = records.attachments ?? []
  expect(records.issues?.[0]).toEqual({
    type: 'issue',
    url: `${HOME}/issues/12`,
    repository: HOME,
    user: 'https://gitlab.com/ada',
    title: 'Lid jams',
    body: `Like #1012, but not \`!12\`.\n\n![lid](${picture?.url}){width=60%}`,
    assignee: 'https://gitlab.com/ben',
    assignees: ['https://gitlab.com/ben'],
    milestone: `${HOME}/milestones/1`,
    labels: [`${HOME}/labels/needs%20tea`],
    reactions: [
      {
        user: 'https://gitlab.com/ben',
        content: '+1',
        subject_type: 'Issue',
        created_at: '2024-05-02T04:00:00Z',
      },
    ],
    closed_at: '2024-05-09T04:00:00Z',
    created_at: '2024-05-01T04:00:00Z',
    updated_at: '2024-05-09T04:00:00Z',
    gitlab: {
      description: expect.stringContaining('/uploads/'),
      closed_by_id: 2,
      confidential: false,
      weight: 3,
      award_emoji: [expect.objectContaining({ name: 'teapot' })],
      work_item_type: { base_type: 'issue' },
    },
  })
})

test('What happened comes once, in its order, from lists of events and from notes of the host', () => {
  const of = (thread: string) =>
    records.issue_events?.flatMap(({ issue, pull_request, event }) =>
      issue === thread || pull_request === thread ? [event] : [],
    )
  expect(of(`${HOME}/issues/12`)).toEqual([
    'labeled',
    'milestoned',
    'assigned',
    'renamed',
    'gitlab_description',
    'closed',
  ])
  expect(of(PULL)).toEqual(['cross-referenced', 'gitlab_commit', 'merged'])
  const renamed = records.issue_events?.find(({ event }) => event === 'renamed')
  expect(renamed).toMatchObject({ title_was: 'Lid is', title_is: 'Lid jams' })
})

test('inspect says which version of the host made an export', async () => {
  const { stdout } = await run(['inspect', join(temporary, 'kettle.tar.gz')])
  expect(stdout).toContain(
    'a project export of GitLab (17.1.0), read as an archive of harbour-stove/kettle',
  )
})

test('Settings of integrations lose their passwords', async () => {
  const service = {
    type: 'JiraService',
    properties: { url: 'https://jira.example', password: 'hush', list: [{ api_token: 'hush' }] },
  }
  const folder = await folderOf({
    ...FILES,
    'tree/project/services.ndjson': `${JSON.stringify(service)}\n`,
  })
  const { records, problems } = await builtSource(folder)
  expect(JSON.stringify(records)).toContain('https://jira.example')
  expect(JSON.stringify(records)).not.toContain('hush')
  expect(problems).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('tokens and passwords') }),
  )
})

test('What only a confidential issue shows is left out with it', THOROUGH, async () => {
  const files = changed(
    'merge_requests',
    { description: '', notes: [] },
    changed('issues', { confidential: true }),
  )
  const folder = await folderOf({ ...files, 'tree/project/commit_notes.ndjson': '' })
  const pictures = async (visibility: 'public' | 'private') => {
    const built = await builtSource(folder, undefined, { visibility })
    const paths: string[] = []
    for await (const { path } of readArchive(built.archive)) paths.push(path)
    return paths.filter((path) => path.endsWith('.png'))
  }
  expect(await pictures('private')).toHaveLength(1)
  expect(await pictures('public')).toEqual([])
})

test('A thread whose discussion is locked is locked', async () => {
  const folder = await folderOf({ ...changed('issues', { discussion_locked: true, notes: [] }) })
  expect((await run(['show', folder, '12'])).stdout).toMatch(/^locked/m)
})

test('An export in one file tells which parts of the project are off', THOROUGH, async () => {
  const project = {
    ...JSON.parse(String(FILES['tree/project.json'])),
    project_feature: { issues_access_level: 0, wiki_access_level: 20 },
    issues: [{ iid: 1, title: 'Lid', created_at: '2019-01-01T00:00:00Z' }],
  }
  const folder = await folderOf({ VERSION: '0.2.4', 'project.json': JSON.stringify(project) })
  const { records } = await builtSource(folder)
  expect(records.repositories).toMatchObject([{ has_issues: false, has_wiki: true }])
})

test('The file of an old comment on a commit is kept', THOROUGH, async () => {
  const attachment = { url: '/uploads/note/attachment/7/lid.png' }
  const folder = await folderOf({ ...changed('commit_notes', { attachment }) })
  const { records } = await builtSource(folder)
  expect(records.commit_comments).toMatchObject([{ gitlab: { attachment } }])
})

test('An old comment on changes that has no place names its file', THOROUGH, async () => {
  const note = { note: 'Why?', author_id: 1, created_at: '2013-05-03T04:00:00Z' }
  const legacy = { ...note, type: 'LegacyDiffNote', st_diff: { new_path: 'lid.txt' } }
  const folder = await folderOf({ ...changed('merge_requests', { notes: [legacy] }) })
  const { records } = await builtSource(folder)
  expect(
    records.issue_comments?.filter(({ pull_request }) => pull_request !== undefined),
  ).toMatchObject([{ body: 'Commented on `lid.txt`\n\nWhy?', gitlab: { note: 'Why?' } }])
})

test('Notes of old exports tell labels and milestones by number or name', async () => {
  const noted = (note: string, action: string) => ({
    note,
    system: true,
    author_id: 1,
    created_at: '2024-05-03T04:00:00Z',
    system_note_metadata: { action },
  })
  const files = changed('issues', {
    resource_label_events: [],
    resource_state_events: [],
    resource_milestone_events: [],
    label_links: [{ label: { id: 77, title: 'Two words', color: '#00ff00' } }],
    notes: [
      noted('added ~77 and removed ~"needs tea" labels', 'label'),
      noted('removed ~two label', 'label'),
      noted('changed milestone to %1', 'milestone'),
      noted('changed milestone to %9', 'milestone'),
    ],
  })
  const { records, errors } = await builtSource(await folderOf({ ...files }))
  const events = records.issue_events?.filter(({ issue }) => issue !== undefined)
  expect(
    events?.map(({ event, label_name, milestone_title }) => [event, label_name ?? milestone_title]),
  ).toEqual([
    ['labeled', 'Two words'],
    ['unlabeled', 'needs tea'],
    // Notes about an unknown label or milestone keep their text.
    ['gitlab_label', undefined],
    ['milestoned', 'Spring'],
    ['gitlab_milestone', undefined],
  ])
  expect(errors).toEqual([])
})

test('A merge request is a pull request with another number, its commits, and its reviews', () => {
  expect(codes('source-renumbered')).toEqual([
    'merge request !1 is pull request #1001, and so on, because issues have the same numbers',
  ])
  expect(records.pull_requests?.[0]).toMatchObject({
    url: PULL,
    base: { ref: 'main', sha: GIT.oid('lid'), repo: HOME },
    head: { ref: 'hinge', sha: GIT.oid('hinge'), repo: HOME },
    merged_at: '2024-05-12T04:00:00Z',
    closed_at: '2024-05-12T04:00:00Z',
    merge_commit_sha: GIT.oid('merge'),
    review_requests: [{ reviewer: 'https://gitlab.com/ben' }],
    gitlab: { iid: 12 },
  })
  expect(records.pull_request_reviews?.map(({ user, state }) => [user, state])).toEqual([
    ['https://gitlab.com/ben', 40],
    ['https://gitlab.com/ben', 1],
    ['https://gitlab.com/ada', 1],
  ])
})

test('Notes on a place of the changes are one thread with its piece of the diff', () => {
  const [thread] = records.pull_request_review_threads ?? []
  expect(thread).toMatchObject({
    path: 'lid.txt',
    diff_hunk: '@@ -1,2 +1,3 @@\n lid\n+hinge',
    position: 2,
    line: 2,
    side: 'right',
    resolved_at: '2024-05-12T04:00:00Z',
    resolver: 'https://gitlab.com/ada',
    outdated: false,
  })
  const comments = records.pull_request_review_comments ?? []
  expect(comments.map(({ body, pull_request_review_thread: of }) => [body, of])).toEqual([
    ['Brass?', thread?.url],
    ['Yes.', thread?.url],
  ])
  expect(comments[1]?.in_reply_to).toBe(comments[0]?.url)
})

test(
  'A piece of the diff comes from Git if the export has no diff, and is a first line without both',
  THOROUGH,
  async () => {
    const without = changed('merge_requests', { merge_request_diff: null })
    const made = await builtSource(await folderOf(without))
    const [before] = records.pull_request_review_threads ?? []
    const { diff_hunk, original_position, original_line, side } = before ?? {}
    expect(made.records.pull_request_review_threads).toMatchObject([
      { diff_hunk, original_position, original_line, side },
    ])
    const bare = Object.entries(without).filter(([path]) => !path.endsWith('.bundle'))
    const { records: others, problems } = await builtSource(
      await folderOf(Object.fromEntries(bare)),
    )
    expect(others.pull_request_review_threads).toMatchObject([
      { diff_hunk: '@@ -0,0 +2,1 @@', original_position: 1, original_line: 2 },
    ])
    expect(codes('source-made', problems)).toContain('pieces of diffs are only their first lines')
    expect(codes('source-made', made.problems)).not.toContain(
      'pieces of diffs are only their first lines',
    )
  },
)

test('Git reads the repository that is made of the bundle', async () => {
  const folder = await folderOf()
  writeFileSync(join(folder, 'it.tar.gz'), '')
  outputOf('tar', ['-xzf', archive, '-C', folder])
  const git = (...words: string[]) =>
    outputOf('git', ['-c', 'safe.directory=*', ...words], {
      cwd: join(folder, 'repositories/harbour-stove/kettle.git'),
    }).toString()
  git('fsck', '--full', '--strict')
  expect(git('rev-parse', 'HEAD', 'refs/pull/1012/head').trim().split('\n')).toEqual([
    GIT.oid('merge'),
    GIT.oid('hinge'),
  ])
})

test('A picture that two threads show is a file of each', async () => {
  const paths: string[] = []
  for await (const { path } of readArchive(archive)) {
    if (/^attachments\/.*[^/]$/.test(path)) paths.push(`tarball://root/${path}`)
  }
  expect(records.attachments?.map(({ asset_url }) => asset_url).toSorted()).toEqual(
    paths.toSorted(),
  )
  expect(paths).toHaveLength(2)
})

test('People whose login nobody tells have a made one, and the name that notes tell', () => {
  expect(
    records.users?.map(({ login, name, emails }) => [login, name, Object(emails).length]),
  ).toEqual([
    ['ada', 'Ada Örn', 1],
    ['ben', 'Ben Kettle', 0],
    ['user-3', 'Cara Spout', 0],
  ])
})

test('No token gets into the archive', () => {
  expect(JSON.stringify(records)).not.toMatch(/gl(?:ptt|rt)-/)
  expect(codes('source-left-out')).toContain('tokens and passwords')
})

test(
  'A project with something confidential is private, unless that is to be left out',
  THOROUGH,
  async () => {
    const folder = await folderOf({ ...changed('issues', { confidential: true }) })
    const whole = await builtSource(folder)
    expect(whole.records.repositories).toMatchObject([{ private: true }])
    const { kinds } = await inspectArchive(folder, { source: { visibility: 'public' } })
    expect(kinds.issues).toBeUndefined()
  },
)

test('With --texts as-is, uploads that no record shows are left out beside something confidential', async () => {
  const folder = await folderOf({ ...changed('issues', { confidential: true }) })
  const paths = async (visibility?: 'public') => {
    const { database, problems } = await builtSource(folder, undefined, {
      texts: 'as-is',
      visibility,
    })
    const opened = openDatabase(database)
    const found = opened
      .prepare<[], string>("SELECT path FROM files WHERE path LIKE 'uploads/%'")
      .pluck()
      .all()
    opened.close()
    return { found, problems }
  }
  const upload = Object.keys(FILES).find((path) => path.startsWith('uploads/'))
  expect((await paths()).found).toEqual([upload])
  const { found, problems } = await paths('public')
  expect(found).toEqual([])
  expect(problems).toContainEqual({
    code: 'source-left-out',
    message: expect.stringContaining(`uploads that only confidential texts may show: ${upload}`),
    place: { archive: expect.any(String), entry: upload },
  })
})

test.each([
  ['source-unsupported', { ...FILES, VERSION: '9.0.0' }],
  ['source-damaged', { VERSION: '0.2.4', 'tree/project.json': '{}' }],
  ['source-damaged', { VERSION: '0.2.4', 'tree/project/issues.ndjson': '{"iid":1}\n' }],
  ['json-damaged', { ...FILES, 'tree/project/issues.ndjson': '{"iid":1,' }],
  ['git-object-damaged', { ...FILES, 'project.bundle': 'PACK' }],
  [
    'git-object-damaged',
    { ...FILES, 'project.bundle': Buffer.from(FILES['project.bundle'] ?? '').subarray(0, -30) },
  ],
  [
    'git-incomplete',
    { ...FILES, 'project.bundle': `# v2 git bundle\n-${'1'.repeat(40)} needed\n\nPACK` },
  ],
  [
    'git-unsupported',
    { ...FILES, 'project.bundle': '# v3 git bundle\n@object-format=sha256\n\nPACK' },
  ],
])('%s: an export that is broken is refused', async (code, files) => {
  const database = join(await folderOf(), 'it.db')
  await expect(loadArchive(await folderOf(files), database)).rejects.toMatchObject({ code })
})

test('A damaged line is skipped with salvage, and named', async () => {
  const path = 'tree/project/issues.ndjson'
  const folder = await folderOf({ ...FILES, [path]: `{"iid":\n${FILES[path]}` })
  const { archives } = await loadArchive(folder, join(await folderOf(), 'it.db'), { salvage: true })
  expect(archives[0]).toMatchObject({ state: 'salvaged', kinds: { issues: { added: 1 } } })
})

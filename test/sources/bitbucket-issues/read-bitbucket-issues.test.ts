import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bitbucketIssues, zipOf } from '../../../samples/make/bitbucket-issues.ts'
import { inspectArchive, loadArchive, readArchive } from '../../../src/index.ts'
import { builtSource } from '../../support/built-source.ts'
import { folderOf } from '../../support/folder.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOME = 'https://bitbucket.org/harbour/kettle'

async function zipFile(files = bitbucketIssues('1.0'), name = 'kettle-issues.zip') {
  const path = join(await folderOf(), name)
  writeFileSync(path, await zipOf(files))
  return path
}

/** The files of an export whose database is changed. */
function changed(change: (database: Record<string, Record<string, unknown>[]>) => void) {
  const files = bitbucketIssues('1.0')
  const database = JSON.parse(String(files['db-1.0.json']))
  change(database)
  return { ...files, 'db-1.0.json': JSON.stringify(database) }
}

test('A zip, its folder, and its file of issues become the same issues', async () => {
  const files = bitbucketIssues('1.0')
  const folder = await folderOf({ ...files })
  const zip = await builtSource(await zipFile())
  expect(zip.errors).toEqual([])
  expect(
    Object.fromEntries(Object.entries(zip.records).map(([kind, all]) => [kind, all.length])),
  ).toEqual({
    users: 2,
    organizations: 1,
    repositories: 1,
    milestones: 1,
    issues: 2,
    issue_comments: 2,
    issue_events: 6,
    attachments: 1,
    repository_files: 1,
  })
  expect((await builtSource(folder)).records).toEqual(zip.records)
  const alone = await builtSource(join(folder, 'db-1.0.json'))
  expect(alone.records.issues?.map(({ url, title }) => [url, title])).toEqual(
    zip.records.issues?.map(({ url, title }) => [url, title]),
  )
  expect((await inspectArchive(folder)).source).toBe('an export of issues of Bitbucket')
})

test('A zip may begin with attachments', async () => {
  const reversed = Object.fromEntries(Object.entries(bitbucketIssues('1.0')).reverse())
  const { source } = await inspectArchive(await zipFile(reversed))
  expect(source).toBe('an export of issues of Bitbucket')
})

test('An issue has its fields as labels, its text as Markdown, and links to what was attached', async () => {
  const { records } = await builtSource(await zipFile())
  const picture = records.attachments?.[0]?.url
  expect(records.issues?.[0]).toEqual({
    type: 'issue',
    url: `${HOME}/issues/1`,
    repository: HOME,
    user: 'https://bitbucket.org/ada',
    title: 'Lid jams',
    body: `See @ada:\n\n\`\`\`python\nboil(lid=None)\n\`\`\`\n\nThen \`open()\` fails.\n\nAttached: [lid.png](${picture})`,
    assignee: 'https://bitbucket.org/ben',
    assignees: ['https://bitbucket.org/ben'],
    milestone: `${HOME}/milestones/1`,
    labels: ['bug', 'priority%3A%20blocker', 'component%3A%20lid', 'version%3A%201.0'].map(
      (name) => `${HOME}/labels/${name}`,
    ),
    reactions: [],
    closed_at: '2013-03-08T10:00:00Z',
    created_at: '2013-03-01T10:00:00Z',
    updated_at: '2013-03-09T10:00:00Z',
    bitbucket: {
      content: expect.stringContaining('{{{'),
      status: 'resolved',
      priority: 'blocker',
      kind: 'bug',
      watchers: ['ben'],
      voters: [],
      content_updated_on: '2013-03-02T10:00:00.250000+00:00',
    },
  })
  expect(records.issues?.[1]).toMatchObject({
    user: null,
    closed_at: null,
    body: expect.stringContaining('files/'),
  })
})

test('Changes are events in the order in which they were made, with the words of the export', async () => {
  const { records } = await builtSource(await zipFile())
  expect(
    records.issue_events?.map(({ event, actor, created_at }) => [
      event,
      actor,
      String(created_at).slice(0, 10),
    ]),
  ).toEqual(
    [
      ['labeled', '2013-03-06'],
      ['bitbucket_content_changed', '2013-03-06'],
      ['assigned', '2013-03-07'],
      ['renamed', '2013-03-07'],
      ['closed', '2013-03-08'],
      ['unlabeled', '2013-03-08'],
    ].map(([event, at]) => [event, 'https://bitbucket.org/ben', at]),
  )
  expect(records.issue_events?.[4]).toMatchObject({
    bitbucket: { field: 'status', comment: 31, changed_from: 'on hold', changed_to: 'resolved' },
  })
})

test('The carrier of a change is no comment; an emptied comment is one', async () => {
  const { records } = await builtSource(await zipFile())
  expect(records.issue_comments?.map(({ url, body }) => [url, body])).toEqual([
    [`${HOME}/issues/1#issuecomment-31`, 'Done, see #7.'],
    [`${HOME}/issues/7#issuecomment-33`, ''],
  ])
})

test('People with names and ids get logins, also where a text mentions them', async () => {
  const { records } = await builtSource(await folderOf({ ...bitbucketIssues('2.0') }))
  expect(records.users).toMatchObject([
    { login: 'ada-orn', name: 'Ada Örn', bitbucket: { account_id: '557058:ada' } },
    { login: 'ben-kettle' },
  ])
  expect(records.issues?.[0]?.body).toContain('See @ada-orn:')
  const assigned = records.issue_events?.find(({ event }) => event === 'assigned')
  expect(assigned?.subject).toBe('https://bitbucket.org/ben-kettle')
})

test('source-name-guessed: the file tells the name if no log does', async () => {
  const files = changed((database) => {
    database.logs = []
  })
  const { records, problems } = await builtSource(await zipFile(files, 'pot-issues.zip'))
  expect(records.repositories).toMatchObject([{ url: 'https://bitbucket.org/bitbucket/pot' }])
  expect(problems).toContainEqual(expect.objectContaining({ code: 'source-name-guessed' }))
})

test(
  'A file that was renamed is found by its name, and every other file is kept',
  THOROUGH,
  async () => {
    const { 'attachments/1_lid.png': picture = '', ...files } = bitbucketIssues('1.0')
    const renamed = { ...files, 'attachments/lid.png': picture, 'notes/read.me': 'kept' }
    const { archive } = await builtSource(await folderOf(renamed))
    const paths: string[] = []
    for await (const { path } of readArchive(archive)) paths.push(path)
    expect(paths).toContain('notes/read.me')
    expect(paths.filter((path) => /^attachments\/.*[^/]$/.test(path))).toEqual([
      expect.stringMatching(/^attachments\/[0-9a-f-]{36}\/lid\.png$/),
    ])
  },
)

test('source-left-out: what belongs to no issue is counted', async () => {
  const files = changed(({ comments, issues }) => {
    comments?.push({ id: 99, issue: 100, content: 'of nothing' })
    issues?.push({ id: 'x' }, { id: 1, title: 'again' })
  })
  const { problems } = await builtSource(await folderOf(files))
  expect(
    problems.filter(({ code }) => code === 'source-left-out').map(({ message }) => message),
  ).toEqual([
    'harbour/kettle: issues without a number: db-1.0.json (issues[2])',
    'harbour/kettle: issues with the number of another one: db-1.0.json (issues[3])',
    'harbour/kettle: comments of no issue: db-1.0.json (comments[3])',
  ])
})

test.each([
  ['source-damaged', { 'db-1.0.json': '{"comments": []}' }],
  ['source-damaged', { 'db-1.0.json': '[]' }],
  ['source-unsupported', { 'db-3.0.json': '{"issues": []}' }],
  ['json-damaged', { 'db-1.0.json': '{"issues": [' }],
])('%s: an export that is broken is refused, and named', async (code, files) => {
  await expect(inspectArchive(await folderOf(files))).rejects.toMatchObject({ code })
})

test('source-damaged: an export under another name is refused, with the names that are read', async () => {
  const folder = await folderOf({ 'issues.json': '{"issues": []}' })
  await expect(
    inspectArchive(folder, { source: { form: 'bitbucket-issues' } }),
  ).rejects.toMatchObject({
    code: 'source-damaged',
    message: expect.stringContaining('db-1.0.json or db-2.0.json'),
  })
})

test('zip-damaged: a zip that is cut is refused', THOROUGH, async () => {
  const zip = await zipOf(bitbucketIssues('1.0'))
  const path = join(await folderOf(), 'cut.zip')
  const database = join(await folderOf(), 'it.db')
  for (let part = 1; part < 16; part++) {
    writeFileSync(path, zip.subarray(0, (zip.length * part) / 16))
    await expect(loadArchive(path, database)).rejects.toMatchObject({ code: 'zip-damaged' })
  }
})

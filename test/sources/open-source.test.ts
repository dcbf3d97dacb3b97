import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import {
  BACKUP,
  backupFiles,
  metadataFiles,
  UPLOADED,
  WHOLE,
} from '../../samples/make/github-backup.ts'
import { inspectArchive, loadArchive, openDatabase, readArchive } from '../../src/index.ts'
import { SOURCES } from '../../src/sources/sources.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { builtSource } from '../support/built-source.ts'
import { folderOf } from '../support/folder.ts'
import { readSource } from '../support/foreign-samples.ts'
import { inFolder, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const HOME = 'https://github.com/harbour/kettle'

test('A folder of python-github-backup becomes the records of an archive, which has no error', async () => {
  const { findings, records } = await builtSource(await folderOf(backupFiles()))
  expect(
    Object.fromEntries(Object.entries(records).map(([kind, all]) => [kind, all.length])),
  ).toEqual({
    users: 2,
    bots: 1,
    organizations: 1,
    repositories: 1,
    milestones: 1,
    issues: 1,
    pull_requests: 1,
    pull_request_reviews: 3,
    pull_request_review_threads: 2,
    pull_request_review_comments: 3,
    issue_comments: 2,
    issue_events: 6,
  })
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

test(
  'Members of an issue go where an archive has them, and unknown ones are kept',
  THOROUGH,
  async () => {
    const { records } = await builtSource(await folderOf(backupFiles()))
    expect(records.issues?.[0]).toEqual({
      type: 'issue',
      url: `${HOME}/issues/1`,
      repository: HOME,
      user: null,
      title: 'Lid jams',
      body: 'It jams.\r\n`{{{` !12',
      assignee: 'https://github.com/ben',
      assignees: ['https://github.com/ben', 'https://github.com/ada'],
      milestone: `${HOME}/milestones/1`,
      labels: [`${HOME}/labels/needs%20tea`],
      reactions: [],
      closed_at: '2025-01-08T10:00:00Z',
      created_at: '2025-01-05T10:00:00Z',
      updated_at: '2025-01-09T10:00:00Z',
      author_association: 'NONE',
      id: 9001,
      locked: true,
      new_member_of_2027: { kept: true },
    })
  },
)

test(
  'A pull request has its branches, its requests, and an event for whoever merged it',
  THOROUGH,
  async () => {
    const { records } = await builtSource(await folderOf(backupFiles()))
    expect(records.pull_requests?.[0]).toMatchObject({
      url: `${HOME}/pull/2`,
      base: { ref: 'main', user: 'https://github.com/harbour', repo: HOME },
      head: { ref: 'hinge', user: 'https://github.com/ada', repo: null },
      review_requests: [
        { reviewer: 'https://github.com/ben', reviewer_type: 'User' },
        { reviewer: 'https://github.com/orgs/harbour/teams/brass', reviewer_type: 'Team' },
      ],
    })
    const merged = records.issue_events?.find(({ event }) => event === 'merged')
    expect(merged).toMatchObject({
      actor: 'https://github.com/ben',
      commit_id: 'c'.repeat(40),
      created_at: '2025-02-03T10:00:00Z',
    })
  },
)

test('Review comments are in threads, also if the first of one was deleted', THOROUGH, async () => {
  const { records } = await builtSource(await folderOf(backupFiles()))
  const files = `${HOME}/pull/2/files`
  expect(
    records.pull_request_review_comments?.map((comment) => [
      comment.url,
      comment.pull_request_review_thread,
      comment.in_reply_to,
    ]),
  ).toEqual([
    [`${files}#r601`, `${files}#pullrequestreviewthread-601`, null],
    [`${files}#r602`, `${files}#pullrequestreviewthread-601`, `${files}#r601`],
    [`${files}#r604`, `${files}#pullrequestreviewthread-603`, null],
  ])
})

test('What had to be made is told with its count', THOROUGH, async () => {
  const { problems } = await builtSource(await folderOf(backupFiles()))
  const made = problems.filter(({ code }) => code === 'source-made')
  expect(
    made.map(({ times = 1, message }) => [times, message.replace(/: repositories.*/, '')]),
  ).toEqual([
    [2, 'harbour/kettle: an event was made of who closed or merged a thread'],
    [2, 'harbour/kettle: a review was made for comments whose review is not there'],
    [
      1,
      expect.stringContaining(
        'harbour/kettle: there is no clone of it; an empty repository was made',
      ),
    ],
  ])
})

test(
  'A tar, a folder above, and the folder of one repository are read as well',
  THOROUGH,
  async () => {
    const files = backupFiles()
    const whole = await builtSource(await folderOf(files))
    const above = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`backup/${path}`, text]),
    )
    const alone = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path.slice('repositories/kettle/'.length),
        text,
      ]),
    )
    const tar = join(await folderOf(), 'backup.tar.gz')
    await writeFile(tar, tarGzOf(files))
    for (const source of [tar, await folderOf(above), await folderOf(alone)]) {
      expect((await builtSource(source)).records).toEqual(whole.records)
    }
  },
)

test('The same folder makes the same bytes', THOROUGH, async () => {
  const [one, other] = [
    await builtSource(await folderOf(backupFiles())),
    await builtSource(await folderOf(backupFiles())),
  ]
  expect((await readFile(one.archive)).equals(await readFile(other.archive))).toBe(true)
})

test('build makes the archive of a folder that load and build make', THOROUGH, async () => {
  const source = await folderOf(backupFiles())
  const folder = inFolder()
  const { code, stderr } = await run(['build', source, '-o', 'it.tar.gz'])
  expect(code, stderr).toBe(0)
  const { archive } = await builtSource(source)
  expect(readFileSync(join(folder, 'it.tar.gz')).equals(readFileSync(archive))).toBe(true)
})

test('inspect counts what load loads', async () => {
  const { kinds, source } = await inspectArchive(await folderOf(backupFiles()))
  expect(source).toBe('a folder of python-github-backup')
  expect(kinds).toMatchObject({
    issues: { records: 1 },
    pull_request_review_comments: { records: 3 },
  })
})

test(
  'Releases, uploads, discussions and advisories are records and files of the archive',
  THOROUGH,
  async () => {
    const folder = await folderOf({ ...backupFiles(WHOLE), ...UPLOADED })
    const { archive, findings, problems, records } = await builtSource(folder)
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
    const contents: Record<string, string> = {}
    for await (const { path, content } of readArchive(archive)) {
      if (
        !/(?<!^(?:discussion_comments|security_advisories))_\d+\.json$|\.git\/|\/$|schema/.test(
          path,
        )
      )
        contents[path] = await text(content)
    }
    const assets = records.releases?.[0]?.release_assets as unknown as { asset_url: string }[]
    // Kinds that archives of the host do not have.
    const others = ['discussion_comments', 'security_advisories'].map((kind) => {
      const path = `${kind}_000001.json`
      const { [path]: printed = '' } = contents
      delete contents[path]
      return JSON.parse(printed)
    })
    const kept = 'repositories/kettle'
    expect(contents).toEqual({
      'attachments/0f8fad5b-d9cb-469f-a165-70867728950e/lid.png': '\x89PNG',
      'repository_files/77/boil.log': 'boils',
      [String(assets[0]?.asset_url).replace('tarball://root/', '')]: 'tea',
      [`${kept}/issues/attachments/1/notes.txt`]: 'not in the list',
      [`${kept}/releases/v1__rc/other.bin`]: 'not in the release',
    })
    expect(records.releases?.[0]).toMatchObject({
      url: `${HOME}/releases/tag/v1/rc`,
      user: 'https://github.com/ada',
      tag_name: 'v1/rc',
      state: 'published',
      immutable: false,
    })
    expect(records.attachments?.[0]).toMatchObject({
      issue: `${HOME}/issues/1`,
      asset_name: 'lid.png',
      created_at: '2025-01-05T10:00:00Z',
    })
    // No text links to this one, so it belongs to the thread.
    expect(records.repository_files?.[0]).toMatchObject({ user: 'https://github.com/ada' })
    expect(records.discussions?.[0]).toMatchObject({
      user: 'https://github.com/cara',
      labels: [`${HOME}/labels/needs%20tea`],
      discussion_category: `${HOME}/discussion_categories/Q%26A`,
      upvoteCount: 4,
    })
    expect(others).toMatchObject([
      [
        { body: 'Black.', in_reply_to: null, is_answer: true },
        { body: 'With milk.', in_reply_to: `${HOME}/discussions/3#discussioncomment-41` },
      ],
      [{ severity: 'low', state: 'published' }],
    ])
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'source-incomplete',
        message: expect.stringContaining('HTTP 404'),
      }),
    )
  },
)

test('A name of a file in a list decides no path', THOROUGH, async () => {
  const list = 'repositories/kettle/issues/attachments/1/manifest.json'
  const { attachments } = WHOLE[list] as { attachments: object[] }
  const hostile = attachments.map((one) => ({
    ...one,
    original_filename: '../../../x',
    saved_as: '../../../y',
  }))
  const folder = await folderOf({
    ...backupFiles({ ...WHOLE, [list]: { attachments: hostile } }),
    ...UPLOADED,
  })
  const { archive, records } = await builtSource(folder)
  expect(records.attachments).toMatchObject([{ asset_name: '.._.._.._x' }])
  const paths: string[] = []
  for await (const { path } of readArchive(archive)) paths.push(path)
  expect(paths.filter((path) => path.startsWith('attachments/') || path.includes('..'))).toEqual([])
})

test('A folder of github-metadata-backup has the same threads, each in an object around it', async () => {
  const folder = await folderOf(metadataFiles())
  const { records, problems, findings } = await builtSource(folder)
  expect((await inspectArchive(folder)).source).toBe('a folder of github-metadata-backup')
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  const whole = await builtSource(await folderOf(backupFiles()))
  for (const kind of [
    'issues',
    'pull_requests',
    'pull_request_review_comments',
    'issue_comments',
  ]) {
    expect(records[kind]).toEqual(whole.records[kind])
  }
  expect(records.pull_request_reviews).toMatchObject([{ state: 40 }, { state: 1 }, { state: 1 }])
  expect(problems).toContainEqual(
    expect.objectContaining({
      code: 'source-incomplete',
      times: 2,
      message: expect.stringContaining('failed_issues 3'),
    }),
  )
})

test(
  'Refs of a clone become those of the repository, and its configuration stays',
  THOROUGH,
  async () => {
    const clone = 'repositories/kettle/repository/.git'
    const [old, fetched] = ['1'.repeat(40), '2'.repeat(40)]
    const folder = await folderOf({
      ...backupFiles(),
      [`${clone}/HEAD`]: 'ref: refs/heads/main\n',
      [`${clone}/config`]:
        '[remote "origin"]\n\turl = https://ghp_secret@github.com/harbour/kettle.git\n',
      [`${clone}/FETCH_HEAD`]: 'of https://ghp_secret@github.com/harbour/kettle\n',
      [`${clone}/hooks/post-checkout`]: 'ghp_secret',
      [`${clone}/refs/heads/main`]: `${old}\n`,
      [`${clone}/refs/stash`]: `${old}\n`,
      [`${clone}/refs/remotes/origin/HEAD`]: 'ref: refs/remotes/origin/main\n',
      [`${clone}/refs/remotes/origin/main`]: `${fetched}\n`,
      [`${clone}/packed-refs`]: `# pack-refs with: peeled\n${old} refs/tags/v1\n`,
      'repositories/kettle/repository/lid.txt': 'lid',
    })
    const database = join(await folderOf(), 'it.db')
    await loadArchive(folder, database)
    const opened = openDatabase(database)
    const paths = opened.prepare<[], string>('SELECT path FROM files ORDER BY path').pluck().all()
    const refs = opened
      .prepare<[], [string, string]>('SELECT name, oid FROM refs ORDER BY name')
      .raw()
      .all()
    opened.close()
    const git = 'repositories/harbour/kettle.git'
    expect(paths).toEqual([`${git}/HEAD`, `${git}/config`, `${git}/packed-refs`])
    expect(refs.filter(([name]) => name !== 'HEAD')).toEqual([
      ['refs/heads/main', fetched],
      ['refs/tags/v1', old],
    ])
    expect(readFileSync(database).includes('ghp_secret')).toBe(false)
  },
)

test('git-unsupported: a clone that borrows objects is refused', async () => {
  const clone = 'repositories/kettle/repository/.git'
  const folder = await folderOf({
    ...backupFiles(),
    [`${clone}/HEAD`]: 'ref: refs/heads/main\n',
    [`${clone}/objects/info/alternates`]: '/etc\n',
  })
  const database = join(await folderOf(), 'it.db')
  await expect(loadArchive(folder, database)).rejects.toMatchObject({
    code: 'git-unsupported',
    place: { entry: `${clone}/objects/info/alternates` },
  })
})

test(
  'source-member: a value of another type is kept, and told with its place',
  THOROUGH,
  async () => {
    const path = 'repositories/kettle/issues/1.json'
    const broken = { ...BACKUP, [path]: { ...(BACKUP[path] as object), title: 5, labels: 'x' } }
    const { records, problems } = await builtSource(await folderOf(backupFiles(broken)))
    expect(records.issues?.[0]).toMatchObject({
      title: '',
      labels: [],
      github: { title: 5, labels: 'x' },
    })
    expect(
      problems.filter(({ code }) => code === 'source-member').map(({ place }) => place.entry),
    ).toEqual([path, path])
  },
)

test('source-incomplete: an error of the host in the place of a thread is no thread', async () => {
  const error = '{"message": "Not Found", "status": "404"}'
  const path = 'repositories/kettle/issues/9.json'
  const { entries, problems } = await readSource({ ...backupFiles(), [path]: error })
  expect(Object.values(entries).join()).not.toContain('issues/9"')
  const message = `harbour/kettle: files of threads hold none: ${path}`
  expect(problems).toContainEqual({ code: 'source-incomplete', place: { entry: path }, message })
})

test('source-incomplete: pull requests without branches stay issues', THOROUGH, async () => {
  const path = 'repositories/kettle/issues/1.json'
  const saved = { ...BACKUP, [path]: { ...(BACKUP[path] as object), pull_request: { url: 'x' } } }
  const { records, problems } = await builtSource(await folderOf(backupFiles(saved)))
  expect(records.issues?.[0]).toMatchObject({ pull_request: { url: 'x' } })
  expect(problems).toContainEqual(expect.objectContaining({ code: 'source-incomplete' }))
})

test('After a rename all records have the new name', THOROUGH, async () => {
  const path = 'repositories/kettle/issues/1.json'
  const old = JSON.parse(JSON.stringify(BACKUP[path]).replaceAll('harbour/kettle', 'harbour/pot'))
  const { records } = await builtSource(await folderOf(backupFiles({ ...BACKUP, [path]: old })))
  expect(records.issues?.map(({ url }) => url)).toEqual([`${HOME}/issues/1`])
  expect(records.repositories).toHaveLength(1)
})

test('json-damaged: an empty file is named, and skipped with salvage', THOROUGH, async () => {
  const path = 'repositories/kettle/issues/1.json'
  const folder = await folderOf({ ...backupFiles(), [path]: '' })
  const database = join(await folderOf(), 'it.db')
  await expect(loadArchive(folder, database)).rejects.toMatchObject({
    code: 'json-damaged',
    place: { entry: path },
  })
  const { archives } = await loadArchive(folder, database, { salvage: true })
  expect(archives[0]).toMatchObject({ state: 'salvaged', kinds: { pull_requests: { added: 1 } } })
})

const NAMELESS = {
  'repositories/kettle/issues/1.json': '{"title": "Lid", "created_at": "2025-01-01T00:00:00Z"}',
}

test('source-name-guessed: a repository whose owner nobody tells has a made one, unless it is given', async () => {
  const folder = await folderOf(NAMELESS)
  const guessed = await builtSource(folder)
  expect(guessed.records.issues).toMatchObject([
    { url: 'https://github.com/owner/kettle/issues/1' },
  ])
  expect(guessed.problems).toContainEqual(expect.objectContaining({ code: 'source-name-guessed' }))
  const source = { repoName: 'a/b', hostUrl: 'https://git.example', visibility: 'public' } as const
  const { repositories } = await inspectArchive(folder, { source })
  expect(Object.keys(repositories)).toEqual(['a/b'])
  inFolder()
  const words = [
    '--repo-name',
    'a/b',
    '--host-url',
    'https://git.example/',
    '--visibility',
    'public',
  ]
  const { code, stderr } = await run(['build', folder, '-o', 'it.tar.gz', ...words])
  expect(code, stderr).toBe(0)
  const { records, problems } = await builtSource('it.tar.gz')
  expect(records.repositories).toMatchObject([{ url: 'https://git.example/a/b', private: false }])
  expect(problems).not.toContainEqual(expect.objectContaining({ code: 'source-name-guessed' }))
})

test('The name of a repository is that of the clone, without the password in its address', async () => {
  const folder = await folderOf({
    ...NAMELESS,
    'repositories/kettle/repository/.git/HEAD': 'ref: refs/heads/main\n',
    'repositories/kettle/repository/.git/config':
      '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:ghp_secret@git.example/harbour/pot.git\n',
  })
  const { records, problems } = await builtSource(folder)
  expect(records.repositories).toMatchObject([{ url: 'https://git.example/harbour/pot' }])
  expect(JSON.stringify(problems)).not.toContain('ghp_secret')
})

test('option-invalid: an archive says itself what a backup does not', async () => {
  const source = { repoName: 'a/b' }
  await expect(inspectArchive('samples/hello.tar.gz', { source })).rejects.toMatchObject({
    code: 'option-invalid',
  })
})

test('source-damaged: a folder without anything to read is refused', async () => {
  const folder = await folderOf({ 'repositories/kettle/issues/1.json': '[]' })
  await expect(inspectArchive(folder)).rejects.toMatchObject({ code: 'source-damaged' })
})

test('limit-depth: a value that is nested too deeply is refused', async () => {
  const deep = (levels: number) =>
    folderOf({
      ...backupFiles(),
      'repositories/kettle/issues/9.json': `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`,
    })
  const limits = { depth: 100 }
  await expect(inspectArchive(await deep(100), { limits })).rejects.toMatchObject({
    code: 'limit-depth',
    place: { entry: 'repositories/kettle/issues/9.json' },
  })
  await inspectArchive(await deep(90), { limits })
})

test('limit-record: a file larger than a few records is refused before it is read', async () => {
  const folder = await folderOf(backupFiles())
  await expect(inspectArchive(folder, { limits: { record: 10 } })).rejects.toMatchObject({
    code: 'limit-record',
    place: { entry: 'repositories/kettle/issues/1.json' },
  })
})

test('Files with the names of an archive are no part of it', async () => {
  const folder = await folderOf({
    ...backupFiles(),
    'repositories/kettle/more/other.git/config': 'ghp_secret',
  })
  const database = join(await folderOf(), 'it.db')
  await loadArchive(folder, database)
  expect(readFileSync(database).includes('ghp_secret')).toBe(false)
})

test.each([
  ['a project export of GitLab', 'tree/project.json'],
  ['a folder of python-github-backup', 'repositories/kettle/issues/1.json'],
])('archive-unrecognized: %s further down is named', async (is, path) => {
  const files = { [`downloads/2026/kettle/${path}`]: '{}' }
  const tar = join(await folderOf(), 'it.tar.gz')
  await writeFile(tar, tarGzOf(files))
  for (const source of [await folderOf(files), tar]) {
    await expect(inspectArchive(source)).rejects.toMatchObject({
      code: 'archive-unrecognized',
      message: expect.stringContaining(`; "downloads/2026/kettle" is ${is}: name that folder`),
    })
  }
})

test('Each source in the table is one that is recognized', async () => {
  const files: Record<string, Record<string, string>> = {
    'a folder of python-github-backup': backupFiles(),
    'a folder of github-metadata-backup': { 'issues/1.json': '{"type": "issue", "issue": {}}' },
    'an export of issues of Bitbucket': { 'db-1.0.json': '{}' },
    'a project export of GitLab': { 'tree/project.json': '{}' },
  }
  for (const { is } of SOURCES) {
    const stream = (async function* () {
      yield tarGzOf(files[is] ?? {})
    })()
    await expect(readArchive(stream).next()).rejects.toMatchObject({
      code: 'source-unsupported',
      message: expect.stringContaining(is),
    })
  }
})

test('source-name-guessed: a name that is guessed is one that a repository can have', async () => {
  const issue = '{"title": "Lid jams", "number": 1, "author_association": "NONE"}'
  const source = join(await folderOf(), 'my backup.tar.gz')
  await writeFile(source, tarGzOf({ 'issues/1.json': issue }))
  const { repositories, problems } = await inspectArchive(source)
  expect(Object.keys(repositories)).toEqual(['owner/my-backup'])
  expect(problems.map(({ code }) => code)).toContain('source-name-guessed')
})

test('A command that takes archives alone says how to make one of a backup', async () => {
  inFolder({ 'backup.tar.gz': tarGzOf(metadataFiles()) })
  for (const argv of [['ls'], ['cat', 'schema.json']]) {
    const { code, stderr } = await run([argv[0] as string, 'backup.tar.gz', ...argv.slice(1)])
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        /\nThis command.+: marc build backup.tar.gz -o archive.tar.gz\n$/,
      ),
    })
  }
})

test('A source that is not of the form that was named is to be recognized', async () => {
  inFolder({ 'backup.tar.gz': tarGzOf(metadataFiles()) })
  const form = ['--source-form', 'gitlab-project']
  const { code, stderr } = await run(['load', 'backup.tar.gz', ...form])
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/\nLeave --source-form out/),
  })
})

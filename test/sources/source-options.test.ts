import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bitbucketIssues, zipOf } from '../../samples/make/bitbucket-issues.ts'
import { gitlabProject, makeKettle } from '../../samples/make/gitlab-project.ts'
import { collect } from '../../src/base/streams.ts'
import {
  buildArchive,
  inspectArchive,
  loadArchive,
  openDatabase,
  type SourceOptions,
} from '../../src/index.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { memberPaths } from '../../src/records/kinds/member-paths.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { builtSource } from '../support/built-source.ts'
import { folderOf } from '../support/folder.ts'
import { inFolder, run } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const BACKUP = 'samples/backups/github-backup.tar.gz'

async function gitlab(options: SourceOptions) {
  const path = join(await folderOf(), 'kettle.tar.gz')
  writeFileSync(path, tarGzOf({ ...gitlabProject('17', makeKettle()) }))
  return builtSource(path, undefined, options)
}

async function bitbucketZip() {
  const path = join(await folderOf(), 'kettle-issues.zip')
  writeFileSync(path, await zipOf(bitbucketIssues('1.0')))
  return path
}

/** A clone with one commit on the branch trunk. */
async function madeClone(...options: string[]) {
  const folder = join(await folderOf(), 'clone')
  outputOf('git', ['init', '-q', '-b', 'trunk', folder])
  const commit = ['commit', '-q', '--allow-empty', '-m', 'One']
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  outputOf('git', ['-C', folder, ...author, ...commit])
  if (options.length === 0) return folder
  const copy = join(await folderOf(), 'copy.git')
  outputOf('git', ['clone', '-q', ...options, folder, copy])
  return copy
}

/** The members of a record at any depth, as `memberPaths` spells them. */
function* pathsOf(value: unknown, at = ''): Generator<string> {
  for (const [name, member] of Object.entries(Object(value))) {
    const path = at === '' ? name : `${at}.${name}`
    yield path
    const isList = Array.isArray(member)
    for (const each of isList ? member : [member]) {
      if (typeof each === 'object') yield* pathsOf(each, isList ? `${path}[]` : path)
    }
  }
}

const pathsIn = (database: string): string[] => {
  const opened = openDatabase(database)
  try {
    return opened
      .prepare('SELECT path FROM files ORDER BY path')
      .all()
      .map((row) => String((row as { path: string }).path))
  } finally {
    opened.close()
  }
}

test(
  'numbers: merge requests keep their numbers, and issues get others, also in texts',
  THOROUGH,
  async () => {
    const { records, errors } = await gitlab({ numbers: 'merge-requests' })
    expect(errors).toEqual([])
    expect(records.pull_requests?.map(({ url }) => url)).toEqual([
      'https://gitlab.com/harbour-stove/kettle/pull/12',
    ])
    expect(records.issues?.map(({ url }) => url)).toEqual([
      'https://gitlab.com/harbour-stove/kettle/issues/1012',
    ])
    expect(records.pull_requests?.[0]?.body).toContain('For #1012.')
    expect(records.issues?.[0]?.body).toContain('Like #12, but not `!12`.')
  },
)

test('texts: as they are, with their uploads as files', THOROUGH, async () => {
  const { records, database } = await gitlab({ texts: 'as-is' })
  expect(records.issues?.[0]?.body).toContain('Like !12, but not `!12`.')
  expect(records.attachments).toBeUndefined()
  expect(pathsIn(database)).toContain('uploads/fedcba9876543210fedcba9876543210/lid.png')
  const issues = await builtSource(await bitbucketZip(), undefined, { texts: 'as-is' })
  expect(issues.records.issues?.[0]?.body).toContain('{{{\n#!python')
  expect(issues.records.attachments).toBeUndefined()
  expect(issues.records.issues?.[0]).toMatchObject({
    bitbucket: { attachments: [{ path: 'attachments/1_lid.png' }] },
  })
  expect(pathsIn(issues.database)).toContain('attachments/1_lid.png')
})

everyDay(1)([
  ['with a work tree', []],
  ['that is bare', ['--bare']],
])('repoGit: a clone %s is the Git data of the repository', async (_, options) => {
  const repoGit = await madeClone(...options)
  const { records, errors, database } = await builtSource(await bitbucketZip(), undefined, {
    repoGit,
  })
  expect(errors).toEqual([])
  expect(records.repositories?.[0]?.default_branch).toBe('trunk')
  const git = 'repositories/harbour/kettle.git/'
  const files = pathsIn(database).filter((path) => path.startsWith(git))
  expect(files).toContain(`${git}packed-refs`)
  expect(files.filter((path) => path.includes('/objects/')).length).toBe(2)
})

test('repoGit: a backup without Git data gets those of a clone', THOROUGH, async () => {
  const repoGit = await madeClone()
  const source = 'samples/backups/github-metadata-backup.tar.gz'
  const { errors, database, problems } = await builtSource(source, undefined, { repoGit })
  expect(errors).toEqual([])
  expect(problems.map(({ message }) => message)).not.toContainEqual(
    expect.stringContaining('an empty repository was made'),
  )
  expect(pathsIn(database).filter((path) => path.includes('/objects/')).length).toBe(2)
})

test(
  'repoGit: a copy with SHA-1 ids takes the place of a bundle with others',
  THOROUGH,
  async () => {
    const old = await madeClone('--bare')
    const [long, copy] = [join(await folderOf(), 'long'), join(await folderOf(), 'copy.git')]
    outputOf('git', ['init', '-q', '--bare', '--object-format=sha256', long])
    outputOf('git', ['init', '-q', '--bare', '-b', 'trunk', copy])
    const bundle = join(await folderOf(), 'long.bundle')
    const script = [
      'git -C "$1" fast-export --all | git -C "$2" fast-import --quiet',
      'git -C "$2" bundle create -q "$4" --all',
      'git -C "$2" fast-export --all | git -C "$3" fast-import --quiet',
    ]
    outputOf('sh', ['-ec', script.join('\n'), '-', old, long, copy, bundle])
    const files = gitlabProject('17', makeKettle())
    const source = await folderOf({ ...files, 'project.bundle': readFileSync(bundle) })
    const database = join(await folderOf(), 'it.db')
    await expect(loadArchive(source, database)).rejects.toMatchObject({ code: 'git-unsupported' })
    const { archives } = await loadArchive(source, database, {
      salvage: true,
      source: { repoGit: copy },
    })
    expect(archives[0]?.lost.map(({ message }) => message)).toEqual([
      'a bundle with @object-format=sha256 is not read; its Git data are left out',
    ])
    const git = 'repositories/harbour-stove/kettle.git/objects/'
    expect(pathsIn(database).filter((path) => path.startsWith(git)).length).toBeGreaterThan(0)
  },
)

test(
  'bare: members, kinds and events that archives do not have are left out, and counted',
  THOROUGH,
  async () => {
    const { records, problems } = await gitlab({ bare: true })
    expect(records.undefined).toBeUndefined()
    expect(records.issues?.[0]).not.toHaveProperty('gitlab')
    expect(records.issue_events?.map(({ event }) => event)).not.toContainEqual(
      expect.stringMatching(/^gitlab_/),
    )
    expect(problems.map(({ code }) => code)).not.toContain('member-unknown')
    const left = problems.filter(({ message }) => message.includes('archives of the host'))
    expect(left.map(({ code }) => code)).toEqual(Array(left.length).fill('source-left-out'))
    expect(left.map(({ message }) => message.split(' ')[0]).sort()).toEqual([
      'events',
      'kinds',
      'members',
    ])
  },
)

test(
  'bare: no object within a record has a member that archives do not have',
  THOROUGH,
  async () => {
    for (const source of [
      'gitlab-project.tar.gz',
      'github-backup.tar.gz',
      'bitbucket-issues.zip',
    ]) {
      const { records } = await builtSource(`samples/backups/${source}`, undefined, { bare: true })
      for (const [kind, known] of Object.entries<Kind>(KINDS)) {
        const paths = new Set(memberPaths(known).map(({ text }) => text))
        const found = (records[kind] ?? []).flatMap(({ type, ...record }) => [...pathsOf(record)])
        const others = found.filter((path) => !paths.has(path))
        expect(others, `${kind} of ${source}`).toEqual([])
      }
    }
    const kept = await builtSource('samples/backups/gitlab-project.tar.gz')
    expect(kept.records.repositories?.[0]).toHaveProperty('labels.0.gitlab')
  },
)

test('form: a source is taken for a form without a look at it', async () => {
  const reading = inspectArchive(BACKUP, { source: { form: 'gitlab-project' } })
  await expect(reading).rejects.toMatchObject({ code: 'source-damaged' })
})

test.each<[string, SourceOptions]>([
  [BACKUP, { texts: 'as-is' }],
  [BACKUP, { numbers: 'issues' }],
  ['samples/hello.tar.gz', { visibility: 'public' }],
  ['samples/backups/gitlab-project.tar.gz', { repoGit: '.' }],
])('option-invalid: %s has no use for %o', async (source, options) => {
  const reading = builtSource(source, undefined, options)
  await expect(reading).rejects.toMatchObject({ code: 'option-invalid' })
})

test('source-unsupported: a folder that is no clone', async () => {
  const reading = builtSource(await bitbucketZip(), undefined, { repoGit: await folderOf() })
  await expect(reading).rejects.toMatchObject({ code: 'source-unsupported' })
})

test('form: a folder that is built is taken for it as well', async () => {
  const folder = await folderOf({ ...bitbucketIssues('1.0') })
  const building = collect(buildArchive(folder, { source: { form: 'gitlab-project' } }))
  await expect(building).rejects.toMatchObject({ code: 'source-damaged' })
})

/** Options that name the repository and its host. */
const NAMED = ['--repo-name', 'a/b', '--host-url', 'https://git.example/']

test(
  'Every command that reads a source takes the options, each time with its own',
  THOROUGH,
  async () => {
    const zip = await bitbucketZip()
    inFolder()
    const urls = async (...options: string[]) =>
      JSON.parse((await run(['query', zip, 'SELECT url FROM repositories', ...options])).stdout)
    expect(await urls(...NAMED)).toEqual([{ url: 'https://git.example/a/b' }])
    expect(await urls()).toEqual([{ url: 'https://bitbucket.org/harbour/kettle' }])
    const shown = await run(['show', zip, '1', ...NAMED])
    expect(shown.stdout).toContain('Lid jams a/b#1')
    const exported = await run(['export', zip, '--parquet', 'lake', ...NAMED])
    expect(exported).toMatchObject({ code: 0 })
    expect(await run(['diff', zip, zip, ...NAMED])).toMatchObject({ code: 0 })
  },
)

test.each([
  ['a database', ['query', 'it.db', 'SELECT 1']],
  ['an archive', ['query', 'it.tar.gz', 'SELECT 1']],
  ['a database to inspect', ['inspect', 'it.db']],
])('option-invalid: %s is no source of another form', async (_, words) => {
  const zip = await bitbucketZip()
  inFolder()
  await run(['load', zip, '-o', 'it.db'])
  await run(['build', 'it.db', '-o', 'it.tar.gz'])
  const { code, stderr } = await run([...words, ...NAMED])
  expect({ code, stderr }).toMatchObject({ code: 2, stderr: /--repo-name: it is for backups/ })
})

test('A command that shows the files of a container has no such options', async () => {
  const { code, stderr } = await run(['ls', BACKUP, ...NAMED])
  expect(code).toBe(2)
  expect(stderr).toContain('there is no option --repo-name')
})

everyDay(1)(['17', '13'] as const)(
  'A folder, and a tar of it, of GitLab %s make the same archive, without a breach',
  async (version) => {
    const files = gitlabProject(version, makeKettle())
    const folder = await folderOf(files)
    const tar = join(await folderOf(), 'kettle.tar.gz')
    writeFileSync(tar, tarGzOf({ ...files }))
    const into = inFolder()
    const built = await Promise.all(
      [folder, tar].map(async (source, i) => {
        const output = `${i}.tar.gz`
        const { code, stdout } = await run(['build', source, '-o', output, '--json', ...NAMED])
        expect(code).toBe(0)
        const { archives, problems } = JSON.parse(stdout)
        return { records: archives[0].records, breaches: archives[0].breaches, problems }
      }),
    )
    expect(built[0]).toMatchObject({ problems: { 'source-renumbered': 1 } })
    expect(built[0]?.breaches ?? 0).toBe(0)
    expect(built[1]).toEqual(built[0])
    const said = await run(['diff', join(into, '0.tar.gz'), join(into, '1.tar.gz')])
    expect(said).toMatchObject({ code: 0, stdout: '' })
  },
)

test('check says that a source is no archive yet', async () => {
  const { code, stdout } = await run(['check', await bitbucketZip()])
  expect(code).toBe(0)
  expect(stdout).toContain('kettle-issues.zip is an export of issues of Bitbucket, no archive yet')
})

test('source-unsupported: a form that is not read names what of that host is', async () => {
  const folder = await folderOf({ VERSION: '0.2.4', 'tree/groups/1.json': '{}' })
  const { code, stderr } = await run(['load', folder])
  expect(code).toBe(3)
  expect(stderr).toMatch(/a group export of GitLab; export its projects: .*help sources/s)
})

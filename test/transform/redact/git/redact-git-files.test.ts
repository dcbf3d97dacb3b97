/** What a repository has beside its commits, each with the name, address and token of a person. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asBytes } from '../../../../src/base/streams.ts'
import { openDatabase } from '../../../../src/database/open-database.ts'
import { loadArchive } from '../../../../src/load/load-archive.ts'
import { createPseudonyms } from '../../../../src/transform/redact/pseudonyms.ts'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type { RedactOptions } from '../../../../src/transform/redact/redact-options.ts'
import { unpackInto } from '../../../support/build.ts'
import { type Files, tarGzOf } from '../../../support/build-tar.ts'
import { gitBytes, gitText } from '../../../support/git-history.ts'
import { makeBare } from '../../../support/git-world.ts'
import { THOROUGH } from '../../../support/thorough.ts'

const REPOSITORY = 'repositories/ada/spoon.git'
const KEY = Buffer.alloc(32, 7)
const TOKEN = `ghp_${'Ab3'.repeat(12)}`
const VALUES = `Anne Baker, anne@forge.example, ${TOKEN}`
const WHO = 'Anne Baker <anne@forge.example> 1600000000 +0000'
/** The values, also with other signs for the spaces of the name. */
const LEFT = /anne.?baker|anne@|Ab3Ab3|Madonna/i

/** Files by what becomes of each. */
const FILES = {
  cleaned: {
    config: `[user]\n\tname = Madonna\n[branch "by-anne-baker/fix"]\n\tmerge = refs/heads/by-anne-baker/fix\n# ${VALUES}\n`,
    description: `See branch by-anne-baker/fix. ${VALUES}\n`,
    'info/attributes': `# ${VALUES}\n`,
    'info/exclude': `# ${VALUES}\n`,
    'hooks/update': `#!/bin/sh\n# ${VALUES}\n`,
    'objects/info/alternates': `# ${VALUES}\n`,
    'branches/anne-baker': `${VALUES}\n`,
    'refs/heads/alias': 'ref: refs/heads/by-anne-baker/fix\n',
  },
  'left out': {
    'logs/HEAD': `${'0'.repeat(40)} ${'0'.repeat(40)} ${WHO}\tcommit: ${VALUES}\n`,
    'worktrees/anne-baker/HEAD': 'ref: refs/heads/by-anne-baker/fix\n',
    'worktrees/anne-baker/logs/HEAD': `${'0'.repeat(40)} ${'0'.repeat(40)} ${WHO}\tx\n`,
    'modules/spoon/packed-refs': `${'1'.repeat(40)} refs/heads/anne-baker\n`,
    'modules/spoon/config': `[user]\n\temail = anne@forge.example\n`,
    FETCH_HEAD: `${'1'.repeat(40)}\tbranch 'by-anne-baker/fix' of https://anne@forge.example\n`,
    ORIG_HEAD: `${VALUES}\n`,
    CHERRY_PICK_HEAD: `${'1'.repeat(40)}\n`,
    MERGE_MSG: `Merge branch 'by-anne-baker/fix'. ${VALUES}\n`,
    COMMIT_EDITMSG: `${VALUES}\n`,
    BISECT_LOG: `git bisect start\n# bad: [${'1'.repeat(40)}] ${VALUES}\n`,
    AUTO_MERGE: `${'1'.repeat(40)}\n`,
    'sequencer/todo': `pick ${'1'.repeat(40)} ${VALUES}\n`,
    'rebase-merge/author-script': `GIT_AUTHOR_NAME='Anne Baker'\n`,
    'rebase-merge/orig-head': `${'1'.repeat(40)}\n`,
    index: `DIRC\0${VALUES}`,
    'old.bundle': `# v2 git bundle\n${'1'.repeat(40)} refs/heads/anne-baker\n\nPACK\0\0\0\x02\0\0\0\0`,
    'objects/pack/pack-1234.rev': `${VALUES}\n`,
    'objects/pack/pack-1234.bitmap': `${VALUES}\n`,
    'objects/pack/multi-pack-index': `${VALUES}\n`,
    'objects/info/commit-graph': `${VALUES}\n`,
    'objects/info/commit-graphs/commit-graph-chain': `${VALUES}\n`,
  },
} as const

const pseudonymOf = (name: string) => createPseudonyms(KEY).of('name', name)

let source: string

const commitOf = (tree: string, parents: readonly string[], more = '', message = VALUES) =>
  [
    `tree ${tree}\n`,
    ...parents.map((parent) => `parent ${parent}\n`),
    `author ${WHO}\ncommitter ${WHO}\n${more}\n${message}\n`,
  ].join('')

beforeAll(async () => {
  source = mkdtempSync(join(tmpdir(), 'git-files-'))
  const directory = join(source, 'archive', REPOSITORY)
  makeBare(directory)
  const write = (type: string, text: string) =>
    gitText(directory, ['hash-object', '-t', type, '-w', '--stdin'], text).trim()
  const tree = gitText(directory, ['mktree'], '').trim()
  const first = write('commit', commitOf(tree, []))
  const second = write('commit', commitOf(tree, [first]))
  const signature = `-----BEGIN PGP SIGNATURE-----\n \n ${VALUES}\n -----END PGP SIGNATURE-----\n`
  const mergetag = `mergetag object ${second}\n type commit\n tag v1\n tagger ${WHO}\n \n ${VALUES}\n`
  const merge = write(
    'commit',
    commitOf(
      tree,
      [first, second],
      `${mergetag}gpgsig ${signature}`,
      "Merge branch 'by-anne-baker/fix'",
    ),
  )
  const other = write('commit', commitOf(tree, [], '', 'A replacement'))
  for (const [name, oid] of [
    ['heads/main', merge],
    ['heads/by-anne-baker/fix', second],
    [`replace/${first}`, other],
  ]) {
    gitText(directory, ['update-ref', `refs/${name}`, oid as string])
  }
  gitText(directory, ['pack-refs', '--all'])
  gitText(directory, ['update-ref', 'refs/heads/loose-anne-baker', second])
  mkdirSync(join(directory, 'refs/heads/anne-baker-was-here'))
  for (const [path, text] of Object.values(FILES).flatMap((files) => Object.entries(files))) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  writeFileSync(join(directory, 'info/grafts'), `${second} ${first}\n`)
  writeFileSync(join(source, 'a.tar.gz'), tarGzOf(filesIn(join(source, 'archive'))))
  await loadArchive(join(source, 'a.tar.gz'), join(source, 'a.db'))
})
afterAll(() => rmSync(source, { recursive: true }))

/** All files and folders below one, as an archive has them. */
const filesIn = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(folder.length + 1)
      return entry.isDirectory() ? [`${name}/`, ''] : [name, readFileSync(path)]
    }),
  )

/** Redacts the archive, and unpacks it. */
async function redacted(git: RedactOptions['git'], path = join(source, 'a.db')) {
  const folder = mkdtempSync(join(source, `${git}-`))
  const database = openDatabase(path)
  const archive = join(folder, 'a.tar.gz')
  const report = await redactDatabase(database, archive, { key: KEY, git })
  database.close()
  const { files, directories } = await unpackInto(folder, readFileSync(archive))
  return { report, files, directories, repository: join(folder, REPOSITORY) }
}

describe.each(['authors', 'history'] as const)('Where %s are rewritten', (git) => {
  let result: Awaited<ReturnType<typeof redacted>>
  beforeAll(async () => {
    result = await redacted(git)
  })

  test.each(Object.keys(FILES.cleaned))('%s is cleaned', (path) => {
    const { files } = result
    const name = path.replace('anne-baker', pseudonymOf('Anne Baker'))
    expect(files[`${REPOSITORY}/${name}`]).toBeDefined()
    expect(files[`${REPOSITORY}/${name}`]).not.toMatch(LEFT)
  })

  test.each(Object.keys(FILES['left out']))('%s is left out', (path) => {
    expect(result.files[`${REPOSITORY}/${path}`]).toBeUndefined()
  })

  test('no file, folder or object has a value', () => {
    const { files, directories, repository } = result
    const objects = gitBytes(repository, ['cat-file', '--batch-all-objects', '--batch'])
    const all = [JSON.stringify(files), ...directories, objects.toString()]
    expect(all.filter((text) => LEFT.test(text))).toEqual([])
    expect(objects.toString()).not.toMatch(/mergetag|gpgsig/)
  })

  test('the report counts what is left out, and what stays', () => {
    const { parts } = result.report.git
    expect(parts.others).toMatchObject({ state: 'cleaned', notSearched: 0, leftOut: 19 })
    expect(parts.logs).toMatchObject({ state: 'left out', values: 3 })
    expect(parts.signatures).toEqual({ state: 'left out', values: 1, notSearched: 0 })
    for (const part of ['config', 'description', 'refs', 'messages'] as const) {
      expect(parts[part]?.state, part).toBe('cleaned')
    }
  })

  test('branches have one new name in refs, config and messages', () => {
    const { repository, files } = result
    const branch = `by-${pseudonymOf('Anne Baker')}/fix`
    const log = gitText(repository, ['log', '--all', '--format=%s'])
    expect(log).toContain(`Merge branch '${branch}'\n`)
    expect(gitText(repository, ['rev-parse', `refs/heads/${branch}`])).toMatch(/^[0-9a-f]{40}$/m)
    expect(files[`${REPOSITORY}/config`]).toContain(`[branch "${branch}"]`)
  })

  test('a replacement and a graft belong to the new commits', () => {
    const { repository, files } = result
    const subjects = (more: string[]) =>
      gitText(repository, [...more, 'log', '--all', '--format=%s']).split('\n')
    expect(subjects([]).filter((subject) => subject === 'A replacement')).toHaveLength(2)
    const grafted = files[`${REPOSITORY}/info/grafts`]?.trim().split(' ') ?? []
    for (const oid of grafted) expect(gitText(repository, ['cat-file', '-t', oid])).toBe('commit\n')
  })
})

test('Nothing of a repository is left where Git data are left out', async () => {
  const { files, directories } = await redacted('drop')
  expect(Object.keys(files).concat(directories).join('\n')).not.toMatch(/\.git/)
  expect(JSON.stringify(files)).not.toMatch(LEFT)
})

test('Packed refs above 16 MiB are cleaned, and have the new ids', {
  ...THOROUGH,
  timeout: 120_000,
}, async () => {
  const folder = mkdtempSync(join(source, 'large-'))
  const directory = join(folder, 'archive', REPOSITORY)
  makeBare(directory)
  const tree = gitText(directory, ['mktree'], '').trim()
  const write = ['hash-object', '-t', 'commit', '-w', '--stdin']
  const commit = gitText(directory, write, commitOf(tree, [])).trim()
  const nameOf = (i: number) => `refs/heads/${'topic-'.repeat(400)}${String(i).padStart(6, '0')}`
  const names = Array.from({ length: 7000 }, (_, i) => nameOf(i))
  names.push('refs/heads/zz-anne-baker')
  const refs = names.map((name) => `${commit} ${name}\n`)
  const head = '# pack-refs with: peeled fully-peeled sorted \n'
  writeFileSync(join(directory, 'packed-refs'), head + refs.join(''))
  await loadArchive(
    { name: 'large', bytes: asBytes([tarGzOf(filesIn(join(folder, 'archive')))]) },
    join(folder, 'a.db'),
  )
  const { files, repository, report } = await redacted('authors', join(folder, 'a.db'))
  const packed = files[`${REPOSITORY}/packed-refs`] ?? ''
  expect(packed.length).toBeGreaterThan(16 * 2 ** 20)
  expect(packed).not.toMatch(LEFT)
  expect(packed).not.toContain(commit)
  expect(report.git.parts.refs).toMatchObject({ state: 'cleaned', notSearched: 0 })
  const branch = `refs/heads/zz-${pseudonymOf('Anne Baker')}`
  const oid = gitText(repository, ['rev-parse', branch]).trim()
  expect(packed.split(oid)).toHaveLength(names.length + 1)
  expect(gitText(repository, ['cat-file', '-t', branch])).toBe('commit\n')
})

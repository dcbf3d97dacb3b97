import { describe, expect, it } from 'vitest'
import type { Problem } from '../../../src/base/errors.ts'
import type { BuildOptions } from '../../../src/build/build-options.ts'
import { built, builtFiles } from '../../support/build.ts'
import { tarOf } from '../../support/build-tar.ts'
import { loaded, recordFile } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://host.example'
const pack = 'pack-0123456789012345678901234567890123456789'
const gitFiles = (name: string) => ({
  [`repositories/ada/${name}.git/HEAD`]: 'ref: refs/heads/main',
  [`repositories/ada/${name}.git/description`]: 'nothing',
  [`repositories/ada/${name}.git/hooks/update.sample`]: '#!/bin/sh',
  [`repositories/ada/${name}.git/packed-refs`]: '',
  [`repositories/ada/${name}.git/objects/pack/${pack}.pack`]: 'PACK',
  [`repositories/ada/${name}.git/objects/pack/${pack}.idx`]: 'index',
})

const repository = (name: string) => ({
  type: 'repository',
  url: `${HOST}/ada/${name}`,
  name,
  owner: `${HOST}/ada`,
  git_url: `tarball://root/repositories/ada/${name}.git`,
})
const upload = (name: string, more: object) => ({
  url: `${HOST}/uploads/${name}`,
  created_at: '2024-01-01T00:00:00Z',
  issue: `${HOST}/ada/kettle/issues/1`,
  ...more,
})

const archive = tarOf({
  'schema.json': '{"version":"1.0.1"}',
  ...recordFile('repositories', repository('kettle'), repository('teapot')),
  ...recordFile('issues', {
    type: 'issue',
    url: `${HOST}/ada/kettle/issues/1`,
    repository: `${HOST}/ada/kettle`,
  }),
  ...recordFile('attachments', {
    ...upload('a', { type: 'attachment', asset_url: 'tarball://root/attachments/a/a.png' }),
  }),
  ...recordFile('repository_files', {
    ...upload('f', {
      type: 'repository_file',
      file_url: 'tarball://root/repository_files/1/f.txt',
    }),
    repository: `${HOST}/ada/teapot`,
  }),
  ...recordFile('releases', {
    type: 'release',
    url: `${HOST}/ada/kettle/releases/tag/1`,
    repository: `${HOST}/ada/kettle`,
    release_assets: [{ asset_url: 'tarball://root/releases/1/r.zip' }],
  }),
  'attachments/a/a.png': 'a',
  'attachments/b/named-by-nobody.png': 'b',
  'repository_files/1/f.txt': 'f',
  'releases/1/r.zip': 'r',
  ...gitFiles('kettle'),
  ...gitFiles('teapot'),
  ...gitFiles('alone'),
})

const builtAfter = async (sql: string, options: BuildOptions = {}) => {
  const { database } = await loaded(archive)
  database.exec(sql)
  return built(database, { allowInvalid: false, ...options })
}

/** Problems of files alone: records that lack members break other rules. */
const isMissing = ({ code, place: { record } }: Problem) =>
  /^(file|git)-missing$/.test(code) && record === undefined

describe('a build is refused that lacks', () => {
  everyDay(1)([
    ['attachments/a/a.png', `path LIKE '%/a.png'`],
    [`repositories/ada/alone.git/objects/pack/${pack}.pack`, `path LIKE '%/alone.git/%.pack'`],
    ['repositories/ada/teapot.git/HEAD', `repository = 'ada/teapot'`],
    ['repositories/ada/kettle.git/packed-refs', `path LIKE '%/kettle.git/packed-refs'`],
    ['repository_files/1/f.txt', `path LIKE '%/f.txt'`],
    ['releases/1/r.zip', `path LIKE '%.zip'`],
    [`repositories/ada/kettle.git/objects/pack/${pack}.idx`, `path LIKE '%/kettle.git/%.idx'`],
  ])('%s', async (entry, which) => {
    await expect(builtAfter(`DELETE FROM files WHERE ${which}`)).rejects.toMatchObject({
      code: entry.includes('.git/') ? 'git-missing' : 'file-missing',
      place: { entry },
    })
  })
})

describe('a build goes on without', () => {
  everyDay(1)([
    ['what nobody names', `DELETE FROM files WHERE path LIKE '%nobody%'`],
    [
      'a file whose record was deleted, too',
      `DELETE FROM files WHERE path LIKE '%.png'; DELETE FROM attachments`,
    ],
    [
      'hooks and descriptions',
      `DELETE FROM files WHERE path GLOB '*.sample' OR path GLOB '*/description'`,
    ],
    ['a repository that no record names', `DELETE FROM files WHERE repository = 'ada/alone'`],
    [
      'a repository whose record was deleted',
      `DELETE FROM files WHERE repository = 'ada/teapot';
      DELETE FROM repositories WHERE name = 'teapot'; DELETE FROM repository_files`,
    ],
  ])('%s', async (_, sql) => {
    const missing: Problem[] = []
    const report = (problem: Problem) => void missing.push(problem)
    // Records that were changed break other rules.
    await builtAfter(sql, { allowInvalid: true, report })
    expect(missing.filter(isMissing)).toEqual([])
  })

  it('any files, with files: false', async () => {
    await expect(builtAfter('DELETE FROM files', { files: false })).resolves.toBeInstanceOf(Buffer)
  })

  it(
    'what belongs to the other one of a pair, or to nothing that was chosen',
    THOROUGH,
    async () => {
      const noUploads = `DELETE FROM files WHERE role <> 'git'`
      const noGit = `DELETE FROM files WHERE path LIKE '%.pack'`
      await expect(builtAfter(noUploads, { part: 'git' })).resolves.toBeInstanceOf(Buffer)
      await expect(builtAfter(noGit, { part: 'metadata' })).resolves.toBeInstanceOf(Buffer)
      await expect(builtAfter(noGit, { part: 'git' })).rejects.toMatchObject({
        code: 'git-missing',
      })
      const chosen = { repositories: ['ada/kettle'], allowInvalid: true }
      const problems: Problem[] = []
      const report = (problem: Problem) => void problems.push(problem)
      await builtAfter(`DELETE FROM files WHERE repository = 'ada/teapot' OR path LIKE '%/f.txt'`, {
        ...chosen,
        report,
      })
      expect(problems.filter(isMissing)).toEqual([])
      await builtAfter(`DELETE FROM files WHERE path LIKE '%.pack' OR path LIKE '%.zip'`, {
        ...chosen,
        report,
      })
      expect(problems.filter(isMissing).map(({ place }) => place.entry)).toEqual([
        'releases/1/r.zip',
        `repositories/ada/kettle.git/objects/pack/${pack}.pack`,
      ])
    },
  )

  it('what is missing if allowed, and reports it', async () => {
    const { database } = await loaded(archive)
    database.exec(`DELETE FROM files WHERE path LIKE '%.zip'`)
    const problems: Problem[] = []
    const files = await builtFiles(database, { report: (problem) => void problems.push(problem) })
    expect(Object.keys(files)).not.toContain('releases/1/r.zip')
    expect(problems).toMatchObject([{ code: 'file-missing', place: { entry: 'releases/1/r.zip' } }])
  })

  it('what gave way to a later archive, or was never there', THOROUGH, async () => {
    const { database } = await loaded([
      archive,
      { ...gitFiles('kettle'), [`repositories/ada/kettle.git/objects/pack/${pack}.pack`]: 'other' },
      recordFile('attachments', {
        type: 'attachment',
        url: 'x',
        asset_url: 'tarball://root/attachments/none',
      }),
    ])
    await expect(built(database)).resolves.toBeInstanceOf(Buffer)
  })
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupFiles } from '../../../samples/make/github-backup.ts'
import { loadArchive, openDatabase } from '../../../src/index.ts'
import { folderOf } from '../../support/folder.ts'

const OID = '2'.repeat(40)

/** The files of a clone without a work tree. */
const bareClone = (folder: string): Record<string, string> => ({
  [`${folder}/HEAD`]: 'ref: refs/heads/main\n',
  [`${folder}/config`]:
    '[remote "origin"]\n\turl = https://ghp_secret@github.com/harbour/kettle.git\n',
  [`${folder}/packed-refs`]: `${OID} refs/heads/main\n`,
})

/** Loads a folder. Returns its files that are no records, its refs, and the bytes of the database. */
async function load(files: Record<string, string>) {
  const database = join(await folderOf(), 'it.db')
  await loadArchive(await folderOf(files), database)
  const opened = openDatabase(database)
  const list = (sql: string) => opened.prepare<[], string>(sql).pluck().all()
  const paths = list('SELECT path FROM files ORDER BY path')
  const refs = list("SELECT DISTINCT name FROM refs WHERE name <> 'HEAD' ORDER BY name")
  opened.close()
  return { paths, refs, bytes: readFileSync(database) }
}

const git = 'repositories/harbour/kettle.git'
const GIT = [`${git}/HEAD`, `${git}/config`, `${git}/packed-refs`]

test.each([
  ['of a folder with a repository in it', 'kettle/'],
  ['of a folder of a repository', ''],
])('The clone %s is its Git data, and its configuration stays', async (_, folder) => {
  const threads = Object.entries(backupFiles()).map(([path, text]) => [
    path.replace('repositories/kettle/', folder),
    text,
  ])
  const { paths, refs, bytes } = await load({
    ...Object.fromEntries(threads),
    ...bareClone(`${folder}repository`),
  })
  expect(paths).toEqual(GIT)
  expect(refs).toEqual(['refs/heads/main'])
  expect(bytes.includes('ghp_secret')).toBe(false)
})

test('Files of a checkout are no part of a backup, whatever their paths', async () => {
  const clone = 'repositories/kettle/repository'
  const issue = String(backupFiles()['repositories/kettle/issues/1.json'])
  const { paths } = await load({
    ...backupFiles(),
    [`${clone}/.git/HEAD`]: 'ref: refs/heads/main\n',
    [`${clone}/.git/packed-refs`]: `${OID} refs/heads/main\n`,
    [`${clone}/repositories/pot/issues/1.json`]: issue.replaceAll('harbour/kettle', 'harbour/pot'),
  })
  expect(paths).toEqual(GIT)
})

test('Git data of a gist are left out, also without a checkout', async () => {
  const { paths, bytes } = await load({
    ...backupFiles(),
    'gists/7/gist.json': '{}',
    ...bareClone('gists/7/repository'),
  })
  expect(paths).toContain('gists/7/gist.json')
  expect(paths.filter((path) => path.includes('repository/'))).toEqual([])
  expect(bytes.includes('ghp_secret')).toBe(false)
})

test('A file of Git LFS that two clones have is one of the archive', async () => {
  const oid = 'ab'.repeat(32)
  const { paths } = await load({
    ...backupFiles(),
    ...bareClone('repositories/kettle/repository'),
    [`repositories/kettle/repository/lfs/objects/ab/ab/${oid}`]: 'lid',
    ...bareClone('repositories/pot/repository'),
    'repositories/pot/repository/config':
      '[remote "origin"]\n\turl = https://github.com/harbour/pot.git\n',
    [`repositories/pot/repository/lfs/objects/ab/ab/${oid}`]: 'lid',
  })
  expect(paths.filter((path) => path.startsWith('git-lfs/'))).toEqual([`git-lfs/ab/ab/${oid}`])
})

test('A backup without a clone leaves the Git data that an earlier archive has', async () => {
  const database = join(await folderOf(), 'it.db')
  const whole = { ...backupFiles(), ...bareClone('repositories/kettle/repository') }
  await loadArchive(await folderOf(whole), database)
  await loadArchive(await folderOf(backupFiles()), database)
  const opened = openDatabase(database)
  const refs = opened.prepare("SELECT name FROM refs WHERE name <> 'HEAD'").pluck().all()
  expect(refs).toEqual(['refs/heads/main'])
  expect(opened.prepare('SELECT path FROM files ORDER BY path').pluck().all()).toEqual(GIT)
  const problems = "SELECT message FROM problems WHERE code = 'source-left-out'"
  expect(opened.prepare(problems).pluck().all()).toEqual([
    'harbour/kettle: an empty repository, because an earlier archive has its Git data',
  ])
  opened.close()
})

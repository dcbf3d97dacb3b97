import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { cloneRepository } from '../../src/git/clone/clone-repository.ts'
import { openRepository } from '../../src/git/open-repository.ts'
import { verifyRepository } from '../../src/git/verify/verify-repository.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { git } from '../support/bare-repository.ts'
import { listOf } from '../support/entries.ts'
import { folderOf } from '../support/folder.ts'
import { type GitWorld, gitWorld } from '../support/git-world.ts'
import { run } from '../support/run-command.ts'

let world: GitWorld
let database: Database
let path: string
let directory: string

beforeAll(async () => {
  world = gitWorld()
  directory = world.directoryOf('ada/shallow')
  const source = `file://${world.directoryOf('ada/kettle')}`
  git(world.root, [
    'clone',
    '--quiet',
    '--bare',
    '--depth=2',
    '--no-single-branch',
    source,
    directory,
  ])
  path = join(world.root, 'it.db')
  await loadArchive(world.folder, path)
  database = openDatabase(path)
})

afterAll(() => {
  database.close()
  world.close()
})

test('The log of a shallow repository ends where history was cut, as that of git does', async () => {
  const { code, stdout, stderr } = await run([
    'repo',
    'log',
    path,
    'ada/shallow',
    'main',
    '--oneline',
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('(grafted')
  const oids: string[] = []
  for await (const { oid, parents } of openRepository(database, 'ada/shallow').log('main')) {
    oids.push([oid, ...parents].join(' '))
  }
  expect(oids.join('\n')).toBe(
    git(directory, ['log', '--format=%H %P', 'main']).trim().replace(/ $/gm, ''),
  )
})

test('A commit at which history was cut has no parents, and brings all its files', async () => {
  const [cut = ''] = readFileSync(join(directory, 'shallow'), 'utf8').split('\n')
  expect(() => openRepository(database, 'ada/shallow').resolve(`${cut}^`)).toThrow(/nothing at/)
  const { stdout } = await run(['repo', 'show', path, 'ada/shallow', cut, '--format', 'ndjson'])
  const shown = stdout
    .trim()
    .split('\n')
    .map((line) => `${JSON.parse(line).status}\t${JSON.parse(line).path}`)
  const asked = ['show', '--format=', '--name-status', '--no-renames', cut]
  expect(shown.join('\n')).toBe(git(directory, asked).trim())
})

test('A shallow repository is whole, and its clone is one that git accepts', async () => {
  const faults = await listOf(verifyRepository(database, 'ada/shallow'))
  expect(faults).toMatchObject([{ code: 'git-shallow', severity: 'note' }])
  expect(faults[0]?.message).toMatch(
    /^the parents of \d commits? are not in the archive, and were not verified$/,
  )
  const copy = join(await folderOf(), 'it.git')
  const { missing } = await cloneRepository(database, 'ada/shallow', copy)
  expect(missing).toBeUndefined()
  git(copy, ['fsck', '--full', '--strict', '--no-dangling'])
  const all = ['log', '--all', '--format=%H %P']
  expect(git(copy, all)).toBe(git(directory, all))
  expect(existsSync(join(copy, 'shallow'))).toBe(true)
})

test('Lines of shallow that are no ids do not come into a clone', async () => {
  const folder = await folderOf({ 'repositories/a/b.git/HEAD': 'ref: refs/heads/main\n' })
  writeFileSync(join(folder, 'repositories/a/b.git/shallow'), `evil\n${'a'.repeat(40)}\n../../x`)
  await loadArchive(folder, join(folder, 'it.db'))
  const own = openDatabase(join(folder, 'it.db'))
  await cloneRepository(own, 'a/b', join(folder, 'it.git'))
  own.close()
  expect(readFileSync(join(folder, 'it.git/shallow'), 'utf8')).toBe(`${'a'.repeat(40)}\n`)
})

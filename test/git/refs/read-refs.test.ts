import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { listRepositories } from '../../../src/git/list-repositories.ts'
import { findRef, readRefs } from '../../../src/git/refs/read-refs.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { git } from '../../support/bare-repository.ts'
import { type GitWorld, gitWorld } from '../../support/git-world.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

let world: GitWorld
let database: Database

beforeAll(async () => {
  world = gitWorld()
  const path = join(world.root, 'it.db')
  await loadArchive(world.folder, path, { files: false })
  database = openDatabase(path)
})

afterAll(() => {
  database.close()
  world.close()
})

/** Refs as git for-each-ref prints them. */
const listed = (name: string) =>
  [...readRefs(database, name)]
    .filter(({ name }) => name !== 'HEAD')
    .map(({ name, oid, target }) => `${oid} ${name} ${target ?? ''}\n`)
    .join('')

const FORMAT = '--format=%(objectname) %(refname) %(symref)'

describe('Refs', () => {
  everyDay(1)(['ada/kettle', 'ada/kettle.wiki', 'ada/pot'])(
    'of %s are those that git lists, though no contents were stored',
    (name) => {
      expect(listed(name)).toBe(git(world.directoryOf(name), ['for-each-ref', FORMAT]))
    },
  )

  test('are all sorts: many, pulls, hidden ones, symbolic ones, tags of both kinds', () => {
    const names = [...readRefs(database, 'ada/kettle')].map(({ name }) => name)
    expect(names.length).toBeGreaterThan(300)
    expect(names).toEqual(
      expect.arrayContaining([
        'HEAD',
        'refs/pull/7/head',
        'refs/__gh__/pull/7/rebase',
        'refs/heads/heißes/wasser',
        'refs/remotes/origin/HEAD',
        'refs/tags/light',
        'refs/tags/v1.0',
        'refs/tags/v2.0',
      ]),
    )
  })

  everyDay(1)([
    ['packed', 'v1.0', false],
    ['loose, with its content,', 'v2.0', true],
  ])('tell what a tag is for that is %s as git does', async (_, tag, files) => {
    const path = join(world.root, `${tag}.db`)
    await loadArchive(world.folder, path, { files })
    const own = openDatabase(path)
    const { oid, peeled } = findRef(own, 'ada/kettle', `refs/tags/${tag}`) ?? {}
    own.close()
    const shown = git(world.directoryOf('ada/kettle'), ['show-ref', '--dereference', tag])
    expect(shown).toBe(`${oid} refs/tags/${tag}\n${peeled} refs/tags/${tag}^{}\n`)
  })

  test('tell that tags without a text are for nothing else', () => {
    expect(findRef(database, 'ada/kettle', 'refs/tags/light')?.peeled).toBeNull()
  })

  test('can be listed by the beginning of their names', () => {
    const tags = [...readRefs(database, 'ada/kettle', 'refs/tags/')].map(({ name }) => name)
    expect(tags).toEqual(['refs/tags/light', 'refs/tags/v1.0', 'refs/tags/v2.0'])
  })

  test('can be listed by a whole name', () => {
    const refs = [...readRefs(database, 'ada/kettle', 'refs/heads/main')]
    expect(refs.map(({ name }) => name)).toEqual(['refs/heads/main'])
  })

  test('are listed once each, in their order, however many there are', THOROUGH, async () => {
    const names = Array.from({ length: 2500 }, (_, i) => `refs/pull/${1000 + i}/head`)
    const packed = names.map((name, i) => `${String(i).padStart(40, '0')} ${name}\n`)
    const { database } = await loaded({ 'repositories/a/b.git/packed-refs': packed.join('') })
    const listed = (prefix: string) => [...readRefs(database, 'a/b', prefix)]
    expect(listed('').map(({ name }) => name)).toEqual(names)
    expect(listed('refs/pull/1').length).toBe(1000)
    expect(listed('refs/pull/2').at(-1)?.name).toBe('refs/pull/2999/head')
  })

  test('that are loose override those in packed-refs', () => {
    const main = git(world.directoryOf('ada/kettle'), ['rev-parse', 'main']).trim()
    expect(findRef(database, 'ada/kettle', 'refs/heads/main')?.oid).toBe(main)
    expect(findRef(database, 'ada/kettle', 'HEAD')).toMatchObject({
      oid: main,
      target: 'refs/heads/main',
    })
  })
})

describe('Repositories', () => {
  test('are listed with what git counts', () => {
    const [kettle, wiki, pot, ...others] = listRepositories(database)
    expect(others).toEqual([])
    const counted = git(world.directoryOf('ada/kettle'), ['count-objects', '-v'])
    const [, looseCount, inPack, packs] =
      /^count: (\d+)[\s\S]*in-pack: (\d+)\npacks: (\d+)/m.exec(counted) ?? []
    expect(kettle).toMatchObject({
      repository: 'ada/kettle',
      url: 'https://forge.example/ada/kettle',
      is_wiki: 0,
      state: 'present',
      default_branch: 'main',
      head: 'refs/heads/main',
      loose_objects: Number(looseCount),
      objects: Number(looseCount) + Number(inPack),
      packs: Number(packs),
      tags: 3,
      branches: 304,
      refs: 311,
    })
    expect(Number(looseCount)).toBeGreaterThan(2)
    expect(kettle?.size).toBeGreaterThan(1000)
    expect(wiki).toMatchObject({
      repository: 'ada/kettle.wiki',
      is_wiki: 1,
      head: 'refs/heads/master',
      url: kettle?.url,
      default_branch: null,
    })
    expect(pot).toMatchObject({
      repository: 'ada/pot',
      state: 'empty',
      head: 'refs/heads/main',
      head_oid: null,
      refs: 0,
      objects: 0,
      packs: 0,
    })
  })
})

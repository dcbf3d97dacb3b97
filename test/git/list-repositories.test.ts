import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { findRepository } from '../../src/git/list-repositories.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { repositoryOf } from '../support/build-pack.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { shareFolder } from '../support/run-command.ts'

describe('A repository is found', () => {
  shareFolder({})
  let database: Database
  beforeAll(async () => {
    const names = ['ada/Kettle', 'ada/kettle.wiki', 'ada/pot', 'grace/pot', 'x/Lid', 'x/lid']
    const files = Object.assign({}, ...names.map((name) => repositoryOf(name, {})))
    await loadArchive({ name: 'a', bytes: Readable.from([tarGzOf(files)]) }, 'a.db')
    database = openDatabase('a.db')
  })
  afterAll(() => database.close())

  test.each([
    ['by its name', 'ada/pot', 'ada/pot'],
    ['in any case', 'ADA/kettle', 'ada/Kettle'],
    ['without its owner', 'kettle', 'ada/Kettle'],
    ['as a wiki without its owner', 'kettle.wiki', 'ada/kettle.wiki'],
    ['by its case among others', 'x/lid', 'x/lid'],
  ])('%s: %s', (_how, typed, name) => {
    expect(findRepository(database, typed)).toBe(name)
  })

  test.each([
    ['nothing', 'lamp', 'the archive has no Git data of "lamp"'],
    [
      'two without their owner',
      'pot',
      'several repositories are named "pot", such as ada/pot and grace/pot',
    ],
    [
      'two that differ in case',
      'X/LID',
      'several repositories are named "X/LID", differing only in case',
    ],
    ['an owner', 'ada', 'the archive has no Git data of "ada"'],
  ])('unless the name means %s', (_what, typed, message) => {
    expect(() => findRepository(database, typed)).toThrow(
      expect.objectContaining({
        code: message.startsWith('several') ? 'record-ambiguous' : 'repository-not-found',
        message,
      }),
    )
  })
})

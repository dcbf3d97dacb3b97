import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { openWorkingCopy } from '../../src/transform/working-copy.ts'
import { folderOf } from '../support/folder.ts'
import { copySamples } from '../support/load-once.ts'

test('A copy of one repository names its source without the folder that it is in', async () => {
  const path = `${await folderOf()}/samples.db`
  await copySamples(path)
  const source = openDatabase(path)
  const copy = await openWorkingCopy(source, { repositories: ['mona-lindqvist/tea-timer'] })
  try {
    const names = copy.database.prepare('SELECT name FROM archives').pluck().all()
    expect(names).toEqual([basename(path)])
  } finally {
    copy.close()
    source.close()
  }
})

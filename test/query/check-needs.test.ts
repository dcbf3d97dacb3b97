import { expect, test } from 'vitest'
import { checkNeeds, hasTable } from '../../src/query/check-needs.ts'
import { parseSavedQuery } from '../../src/query/parse-saved-query.ts'
import { loaded, recordFile } from '../support/load.ts'

test('A query that needs a table is refused while it is empty, with the command that fills it', async () => {
  const { database } = await loaded(recordFile('users', { url: 'https://h/ada' }))
  const check = (table: string) =>
    checkNeeds(parseSavedQuery(`-- needs ${table}: fill it\nSELECT 1`), (name) =>
      hasTable(database, name),
    )
  expect(() => check('users')).not.toThrow()
  for (const table of ['commits', 'nothing']) {
    const error = { code: 'table-empty', value: 'fill it' }
    expect(() => check(table)).toThrow(expect.objectContaining(error))
  }
})

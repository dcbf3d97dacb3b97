import { expect } from 'vitest'
import { searchDatabase } from '../../src/search/search-database.ts'
import { issue } from '../support/archives.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { loaded } from '../support/load.ts'
import { everyDay } from '../support/thorough.ts'

everyDay(1)([
  ['search_changes', 'INSERT INTO search_changes VALUES (9007199254740993)'],
  ['issues', 'UPDATE issues SET rowid = 9007199254740993'],
])('D5: a rowid beyond 2⁵³ in %s does not keep an update from ending', async (_, sql) => {
  const { database, path } = await loaded({ 'issues_000001.json': [issue(1, 'Kettle')] })
  await updateIndexAt(path)
  database.exec(sql)
  await updateIndexAt(path)
  expect(() => [...searchDatabase(database, 'kettle')]).not.toThrow()
})

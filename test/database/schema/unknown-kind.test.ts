import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import { SEARCH_TABLES } from '../../../src/database/schema/search-tables.ts'
import { tableForUnknown } from '../../../src/database/schema/unknown-kind.ts'
import { searchDatabase } from '../../../src/search/search-database.ts'
import { builtFiles } from '../../support/build.ts'
import { examineAt, updateIndexAt } from '../../support/by-path.ts'
import { loaded, recordFile } from '../../support/load.ts'
import { ROOT } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const SOURCES = join(ROOT, 'src')

test('D6: gives no unknown kind the name of a temporary table or of a part of a statement', () => {
  const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(SOURCES, name), 'utf8'))
  const used = sources.flatMap((text) =>
    [
      /TEMP TABLE (?:IF NOT EXISTS )?(\w+)/g,
      /\btemp\.(\w+)/g,
      /(?<=\b(\w+)) AS (?:MATERIALIZED )?\((?=\s*SELECT)/g,
    ]
      .flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, name = '']) => name),
  )
  expect(used).toContain('chosen')
  expect(used.filter((name) => tableForUnknown(name, new Set()) === name)).toEqual([])
})

/** Other names in a database or in its statements, by type. */
const NAMES = [
  SEARCH_TABLES.map(({ name }) => name),
  ['data', 'idx', 'content', 'docsize', 'config'].map((shadow) => `search_index_${shadow}`),
  ['search_insert_issues'],
  ['jsonb_each', 'json_tree', 'pragma_table_info', 'dbstat', 'fts5vocab'],
  ['files', 'refs', 'commits'],
  ['threads', 'issues_labels'],
  ['issues_by_url', 'commits_by_oid'],
  ['chosen', 'chosen_records', 'found', 'counted', 'held', 'names'],
  ['temp', 'main'],
  ['table', 'select'],
]

const worksWith = async (names: readonly string[]) => {
  const kinds = names.map((name) => recordFile(name, { url: `https://h/${name}`, body: 'water' }))
  const files = Object.assign(
    {},
    ...kinds,
    recordFile('issues', { url: 'https://h/a/b/issues/1', title: 'water' }),
  )
  const { path, database } = await loaded(files)
  const before = await builtFiles(database)
  for (const [path, records] of Object.entries(files)) {
    expect(JSON.parse(before[path] ?? '')).toEqual(records)
  }
  await updateIndexAt(path)
  expect([...searchDatabase(database, 'water')]).toHaveLength(1)
  expect(examineAt(path).faults).toEqual([])
  expect((await checkDatabase(database)).findings.length).toBeGreaterThan(0)
  expect(await builtFiles(database, { kinds: ['issues'] })).toBeDefined()
  expect(await builtFiles(database)).toEqual(before)
}
test('D6: works with kinds of any name, and builds them as they were', THOROUGH, () =>
  worksWith(NAMES.flatMap((alike) => alike.slice(0, 1))),
)
test('D6: works with many kinds of such names at once', THOROUGH, () => worksWith(NAMES.flat()))

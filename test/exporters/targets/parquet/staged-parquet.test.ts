import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { tableOfKind } from '../../../../src/exporters/table.ts'
import { stageParquet } from '../../../../src/exporters/targets/parquet/staged-parquet.ts'
import { KINDS } from '../../../../src/records/kinds/kinds.ts'

const issues = tableOfKind('issues', KINDS.issues, {})
const placed = { record: { type: 'issue', colour: 'red' }, entry: 'issues_000001.json', index: 1 }

test('A staged file is complete, and private, when its engine gets it', async () => {
  const staged = await stageParquet({ compression: 'none' })
  expect(staged.addPartition('a').addRecord(issues, placed)).toEqual(['colour'])
  const [file] = staged.finish()
  expect(file?.summary).toEqual({ rows: 1, bytes: statSync(file?.path as string).size })
  expect(statSync(dirname(file?.path as string)).mode & 0o077).toBe(0)
  staged.remove()
})

test('Staged files are removed, complete or not', async () => {
  const staged = await stageParquet({ compression: 'none' })
  staged.addPartition('a').addRecord(issues, placed)
  staged.remove()
  expect(existsSync(staged.folder)).toBe(false)
})

test('Partitions share the file of a table, and each has its own counts', async () => {
  const staged = await stageParquet({ compression: 'none' })
  const [a, b] = ['a', 'b'].map((name) => staged.addPartition(name))
  a?.addRecord(issues, placed)
  const alone = a?.summaries()
  b?.addRecord(issues, placed)
  b?.addRecord(issues, placed)
  expect(alone).toEqual({ issues: { rows: 1, bytes: expect.any(Number) } })
  expect(b?.summaries()).toEqual({ issues: { rows: 2, bytes: 2 * Number(alone?.issues?.bytes) } })
  expect(staged.finish().map(({ summary }) => summary.rows)).toEqual([3])
  staged.remove()
})

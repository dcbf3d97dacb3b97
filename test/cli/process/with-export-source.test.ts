import { expect, test } from 'vitest'
import type { Io } from '../../../src/cli/command/io.ts'
import { withSource } from '../../../src/cli/process/with-export-source.ts'
import { inFolder, run } from '../../support/run-command.ts'

const io = {} as Io

test('A partition has its name as given, and several archives come as a list', async () => {
  const [hello, broken] = ['samples/hello.tar.gz', 'samples/organization.tar.gz']
  const use = async (source: unknown, own: unknown) => [source, own]
  expect(await withSource([hello], { as: 'a' }, io, use)).toEqual([hello, { as: 'a' }])
  expect(await withSource([hello, broken], { as: 'b' }, io, use)).toEqual([
    [hello, broken],
    { as: 'b' },
  ])
})

test('usage: a partition of standard input needs a name', async () => {
  inFolder({})
  const { code, stderr } = await run(['export', '-', '--ndjson', 'lake'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('the partition needs a name')])
})

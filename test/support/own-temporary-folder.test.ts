import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from './folder.ts'
import { removeLeft } from './own-temporary-folder.ts'
import { runProgram } from './run-program.ts'

test('What a run left that was killed goes with the next one, and what runs or is new stays', async () => {
  const gone = String(runProgram('sh', ['-c', 'echo $$']).stdout).trim()
  const folders = [`marc-tests-${gone}-a`, `marc-tests-${process.pid}-b`, 'other']
  const fresh = `marc-tests-${gone}-c`
  const parent = await folderOf(
    Object.fromEntries([...folders, fresh].map((name) => [`${name}/file`, 'x'])),
  )
  for (const name of folders) utimesSync(join(parent, name), 0, 0)
  removeLeft(parent)
  const left = [...folders, fresh].filter((name) => existsSync(join(parent, name)))
  expect(left).toEqual([`marc-tests-${process.pid}-b`, 'other', fresh])
})

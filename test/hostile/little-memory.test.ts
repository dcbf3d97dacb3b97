import { once } from 'node:events'
import { expect, test } from 'vitest'
import { issue } from '../support/archives.ts'
import { END, member } from '../support/build-tar.ts'
import { inFolder, start } from '../support/run-command.ts'

test('P4: 32 MB of heap are enough for any number of records', async () => {
  inFolder()
  const { child, ended } = start(['load', '-', '-o', 'it.db', '-q'], {
    node: ['--max-old-space-size=32'],
  })
  const body = 'x'.repeat(1500)
  for (let shard = 0; shard < 50; shard++) {
    const records = Array.from({ length: 500 }, (_, i) => issue(shard * 500 + i, 'title', { body }))
    const name = `issues_${String(shard + 1).padStart(6, '0')}.json`
    if (!child.stdin.write(member({ name }, records))) await once(child.stdin, 'drain')
  }
  child.stdin.end(END)
  const { code, stdout } = await ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/issues +25,000/)
})

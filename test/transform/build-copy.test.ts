import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Problem } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { archiveApart } from '../../src/transform/build-copy.ts'
import { openWorkingCopy } from '../../src/transform/working-copy.ts'
import { loaded } from '../support/load.ts'

const issue = (number: number) => ({
  type: 'issue',
  url: `https://forge.example/a/b/issues/${number}`,
  title: 'It is hot',
  created_at: '2020-01-01T00:00:00Z',
})
const FILES = {
  'schema.json': { version: '1.2.0' },
  'issues_000001.json': [issue(1), issue(2), issue(3)],
}

/** The hash of the archive of a copy with an issue that has no title any more, and what is reported of it. */
async function built(large: number) {
  const { database } = await loaded(FILES)
  const copy = await openWorkingCopy(database)
  copy.database.exec('UPDATE issues SET title = NULL WHERE rowid = 2')
  copy.edited.add('issues', 2n)
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  const archive = await collect(archiveApart(copy, { report }, { large }))
  copy.close()
  return { hash: createHash('sha256').update(archive).digest('hex'), problems }
}

test('A thread builds the same archive, and reports the same', async () => {
  const here = await built(Number.POSITIVE_INFINITY)
  expect(await built(0)).toEqual(here)
  expect(here.problems.map(({ place }) => place)).toContainEqual({
    entry: 'issues_000001.json',
    record: 2,
    member: 'title',
  })
})

test('A signal ends the thread', async () => {
  const { database } = await loaded(FILES)
  const copy = await openWorkingCopy(database)
  const building = collect(archiveApart(copy, { signal: AbortSignal.abort() }, { large: 0 }))
  await expect(building).rejects.toMatchObject({ code: 'interrupted' })
  copy.close()
})

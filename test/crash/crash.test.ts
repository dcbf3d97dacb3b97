import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { someOf } from '../support/property-runs.ts'
import { ROOT } from '../support/run-command.ts'
import { firstOfEach, THOROUGH } from '../support/thorough.ts'
import { killAt, makeRoot, momentIn, rehearse } from './crash.ts'
import { OPERATIONS } from './operations.ts'

/** Some of these are killed in each run of the suite; the others by `npm run crash`, and all of them much more often. */
const HERE = [
  'load into a new database',
  'load into a database that is there',
  'build',
  'repair a database',
  'build migrations',
]

const root = makeRoot()
afterAll(() => rmSync(root, { recursive: true }))

const archives = {
  base: join(ROOT, 'samples/organization.tar.gz'),
  more: join(ROOT, 'samples/hello.tar.gz'),
}

const [[first], [others]] = firstOfEach(
  OPERATIONS.filter(({ name }) => HERE.includes(name)),
  () => 'killed',
)

describe.each([
  [first, {}],
  [someOf(others), THOROUGH],
] as const)('P1: Killed at any moment,', (operations, options) => {
  test.each(operations)(
    '$name leaves what was there or all of it; once more, and it is done',
    options,
    async (operation) => {
      const rehearsed = await rehearse(operation, root, archives)
      const { found } = await killAt(rehearsed, momentIn(rehearsed, Math.random()), root)
      if (!operation.growing) expect(found).not.toBe('in between')
    },
  )
})

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { partialOf } from '../../src/files/partial-file.ts'
import { smallArchive } from '../support/archives.ts'
import { someOf } from '../support/property-runs.ts'
import { inFolder, ROOT, run } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import { killAt, makeRoot, momentIn, rehearse } from './crash.ts'
import { OPERATIONS } from './operations.ts'

/** Some of these are killed in each run of the thorough suite; the others by `npm run crash`, and all of them much more often. */
const HERE = [
  'load into a new database',
  'load into a database that is there',
  'build',
  'repair a database',
  'build migrations',
]

const root = makeRoot()
afterAll(() => rmSync(root, { recursive: true }))

/** A process that has ended. */
const gone = outputOf('sh', ['-c', 'printf $$'])

const archives = {
  base: join(ROOT, 'samples/organization.tar.gz'),
  more: join(ROOT, 'samples/hello.tar.gz'),
}

describe('P1: Killed at any moment,', THOROUGH, () => {
  test.each(someOf(OPERATIONS.filter(({ name }) => HERE.includes(name))))(
    '$name leaves what was there or all of it; once more, and it is done',
    async (operation) => {
      const rehearsed = await rehearse(operation, root, archives)
      const { found } = await killAt(rehearsed, momentIn(rehearsed, Math.random()), root)
      if (!operation.growing) expect(found).not.toBe('in between')
    },
  )
})

everyDay(1)([
  ['load', 'it.db'],
  ['build', 'it.tar.gz'],
  ['map', 'it.tar.gz', '--rename', 'ada=eve'],
])(
  'P1: marc %s removes what a process that was killed left of %s',
  async (name, output, ...words) => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const left = partialOf(output).replace(`-${process.pid}-`, `-${gone}-`)
    writeFileSync(left, 'half')
    const { code } = await run([name, 'a.tar.gz', '-o', output, ...words])
    expect({
      code,
      found: readdirSync('.')
        .filter((each) => each !== '.cache')
        .sort(),
    }).toEqual({
      code: 0,
      found: ['a.tar.gz', output],
    })
  },
)

import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { partialOf } from '../../src/files/partial-file.ts'
import { smallArchive } from '../support/archives.ts'
import { random, runs, someOf } from '../support/property-runs.ts'
import { inFolder, ROOT, run } from '../support/run-command.ts'
import { outputOf } from '../support/run-program.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'
import { killAt, makeRoot, momentIn, rehearse } from './crash.ts'
import { OPERATIONS, type Operation } from './operations.ts'

const root = makeRoot()
afterAll(() => rmSync(root, { recursive: true }))

/** A process that has ended. */
const gone = outputOf('sh', ['-c', 'printf $$'])

const archives = {
  base: join(ROOT, 'samples/organization.tar.gz'),
  more: join(ROOT, 'samples/hello.tar.gz'),
}

describe('P1: Killed at any moment,', THOROUGH, () => {
  test.each(someOf(OPERATIONS))(
    '$name leaves what was there or all of it; once more, and it is done',
    async (operation) => {
      const rehearsed = await rehearse(operation, root, archives)
      const { found } = await killAt(rehearsed, momentIn(rehearsed, random()), root)
      if (!operation.growing) expect(found).not.toBe('in between')
    },
  )

  test('builds leave what was there or all of it, many times', { timeout: 600_000 }, async () => {
    const build = OPERATIONS.find(({ name }) => name === 'build') as Operation
    const rehearsed = await rehearse(build, root, archives)
    const kills = runs(200)
    for (let kill = 0; kill < kills; kill++) {
      const moment = momentIn(rehearsed, (kill + random()) / kills)
      expect((await killAt(rehearsed, moment, root)).found).not.toBe('in between')
    }
  })
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

import { beforeAll, describe, expect, test } from 'vitest'
import { folderOf } from '../support/folder.ts'
import { THOROUGH } from '../support/thorough.ts'
import { DATABASE_LAYERS, LAYERS, type LayerName, openWorld } from './layers.ts'
import { caseOf, runCase } from './run-case.ts'
import { COMMAND_LINES, tryDatabase } from './try-database.ts'

const RUNS = 200
const ARCHIVE_LAYERS = (Object.keys(LAYERS) as LayerName[]).filter(
  (layer) => !DATABASE_LAYERS.includes(layer),
)
/** To load in every way takes thirty times as long as to read: one of each layer. */
const LOADED = ARCHIVE_LAYERS.length

// One seed, so that a run of the suite is like any other; npm run fuzz takes others.
const seed = 146_770
let world: Awaited<ReturnType<typeof openWorld>>
beforeAll(async () => {
  world = await openWorld()
})

describe('Thoroughly', THOROUGH, () => {
  test.each(ARCHIVE_LAYERS)(
    `Whatever is wrong with its %s, an archive is read or refused with a code (seed ${seed})`,
    async (layer) => {
      const folder = await folderOf()
      const cases = Array.from({ length: RUNS }, (_, number) =>
        caseOf(seed, number, ARCHIVE_LAYERS),
      )
      for (const which of cases.filter((each) => each.layer === layer)) {
        const isLoaded = which.number < LOADED
        await expect(runCase(which, world, isLoaded ? folder : undefined)).resolves.toBeDefined()
      }
    },
  )

  test.each(DATABASE_LAYERS)(
    `D1, D2, D3, D4, D5: Whatever is wrong with its %s, every command answers from a database or refuses it with a code (seed ${seed})`,
    async (layer) => {
      await expect(
        runCase(caseOf(seed, 0, [layer]), world, await folderOf()),
      ).resolves.toBeDefined()
    },
  )

  test('Every command that is tried on altered databases answers from one that is whole', async () => {
    const answers = await tryDatabase(world.database, world.gzip, await folderOf())
    expect(answers).toBe(COMMAND_LINES.length)
  })
})

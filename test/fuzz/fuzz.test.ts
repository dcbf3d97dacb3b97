import { expect, test } from 'vitest'
import { folderOf } from '../support/folder.ts'
import { LAYERS, type LayerName, openWorld } from './layers.ts'
import { caseOf, runCase } from './run-case.ts'

const RUNS = 200
/** To load in every way takes thirty times as long as to read: one of each layer. */
const LOADED = Object.keys(LAYERS).length

const seed = Math.floor(Math.random() * 1_000_000)
const world = await openWorld()

test.each(Object.keys(LAYERS) as LayerName[])(
  `Whatever is wrong with its %s, an archive is read or refused with a code (seed ${seed})`,
  async (layer) => {
    const folder = await folderOf()
    const cases = Array.from({ length: RUNS }, (_, number) => caseOf(seed, number))
    for (const which of cases.filter((each) => each.layer === layer)) {
      const isLoaded = which.number < LOADED
      await expect(runCase(which, world, isLoaded ? folder : undefined)).resolves.toBeDefined()
    }
  },
)

import { rmSync } from 'node:fs'
import { Random } from '../bench/random.ts'
import { DATABASE_LAYERS, LAYERS, type LayerName, type World } from './layers.ts'
import { type Outcome, tryToLoad, tryToRead } from './try-archive.ts'
import { tryDatabase } from './try-database.ts'

/** One run: the same seed and number make the same archive. */
export interface FuzzCase {
  seed: number
  number: number
  layer: LayerName
}

const NAMES = Object.keys(LAYERS) as LayerName[]

export const caseOf = (
  seed: number,
  number: number,
  layers: readonly LayerName[] = NAMES,
): FuzzCase => ({
  seed,
  number,
  layer: layers[number % layers.length] as LayerName,
})

/** The archive or database of a case. */
export const archiveOf = ({ seed, number, layer }: FuzzCase, world: World): Buffer =>
  LAYERS[layer](world, new Random(seed, NAMES.indexOf(layer), number))

/** Milliseconds of CPU time that an archive of a few KiB may take; others may keep the machine busy. */
const LONGEST = 30_000

/**
 * Reads the archive of a case, and loads it where a folder is given; or runs all commands on its database there. Throws
 * an error that names the case.
 */
export async function runCase(
  which: FuzzCase,
  world: World,
  folder?: string,
): Promise<Outcome | 'asked'> {
  const start = process.cpuUsage()
  try {
    const archive = archiveOf(which, world)
    if (DATABASE_LAYERS.includes(which.layer)) {
      if (folder !== undefined) await tryDatabase(archive, world.gzip, folder)
      return 'asked'
    }
    const outcome = await tryToRead(archive)
    if (folder !== undefined) await tryToLoad(archive, folder)
    const { user, system } = process.cpuUsage(start)
    const duration = Math.round((user + system) / 1000)
    if (duration > LONGEST) throw new Error(`it took ${duration} ms`)
    return outcome
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    const { seed, number, layer } = which
    const message = `seed ${seed}, case ${number} (${layer}): ${(error as Error).message}`
    throw new Error(message, { cause: error })
  }
}

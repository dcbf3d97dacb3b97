import { rmSync } from 'node:fs'
import { Random } from '../bench/random.ts'
import { LAYERS, type LayerName, type World } from './layers.ts'
import { type Outcome, tryToLoad, tryToRead } from './try-archive.ts'

/** One run: the same seed and number make the same archive. */
export interface FuzzCase {
  seed: number
  number: number
  layer: LayerName
}

const NAMES = Object.keys(LAYERS) as LayerName[]

export const caseOf = (seed: number, number: number): FuzzCase => ({
  ...{ seed, number },
  layer: NAMES[number % NAMES.length] as LayerName,
})

export const archiveOf = ({ seed, number, layer }: FuzzCase, world: World): Buffer =>
  LAYERS[layer](world, new Random(seed, NAMES.indexOf(layer), number))

/** Milliseconds that an archive of a few KiB may take, on a machine that is busy with other things. */
const LONGEST = 30_000

/** Reads the archive of a case, and loads it where a folder is given. Throws an error that names the case. */
export async function runCase(which: FuzzCase, world: World, folder?: string): Promise<Outcome> {
  const start = performance.now()
  try {
    const archive = archiveOf(which, world)
    const outcome = await tryToRead(archive)
    if (folder !== undefined) await tryToLoad(archive, folder)
    const duration = performance.now() - start
    if (duration > LONGEST) throw new Error(`it took ${Math.round(duration)} ms`)
    return outcome
  } catch (error) {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    const { seed, number, layer } = which
    const message = `seed ${seed}, case ${number} (${layer}): ${(error as Error).message}`
    throw new Error(message, { cause: error })
  }
}

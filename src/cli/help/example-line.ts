import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SAMPLE = join(import.meta.dirname, '../../../samples/hello.tar.gz')

/**
 * An example as help shows it. The package has no samples; without them the example names archives and queries as if they
 * were in the folder of the user.
 */
export const exampleLine = (line: string, hasSamples = existsSync(SAMPLE)): string =>
  hasSamples ? line : line.replace(/\bsamples\/(?:queries\/)?/g, '')

/**
 * Runs the built command in this process: one that waits for a child, and kills it after an interrupt, would tell its own
 * memory.
 */

import module from 'node:module'

module.enableCompileCache()
const DIST = '../../dist/cli'
const { main } = await import(`${DIST}/main.js`)
const { processIo } = await import(`${DIST}/command-program.js`)
const { signal } = new AbortController()
process.exitCode = await main(process.argv.slice(2), processIo(signal))
process.exit()

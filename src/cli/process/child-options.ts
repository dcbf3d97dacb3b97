import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'

const { dirname, filename } = import.meta
const PRELOADED = pathToFileURL(`${dirname}/end-with-parent${extname(filename)}`).href

/** Options of Node.js for a process that serves this one, and ends with it however it ends. */
export const childOptions = (): string[] => [
  ...process.execArgv,
  '--import',
  `${PRELOADED}?parent=${process.pid}`,
]

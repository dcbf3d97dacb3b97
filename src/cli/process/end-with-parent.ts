/**
 * Preloaded into a child process, this file ends it as soon as its parent is gone, even while SQLite works: a parent that
 * was killed cannot do so itself.
 */

import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isMainThread, Worker } from 'node:worker_threads'

const { dirname, filename, url } = import.meta
const parent = Number(new URL(url).searchParams.get('parent'))

// SQLite blocks the main thread.
const WATCH = `setInterval(() => {
  if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL')
}, 250)`

if (isMainThread && parent > 0) new Worker(WATCH, { eval: true, execArgv: [] }).unref()

/** Options of Node.js for a child process that ends with this one. */
export const childOptions = (): string[] => {
  const preloaded = pathToFileURL(`${dirname}/end-with-parent${extname(filename)}`).href
  return [...process.execArgv, '--import', `${preloaded}?parent=${process.pid}`]
}

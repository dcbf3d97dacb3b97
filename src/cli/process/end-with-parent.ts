/**
 * Ends the process that it is preloaded into as soon as the one that started it is gone, also while SQLite works: what
 * was killed leaves no word, and what nobody waits for would go on for ever.
 */

import { isMainThread, Worker } from 'node:worker_threads'

const parent = Number(new URL(import.meta.url).searchParams.get('parent'))

// Only another thread is free to look.
const WATCH = `setInterval(() => {
  if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL')
}, 250)`

if (isMainThread && parent > 0) new Worker(WATCH, { eval: true, execArgv: [] }).unref()

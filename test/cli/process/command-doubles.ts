/** Programs in place of the command line. */

import { writeFileSync } from 'node:fs'
import type { RunCommand } from '../../../src/cli/process/run-in-process.ts'
import { ownProcess, partialOf } from '../../../src/files/partial-file.ts'

const command: RunCommand = ([name, ...words], { signal }) => {
  if (name === 'code') return Number(words[0]) as 1
  if (name === 'killed') process.kill(process.pid, 'SIGKILL')
  if (name === 'deaf') {
    for (const path of words) {
      if (path.endsWith('.lock')) {
        const holder = { owner: ownProcess(), host: 'it', token: 'x' }
        writeFileSync(path, JSON.stringify(holder))
      } else writeFileSync(partialOf(path), '')
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(130))
    writeFileSync('ready', '')
  })
}

export const PROGRAMS = { command: async () => command }

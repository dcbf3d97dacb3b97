/**
 * Builds what is pending in a state, as a server does, and ends: `node build-migrations.ts it.serve it.db`. With the name of
 * a step it kills itself after that step of the first migration.
 */

import { kill, pid } from 'node:process'
import { openState } from '../../src/rest/state/state.ts'

/** The time of everything that is done here, so that it is the same again. */
export const CLOCK = (): Date => new Date('2024-02-03T04:05:06Z')

if (import.meta.main) {
  const [folder = '', database = '', last] = process.argv.slice(2)
  const state = openState(folder, {
    clock: CLOCK,
    archiveLife: 1e9,
    readOnly: false,
    pace: 0,
    fail: [],
    archiveKinds: 'all',
    databases: [database],
    log: (step) => {
      if (step === last) kill(pid, 'SIGKILL')
    },
  })
  await state.idle()
  await state.close()
}

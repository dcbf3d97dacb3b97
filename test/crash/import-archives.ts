/**
 * Carries out what is queued in a state, as a server does, and ends: `node import-archives.ts it.serve`. With the name of a step
 * it kills itself after that step; with a number, so many milliseconds after the first import was taken.
 */

import { kill, pid } from 'node:process'
import { openState, type State } from '../../src/rest/state/state.ts'

/** A state that shows at once what was imported. */
export const openImporting = (folder: string, log: (step: string) => void = () => {}): State =>
  openState(folder, {
    clock: () => new Date(),
    archiveLife: 1e9,
    readOnly: false,
    pace: 0,
    fail: [],
    archiveKinds: 'all',
    databases: [],
    imports: { people: () => ({ accounts: [], databases: [] }), show: async () => true, log },
  })

if (import.meta.main) {
  const [folder = '', last = ''] = process.argv.slice(2)
  const end = () => kill(pid, 'SIGKILL')
  const state = openImporting(folder, (step) => {
    if (step === last) end()
    if (step === 'taken' && /^\d+$/.test(last)) setTimeout(end, Number(last))
  })
  await state.idle()
  await state.close()
}

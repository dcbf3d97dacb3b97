/**
 * Carries out what is queued in a state, as a server does, and ends: `node import-archives.ts it.serve`. With the name of a step
 * it kills itself after that step; with a number, so many milliseconds after the first import was taken. With a login it gives
 * that mannequin to `ada` when the imports have ended.
 */

import { kill, pid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { type ImportsOfState, openState, type State } from '../../src/rest/state/state.ts'

/** A state that shows at once what was imported, or never. */
export const openImporting = (
  folder: string,
  log: (step: string) => void = () => {},
  isShown = true,
): State =>
  openState(folder, {
    clock: () => new Date(),
    archiveLife: 1e9,
    readOnly: false,
    pace: 0,
    fail: [],
    archiveKinds: 'all',
    databases: [],
    imports: { people: () => ({ accounts: [], databases: [] }), show: async () => isShown, log },
  })

if (import.meta.main) {
  const [folder = '', last = '', login] = process.argv.slice(2)
  // What a killed server has started ends by then.
  if (login !== undefined) await setTimeout(500)
  const end = () => kill(pid, 'SIGKILL')
  const state = openImporting(folder, (step) => {
    if (step === last) end()
    if (step === 'taken' && /^\d+$/.test(last)) void setTimeout(Number(last)).then(end)
  })
  await state.idle()
  if (login !== undefined) {
    const imports = state.imports as ImportsOfState
    const [mannequin] = imports.listMannequins('target', { first: 1, after: 0, login })
    imports.claim(mannequin?.id ?? 0, 'ada')
    state.wake()
    await state.idle()
  }
  await state.close()
}

import type { ServeOptions } from '../serve-options.ts'
import type { BuildStep } from './builder.ts'
import type { ClaimStep } from './claimer.ts'
import type { ImporterOptions, ImportStepName } from './importer.ts'
import { openState, type State } from './state.ts'
import { defaultStateFolder } from './state-folder.ts'

const SECOND = 1000
const DAY = 86_400_000

/** Opens the state as the options of a server say. Throws as `openState` does. */
export function openStateOf(
  databases: readonly string[],
  options: ServeOptions,
  clock: () => Date,
  importing: Pick<ImporterOptions, 'people' | 'show'>,
): State {
  const tell =
    (noun: string) =>
    (step: BuildStep | ImportStepName | ClaimStep, id: number | undefined, message?: string) => {
      const subject = id === undefined ? `${noun}s` : `${noun} ${id}`
      const shown = message !== undefined || TOLD.includes(step)
      if (shown) options.notice?.(`${subject}: ${[step, message].filter(Boolean).join(': ')}`)
    }
  return openState(options.state ?? defaultStateFolder(databases), {
    clock,
    databases,
    fail: options.fail ?? [],
    readOnly: options.readOnly ?? false,
    imports: options.imports
      ? {
          ...importing,
          fetchArchives: options.fetchArchives,
          log: tell('import'),
          logClaims: tell('claim'),
        }
      : undefined,
    pace: (options.pace ?? 1) * SECOND,
    archiveLife: (options.archiveLife ?? 7) * DAY,
    archiveKinds: options.archiveKinds ?? 'all',
    log: tell('migration'),
  })
}

/** Steps that are reported to the operator even without a message. */
const TOLD: readonly string[] = ['taken over', 'released', 'lost', 'imported', 'claimed']

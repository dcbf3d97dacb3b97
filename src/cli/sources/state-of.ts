import { withoutEnding } from '../../files/safe-name.ts'
import { defaultStateFolder, IN_MEMORY } from '../../rest/state/state-folder.ts'

/** The folder of the state of a server: beside the first source, not beside its database in the cache. */
export const stateOf = ([first = '-']: readonly string[]): string =>
  first === '-' ? IN_MEMORY : defaultStateFolder([`${withoutEnding(first)}.db`])

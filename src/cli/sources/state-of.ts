import { withoutEnding } from '../../files/safe-name.ts'
import { defaultStateFolder, IN_MEMORY } from '../../rest/state/state-folder.ts'
import { expandPatterns } from './expand-sources.ts'

/** The folder of the state of a server: beside the first source, not beside its database in the cache. */
export async function stateOf(named: readonly string[]): Promise<string> {
  const [first = '-'] = await expandPatterns(named)
  return first === '-' ? IN_MEMORY : defaultStateFolder([`${withoutEnding(first)}.db`])
}

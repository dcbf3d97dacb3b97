import { escapePattern } from '../../../base/text.ts'
import { createNeedleFinder, type NeedleFinder } from '../../find-needles.ts'

/** Gives branches and tags their new names in texts. */
export interface BranchRenamer {
  /** How many have new names. */
  size: number
  /** Replaces the names in a text. `note` receives each. */
  rename(text: string, note?: (name: string) => void): string
  /** Finds where bytes may have a name. */
  find: NeedleFinder<undefined>
}

export function createBranchRenamer(renamed: ReadonlyMap<string, string>): BranchRenamer {
  const names = [...renamed.keys()].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(`(?<![\\w-])(?:${names.map(escapePattern).join('|')})(?![\\w-])`, 'g')
  const find = createNeedleFinder(names.map((name) => [name, undefined] as const))
  const mayHold = (text: string): boolean => {
    let isFound = false
    find(Buffer.from(text), () => {
      isFound = true
      return true
    })
    return isFound
  }
  return {
    size: names.length,
    find,
    rename(text, note) {
      // The pattern tries each name at each place; the search before it does not.
      if (names.length === 0 || !mayHold(text)) return text
      return text.replace(pattern, (name) => {
        note?.(name)
        return renamed.get(name) as string
      })
    },
  }
}

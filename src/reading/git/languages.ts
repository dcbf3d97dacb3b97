import { countLanguages, type Language } from '../../git/history/count-languages.ts'
import { type GitData, keep } from '../../git/open-git.ts'

/** Entries of a tree that are looked at. */
const MOST_ENTRIES = 100_000

const remember = keep<Promise<readonly Language[]>>(4)

/** The languages of the files in a tree by their bytes, the most used first. Damage ends the count. */
export const languagesOf = (git: GitData, tree: string): Promise<readonly Language[]> =>
  remember(git, tree, () => countLanguages(git.objects, tree, MOST_ENTRIES))

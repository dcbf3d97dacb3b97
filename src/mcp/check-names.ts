import { type NameType, namesIn, resolveName } from '../reading/databases/resolve-name.ts'
import type { Library } from '../reading/library.ts'
import { foldCase } from '../reading/names.ts'
import type { Store } from '../reading/store.ts'

/**
 * Throws for a name that no record of these databases has, with the closest one: `repository-not-found`, `person-not-found`,
 * `label-not-found` or `milestone-not-found`. A stranger learns no names: they may be of repositories that are private.
 */
export async function checkNames(
  names: readonly (readonly [type: NameType, text: string | undefined])[],
  stores: readonly Store[],
  { audience }: Library,
): Promise<void> {
  if (audience !== 'all') return
  for (const [type, text] of names) {
    // Deleted accounts have this name, and no record.
    if (text === undefined || (type === 'person' && foldCase(text) === 'ghost')) continue
    const asked = stores.map(({ database }) => resolveName(namesIn(database), type, text))
    const [first] = await Promise.allSettled(asked)
    await Promise.any(asked).catch(() => {
      throw first?.status === 'rejected' ? first.reason : undefined
    })
  }
}

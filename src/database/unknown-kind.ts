import type { Kind } from '../records/kind.ts'
import { kindNamed } from '../records/kind-of-record.ts'
import { RELATIONS } from './schema.ts'

/** Tables that an archive may add before the rest share one. */
const MOST = 100
const SHARED = 'unknown_records'

const TAKEN = new Set(
  RELATIONS.filter(({ name }) => kindNamed(name) === undefined).map(({ name }) => name),
)

/**
 * The table for records of a kind this program does not know: named like the kind where that is a plain name
 * that is free, else shared. `known` is how many such tables there are already.
 */
export function tableForUnknown(stem: string, known: number): string {
  if (known >= MOST || !/^[a-z][a-z0-9_]{0,62}$/.test(stem) || stem.startsWith('sqlite_')) {
    return SHARED
  }
  return TAKEN.has(stem) ? `${stem}_records` : stem
}

/** A kind of which nothing is known but that its records have a url; all else is in `_rest`. */
export const unknownKind = (stem: string): Kind => ({
  type: '',
  summary: `Records of the kind ${stem}, which this program does not know.`,
  columns: {
    url: {
      storage: 'text',
      description: "Identity. All other members are in _rest: _rest ->> 'name'.",
      optional: true,
    },
  },
  derived: {},
})

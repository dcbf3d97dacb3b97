import type { JsonObject } from '../json/json.ts'
import type { Kind } from './kind.ts'
import { KINDS, type KindName } from './kinds.ts'

const BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(KINDS))

// The first wins where two kinds have one type: users, not bots.
const NAME_BY_TYPE = new Map(
  Object.entries(KINDS)
    .reverse()
    .map(([name, { type }]) => [type as string, name as KindName]),
)

/** The kind with this name, which is the stem of its files; undefined if it is not known. */
export const kindNamed = (name: string): Kind | undefined => BY_NAME.get(name)

/**
 * The name of the kind that a record is of: what its file is called, unless it names a `type` that
 * belongs to another kind, as in a file that somebody renamed. Unknown kinds go by the file's name.
 */
export function kindOfRecord(stem: string, { type }: JsonObject): string {
  const kind = BY_NAME.get(stem)
  if (typeof type !== 'string' || type === kind?.type) return stem
  return NAME_BY_TYPE.get(type) ?? stem
}

import type { JsonObject } from '../json/json.ts'
import type { Kind } from './kind.ts'
import { KINDS, type KindName } from './kinds.ts'

const BY_NAME: ReadonlyMap<string, Kind> = new Map(Object.entries(KINDS))

// If two kinds have the same type, the first wins: users, not bots.
const NAME_BY_TYPE = new Map(
  Object.entries(KINDS)
    .reverse()
    .map(([name, { type }]) => [type as string, name as KindName]),
)

/** The kind with this name, which is the stem of its files; undefined for an unknown one. */
export const kindNamed = (name: string): Kind | undefined => BY_NAME.get(name)

/**
 * The name of a record's kind: that of its file, unless its `type` belongs to another kind, as in a renamed file. An unknown
 * kind has the name of the file.
 */
export function kindOfRecord(stem: string, { type }: JsonObject): string {
  const kind = BY_NAME.get(stem)
  if (typeof type !== 'string' || type === kind?.type) return stem
  return NAME_BY_TYPE.get(type) ?? stem
}

import type { PlannedShard } from '../database/record-files/plan-record-files.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** The same file, its records with the type of its kind where they have none. */
export function fillType(shard: PlannedShard): PlannedShard {
  const kind = kindNamed(shard.stem)
  if (!kind) return shard
  function* typed(): Generator<JsonObject> {
    for (const record of shard.records()) {
      yield Object.hasOwn(record, 'type') ? record : { type: kind?.type as string, ...record }
    }
  }
  return { ...shard, records: typed }
}

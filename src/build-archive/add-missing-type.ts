import type { PlannedFile } from '../database/record-files/plan-record-files.ts'
import type { JsonObject } from '../records/json/json.ts'
import { kindNamed } from '../records/kinds/kind-of-record.ts'

/** The same file, its records with the type of its kind where they have none. */
export function fillType(file: PlannedFile): PlannedFile {
  const kind = kindNamed(file.stem)
  if (!kind) return file
  function* typed(): Generator<JsonObject> {
    for (const record of file.records()) {
      yield Object.hasOwn(record, 'type') ? record : { type: kind?.type as string, ...record }
    }
  }
  return { ...file, records: typed }
}

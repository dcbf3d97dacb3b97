import type { Database } from '../../database/open-database.ts'
import { isOid } from '../objects/git-object.ts'
import { openOidSet, type PlacedObjects } from '../objects/oid-set.ts'
import { readLines } from '../parse/read-lines.ts'

/** The commits at which history was cut, by the file `shallow`: Git takes them for commits without parents. */
export function* readShallow(database: Database, repository: string): Generator<string> {
  for (const line of readLines(database, repository, 'shallow')) if (isOid(line)) yield line
}

/** Whether history was cut at a commit. Takes a bit for each object, however long the file is. */
export function openShallow(
  database: Database,
  repository: string,
  objects: PlacedObjects & { has(oid: string): boolean },
): (oid: string) => boolean {
  let shallow: ReturnType<typeof openOidSet> | undefined
  for (const oid of readShallow(database, repository)) {
    if (!objects.has(oid)) continue
    shallow ??= openOidSet(objects)
    shallow.add(oid)
  }
  return (oid) => shallow?.has(oid) ?? false
}

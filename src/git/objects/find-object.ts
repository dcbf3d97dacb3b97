import { ArchiveError } from '../../errors.ts'
import { findEntry, partsOf } from '../history/find-entry.ts'
import type { Repository } from '../open-repository.ts'
import { isSubmodule } from '../parse/parse-tree.ts'
import type { StreamedObject } from './git-object.ts'

/** An object as it was asked for, or a submodule, whose commits are elsewhere. */
export type FoundObject = StreamedObject | { readonly oid: string; readonly type: 'submodule' }

/**
 * The object that `revision` or `revision:path` names. Throws `git-revision-not-found` or
 * `git-path-not-found`.
 */
export function findObject({ objects, resolve }: Repository, named: string): FoundObject {
  const colon = named.indexOf(':')
  if (colon < 0) return objects.stream(resolve(named))
  const path = named.slice(colon + 1)
  const entry = findEntry(objects, resolve(named.slice(0, colon), 'tree'), partsOf(path))
  if (entry === undefined) {
    throw new ArchiveError('git-path-not-found', `there is nothing at ${JSON.stringify(path)}`)
  }
  return isSubmodule(entry) ? { oid: entry.oid, type: 'submodule' } : objects.stream(entry.oid)
}

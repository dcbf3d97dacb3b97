import { isUtf8 } from 'node:buffer'
import { createPatchWriter } from '../../git/diff/format-patch.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import type { FileChange } from '../../reading/git/changes.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { pathInUrl } from './git-objects.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

/** Longer patches are left out, as on the host. */
const LONGEST_PATCH = 256 * 1024

const STATUSES = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
} as const

/** Describes changed files. A file that cannot be read, or was not compared, has no patch. */
export function createFileDescriber(
  rendering: Rendering,
  repository: IndexedRepository,
  objects: ObjectStore,
): (file: FileChange, head: string) => JsonObject {
  const write = createPatchWriter(objects)
  const api = repositoryUrl(rendering, repository)
  return ({ change, parts, inserted: additions, deleted: deletions }, head) => {
    const { status, path, before, after } = change
    const pieces: Buffer[] = []
    let length = 0
    const [only] = parts.length === 1 ? parts : []
    for (const { kind, bytes } of only?.isText ? write(only) : []) {
      if (kind !== 'title') pieces.push(bytes)
      length += bytes.length
      if (length > LONGEST_PATCH) break
    }
    const patch = Buffer.concat(pieces)
    const place = pathInUrl(`${head}/${path}`)
    return {
      sha: after?.oid ?? before?.oid ?? '',
      filename: path,
      status: STATUSES[status as keyof typeof STATUSES] ?? 'changed',
      additions,
      deletions,
      changes: additions + deletions,
      blob_url: `${repository.url}/blob/${place}`,
      raw_url: `${repository.url}/raw/${place}`,
      contents_url: `${api}/contents/${pathInUrl(path)}?ref=${head}`,
      ...(patch.length > 0 &&
        length <= LONGEST_PATCH && {
          patch: patch.toString(isUtf8(patch) ? 'utf8' : 'latin1').replace(/\n$/, ''),
        }),
      ...(before && before.path !== path && { previous_filename: before.path }),
    }
  }
}

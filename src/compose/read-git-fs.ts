import { join } from 'node:path'
import type { FsClient } from 'isomorphic-git'
import { ArchiveError, throwIfInterrupted } from '../base/errors.ts'
import { concat } from '../base/streams.ts'
import { makeTemporaryFolder } from '../files/temporary-folder.ts'
import { checkObject, type GitObject, isOid, type ObjectType } from '../git/parse/git-object.ts'
import { parseCommit, parseTag } from '../git/parse/parse-commit.ts'
import { isSubmodule, parseTreeLinks } from '../git/parse/parse-tree.ts'
import { createPackWriter } from '../git/rewrite/pack-writer.ts'
import { isFullRefName } from '../rules/ref-name.ts'

/** A bare repository in a file system that isomorphic-git reads. */
export interface GitFsRepository {
  readonly fs: FsClient
  readonly gitdir: string
}

/** The parts of a repository that are copied, as files. */
export interface RepositoryFiles {
  /** `ref: refs/heads/main`, or the id of a commit. */
  readonly head: string
  /** The names of all refs. */
  readonly refs: readonly string[]
  /** The file packed-refs. */
  readonly packedRefs: string
  /** A pack with all objects, and its index; none if there are no objects. */
  readonly packs: readonly { readonly name: string; readonly content: Buffer }[]
}

/** Bytes of all objects. isomorphic-git keeps the packs that it reads in memory, and so are the objects. */
const MOST_BYTES = 256 * 2 ** 20

/**
 * Reads the refs of a repository and all objects that they lead to.
 *
 * @throws `git-directory` if it has no HEAD, `git-ref-invalid`, `git-ref-dangling`, `git-incomplete` if an object is missing,
 *   `git-object-damaged`, `limit-extracted` for more than 256 MiB of objects, or `interrupted`
 */
export async function readGitFs(
  { fs, gitdir }: GitFsRepository,
  signal?: AbortSignal | undefined,
  limit = MOST_BYTES,
): Promise<RepositoryFiles> {
  const { listRefs, readObject, resolveRef } = await import('isomorphic-git')
  const place = { archive: gitdir }
  const fail = (code: 'git-directory' | 'git-ref-dangling' | 'git-incomplete', message: string) => {
    return (error: unknown) => {
      throw new ArchiveError(code, message, place, error)
    }
  }
  const noHead = fail('git-directory', 'it is not a repository: its HEAD cannot be read')
  const head = await resolveRef({ fs, gitdir, ref: 'HEAD', depth: 2 }).catch(noHead)
  const found = await listRefs({ fs, gitdir, filepath: 'refs' })
  // The list has the targets of annotated tags as well, under names that end in ^{}.
  const refs = found.filter((name) => !name.endsWith('^{}')).map((name) => `refs/${name}`)
  const names = [...new Set(refs)].sort()
  const tips = new Map<string, string>()
  for (const name of names) {
    if (!isFullRefName(name)) {
      throw new ArchiveError('git-ref-invalid', `Git does not allow the name ${name}`, place)
    }
    const dangling = fail('git-ref-dangling', `${name} names nothing`)
    tips.set(name, await resolveRef({ fs, gitdir, ref: name }).catch(dangling))
  }
  if (isOid(head)) tips.set('HEAD', head)

  const objects = new Map<string, GitObject>()
  // Packs that were read, and where their objects are.
  const cache = {}
  let bytes = 0
  const waiting = [...tips].map(([name, oid]) => ({ oid, from: name }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { oid, from } = next
    if (objects.has(oid)) continue
    throwIfInterrupted(signal)
    const code = tips.has(from) ? 'git-ref-dangling' : 'git-incomplete'
    const missing = fail(code, `${from} names ${oid}, which is missing`)
    const read = await readObject({ fs, gitdir, oid, format: 'content', cache }).catch(missing)
    const { type, object: content } = read as { type: ObjectType; object: Uint8Array }
    const object = checkObject({ oid, type, content: Buffer.from(content) }, place)
    bytes += object.content.length
    if (bytes > limit) {
      const message = `its objects have more than ${limit} bytes: export it from a directory`
      throw new ArchiveError('limit-extracted', message, place)
    }
    objects.set(oid, object)
    for (const linked of linksOf(object)) waiting.push({ oid: linked, from: oid })
  }
  return {
    head: isOid(head) ? head : `ref: ${head}`,
    refs: names,
    packedRefs: formatRefs(names, tips, objects),
    packs: objects.size === 0 ? [] : packOf([...objects.values()]),
  }
}

/** The ids of the objects that an object names in its repository. */
function linksOf(object: GitObject): string[] {
  if (object.type === 'commit') {
    const { tree, parents } = parseCommit(object, { isShallow: () => false })
    return [tree, ...parents]
  }
  if (object.type === 'tag') return [parseTag(object).object]
  if (object.type === 'blob') return []
  return [...parseTreeLinks(object)].filter((entry) => !isSubmodule(entry)).map(({ oid }) => oid)
}

/** The file packed-refs: an annotated tag is followed by what it leads to. */
function formatRefs(
  names: readonly string[],
  tips: ReadonlyMap<string, string>,
  objects: ReadonlyMap<string, GitObject>,
): string {
  let text = '# pack-refs with: peeled fully-peeled sorted \n'
  for (const name of names) {
    const oid = tips.get(name) ?? ''
    text += `${oid} ${name}\n`
    let object = objects.get(oid)
    while (object?.type === 'tag') object = objects.get(parseTag(object).object)
    if (object && object.oid !== oid) text += `^${object.oid}\n`
  }
  return text
}

function packOf(objects: readonly GitObject[]): RepositoryFiles['packs'] {
  const folder = makeTemporaryFolder()
  const writer = createPackWriter(join(folder.path, 'pack'))
  try {
    for (const { oid, type, content } of objects) writer.addWhole(oid, type, content)
    const { name, pack, index } = writer.finish()
    return [
      { name: `pack-${name}.pack`, content: concat([...pack()]) },
      { name: `pack-${name}.idx`, content: concat([...index()]) },
    ]
  } finally {
    writer.close()
    folder.remove()
  }
}

import type { ObjectStore } from '../../git/objects/object-store.ts'
import type { GitData } from '../../git/open-git.ts'
import type { GitObject, ObjectType } from '../../git/parse/git-object.ts'
import { type Commit, parseTag } from '../../git/parse/parse-commit.ts'
import { type Person, timeOf } from '../../git/parse/parse-person.ts'
import { type TreeEntry, typeOfEntry } from '../../git/parse/parse-tree.ts'
import type { ObjectRef } from '../../reading/git/refs.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { toTime } from '../../reading/times.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { segment } from './people.ts'
import type { Rendering } from './rendering.ts'
import { repositoryUrl } from './repositories.ts'

/** The text of a path for an address: its slashes stay. */
export const pathInUrl = (path: string): string =>
  path.toWellFormed().split('/').map(segment).join('/')

/** The global ID of a Git object, which has no number. */
const nodeId = (type: string, { number }: IndexedRepository, name: string): string =>
  Buffer.from(`0${type.length}:${type}${number}:${name}`).toString('base64')

const objectUrl = (
  rendering: Rendering,
  repository: IndexedRepository,
  type: ObjectType,
  oid: string,
) => `${repositoryUrl(rendering, repository)}/git/${type}s/${oid}`

/** The type of an object; that of commits if it is not there. */
function typeOf(objects: ObjectStore, oid: string): ObjectType {
  try {
    return objects.stream(oid).type
  } catch {
    return 'commit'
  }
}

/** A ref with the object that it names. */
export function toRef(
  rendering: Rendering,
  repository: IndexedRepository,
  { objects }: GitData,
  { name, oid, peeled }: ObjectRef,
): JsonObject {
  const type = peeled === null ? typeOf(objects, oid) : 'tag'
  return {
    ref: name,
    node_id: nodeId('Ref', repository, name),
    url: `${repositoryUrl(rendering, repository)}/git/${pathInUrl(name)}`,
    object: { sha: oid, type, url: objectUrl(rendering, repository, type, oid) },
  }
}

/** Who wrote something in Git, and when. */
const toSignature = (person: Person): JsonObject => ({
  name: person.name,
  email: person.email,
  date: toTime(timeOf(person)),
})

/** A commit as Git has it. */
export function toGitCommit(
  rendering: Rendering,
  repository: IndexedRepository,
  { oid, tree, parents, author, committer, message }: Commit,
): JsonObject {
  const url = (type: ObjectType, of: string) => objectUrl(rendering, repository, type, of)
  return {
    sha: oid,
    node_id: nodeId('Commit', repository, oid),
    url: url('commit', oid),
    html_url: `${repository.url}/commit/${oid}`,
    author: toSignature(author),
    committer: toSignature(committer),
    tree: { sha: tree, url: url('tree', tree) },
    message,
    parents: parents.map((sha) => ({
      sha,
      url: url('commit', sha),
      html_url: `${repository.url}/commit/${sha}`,
    })),
  }
}

/** An annotated tag. */
export function toGitTag(
  rendering: Rendering,
  repository: IndexedRepository,
  object: GitObject,
): JsonObject {
  const { oid, name, message, tagger, object: sha, type } = parseTag(object)
  const known = type === 'tree' || type === 'blob' || type === 'tag' ? type : 'commit'
  return {
    node_id: nodeId('Tag', repository, oid),
    tag: name,
    sha: oid,
    url: objectUrl(rendering, repository, 'tag', oid),
    message,
    tagger: tagger ? toSignature(tagger) : null,
    object: { sha, type: known, url: objectUrl(rendering, repository, known, sha) },
  }
}

/** The size of a blob; 0 if it is not there. */
export function sizeOf({ objects }: GitData, oid: string): number {
  try {
    return objects.sizeOf(oid)
  } catch {
    return 0
  }
}

/** An entry of a tree. A submodule has no address: its commits are in another repository. */
export function toTreeEntry(
  rendering: Rendering,
  repository: IndexedRepository,
  git: GitData,
  entry: TreeEntry & { readonly path: string },
): JsonObject {
  const { path, mode, oid } = entry
  const type = typeOfEntry(entry)
  return {
    path,
    mode,
    type,
    sha: oid,
    ...(type === 'blob' && { size: sizeOf(git, oid) }),
    ...(type !== 'commit' && { url: objectUrl(rendering, repository, type, oid) }),
  }
}

/** The members of a blob without its content. */
export const toBlobHead = (
  rendering: Rendering,
  repository: IndexedRepository,
  oid: string,
  size: number,
): JsonObject => ({
  sha: oid,
  node_id: nodeId('Blob', repository, oid),
  size,
  url: objectUrl(rendering, repository, 'blob', oid),
})

import { decode } from '../http/raw-path.ts'

/** A request of a Git client. */
export interface GitAddress {
  /** owner/name, without `.git`. */
  readonly name: string
  /** The path in the repository: `info/refs`, `git-upload-pack`, `git-receive-pack`, `HEAD`, `objects/…`. */
  readonly path: string
}

/** As in other hosts, smart clients may leave out `.git`; plain files need it, or they could be pages. */
const SMART = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/
const PLAIN = /^\/([^/]+)\/([^/]+)\.git\/(HEAD|objects\/.+)$/

/** Reads the address of a Git client; undefined for any other. */
export function parseGitAddress(path: string): GitAddress | undefined {
  const [, owner, repository, inner] = SMART.exec(path) ?? PLAIN.exec(path) ?? []
  if (owner === undefined || repository === undefined || inner === undefined) return undefined
  const [first, second] = [decode(owner), decode(repository)]
  if (first === undefined || second === undefined) return undefined
  return { name: `${first}/${second}`, path: inner }
}

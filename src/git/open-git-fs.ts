import { deflateSync } from 'node:zlib'
import { aCount, checkOptions } from '../base/check-arguments.ts'
import type { Database } from '../database/open-database.ts'
import { findRepository } from './list-repositories.ts'
import {
  createObjectStore,
  type ObjectLimits,
  type ObjectStore,
  readShallow,
} from './objects/object-store.ts'
import { checkStored } from './objects/repository-files.ts'
import type { GitObject } from './parse/git-object.ts'
import { findRef, type Ref, readRefs } from './refs/read-refs.ts'

/** The properties of a file or folder, as in `fs.Stats` of Node.js. */
interface GitFsStats {
  readonly type: 'file' | 'dir'
  /** Bytes, counted when they are asked for. */
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly ino: number
  readonly uid: number
  readonly gid: number
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** The encoding of a text to read; bytes if there is none. */
type GitFsEncoding = 'utf8' | { encoding?: 'utf8' | undefined }

/** The file system of a bare repository, as isomorphic-git wants it. Functions that write throw `EROFS`. */
export interface GitFs {
  /** The functions of `fs/promises` that isomorphic-git calls. */
  readonly promises: {
    readFile(path: string, encoding?: GitFsEncoding): Promise<Buffer | string>
    readdir(path: string): Promise<string[]>
    stat(path: string): Promise<GitFsStats>
    lstat(path: string): Promise<GitFsStats>
    readlink(path: string): Promise<string>
    writeFile(path: string): Promise<never>
    unlink(path: string): Promise<never>
    mkdir(path: string): Promise<never>
    rmdir(path: string): Promise<never>
    symlink(target: string, path: string): Promise<never>
    chmod(path: string): Promise<never>
  }
}

const LARGEST_OBJECT = 64 * 2 ** 20
const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
const OBJECT = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/
const HEX_PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Opens a repository as a read-only file system for isomorphic-git. Pass both results to any of its functions that read.
 * Every object appears as a loose object, made on demand in bounded memory; refs appear in `packed-refs` and as loose refs.
 * The stored configuration is not passed on.
 *
 * Packs are hidden, because isomorphic-git would read them whole. Its `log` repeats commits that several branches share, and
 * takes exponential time on crafted histories; `openRepository(…).log()` does neither.
 *
 * @param database the database that holds the repository
 * @param name `owner/name`, or `owner/name.wiki`, in any case if unambiguous
 * @param limits.maxObject largest object to read in bytes, 64 MiB by default, because isomorphic-git holds it in memory
 * @returns the file system, and the path of the repository in it
 * @throws `repository-not-found`, `record-ambiguous`, `git-unsupported`, `content-missing` or `option-invalid`; later, when objects are read,
 *   `git-object-damaged` or `git-too-large`
 * @example
 * import git from 'isomorphic-git'
 * const repository = openGitFs(database, 'ada/kettle')
 * const { commit } = await git.readCommit({ ...repository, oid: await git.resolveRef({ ...repository, ref: 'HEAD' }) })
 */
export function openGitFs(
  database: Database,
  name: string,
  limits: ObjectLimits = {},
): { fs: GitFs; gitdir: string } {
  checkOptions(limits, { maxObject: aCount }, 'limits')
  const { maxObject = LARGEST_OBJECT } = limits
  const repository = findRepository(database, name)
  checkStored(database, repository)
  const gitdir = `/${repository}.git`
  const find = openTree(
    database,
    repository,
    createObjectStore(database, repository, { maxObject }),
  )
  const at = (path: string): Node => {
    const node = find(withinOf(gitdir, path))
    if (node === undefined) throw systemError('ENOENT', 'no such file or directory', path)
    return node
  }
  const stat = async (path: string) => statsOf(at(path))
  const refuse = async (path: string): Promise<never> => {
    throw systemError('EROFS', 'an archive is read-only', path)
  }
  const promises: GitFs['promises'] = {
    async readFile(path, encoding) {
      const node = at(path)
      if ('list' in node) throw systemError('EISDIR', 'is a directory', path)
      const content = node.read()
      const name = typeof encoding === 'object' ? encoding.encoding : encoding
      return name === undefined ? content : content.toString(name)
    },
    async readdir(path) {
      const node = at(path)
      if ('list' in node) return node.list()
      throw systemError('ENOTDIR', 'not a directory', path)
    },
    stat,
    lstat: stat,
    async readlink(path) {
      at(path)
      throw systemError('EINVAL', 'not a link', path)
    },
    writeFile: refuse,
    unlink: refuse,
    mkdir: refuse,
    rmdir: refuse,
    symlink: (_, path) => refuse(path),
    chmod: refuse,
  }
  return { fs: { promises }, gitdir }
}

type Node = { read(): Buffer } | { list(): string[] }

/** Looks up a path of the repository, such as `HEAD` or `refs/heads`. */
function openTree(
  database: Database,
  repository: string,
  objects: ObjectStore,
): (path: string) => Node | undefined {
  const text = (content: string): Node => ({ read: () => Buffer.from(content) })
  const shallow = [...readShallow(database, repository)].map((oid) => `${oid}\n`).join('')
  const files: Record<string, () => Node> = {
    HEAD: () => text(looseRef(findRef(database, repository, 'HEAD'))),
    config: () => text(CONFIG),
    'packed-refs': () => text(packedRefs(readRefs(database, repository))),
    ...(shallow !== '' && { shallow: () => text(shallow) }),
  }
  const folders: Record<string, () => string[]> = {
    '': () => [...Object.keys(files), 'objects', 'refs'],
    objects: () => [...HEX_PAIRS, 'info', 'pack'],
    'objects/info': () => [],
    'objects/pack': () => [],
  }
  return (path) => {
    if (Object.hasOwn(files, path)) return files[path]?.()
    const list = folders[path]
    if (Object.hasOwn(folders, path) && list) return { list }
    const [, pair, rest] = OBJECT.exec(path) ?? []
    if (pair && rest) {
      const oid = pair + rest
      return objects.has(oid) ? { read: () => looseObject(objects.read(oid)) } : undefined
    }
    const folder = /^objects\/([0-9a-f]{2})$/.exec(path)?.[1]
    if (folder) {
      return {
        list: () =>
          objects.startingWith(folder, Number.MAX_SAFE_INTEGER).map((oid) => oid.slice(2)),
      }
    }
    if (path !== 'refs' && !path.startsWith('refs/')) return undefined
    const ref = path === 'refs' ? undefined : findRef(database, repository, path)
    if (ref && (ref.oid ?? ref.target) !== null) return text(looseRef(ref))
    const names = namesBelow(readRefs(database, repository, `${path}/`), path)
    return path === 'refs' || names.length > 0 ? { list: () => names } : undefined
  }
}

/** The names in a folder of refs. Refs that name objects are in packed-refs and need not be listed. */
function namesBelow(refs: Iterable<Ref>, folder: string): string[] {
  const names = new Set<string>()
  for (const { name, target } of refs) {
    if (target !== null) names.add(name.slice(folder.length + 1).split('/', 1)[0] as string)
  }
  return [...names]
}

/** The content of a loose ref; a missing HEAD names the branch that servers begin with. */
function looseRef({ oid, target }: Pick<Ref, 'oid' | 'target'> = { oid: null, target: null }) {
  return target === null && oid !== null ? `${oid}\n` : `ref: ${target ?? 'refs/heads/main'}\n`
}

function packedRefs(refs: Iterable<Ref>): string {
  let text = '# pack-refs with: peeled fully-peeled sorted \n'
  for (const { name, oid, target, peeled } of refs) {
    if (name === 'HEAD' || target !== null || oid === null) continue
    text += `${oid} ${name}\n${peeled === null ? '' : `^${peeled}\n`}`
  }
  return text
}

/** An object as the file of a loose object: stored, since compressing it would be undone at once. */
const looseObject = ({ type, content }: GitObject): Buffer =>
  deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]), { level: 0 })

const statsOf = (node: Node): GitFsStats => ({
  type: 'list' in node ? 'dir' : 'file',
  get size() {
    return 'list' in node ? 0 : node.read().length
  },
  mode: 'list' in node ? 0o040555 : 0o100444,
  mtimeMs: 0,
  ctimeMs: 0,
  ino: 0,
  uid: 0,
  gid: 0,
  isFile: () => !('list' in node),
  isDirectory: () => 'list' in node,
  isSymbolicLink: () => false,
})

/** The part of a path inside the repository; a path elsewhere names nothing. */
function withinOf(gitdir: string, path: string): string {
  const clean = path.replaceAll(/\/+/g, '/').replace(/\/$/, '')
  if (clean === gitdir) return ''
  return clean.startsWith(`${gitdir}/`) ? clean.slice(gitdir.length + 1) : '../'
}

const systemError = (code: string, message: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${message}, ${JSON.stringify(path)}`), { code, path })

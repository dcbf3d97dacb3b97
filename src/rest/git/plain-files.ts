import { deflateSync } from 'node:zlib'
import { checkFile } from '../../database/contents/check-file.ts'
import { readWholeFile } from '../../database/contents/read-file.ts'
import type { Database } from '../../database/open-database.ts'
import { createObjectStore, type ObjectStore } from '../../git/objects/object-store.ts'
import {
  checkStored,
  createLooseFiles,
  findPacks,
  gitPath,
  listObjectFiles,
} from '../../git/objects/repository-files.ts'
import { findRef, readRefs } from '../../git/refs/read-refs.ts'
import { notFound } from '../../http/http-error.ts'
import type { Reply } from '../../http/reply.ts'

const LARGEST_OBJECT = 64 * 2 ** 20
const LOOSE = /^objects\/([0-9a-f]{2})\/([0-9a-f]{38})$/
const PACK = /^objects\/pack\/pack-[0-9a-f]{40}\.(?:pack|idx)$/
const TYPES: Readonly<Record<string, string>> = {
  pack: 'application/x-git-packed-objects',
  idx: 'application/x-git-packed-objects-toc',
}

/** Files of a repository for Git's dumb HTTP protocol, from the database, for machines without git. */
export interface PlainFiles {
  /** Throws `HttpError` 404, and `git-unsupported` or `content-missing`. */
  answer(database: Database, name: string, path: string): Reply
}

interface PlainRepository {
  readonly objects: ObjectStore
  readonly looseFiles: ReturnType<typeof createLooseFiles>
  /** Whether all packs have names that clients ask for. */
  readonly arePacksSent: boolean
}

export function createPlainFiles(): PlainFiles {
  // A client requests one object after the other.
  let last: (PlainRepository & { database: Database; name: string }) | undefined
  const open = (database: Database, name: string): PlainRepository => {
    if (last?.database !== database || last.name !== name) {
      const objects = createObjectStore(database, name, { maxObject: LARGEST_OBJECT })
      const packs = findPacks(database, gitPath(name, 'objects/pack/'))
      const arePacksSent = packs.every(({ pack: { path } }) => PACK.test(inRepository(name, path)))
      const looseFiles = createLooseFiles(database, name)
      last = { database, name, objects, looseFiles, arePacksSent }
    }
    return last
  }
  return {
    answer(database, name, path) {
      checkStored(database, name)
      if (path === 'info/refs')
        return textReply(refsOf(database, name, open(database, name).objects))
      if (path === 'HEAD') return textReply(headOf(database, name))
      if (path === 'objects/info/packs') return textReply(packsOf(database, name))
      if (PACK.test(path)) return packReply(database, name, path)
      const [, pair = '', rest = ''] = LOOSE.exec(path) ?? []
      if (pair !== '') return looseReply(database, open(database, name), pair + rest)
      throw notFound()
    },
  }
}

function textReply(text: string): Reply {
  const body = Buffer.from(text)
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': String(body.length) }
  return { status: 200, headers, body }
}

/** Each ref with its object, and the objects that annotated tags lead to. */
function refsOf(database: Database, name: string, objects: ObjectStore): string {
  let text = ''
  for (const ref of readRefs(database, name)) {
    if (ref.name === 'HEAD' || ref.oid === null || !objects.has(ref.oid)) continue
    if (ref.name.startsWith('refs/__gh__/')) continue
    text += `${ref.oid}\t${ref.name}\n${ref.peeled ? `${ref.peeled}\t${ref.name}^{}\n` : ''}`
  }
  return text
}

function headOf(database: Database, name: string): string {
  const { target, oid } = findRef(database, name, 'HEAD') ?? {}
  return target ? `ref: ${target}\n` : `${oid ?? 'ref: refs/heads/main'}\n`
}

function packsOf(database: Database, name: string): string {
  let text = ''
  for (const { path } of listObjectFiles(database, name)) {
    if (PACK.test(path) && path.endsWith('.pack')) text += `P ${path.slice(13)}\n`
  }
  return `${text}\n`
}

function packReply(database: Database, name: string, path: string): Reply {
  for (const file of listObjectFiles(database, name)) {
    if (file.path !== path) continue
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream'
    const headers = { 'Content-Type': type, 'Content-Length': String(file.size) }
    return { status: 200, headers, body: inSteps(database, { ...file, path: file.entry }) }
  }
  throw notFound()
}

/** Chunks as a stream, so that other requests run in between. */
async function* inSteps(
  database: Database,
  file: Parameters<typeof readWholeFile>[1],
): AsyncGenerator<Uint8Array> {
  yield* readWholeFile(database, file)
}

const inRepository = (name: string, path: string) => path.slice(gitPath(name, '').length)

/**
 * An object as a loose object: a stored one as it is. Those in packs are not sent so, because a client asks for each object
 * before it looks at packs, and would never ask for one.
 */
function looseReply(
  database: Database,
  { objects, looseFiles, arePacksSent }: PlainRepository,
  oid: string,
): Reply {
  const type = { 'Content-Type': 'application/x-git-loose-object' }
  const file = looseFiles.find(oid)
  if (file) {
    checkFile(file)
    const headers = { ...type, 'Content-Length': String(file.size) }
    return { status: 200, headers, body: inSteps(database, file) }
  }
  if (arePacksSent || objects.placeOf(oid) === undefined) throw notFound()
  const { type: kind, content } = objects.read(oid)
  const body = deflateSync(Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]))
  return { status: 200, headers: { ...type, 'Content-Length': String(body.length) }, body }
}

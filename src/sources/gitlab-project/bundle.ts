import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveEntry } from '../../archive/entry.ts'
import { ArchiveError } from '../../base/errors.ts'
import { asBuffer } from '../../base/streams.ts'
import { attemptSync } from '../../files/attempt.ts'
import { makeTemporaryFolder } from '../../files/temporary-folder.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { indexPack } from '../../git/rewrite/index-pack.ts'
import { writeRefs } from '../clone.ts'
import { objectsOf, openPlainFile, type PlainFile, piecesOf } from './temporary-pack.ts'

/** How to make a bare repository of a bundle. */
interface BundleOptions {
  /** The folder of the repository in the archive. */
  folder: string
  date: Date
  /** The branches that HEAD names first of those at its commit. */
  branches: readonly string[]
  /** The number of the pull request that a merge request became. */
  pull: (number: number) => number
  /** Counts what is left out. */
  leaveOut: (reason: string) => void
}

/** Bytes of the refs of a bundle, at most. Millions of refs have less. */
const MOST = 256 * 2 ** 20

/** A bundle whose pack is in a temporary file. */
export interface Bundle {
  /** Its objects. */
  readonly objects: Pick<ObjectStore, 'read'>
  /** The files of a bare repository with its refs and its pack. Returns the branch that HEAD names, if there is one. */
  files(options: BundleOptions): AsyncGenerator<ArchiveEntry, string | undefined>
  close(): void
}

/** Bytes that are read at a time of files whose objects are anywhere. */
const SMALL = 2 ** 16

/**
 * Opens a bundle: takes its refs and its pack, and makes the index of that.
 *
 * @throws `git-unsupported`, `git-incomplete`, `git-object-damaged` or `git-too-large`
 */
export async function openBundle(
  entry: ArchiveEntry,
  signal: AbortSignal | undefined,
): Promise<Bundle> {
  const temporary = makeTemporaryFolder()
  const opened: PlainFile[] = []
  const close = () => {
    for (const file of opened) file.close()
    temporary.remove()
  }
  try {
    const path = join(temporary.path, 'pack')
    const { header, size } = await split(entry, path)
    const { refs, head } = parseHeader(header, entry.path)
    const open = (path: string, size: number, block?: number) => {
      const file = openPlainFile(path, size, entry.path, block)
      opened.push(file)
      return file
    }
    const pack = open(path, size)
    const { name, index, objects } = await indexPack(pack, signal)
    const idx = join(temporary.path, 'idx')
    const sizeOfIndex = writePieces(idx, index())
    return {
      objects: objectsOf(open(path, size, SMALL), open(idx, sizeOfIndex, SMALL)),
      async *files({ folder, date, branches, pull, leaveOut }) {
        const kept = new Map<string, string>()
        for (const [name, oid] of refs) {
          const renamed = renameRef(name, pull)
          if (renamed === undefined) leaveOut('refs of pipelines, environments and others')
          else kept.set(renamed, oid)
        }
        if (objects > 0) {
          const at = { path: `${folder}/objects/pack/pack-${name}`, modifiedAt: date, mode: 0o644 }
          yield { ...at, path: `${at.path}.pack`, size, content: piecesOf(pack) }
          const content = piecesOf(open(idx, sizeOfIndex))
          yield { ...at, path: `${at.path}.idx`, size: sizeOfIndex, content }
        }
        const names = [...kept.keys()]
          .filter(
            (name) => name.startsWith(HEADS) && (head === undefined || kept.get(name) === head),
          )
          .map((name) => name.slice(HEADS.length))
          .sort()
        const branch = branches.find((name) => names.includes(name)) ?? names[0]
        yield* writeRefs(folder, kept, `${HEADS}${branch ?? branches[0]}`, date)
        return branch
      },
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Writes a file. Returns its size. */
function writePieces(path: string, pieces: Iterable<Uint8Array>): number {
  const file = attemptSync(path, () => openSync(path, 'wx', 0o600))
  let size = 0
  try {
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; )
        at += attemptSync(path, () => writeSync(file, piece, at))
      size += piece.length
    }
    return size
  } finally {
    closeSync(file)
  }
}

const HEADS = 'refs/heads/'

/** The ref that an archive has in place of one of the host; undefined for one without a place. */
function renameRef(name: string, pull: (number: number) => number): string | undefined {
  if (/^refs\/(?:heads|tags|keep-around)\//.test(name)) return name
  const [, number, end] = /^refs\/merge-requests\/(\d{1,9})\/(head|merge)$/.exec(name) ?? []
  return number === undefined ? undefined : `refs/pull/${pull(Number(number))}/${end}`
}

/** Writes the pack of a bundle to a file. Returns the lines before it. */
async function split({ path: entry, content }: ArchiveEntry, path: string) {
  const lines: Buffer[] = []
  let length = 0
  let size = 0
  const file = attemptSync(path, () => openSync(path, 'wx', 0o600))
  const write = (bytes: Buffer) => {
    for (let at = 0; at < bytes.length; ) {
      at += attemptSync(path, () => writeSync(file, bytes, at))
    }
    size += bytes.length
  }
  let isPack = false
  try {
    for await (const piece of content) {
      const bytes = asBuffer(piece)
      if (isPack) {
        write(bytes)
        continue
      }
      // The empty line before the pack may be in two pieces.
      const last = lines.at(-1)
      const isCut = last?.[last.length - 1] === 0x0a && bytes[0] === 0x0a
      const end = isCut ? 0 : bytes.indexOf('\n\n') + 1
      isPack = isCut || end > 0
      const head = isPack ? bytes.subarray(0, end) : bytes
      length += head.length
      if (length > MOST) throw damaged(`its refs have more than ${MOST} bytes`, entry)
      if (head.length > 0) lines.push(Buffer.from(head))
      if (isPack) write(bytes.subarray(end + 1))
    }
  } finally {
    closeSync(file)
  }
  if (!isPack) throw damaged('this is no bundle of Git, or it ends too early', entry)
  return { header: Buffer.concat(lines).toString(), size }
}

const damaged = (message: string, entry: string) =>
  new ArchiveError('git-object-damaged', message, { entry })

function parseHeader(header: string, entry: string) {
  const [signature = '', ...lines] = header.split('\n')
  if (!/^# v[23] git bundle$/.test(signature)) {
    throw damaged('this is no bundle of Git, or one of an unknown version', entry)
  }
  const refs = new Map<string, string>()
  let head: string | undefined
  for (const line of lines) {
    if (line.startsWith('@')) {
      if (line === '@object-format=sha1') continue
      const message = `a bundle with ${line.slice(0, 60)} is not read`
      const error = new ArchiveError('git-unsupported', message, { entry })
      throw line.startsWith('@object-format=') ? error.about('sha256') : error
    }
    if (line.startsWith('-')) {
      const message = 'the bundle needs commits that are not in it'
      throw new ArchiveError('git-incomplete', message, { entry })
    }
    const [, oid = '', name = ''] = /^([0-9a-f]{40}) (\S+)$/.exec(line) ?? []
    if (name === 'HEAD') head = oid
    else if (name.startsWith('refs/')) refs.set(name, oid)
  }
  return { refs, head }
}

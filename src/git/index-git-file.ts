import { ArchiveError, type Report } from '../base/errors.ts'
import { asBuffer, type Bytes } from '../base/streams.ts'
import { sqliteError } from '../database/connection.ts'
import type { GitStore } from '../database/git-store.ts'
import type { Database } from '../database/open-database.ts'
import { readPages } from '../database/read-pages.ts'
import { LONGEST_REF } from '../rules/ref-name.ts'
import { createObjectStore } from './objects/object-store.ts'
import {
  type BrokenRef,
  createLineSplitter,
  type FoundRef,
  isBrokenRef,
  parseLooseRef,
  parsePackedRefs,
} from './parse/parse-refs.ts'
import { peel } from './revisions/resolve-revision.ts'

/** A file of a repository: its path in the archive, and in the repository. */
interface GitFile {
  entry: string
  repository: string
  path: string
}

/** Receives refs, pack sizes and problems. */
type GitIndex = Pick<GitStore, 'addRef' | 'addPack'> & { report: Report }

/** Reads bytes as they pass. */
interface Watcher {
  see(chunk: Buffer): void
  end(): void
}

/** Further broken refs of one file are only counted. */
const MOST_BROKEN = 20

/**
 * Passes the bytes of a file through and records its refs, or the number of objects in a pack or its index, in `store`.
 * Both are known even if contents are not stored.
 */
export function indexGitFile(file: GitFile, content: Bytes, store: GitIndex): Bytes {
  const watcher = watcherOf(file, store)
  return watcher ? watch(content, watcher) : content
}

async function* watch(content: Bytes, watcher: Watcher): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    watcher.see(asBuffer(chunk))
    yield chunk
  }
  watcher.end()
}

function watcherOf(
  { entry, repository, path }: GitFile,
  { report, ...store }: GitIndex,
): Watcher | undefined {
  if (path === 'packed-refs' || path === 'HEAD' || path.startsWith('refs/')) {
    const packed = path === 'packed-refs'
    let broken = 0
    const found = (ref: FoundRef | BrokenRef) => {
      if (!isBrokenRef(ref)) store.addRef({ repository, packed, ...ref })
      else if (++broken <= MOST_BROKEN) {
        report({ code: ref.code, place: { entry }, message: ref.wrong })
      }
    }
    const watcher = packed ? watchLines(parsePackedRefs(found)) : watchRef(path, found)
    const end = () => {
      watcher.end()
      if (broken <= MOST_BROKEN) return
      const message = `${broken - MOST_BROKEN} more refs are invalid`
      report({ code: 'git-ref-invalid', place: { entry }, message })
    }
    return { see: watcher.see, end }
  }
  if (/^objects\/pack\/[^/]+\.(?:pack|idx)$/.test(path)) {
    return watchStart(PACK_HEADER, (start) =>
      store.addPack({ repository, path: entry, ...parsePackHeader(start) }),
    )
  }
  return undefined
}

const watchRef = (name: string, found: (ref: FoundRef | BrokenRef) => void): Watcher =>
  watchStart(LONGEST_REF + 1, (start) => found(parseLooseRef(name, start)))

function watchLines({ line, end }: ReturnType<typeof parsePackedRefs>): Watcher {
  const splitter = createLineSplitter(LONGEST_REF + 1, line)
  return {
    see: splitter.see,
    end() {
      splitter.end()
      end()
    },
  }
}

/** Calls `done` with the first bytes once all bytes have passed. */
function watchStart(length: number, done: (start: Buffer) => void): Watcher {
  const chunks: Buffer[] = []
  let missing = length
  return {
    see(chunk) {
      if (missing === 0) return
      const part = chunk.subarray(0, missing)
      chunks.push(Buffer.from(part))
      missing -= part.length
    },
    end: () => done(Buffer.concat(chunks)),
  }
}

/** The length of the header of a pack or its index in bytes. */
const PACK_HEADER = 8 + 256 * 4

const PACK = 0x5041434b
const INDEX = 0xff744f63

interface PackHeader {
  /** Undefined if the file is neither a pack nor an index. */
  version?: number | undefined
  objects?: number | undefined
}

/** Parses the first bytes of a pack or its index. */
function parsePackHeader(start: Buffer): PackHeader {
  if (start.length < 12) return {}
  const magic = start.readUInt32BE(0)
  if (magic === PACK) return { version: start.readUInt32BE(4), objects: start.readUInt32BE(8) }
  if (start.length < PACK_HEADER) return {}
  // The last of 256 counters counts them all; an index of version 1 begins with these.
  if (magic !== INDEX) return { version: 1, objects: start.readUInt32BE(255 * 4) }
  return { version: start.readUInt32BE(4), objects: start.readUInt32BE(PACK_HEADER - 4) }
}

interface LooseTag {
  repository: string
  oid: string
}

const PAGE = 1000
/** The largest tag or commit to read. Real ones are small. */
const LARGEST_TAG = 2 ** 20

/**
 * Peels the annotated tags of the last archive that are loose refs; packed-refs has the others peeled. A tag whose objects
 * are damaged or were not stored stays unpeeled.
 */
export function peelTags(database: Database): void {
  const pages = readPages<LooseTag>(database, {
    columns: 'repository, oid',
    from: 'refs',
    size: PAGE,
    where: `archive = (SELECT max(id) FROM archives) AND NOT packed AND oid IS NOT NULL AND peeled IS NULL
      AND name >= 'refs/tags/' AND name < 'refs/tags0'`,
  })
  const set = database.prepare('UPDATE refs SET peeled = ? WHERE rowid = ?')
  let opened: { repository: string; objects: ReturnType<typeof createObjectStore> } | undefined
  for (const tags of pages) {
    for (const { position, repository, oid } of tags) {
      try {
        if (opened?.repository !== repository) {
          opened = {
            repository,
            objects: createObjectStore(database, repository, { maxObject: LARGEST_TAG }),
          }
        }
        const object = peel(opened.objects, oid, undefined)
        if (object && object.oid !== oid) set.run(object.oid, position)
      } catch (error) {
        // `verifyRepository` reports damaged objects.
        if (!(error instanceof ArchiveError) || sqliteError(error)) throw error
      }
    }
  }
}

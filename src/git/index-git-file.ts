import type { GitStore } from '../database/git-store.ts'
import type { Report } from '../errors.ts'
import { LONGEST_REF } from '../rules/ref-name.ts'
import { asBuffer, type Bytes } from '../streams.ts'
import { PACK_HEADER, parsePackHeader } from './objects/pack-header.ts'
import { openLineSplitter } from './parse/line-splitter.ts'
import {
  type BrokenRef,
  type FoundRef,
  isBrokenRef,
  parseLooseRef,
  parsePackedRefs,
} from './refs/parse-refs.ts'

/** A file of a repository: its path in the archive, and in the repository. */
export interface GitFile {
  entry: string
  repository: string
  path: string
}

/** Is told what is noted. */
export type GitNotes = Pick<GitStore, 'addRef' | 'addPack'> & { report: Report }

/** Sees bytes as they pass. */
interface Watcher {
  see(chunk: Buffer): void
  end(): void
}

/** More refs of one file than these are counted only. */
const MOST_BROKEN = 20

/**
 * The same bytes. As they pass, `store` is told of refs, and of how many objects a pack or its index has:
 * both are known without the contents being kept.
 */
export function noteGitData(file: GitFile, content: Bytes, store: GitNotes): Bytes {
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
  { report, ...store }: GitNotes,
): Watcher | undefined {
  if (path === 'packed-refs' || path === 'HEAD' || path.startsWith('refs/')) {
    const packed = path === 'packed-refs'
    let broken = 0
    const found = (ref: FoundRef | BrokenRef) => {
      if (!isBrokenRef(ref)) store.addRef({ repository, packed, ...ref })
      else if (++broken <= MOST_BROKEN) {
        report({ code: 'ref-invalid', place: { entry }, message: ref.wrong })
      }
    }
    const watcher = packed ? watchLines(parsePackedRefs(found)) : watchRef(path, found)
    const end = () => {
      watcher.end()
      if (broken <= MOST_BROKEN) return
      const message = `${broken - MOST_BROKEN} more refs are no better`
      report({ code: 'ref-invalid', place: { entry }, message })
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
  const splitter = openLineSplitter(LONGEST_REF + 1, line)
  return {
    see: splitter.see,
    end() {
      splitter.end()
      end()
    },
  }
}

/** Tells of the first bytes when all have passed. */
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

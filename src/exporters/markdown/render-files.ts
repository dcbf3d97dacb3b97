import { hash } from 'node:crypto'
import type { ShortFile } from '../written-folder.ts'
import type { LinkSources } from './folder-links.ts'
import type { PlannedThread, ThreadLine } from './plan-files.ts'
import { renderThreads } from './render-threads.ts'
import { textOf } from './write-pieces.ts'

/** The file of a thread, for whoever writes it. A large one has no content: it is rendered again, a piece at a time. */
export interface ThreadFile extends Omit<ShortFile, 'content'> {
  readonly planned: PlannedThread
  readonly line: ThreadLine
  readonly content: Uint8Array | undefined
}

export const isShort = (file: ThreadFile): file is ThreadFile & ShortFile =>
  file.content !== undefined

/** Bytes of files that are written together. */
const TOGETHER = 2 ** 20

/** Renders a batch of threads, and gives as many as are written together at a time. */
export function* renderFiles(
  batch: readonly PlannedThread[],
  sources: LinkSources,
): Generator<ThreadFile[]> {
  let files: ThreadFile[] = []
  let bytes = 0
  for (const { planned, line, pieces } of renderThreads(batch, sources)) {
    const text = textOf(pieces())
    const content = text === undefined ? undefined : Buffer.from(text)
    const sum = content ? hash('sha256', content) : ''
    files.push({ planned, line, file: planned.file, content, hash: sum })
    bytes += content?.length ?? 0
    if (bytes < TOGETHER) continue
    yield files
    files = []
    bytes = 0
  }
  if (files.length > 0) yield files
}

import type { Selection } from '../../database/rows/selection.ts'
import type { Context } from '../../work/run.ts'
import { chooseRecords } from './chosen.ts'
import { hashSource } from './hash-source.ts'
import { openFrozenLibrary } from './open-frozen-library.ts'
import { type PlannedThread, planFiles, type ThreadLine } from './plan-files.ts'
import { type RenderedThread, renderThreads } from './render-threads.ts'
import { takeBatches } from './take-batches.ts'

/** The databases and records whose threads are rendered, and the counter that both threads of the processor share. */
export interface Share {
  readonly databases: readonly string[]
  readonly selection: Selection | undefined
  /** The hash of what the files are made from. */
  readonly source: string
  /** The number of batches that a thread of the processor has taken. */
  readonly taken: Int32Array<SharedArrayBuffer>
}

/** The file of a thread, for whoever writes it. */
export interface ThreadFile {
  readonly planned: PlannedThread
  readonly line: ThreadLine
  /** Undefined for a large one, which is not sent, but rendered again. */
  readonly text: string | undefined
}

/**
 * Renders the batches that it gets hold of, beside the thread of the processor that writes their files. It plans all files as that
 * one did, so that no names have to be sent; if the databases have changed meanwhile, it does nothing.
 */
export async function* renderShare(
  { databases, selection, source, taken }: Share,
  { signal }: Pick<Context, 'signal'>,
): AsyncGenerator<ThreadFile[]> {
  const library = openFrozenLibrary(databases)
  try {
    if ((await hashSource(databases, selection, signal)) !== source) return
    const chosen = chooseRecords(library, selection)
    const plan = planFiles(library, chosen, signal)
    try {
      for (const batch of takeBatches(plan, taken)) {
        yield [...renderThreads(batch, { library, plan, chosen })].map(fileOf)
      }
    } finally {
      plan.close()
    }
  } finally {
    library.close()
  }
}

/** Characters of a text that is sent. */
const SENT = 2 ** 20

function fileOf({ planned, line, pieces }: RenderedThread): ThreadFile {
  let text = ''
  for (const piece of pieces()) {
    text += piece
    if (text.length > SENT) return { planned, line, text: undefined }
  }
  return { planned, line, text }
}

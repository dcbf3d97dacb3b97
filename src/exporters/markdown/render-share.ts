import type { Selection } from '../../database/rows/selection.ts'
import { type Context, Transferred } from '../../work/run.ts'
import { chooseRecords } from './chosen.ts'
import { hashSource } from './hash-source.ts'
import { openFrozenLibrary } from './open-frozen-library.ts'
import { planFiles } from './plan-files.ts'
import { renderFiles, type ThreadFile } from './render-files.ts'
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

/**
 * Renders the batches that it gets hold of, beside the thread of the processor that writes their files. It plans all files as that
 * one did, so that no names have to be sent; if the databases have changed meanwhile, it does nothing.
 */
export async function* renderShare(
  { databases, selection, source, taken }: Share,
  { signal }: Pick<Context, 'signal'>,
): AsyncGenerator<Transferred<readonly ThreadFile[]>> {
  const library = openFrozenLibrary(databases)
  try {
    if ((await hashSource(databases, selection, signal)) !== source) return
    const chosen = chooseRecords(library, selection)
    const plan = planFiles(library, chosen, signal)
    try {
      for (const batch of takeBatches(plan, taken)) {
        for (const files of renderFiles(batch, { library, plan, chosen })) yield sent(files)
      }
    } finally {
      plan.close()
    }
  } finally {
    library.close()
  }
}

/** Files whose contents are in one memory, which moves to the other thread of the processor. */
function sent(files: readonly ThreadFile[]): Transferred<readonly ThreadFile[]> {
  const all = new Uint8Array(files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0))
  let end = 0
  const moved = files.map((file) => {
    if (!file.content) return file
    all.set(file.content, end)
    end += file.content.length
    return { ...file, content: all.subarray(end - file.content.length, end) }
  })
  return new Transferred(moved, [all.buffer])
}

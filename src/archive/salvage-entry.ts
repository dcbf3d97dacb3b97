import type { ArchiveError, Report } from '../base/errors.ts'
import type { Bytes } from '../base/streams.ts'
import type { ArchiveEntry } from './entry.ts'
import { isDamage } from './read-until-damaged.ts'

/** Lets `work` read an entry. A damaged entry is reported (`entry-lost`) rather than thrown. */
export async function salvageEntry(
  entry: ArchiveEntry,
  report: Report,
  work: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  let came = 0
  async function* counted() {
    for await (const chunk of entry.content) {
      came += chunk.length
      yield chunk
    }
  }
  try {
    await work({ ...entry, content: counted() })
  } catch (error) {
    if (!isDamage(error)) throw error
    const message = `only ${came} of ${entry.size} bytes could be read; it was skipped`
    report({ code: 'entry-lost', place: { entry: entry.path }, message })
  }
}

/** Content that can be read up to a damage. */
export interface IntactContent {
  bytes: Bytes
  /** Passes on bytes that were read, and throws at their end if there was a damage. */
  orThrow(bytes: Bytes): Bytes
}

/** Content as it is, or with `salvage` up to a damage. */
export function intactContent(content: Bytes, salvage: boolean): IntactContent {
  if (!salvage) return { bytes: content, orThrow: (bytes) => bytes }
  let damage: ArchiveError | undefined
  async function* intact() {
    try {
      yield* content
    } catch (error) {
      if (!isDamage(error)) throw error
      damage = error
    }
  }
  async function* orThrow(bytes: Bytes) {
    yield* bytes
    if (damage) throw damage
  }
  return { bytes: intact(), orThrow }
}

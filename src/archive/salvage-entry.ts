import type { ArchiveError, Report } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import type { ArchiveEntry } from './entry.ts'
import { isDamage } from './read-until-damaged.ts'

/** Has `work` read an entry. One that turns out damaged is reported (`entry-lost`) and nothing more is thrown. */
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
    const message = `of its ${entry.size} bytes ${came} came; it was left out`
    report({ code: 'entry-lost', place: { entry: entry.path }, message })
  }
}

/** Content that is read as far as it goes. */
export interface IntactContent {
  bytes: Bytes
  /** Goes on with bytes read of it, and throws in the end if there was a damage. */
  orThrow(bytes: Bytes): Bytes
}

/** Content as it is, or to be salvaged: then it ends where it is damaged. */
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

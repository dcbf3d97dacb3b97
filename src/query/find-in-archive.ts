import type { ArchiveEntry } from '../archive/entry.ts'
import { roleOf } from '../archive/entry-role.ts'
import type { Bytes } from '../base/streams.ts'
import { detectRecords } from '../records/detect-records.ts'
import type { JsonObject } from '../records/json/json.ts'
import { type ReadRecordsOptions, readRecordBatches } from '../records/read-records.ts'

/** How often something was found in an archive, and the error that ended reading after the first match. */
export interface ArchiveSearch {
  times: number
  fault?: unknown
}

/** Calls `take` with the content of each entry that has this path. Throws if reading fails before the first match. */
export const findEntry = (
  entries: AsyncIterable<ArchiveEntry>,
  path: string,
  take: (content: Bytes) => Promise<void>,
): Promise<ArchiveSearch> =>
  seek(async (found) => {
    for await (const entry of entries) {
      if (entry.path !== path) continue
      found()
      await take(entry.content)
    }
  })

/** Calls `take` with each record that has this URL. Throws if reading fails before the first match. */
export const findRecords = (
  entries: AsyncIterable<ArchiveEntry>,
  url: string,
  take: (record: JsonObject) => void,
  options: ReadRecordsOptions,
): Promise<ArchiveSearch> =>
  seek(async (found) => {
    for await (const { path, content } of entries) {
      const role = roleOf(path)
      if (role.role !== 'records') continue
      const { isRecords, bytes } = await detectRecords(role.stem, content)
      if (!isRecords) continue
      for await (const batch of readRecordBatches(bytes, path, options)) {
        for (const { record } of batch) {
          if (record.url !== url) continue
          found()
          take(record)
        }
      }
    }
  })

async function seek(work: (found: () => void) => Promise<void>): Promise<ArchiveSearch> {
  let times = 0
  try {
    await work(() => times++)
    return { times }
  } catch (fault) {
    if (times === 0) throw fault
    return { times, fault }
  }
}

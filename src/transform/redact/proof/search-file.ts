import type { Place } from '../../../base/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../base/limits.ts'
import type { Bytes } from '../../../base/streams.ts'
import type { Read } from '../files/form-of.ts'
import { textsIn } from '../files/texts-in.ts'
import type { ValueType } from '../finding.ts'
import type { RemovedSearch } from './find-removed.ts'

/** An archive of our own is read whole. */
export const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as Limits

/** The type of a removed value in bytes. */
export function typeIn(search: RemovedSearch, bytes: Buffer): ValueType | undefined {
  let type: ValueType | undefined
  search.search(bytes, (found) => {
    type = found.type
    return true
  })
  return type
}

/** The same in bytes that come one after the other. */
export async function typeInContent(
  search: RemovedSearch,
  content: Bytes,
): Promise<ValueType | undefined> {
  let type: ValueType | undefined
  const stream = search.stream((found) => {
    type = found.type
    return true
  })
  for await (const bytes of content) if (stream.see(bytes)) return type
  stream.end()
  return type
}

/** A removed value in a file, and the member of a zip file that has it. */
export interface FoundInFile {
  type: ValueType
  place: Place
}

/** Looks at the bytes of a file, and at the texts in it: in any encoding, and within gzip and zip files. */
export async function findInFile(
  search: RemovedSearch,
  read: Read,
): Promise<FoundInFile | undefined> {
  const type = await typeInContent(search, read())
  if (type) return { type, place: {} }
  for await (const { text, member } of textsIn(read)) {
    const inText = typeIn(search, Buffer.from(text))
    if (inText) return { type: inText, place: member === undefined ? {} : { member } }
  }
  return undefined
}

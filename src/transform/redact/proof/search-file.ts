import type { Place } from '../../../base/errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../base/limits.ts'
import type { Bytes } from '../../../base/streams.ts'
import type { Read } from '../files/form-of.ts'
import { textsIn } from '../files/texts-in.ts'
import type { ValueType } from '../finding.ts'
import type { RemovedValue } from '../removed-values.ts'
import type { RemovedSearch } from './find-removed.ts'

/** An archive of our own is read whole. */
export const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as Limits

/** The type of a removed value in bytes. */
export const typeIn = (search: RemovedSearch, bytes: Buffer): ValueType | undefined =>
  valueIn(search, bytes)?.type

function valueIn(search: RemovedSearch, bytes: Buffer): RemovedValue | undefined {
  let value: RemovedValue | undefined
  search.search(bytes, (found) => {
    value = found
    return true
  })
  return value
}

/** A removed value in bytes that come one after the other. */
export async function valueInContent(
  search: RemovedSearch,
  content: Bytes,
): Promise<RemovedValue | undefined> {
  let value: RemovedValue | undefined
  const stream = search.stream((found) => {
    value = found
    return true
  })
  for await (const bytes of content) if (stream.see(bytes)) return value
  stream.end()
  return value
}

/** A removed value in a file, and the member of a zip file that has it. */
export interface FoundInFile extends RemovedValue {
  place: Place
}

/** Looks at the bytes of a file, and at the texts in it: in any encoding, and within gzip and zip files. */
export async function findInFile(
  search: RemovedSearch,
  read: Read,
): Promise<FoundInFile | undefined> {
  const found = await valueInContent(search, read())
  if (found) return { ...found, place: {} }
  for await (const { text, member } of textsIn(read)) {
    const inText = valueIn(search, Buffer.from(text))
    if (inText) return { ...inText, place: member === undefined ? {} : { member } }
  }
  return undefined
}

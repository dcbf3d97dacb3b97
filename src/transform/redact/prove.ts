import { roleOf } from '../../archive/entry-role.ts'
import { DEFAULT_LIMITS, type Limits } from '../../archive/limits.ts'
import { readArchive } from '../../archive/read-archive.ts'
import { ArchiveError, type Place } from '../../errors.ts'
import type { Bytes } from '../../streams.ts'
import type { Detector } from './detect.ts'
import type { Finding } from './finding.ts'
import { decode, LONGEST_FILE } from './redact-files.ts'
import { createValueFinder } from './value-finder.ts'

const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as Limits

export interface ProofOptions {
  detect: Detector
  /** The values that were taken out. */
  originals: Iterable<string>
  /** Whether contents of files were to stay. */
  keepsFiles: boolean
}

/**
 * Reads a new archive from its own bytes, and looks for everything that was taken out of it: with the detectors, and for each
 * value in several encodings. Git data is left out. Throws `redaction-incomplete` with the place, never with the value.
 */
export async function proveRedaction(
  archive: string,
  { detect, originals, keepsFiles }: ProofOptions,
): Promise<void> {
  const find = createValueFinder(originals)
  const check = (text: string, place: Place) => {
    const finding = detect(text).find(({ doubtful }) => !doubtful)
    if (finding) throw left(finding.type, place)
  }
  const checkBytes = (bytes: Uint8Array, place: Place) => {
    if (find(bytes)) throw left('value', place)
  }
  for await (const entry of readArchive(archive, { limits: UNLIMITED, headers: true })) {
    const { path, content, header } = entry
    const { role } = roleOf(path)
    if (role === 'git') continue
    const place = { entry: path }
    check(path, place)
    checkBytes(Buffer.from(path), place)
    if (header?.whole) checkBytes(header.whole, place)
    if (typeof header?.template === 'string')
      checkBytes(Buffer.from(header.template, 'latin1'), place)
    const isDocument = role === 'records' || role === 'schema' || role === 'urls'
    if (!isDocument && keepsFiles) continue
    if (isDocument) await proveJson(content, { check, checkBytes }, path)
    else await proveFile(content, { check, checkBytes }, path)
  }
}

const left = (type: Finding['type'] | 'value', place: Place) =>
  new ArchiveError('redaction-incomplete', `a value is still there: ${type}`, place)

interface Checks {
  check: (text: string, place: Place) => void
  checkBytes: (bytes: Uint8Array, place: Place) => void
}

const OVERLAP = 8192

/** Looks at each string of a JSON text, names of members as well, in memory that grows with the longest string alone. */
async function proveJson(
  content: Bytes,
  { check, checkBytes }: Checks,
  entry: string,
): Promise<void> {
  const decoder = new TextDecoder()
  let text = ''
  let tail: Uint8Array = new Uint8Array()
  for await (const bytes of content) {
    const joined = Buffer.concat([tail, bytes])
    checkBytes(joined, { entry })
    tail = joined.subarray(Math.max(0, joined.length - OVERLAP))
    text = proveStrings(text + decoder.decode(bytes, { stream: true }), check, entry)
  }
  proveStrings(text + decoder.decode(), check, entry)
}

/** Checks the whole strings in a text, and returns the begin of one that is not whole. */
function proveStrings(text: string, check: Checks['check'], entry: string): string {
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = endOfString(text, start + 1)
    if (end < 0) return text.slice(start)
    const written = text.slice(start, end + 1)
    if (written.length > 4) {
      check(written.includes('\\') ? parseString(written) : written.slice(1, -1), { entry })
    }
    start = text.indexOf('"', end + 1)
  }
  return ''
}

/** The closing quote: one behind an even number of backslashes. */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (before > from && text[before - 1] === '\\') before--
    if ((end - before) % 2 === 0) return end
  }
  return -1
}

function parseString(written: string): string {
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

async function proveFile(
  content: Bytes,
  { check, checkBytes }: Checks,
  entry: string,
): Promise<void> {
  const kept: Uint8Array[] = []
  let size = 0
  let tail: Uint8Array = new Uint8Array()
  for await (const bytes of content) {
    const joined = Buffer.concat([tail, bytes])
    checkBytes(joined, { entry })
    tail = joined.subarray(Math.max(0, joined.length - OVERLAP))
    size += bytes.length
    if (size <= LONGEST_FILE) kept.push(bytes)
    else kept.length = 0
  }
  const text = size <= LONGEST_FILE ? decode(Buffer.concat(kept)) : undefined
  if (text !== undefined) check(text, { entry })
}

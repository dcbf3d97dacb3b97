import { roleOf } from '../../archive/entry-role.ts'
import { readArchive } from '../../archive/read-archive.ts'
import { ArchiveError, type Place } from '../../errors.ts'
import { DEFAULT_LIMITS, type Limits } from '../../limits.ts'
import type { Kind } from '../../records/kinds/kind.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { memberPaths } from '../../records/kinds/member-paths.ts'
import type { Bytes } from '../../streams.ts'
import { createNeedleFinder } from '../find-needles.ts'
import type { Detector } from './detect.ts'
import type { Finding } from './finding.ts'
import { type Confirm, createHintFinder, type HintOptions } from './hints.ts'
import { decode, LONGEST_FILE } from './redact-files.ts'
import { createValueFinder, isWritten, type ValueNeedle, valueNeedles } from './value-finder.ts'

const UNLIMITED = Object.fromEntries(
  Object.keys(DEFAULT_LIMITS).map((name) => [name, Number.POSITIVE_INFINITY]),
) as unknown as Limits

export interface ProofOptions {
  detect: Detector
  /** The values that the detectors look for. */
  hints: HintOptions
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
  { detect, hints, originals, keepsFiles }: ProofOptions,
): Promise<void> {
  const values = [...originals]
  const findValue = createValueFinder(values)
  const check = (text: string, place: Place) => {
    const finding = detect(text).find(({ doubtful }) => !doubtful)
    if (finding) throw left(finding.type, place)
  }
  const checkBytes = (bytes: Uint8Array, place: Place) => {
    if (findValue(bytes)) throw left('value', place)
  }
  const checks: Checks = { check, checkBytes, search: createSearch(hints, values, findValue) }
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
    if (isDocument) await proveJson(content, checks, path)
    else await proveFile(content, checks, path)
  }
}

const LEFT: Readonly<Record<Finding['type'] | 'value', string>> = {
  ...{ email: 'an address', name: 'a name', login: 'a login', ip: 'an IP address' },
  ...{ secret: 'a secret', own: 'a match of a pattern', value: 'a value that was removed' },
}

const left = (type: keyof typeof LEFT, place: Place) =>
  new ArchiveError('redaction-incomplete', `${LEFT[type]} is still there`, place)

interface Checks {
  check: (text: string, place: Place) => void
  checkBytes: (bytes: Uint8Array, place: Place) => void
  search: Search
}

/** Whether bytes have a value that was taken out, and where else there may be something to detect: undefined for anywhere. */
type Search = (bytes: Buffer) => { hasValue: boolean; hints: readonly number[] | undefined }

/** Creates a search that looks for values and hints in one pass over the bytes, if there are hints. */
function createSearch(
  options: HintOptions,
  values: readonly string[],
  findValue: ReturnType<typeof createValueFinder>,
): Search {
  const { words, others } = valueNeedles(values)
  let hasValue = false
  const note =
    (needle: ValueNeedle): Confirm =>
    (bytes, at) => {
      hasValue ||= isWritten(needle, bytes, at)
      return false
    }
  const alongside = words.map(([text, needle]) => [text, note(needle)] as const)
  const findHints = createHintFinder({ ...options, alongside })
  if (!findHints) {
    return (bytes) => ({ hasValue: findValue(bytes) !== undefined, hints: undefined })
  }
  const findOthers = createNeedleFinder(others)
  return (bytes) => {
    hasValue = false
    findOthers(bytes, (at, needle) => note(needle)(bytes, at))
    return { hints: findHints(bytes), hasValue }
  }
}

const OVERLAP = 8192
/** Bytes of JSON that are looked at together. */
const PART = 2 ** 20
const [QUOTE, NEWLINE, BACKSLASH] = [0x22, 0x0a, 0x5c]

/**
 * Looks at the strings of a JSON text, names of members as well: only at those with a hint. The memory grows with the longest
 * string alone.
 */
async function proveJson(content: Bytes, { check, search }: Checks, entry: string): Promise<void> {
  const prove = (bytes: Buffer) => {
    const { hasValue, hints } = search(bytes)
    if (hasValue) throw left('value', { entry })
    for (const text of stringsIn(bytes, hints)) check(text, { entry })
  }
  let waiting: Uint8Array[] = []
  let size = 0
  for await (const bytes of content) {
    waiting.push(bytes)
    size += bytes.length
    if (size < PART) continue
    const part = Buffer.concat(waiting)
    const end = endOfStrings(part)
    prove(part.subarray(0, end))
    waiting = [part.subarray(end)]
    size = part.length - end
    // A string that is longer than a part is looked at as a whole.
    if (end === 0) size = -part.length
  }
  prove(Buffer.concat(waiting))
}

/** Where bytes that begin outside of a string can be cut: no string goes on behind it. */
function endOfStrings(bytes: Buffer): number {
  // A string has no line breaks.
  const newline = bytes.lastIndexOf(NEWLINE)
  if (newline >= 0) return newline + 1
  for (let at = 0; ; ) {
    const start = bytes.indexOf(QUOTE, at)
    if (start < 0) return bytes.length
    const end = endOfString(bytes, start + 1)
    if (end < 0) return start
    at = end + 1
  }
}

/** The strings with hints; all of them if nothing is known of hints. */
function* stringsIn(bytes: Buffer, hints: readonly number[] | undefined): Generator<string> {
  let last = 0
  for (let i = 0; ; i++) {
    if (hints && hints[i] === undefined) return
    const hint = Math.max(last, hints?.[i] ?? 0)
    if (hints && (hints[i] as number) < last) continue
    const start = hints ? startOfString(bytes, hint) : bytes.indexOf(QUOTE, hint)
    if (start < 0) return
    const end = endOfString(bytes, start + 1)
    last = end < 0 ? bytes.length : end + 1
    const written = bytes.toString('utf8', start, last)
    if (!isOfFormat(written, bytes, start, last)) yield parseString(written)
  }
}

const KNOWN_KINDS = Object.values<Kind>(KINDS)
/** Names of known members, as JSON. */
const MEMBERS = new Set(
  KNOWN_KINDS.flatMap((kind) => memberPaths(kind).flatMap(({ text }) => text.split(/[.[\]]+/)))
    .concat('type')
    .map((name) => JSON.stringify(name)),
)
const TYPES = new Set(KNOWN_KINDS.map(({ type }) => JSON.stringify(type)))

/** Whether a string belongs to the format of archives: such are never values, whatever a user wants to take out. */
function isOfFormat(written: string, bytes: Buffer, start: number, end: number): boolean {
  if (MEMBERS.has(written)) return /^\s*:/.test(bytes.toString('latin1', end, end + 8))
  return TYPES.has(written) && /"type"\s*:\s*$/.test(bytes.toString('latin1', start - 16, start))
}

/** The opening quote of the string around a place. */
function startOfString(bytes: Buffer, at: number): number {
  let start = bytes.lastIndexOf(QUOTE, at)
  while (start > 0 && isEscaped(bytes, start)) start = bytes.lastIndexOf(QUOTE, start - 1)
  return Math.max(0, start)
}

/** The closing quote; -1 without one. */
function endOfString(bytes: Buffer, from: number): number {
  let end = bytes.indexOf(QUOTE, from)
  while (end >= 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1)
  return end
}

/** Whether there is an odd number of backslashes before a place. */
function isEscaped(bytes: Buffer, at: number): boolean {
  let before = at
  while (before > 0 && bytes[before - 1] === BACKSLASH) before--
  return (at - before) % 2 === 1
}

function parseString(written: string): string {
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(written)
  } catch {
    return written
  }
}

async function proveFile(content: Bytes, { check, search }: Checks, entry: string): Promise<void> {
  let hasHints = false
  const kept: Uint8Array[] = []
  let size = 0
  let tail: Uint8Array = new Uint8Array()
  for await (const bytes of content) {
    const joined = Buffer.concat([tail, bytes])
    const { hasValue, hints } = search(joined)
    if (hasValue) throw left('value', { entry })
    hasHints ||= hints === undefined || hints.length > 0
    tail = joined.subarray(Math.max(0, joined.length - OVERLAP))
    size += bytes.length
    if (size <= LONGEST_FILE) kept.push(bytes)
    else kept.length = 0
  }
  const text = hasHints && size <= LONGEST_FILE ? decode(Buffer.concat(kept)) : undefined
  if (text !== undefined) check(text, { entry })
}

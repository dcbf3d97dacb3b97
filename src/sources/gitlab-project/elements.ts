import type { ArchiveEntry } from '../../archive/entry.ts'
import { ArchiveError } from '../../base/errors.ts'
import { resolveLimits } from '../../base/limits.ts'
import { asBuffer } from '../../base/streams.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { parkLists } from '../park-lists.ts'
import { mostBytes, parseJson, readJson, reportLoss } from '../read-json.ts'
import type { SourceReading } from '../source.ts'

/** A thing in an export. */
export interface Element {
  /** The list that it is in, such as `issues`; `project` for the project itself. */
  relation: string
  object: JsonObject
  entry: string
  /** Its place in the file. */
  at: string
}

/** The folder around everything, and the list that a file holds: `project` of the project itself, `*` of one that holds all lists. */
const RELATION = /^((?:[^/]+\/)?)(?:tree\/project\/([a-z_]+)\.ndjson|tree\/(project)\.json)$/
const WHOLE = /^((?:[^/]+\/)?)project\.json$/

/** The list that a file holds; undefined for other files. */
export function relationOf(path: string): string | undefined {
  const [, , list, project] = RELATION.exec(path) ?? []
  return list ?? project ?? (WHOLE.test(path) ? '*' : undefined)
}

/** The path of a file without the folder around everything. */
export const innerOf = (path: string, top: string): string =>
  path.startsWith(top) ? path.slice(top.length) : path

/** Lines from this length on are read without the texts of diffs, unless they are needed. */
const LONG = 2 ** 16
/** Lines from this length on always are. */
const LONGEST = 32 * 2 ** 20

/**
 * The things in a file of an export: of one line each, or of the lists of one object. Without `diffs`, texts of diffs may be
 * missing.
 */
export async function* elementsOf(
  entry: ArchiveEntry,
  relation: string,
  reading: SourceReading,
  { diffs }: { diffs: boolean },
): AsyncGenerator<Element> {
  if (relation === '*') {
    yield* partsOf(entry, reading, diffs)
    return
  }
  if (relation === 'project') {
    const value = await readJson(entry, reading)
    if (value !== undefined) yield whole(value, entry.path)
    return
  }
  let number = 0
  try {
    for await (const line of linesOf(entry, reading)) {
      number++
      const place = { entry: entry.path, record: number }
      const value = parseJson(withNeeded(line, diffs), place, reading)
      // Git LFS has one list in a line.
      if (isObject(value)) {
        yield { relation, object: value, entry: entry.path, at: `line ${number}` }
      } else if (value !== undefined) {
        const error = new ArchiveError('json-damaged', 'expected an object in each line', place)
        reportLoss(error, place, reading)
      }
    }
  } catch (error) {
    reportLoss(error, { entry: entry.path }, reading)
  }
}

function whole(value: JsonValue, entry: string): Element {
  if (!isObject(value)) throw notAnObject(entry)
  return { relation: 'project', object: value, entry, at: '' }
}

function notAnObject(entry: string): ArchiveError {
  return new ArchiveError('source-damaged', 'the project is no object of JSON', { entry })
}

/** The project, and the elements of the lists in it. Lists without objects are members of the project. */
async function* partsOf(
  entry: ArchiveEntry,
  reading: SourceReading,
  diffs: boolean,
): AsyncGenerator<Element> {
  const withObjects = new Set<string>()
  const parked = await parkLists(entry, reading, {
    isParked: () => true,
    visit: (list, element) => {
      if (isObject(element)) withObjects.add(list)
    },
    cut: (json) => withNeeded(json, diffs),
  })
  if (!parked) throw notAnObject(entry.path)
  try {
    const plain = [...parked.lists]
      .filter(([relation]) => !withObjects.has(relation))
      .map(([relation, { length, get }]) => [relation, Array.from({ length }, (_, i) => get(i))])
    yield whole({ ...parked.rest, ...Object.fromEntries(plain) }, entry.path)
    for (const [relation, { length, get }] of parked.lists) {
      if (!withObjects.has(relation)) continue
      for (let i = 0; i < length; i++) {
        const object = get(i)
        const at = `${relation}[${i}]`
        if (isObject(object)) yield { relation, object, entry: entry.path, at }
      }
    }
  } finally {
    parked.close()
  }
}

/** The JSON of an element, without the texts of diffs if they make it long and are not needed. */
function withNeeded(json: Buffer, diffs: boolean): Buffer {
  const isCut =
    json.length > LONGEST || (json.length > LONG && !(diffs && json.includes('"DiffNote"')))
  return isCut ? withoutDiffs(json) : json
}

/** The lines of a file that are not empty. Throws `limit-record`. */
async function* linesOf(
  { path, content }: ArchiveEntry,
  { limits }: SourceReading,
): AsyncGenerator<Buffer> {
  const allowed = mostBytes(resolveLimits(limits))
  let parts: Buffer[] = []
  let length = 0
  for await (const piece of content) {
    const bytes = asBuffer(piece)
    let start = 0
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start)
      const part = bytes.subarray(start, end < 0 ? bytes.length : end)
      length += part.length
      if (length > allowed) {
        const message = `a line of more than ${allowed} bytes`
        throw new ArchiveError('limit-record', message, { entry: path }).over({ allowed })
      }
      // Pieces may be used again once the next one is asked for.
      if (end < 0) {
        if (part.length > 0) parts.push(Buffer.from(part))
        break
      }
      const line = parts.length === 0 ? part : Buffer.concat([...parts, part])
      parts = []
      length = 0
      start = end + 1
      if (line.length > 0) yield line
    }
  }
  if (length > 0) yield Buffer.concat(parts)
}

const NEWLINE = 0x0a
const [QUOTE, BACKSLASH] = [0x22, 0x5c]

const DIFF = Buffer.from('"utf8_diff":"')

/** A line of JSON in which the texts of diffs are empty. */
function withoutDiffs(line: Buffer): Buffer {
  const parts: Buffer[] = []
  let from = 0
  for (;;) {
    const found = line.indexOf(DIFF, from)
    if (found < 0) break
    const start = found + DIFF.length
    // In a text, the quotes would be escaped.
    if (line[found - 1] === BACKSLASH) {
      parts.push(line.subarray(from, start))
      from = start
      continue
    }
    let end = line.indexOf(QUOTE, start)
    while (end > 0 && isEscaped(line, end)) end = line.indexOf(QUOTE, end + 1)
    if (end < 0) break
    parts.push(line.subarray(from, start))
    from = end
  }
  return from === 0 ? line : Buffer.concat([...parts, line.subarray(from)])
}

function isEscaped(line: Buffer, at: number): boolean {
  let slashes = 0
  while (line[at - 1 - slashes] === BACKSLASH) slashes++
  return slashes % 2 === 1
}

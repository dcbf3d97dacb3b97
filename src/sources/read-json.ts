import type { ArchiveEntry } from '../archive/entry.ts'
import { isDamage } from '../archive/read-until-damaged.ts'
import { intactContent } from '../archive/salvage-entry.ts'
import { ArchiveError, type Place } from '../base/errors.ts'
import { type Limits, resolveLimits } from '../base/limits.ts'
import { collect } from '../base/streams.ts'
import type { JsonValue } from '../records/json/json.ts'
import type { SourceReading } from './source.ts'

/** A file of JSON may have as many bytes as this many of the largest records. */
const RECORDS = 16

/** The most bytes that are read whole. */
export const mostBytes = ({ record }: Pick<Limits, 'record'>): number => record * RECORDS

/** The content of a file that is read whole. Throws `limit-record`. */
export async function readWhole(
  { path, size, content }: ArchiveEntry,
  { limits }: Pick<SourceReading, 'limits'>,
): Promise<Buffer> {
  const allowed = mostBytes(resolveLimits(limits))
  if (size > allowed) {
    const message = `a file of ${size} bytes; at most ${allowed} are read`
    throw new ArchiveError('limit-record', message, { entry: path }).over({ allowed, found: size })
  }
  return collect(content)
}

/** An entry whose content ends before a damage if the rest is to be salvaged. */
export const intact = (
  entry: ArchiveEntry,
  { salvage = false }: Pick<SourceReading, 'salvage'>,
): ArchiveEntry => ({ ...entry, content: intactContent(entry.content, salvage).bytes })

/** The value of a file of JSON; undefined if it is damaged and the rest is to be salvaged. */
export async function readJson(
  entry: ArchiveEntry,
  reading: SourceReading,
): Promise<JsonValue | undefined> {
  const place = { entry: entry.path }
  try {
    return parseJson(await readWhole(entry, reading), place, reading)
  } catch (error) {
    reportLoss(error, place, reading)
    return undefined
  }
}

/**
 * Parses the JSON at a place; undefined if it is damaged and the rest is to be salvaged.
 *
 * @throws `json-damaged` or `limit-depth`
 */
export function parseJson(
  bytes: Buffer,
  place: Place,
  reading: Pick<SourceReading, 'limits' | 'report' | 'salvage'>,
): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(bytes.toString())
    const allowed = resolveLimits(reading.limits).depth
    if (hasMoreBrackets(bytes, allowed) && isDeeper(value, allowed)) {
      const message = `JSON nested more than ${allowed} levels deep`
      throw new ArchiveError('limit-depth', message, place).over({ allowed })
    }
    return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    // A record that is one line of a file is told by its number.
    const found = place.record ? error.message.replace(IN_LINE, '') : error.message
    const message = bytes.length === 0 ? 'the file is empty' : found
    reportLoss(damagedJson(message, place, error), place, reading)
    return undefined
  }
}

const IN_LINE = / \(line 1 column \d+\)$/

/** Reports what is lost by a damage if the rest is to be salvaged. Throws any other error. */
export function reportLoss(
  error: unknown,
  place: Place,
  { report, salvage }: Pick<SourceReading, 'report' | 'salvage'>,
): void {
  const isDamaged = error instanceof ArchiveError && error.code === 'json-damaged'
  if (!salvage || !(isDamaged || isDamage(error))) throw error
  report?.({ code: 'record-lost', place, message: error.message })
}

export const damagedJson = (message: string, place: Place, cause?: unknown): ArchiveError =>
  new ArchiveError('json-damaged', message, place, cause)

/** Whether JSON has more opening brackets than this, in texts too. One with fewer is not nested deeper. */
function hasMoreBrackets(json: Buffer, most: number): boolean {
  let count = 0
  for (const bracket of BRACKETS) {
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) {
      if (++count > most) return true
    }
  }
  return false
}

/** The bytes that open an object or a list. */
const BRACKETS = [...Buffer.from('{[')]

/** Whether a value is nested too deeply to be printed and stored. */
function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && isDeeper(inner, levels - 1)) return true
  }
  return false
}

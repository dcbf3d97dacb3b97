import { lastPart } from '../../base/text.ts'
import type { Database } from '../../database/database.ts'
import { eventType } from '../../interface/node-id.ts'
import { URL_SHAPES, urlPattern } from '../../rules/url-shapes.ts'
import { labelName } from '../names.ts'
import { FIRST_MADE, type madeNumber, numberAtEnd, pictureNumber } from '../numbers.ts'

/** SQL over the records of an attached database, which is called `source`. */

/** Kinds whose urls are looked at. */
export type Shaped = keyof typeof URL_SHAPES

/** Replaced by tests, to see what happens when two made numbers are the same. */
export type MakeNumber = typeof madeNumber

/** Defines what SQL cannot say itself. */
export function addIndexFunctions(index: Database, make: MakeNumber): void {
  const define = (name: string, work: (...values: never[]) => unknown) =>
    index.function(`marc_${name}`, { deterministic: true, directOnly: true }, work)
  // SQLite may evaluate a function before the condition that makes its argument a text.
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  define('made', (type: string, url: unknown) => make(type, text(url)))
  define(
    'part_number',
    (type: string, url: unknown) => numberAtEnd(text(url)) ?? make(type, text(url)),
  )
  define('event_type', (event: unknown) => eventType(text(event)))
  define('person_number', (kind: string, picture: unknown, url: unknown) => {
    return pictureNumber(kind, text(picture)) ?? make(kind, text(url))
  })
  define('last_part', (url: unknown) => lastPart(text(url)))
  define('is_bot', (url: unknown) => Number(text(url).endsWith('[bot]')))
  define('label_name', (url: unknown) => labelName(text(url)).toLowerCase())
  const patterns = new Map<string, RegExp>()
  define('has_shape', (kind: Shaped, url: unknown) => {
    const pattern = patterns.get(kind) ?? urlPattern(URL_SHAPES[kind])
    patterns.set(kind, pattern)
    return Number(typeof url === 'string' && url.length <= LONGEST_URL && pattern.test(url))
  })
}

const LONGEST_URL = 2048

/**
 * The number at the end of the url of a part of `parent`, such as `<thread>#event-7`, or one that is made of `type` and the
 * url; NULL if the url does not have the shape of its kind. A JavaScript function is called only where SQL alone cannot decide.
 */
export function partNumber(
  { kind, type, mark }: { kind: Shaped; type: string; mark: string },
  url: string,
  parent: string,
): string {
  const number = `CAST(substr(${url}, length(${parent}) + ${mark.length + 1}) AS INTEGER)`
  return `CASE WHEN ${parent} || '${mark}' || ${number} = ${url} AND ${number} BETWEEN 1 AND ${FIRST_MADE - 1}
    THEN ${number} WHEN marc_has_shape('${kind}', ${url}) THEN marc_part_number(${type}, ${url}) END`
}

/**
 * A subquery whose columns are computed once, even if the query around it names them several times: SQLite would otherwise
 * put their expressions in place of the names.
 */
export const computedOnce = (select: string): string => `(${select} LIMIT -1)`

/** Rowids that JavaScript can hold. Others are those of a crafted database. */
export const isSafe = (alias: string): string =>
  `${alias}.rowid BETWEEN -${Number.MAX_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`

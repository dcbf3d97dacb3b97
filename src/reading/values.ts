/** Values of columns, which may be of any type: an archive database is untrusted. */

/** A text; "" for anything else. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A text; null for anything else. */
export const asTextOrNull = (value: unknown): string | null =>
  typeof value === 'string' ? value : null

/** An integer; 0 for anything else. */
export const asInteger = (value: unknown): number => asIntegerOrNull(value) ?? 0

/** An integer; null for anything else. */
export const asIntegerOrNull = (value: unknown): number | null =>
  Number.isSafeInteger(value) ? (value as number) : null

/** Parses a column of JSON; undefined if it is none. */
export function parseJson(value: unknown): unknown {
  if (typeof value !== 'string') return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

/** The elements of a JSON array in a column; none if it is not an array. */
export function asList(value: unknown): unknown[] {
  const parsed = parseJson(value)
  return Array.isArray(parsed) ? parsed : []
}

/** The members of an object; none if it is not an object. */
export const asObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

/** The objects in a JSON array in a column. */
export const objectsOf = (json: unknown): Record<string, unknown>[] =>
  asList(json).filter(
    (item): item is Record<string, unknown> => item !== null && typeof item === 'object',
  )

/** The urls in a JSON array of a column. */
export const urlsOf = (json: unknown): string[] =>
  asList(json).filter((url): url is string => typeof url === 'string')

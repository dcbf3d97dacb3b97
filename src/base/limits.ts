import { aCount, type Shapes } from './check-arguments.ts'

/** Limits on archives. Each is a number or `Infinity`; exceeding one is an error `limit-…`. */
export interface Limits {
  /** Bytes of a path. */
  path: number
  /** Parts of a path. */
  parts: number
  /** Bytes of an extended header (long name, PAX); never more than 4 MiB. */
  header: number
  /** Members of the gzip data; GitHub writes one. */
  members: number
  /** Entries of an archive. */
  entries: number
  /** Decompressed bytes per compressed byte, after the first 64 MiB. */
  expansion: number
  /** Bytes of all entries together. */
  extracted: number
  /** Levels of nesting in a record; never more than 1,000, the limit of SQLite. */
  depth: number
  /** Bytes of a record's JSON. In a record with more than 10,000 names and values, each counts as 8 bytes at least. */
  record: number
}

/** SQLite reads JSON up to this depth: deeper records could be stored but not queried. */
export const DEEPEST = 1000

/** The limits of an archive whose reader sets no others. */
export const DEFAULT_LIMITS: Limits = {
  path: 4096,
  parts: 1024,
  header: 2 ** 20,
  members: 100_000,
  entries: 10_000_000,
  expansion: 1000,
  extracted: Number.POSITIVE_INFINITY,
  depth: 512,
  record: 16 * 2 ** 20,
}

export const LIMIT_SHAPES: Shapes<Limits> = {
  path: aCount,
  parts: aCount,
  header: aCount,
  members: aCount,
  entries: aCount,
  expansion: aCount,
  extracted: aCount,
  depth: aCount,
  record: aCount,
}

/** The limits that were given, and the default of each other one. */
export function resolveLimits(limits: Partial<Limits> = {}): Limits {
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined)
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(given) }
}

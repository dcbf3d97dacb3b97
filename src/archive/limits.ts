/** How much an archive may ask for. Each is a number or `Infinity`; passing one is an error `limit-…`. */
export interface Limits {
  /** Bytes of a path. */
  path: number
  /** Parts of a path. */
  parts: number
  /** Bytes of an extended header (long name, PAX). */
  header: number
  /** Entries of an archive. */
  entries: number
  /** Decompressed bytes for each compressed one, beyond the first 64 MiB. */
  expansion: number
  /** Levels of nesting in a record. */
  depth: number
  /** Bytes of one record's JSON. */
  record: number
}

export const DEFAULT_LIMITS: Limits = {
  path: 4096,
  parts: 1024,
  header: 2 ** 20,
  entries: 10_000_000,
  expansion: 1000,
  depth: 512,
  record: 64 * 2 ** 20,
}

export const resolveLimits = (limits: Partial<Limits> = {}): Limits => ({
  ...DEFAULT_LIMITS,
  ...limits,
})

import type { ErrorCode, ProblemCode } from './error-codes.ts'

export type { ErrorCode, ProblemCode }

/** Where a fault is: the archive, its entry, the record in the entry (from 1), the member of the record. */
export interface Place {
  /** The path or name of the archive, database or output. */
  archive?: string | undefined
  /** The form of a backup or export of another program, such as `a project export of GitLab`. */
  form?: string | undefined
  /** Path in the archive. */
  entry?: string | undefined
  /** Number of the record in the entry, from 1. */
  record?: number | undefined
  /** Name of the member of the record. */
  member?: string | undefined
}

/** A fault that does not stop the work. */
export interface Problem {
  /** The code of the fault. `PROBLEMS` says what was done about it. */
  code: ProblemCode
  /** Where it is. */
  place: Place
  /** A description of the fault, and of what was done about it. */
  message: string
  /** How many records have it, if several do; `place` is the first of them. */
  times?: number
  /** JSON that no table could hold. */
  content?: string
}

/** Receives each problem as it is found. */
export type Report = (problem: Problem) => void

/** A limit that was exceeded, in its own unit: bytes, levels, entries. */
export interface ExceededLimit {
  /** The limit. */
  allowed: number
  /** How much there is, or how much had been read when it was too much. Undefined if nobody counted. */
  found?: number
}

interface Facts {
  value?: string | undefined
  meant?: string | undefined
  limit?: ExceededLimit | undefined
}

/**
 * The one error that this package throws on bad input.
 *
 * @example
 * const isMissing = (error: unknown) =>
 *   error instanceof ArchiveError && error.code === 'archive-not-found'
 */
export class ArchiveError extends Error {
  /** Always `ArchiveError`. */
  override readonly name = 'ArchiveError'
  /** The code of the fault. `ERRORS` describes each. */
  readonly code: ErrorCode
  /** Where it is, as far as known. */
  readonly place: Place

  /** The name or word that is wrong, as it was given. */
  readonly value: string | undefined

  /** The name that was probably meant instead. */
  readonly meant: string | undefined

  /** The limit that was exceeded, of most errors whose code begins with `limit-`. */
  readonly limit: ExceededLimit | undefined

  constructor(
    code: ErrorCode,
    message: string,
    place: Place = {},
    cause?: unknown,
    facts: Facts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.place = place
    this.value = facts.value
    this.meant = facts.meant
    this.limit = facts.limit
  }

  /** The same error, with the name or word that is wrong, and the one that was probably meant. */
  about(value: string, meant?: string): ArchiveError {
    const facts = { ...this, value, meant }
    return new ArchiveError(this.code, this.message, this.place, this.cause, facts)
  }

  /** The same error, with the limit that was exceeded. */
  over(limit: ExceededLimit): ArchiveError {
    return new ArchiveError(this.code, this.message, this.place, this.cause, { ...this, limit })
  }

  /** The same error, its place completed by a caller. */
  at(outer: Place): ArchiveError {
    const place = { ...outer, ...this.place }
    return new ArchiveError(this.code, this.message, place, this.cause, this)
  }
}

/**
 * A place in words.
 *
 * @param place archive, form, entry, record and member, as far as known
 * @returns such as `export.tar.gz, issues_000012.json, record 7`; empty if nothing is known
 * @example
 * describePlace({ entry: 'issues_000012.json', record: 7 }) // 'issues_000012.json, record 7'
 */
export function describePlace({ archive, form, entry, record, member }: Place): string {
  const source = archive && form ? `${archive} (${form})` : (archive ?? form)
  const parts = [source, entry, record && `record ${record}`, member && `member ${member}`]
  return parts.filter(Boolean).join(', ')
}

/**
 * What an error of the system says, without its code, the call and the path, which may be that of a temporary file.
 *
 * @example
 * systemReason(new Error("EACCES: permission denied, open 'a.db'")) // 'permission denied'
 */
export const systemReason = (error: unknown): string =>
  (error as Error).message.replace(/^[A-Z][A-Z\d]+: (.*?), \w+(?: '.*)?$/s, '$1')

/**
 * The error to throw when work ends with an error. If the caller stopped the work, that is `interrupted`, since any other error
 * is only a consequence. Its place is the one given, not the entry that was being read.
 */
export function orInterrupted(
  error: unknown,
  signal: AbortSignal | undefined,
  place: Place = {},
): unknown {
  if (!signal?.aborted) return error
  const isKnown = error instanceof ArchiveError && error.code === 'interrupted'
  return new ArchiveError('interrupted', 'interrupted', place, isKnown ? error.cause : error)
}

/** Throws `interrupted` if the caller stopped the work. */
export function throwIfInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw orInterrupted(signal.reason, signal)
}

import type { ArchiveEntry, ReadOptions } from '../archive/entry.ts'
import { throwIfInterrupted } from '../base/errors.ts'
import type { SourceEntry } from './record-files.ts'
import type { Form, SourceOptions } from './source-options.ts'

/** A foreign source, which may be read more than once. */
export interface SourceInput {
  /** Its path, for messages. */
  readonly path: string
  /** Its files, with their whole paths. */
  entries(): AsyncIterable<ArchiveEntry>
  /** Notes the version of the program that made it, as a file of it says. */
  madeBy(version: string): void
}

/** How to read a foreign source. */
export type SourceReading = Pick<ReadOptions, 'limits' | 'report' | 'salvage' | 'signal'> & {
  /** Facts that it may not tell itself. */
  options: SourceOptions
  /** Whether record files have content. */
  prints: boolean
}

/** A form in which other programs keep what an archive holds. */
export interface Source {
  readonly form: Form
  /** Its name in the table of foreign sources. */
  readonly is: string
  /** How people get one, and what it holds, for help. */
  readonly holds: string
  /** How to get one again if a file of it is damaged or missing: the beginning of a sentence. */
  readonly again: string
  /** Options that mean something for it, beside those of all forms. */
  readonly options: readonly (keyof SourceOptions)[]
  /** Its files as the entries of a migration archive. */
  read(input: SourceInput, reading: SourceReading): AsyncGenerator<SourceEntry>
}

/** The entries, until the caller stops the work. */
export async function* uninterrupted(
  entries: AsyncIterable<ArchiveEntry>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ArchiveEntry> {
  for await (const entry of entries) {
    throwIfInterrupted(signal)
    yield entry
  }
}

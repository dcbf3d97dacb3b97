import { ArchiveError } from '../base/errors.ts'
import type { Library, Repository } from '../reading/library.ts'
import { nearestRepositoryName } from '../reading/names.ts'
import type { SearchIndexes } from '../tasks/search-indexes.ts'
import type { ProcessLimits } from '../work/process-limits.ts'

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>

/** What a call of a tool may use. */
export interface Asked {
  /** The databases as the caller may see them. */
  readonly library: Library
  /** The search indexes of the databases. */
  readonly indexes: SearchIndexes
  /** Bytes that the answer may have. */
  readonly bytes: number
  /** The most that a statement, a search or a blame may take. */
  readonly limits: ProcessLimits
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal
  /** Tells the client which part of long work is done, from 0 to 1. */
  progress(part: number, message: string): void
}

/** The answer of a tool. */
export interface Answer {
  /** One sentence of ours, without a word of the archive. */
  readonly summary: string
  readonly [member: string]: unknown
}

/** A tool as data. */
export interface Tool<Arguments = never> {
  readonly title: string
  /** What it gives, and when to use it. It does not depend on the databases. */
  readonly description: string
  /** Its arguments, each a JSON Schema, by name. */
  readonly input: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** The members of its answer in the same way. */
  readonly output: Readonly<Record<string, Schema>>
  /** It tells of whole databases: strangers may not use it. */
  readonly isPrivate?: true
  run(options: Arguments, asked: Asked): Answer | Promise<Answer>
}

export const defineTool = <Arguments>(tool: Tool<Arguments>): Tool<Arguments> => tool

/** The repository with a name. Throws `repository-not-found`. */
export function repositoryNamed(library: Library, name: string): Repository {
  const repository = library.repository(name)
  if (repository) return repository
  const names = library.repositories().map(({ fullName }) => fullName)
  const error = new ArchiveError('repository-not-found', 'there is no such repository')
  throw error.about(name, nearestRepositoryName(name, names))
}

import { readdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { closestMatch } from '../../base/closest-match.ts'
import type { ArchiveError, ErrorCode } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import { withoutEnding } from '../../files/safe-name.ts'
import { nearestPerson, nearestRepository } from '../../reading/databases/resolve-name.ts'
import { KINDS } from '../../records/kinds/kinds.ts'
import { placesOf } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { AdvisedError, shellWord } from '../command/usage-error.ts'
import { openLoaded } from './open-loaded.ts'

type Meant = (database: Database, text: string, error: ArchiveError) => string | undefined

const MEANT: Partial<Record<ErrorCode, Meant>> = {
  'repository-not-found': (database, typed) => nearestRepository(database, typed),
  'kind-not-found': (_, typed) =>
    closestMatch(typed, [...Object.keys(KINDS), ...Object.values(KINDS).map(({ type }) => type)]),
  'record-not-found': (database, typed) => nearestRecord(database, typed),
  'git-revision-not-found': (database, typed, { place }) =>
    nearestRevision(typed, names(database, REFS, place.entry ?? '')),
}

/**
 * Adds the name that was probably meant to an error, if there is one. `named` is the source on the command line, which is not
 * loaded for this.
 */
export async function suggestName(
  error: ArchiveError,
  named: unknown,
  io: Pick<Io, 'env'>,
): Promise<ArchiveError> {
  const find = MEANT[error.code]
  if (!find || error.value === undefined || typeof named !== 'string') return error
  const database = await openLoaded(named, io)
  if (!database) return error
  try {
    const meant = find(database, error.value, error)
    return meant === undefined ? error : new AdvisedError(error, `Did you mean ${meant}?`)
  } finally {
    database.close()
  }
}

/** Names in a folder that are compared with one that does not exist. */
const MOST_NAMES = 1_000

const isSourceMissing = ({ code }: ArchiveError) => /^(?:archive|database)-not-found$/.test(code)

/** Adds the file or folder that was probably meant to an error about a source that does not exist. */
export function suggestFile(error: ArchiveError): ArchiveError {
  const { archive } = error.place
  if (!isSourceMissing(error) || archive === undefined) return error
  const typed = basename(archive)
  // Names that share nothing but their ending are not close.
  const { length } = withoutEnding(typed)
  // One letter more or less says little about a short name.
  const meant = length < 3 ? undefined : closestMatch(typed, namesIn(dirname(archive)), length)
  if (meant === undefined || meant === typed) return error
  const path = archive.slice(0, archive.lastIndexOf(typed)) + meant
  return new AdvisedError(error, `Did you mean ${shellWord(path)}?`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).slice(0, MOST_NAMES)
  } catch {
    return []
  }
}

/** Positions of arguments that may name an existing file other than the source. */
const FILES: ReadonlySet<string> = new Set(['other', 'more', 'folder', 'directory', 'archives'])

/**
 * Adds the command line with its arguments in the right order to an error about a source that does not exist, if another
 * argument is a file: `marc search tea archive.db`. Or says that a word after the statement was taken for it.
 */
export function suggestOrder(
  error: ArchiveError,
  { name, usage, options }: { name: string; usage: string; options: Record<string, unknown> },
): ArchiveError {
  if (!isSourceMissing(error)) return error
  const [first, ...others] = placesOf(usage)
  const named = first ? [options[first.name]].flat() : []
  const source = named.find((each) => each === error.place.archive)
  if (typeof source !== 'string') return error
  const typed = others.filter((place) => !FILES.has(place.name))
  const words = typed.flatMap((place) => (options[place.name] ?? []) as string | string[])
  const found = words.find(isFile)
  if (found === undefined) {
    const [statement] = words
    return statement !== undefined && /^\s*(?:select|with)\s/i.test(source)
      ? new AdvisedError(error, `The last word is the statement: ${shellWord(statement)}`)
      : error
  }
  const ordered = [found, source, ...words.filter((word) => word !== found)]
  const line = ['marc', name, ...ordered.map(shellWord)].join(' ')
  return new AdvisedError(error, `Did you mean ${line}?`)
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
  } catch {
    return false // a statement is no path
  }
}

/** The ref that was probably meant, followed by the steps as typed, such as ~2; undefined if the ref exists. */
function nearestRevision(text: string, refs: readonly string[]): string | undefined {
  const [, name = '', steps = ''] = /^([^~^]*)(.*)$/s.exec(text) ?? []
  const meant = refs.includes(name) ? undefined : closestMatch(name, refs)
  return meant && meant + steps
}

/** The record in the repository that was probably meant, or the person. */
function nearestRecord(database: Database, text: string): string | undefined {
  if (text.includes('://')) return undefined
  const [, repository, rest = ''] = /^([^/]+\/[^#@]+)(.*)$/.exec(text) ?? []
  if (repository === undefined) return nearestPerson(database, text)
  const meant = nearestRepository(database, repository)
  return meant && meant + rest
}

const REFS = `SELECT DISTINCT replace(replace(replace(name, 'refs/heads/', ''), 'refs/tags/', ''), 'refs/', '')
FROM refs WHERE repository = ? AND typeof(name) = 'text'`

const names = (database: Database, sql: string, ...values: string[]): string[] =>
  database
    .prepare<string[], string>(sql)
    .pluck()
    .all(...values)

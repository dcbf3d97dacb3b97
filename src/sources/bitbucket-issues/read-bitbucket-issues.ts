import { basename, dirname, resolve } from 'node:path'
import type { ArchiveEntry } from '../../archive/entry.ts'
import { roleOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import { headOf } from '../../base/streams.ts'
import { repositoryName } from '../file-name.ts'
import { findGivenClone } from '../given-clone.ts'
import { keptParts } from '../known-parts.ts'
import { collectPeople } from '../people.ts'
import { PICTURE_HEAD } from '../picture-type.ts'
import { intact } from '../read-json.ts'
import { fileEntry, fillRecordFiles, type SourceEntry } from '../record-files.ts'
import { type SourceInput, type SourceReading, uninterrupted } from '../source.ts'
import type { SourceOptions } from '../source-options.ts'
import { collectProblems } from '../source-problems.ts'
import { addIssues } from './issues.ts'
import { type Lists, readLists } from './lists.ts'
import { HOST, Tracker } from './tracker.ts'

const DATABASE = /^((?:[^/]+\/)?)db-(\d+\.\d+)\.json$/

/** The versions that are known, the one that says most first. */
const VERSIONS = ['2.0', '1.0']

interface Found {
  /** The folder around everything, with a slash, or nothing. */
  top: string
  version: string
  entry: string
  lists: Lists
}

/** Reads issues that Bitbucket Cloud exported. A first pass finds the file of issues and the attachments, a second one carries these. */
export async function* readBitbucketIssues(
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const { found, files } = await survey(input, reading)
  try {
    yield* readFound(found, files, input, reading)
  } finally {
    found.lists.close()
  }
}

async function* readFound(
  { entry, top, lists }: Found,
  files: ReadonlyMap<string, Buffer>,
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const problems = collectProblems(reading.report)
  const date = new Date(lists.latest || 0)
  const records = fillRecordFiles(date, keptParts(reading, problems), reading.prints)
  const { isGuessed, ...name } = repositoryNameOf(lists, input.path, reading.options)
  const people = collectPeople(name.host)
  const isPrivate = reading.options.visibility !== 'public'
  const making = { people, files: records, problems, date, isPrivate }
  const tracker = new Tracker(name, making, lists.names, lists.milestones, reading.options)
  if (isGuessed) {
    const reason = 'the export does not say whose issues these are'
    tracker.problem('source-name-guessed', reason, entry)
  }
  for (const { reason, at } of lists.strays()) {
    tracker.problem('source-left-out', reason, entry, at)
  }
  yield fileEntry('schema.json', [Buffer.from('{"version":"1.0.1"}')], date)
  const moved = new Map<string, string>()
  for (const [source, path] of addIssues(tracker, lists, { entry, top, files })) {
    if (source !== undefined) moved.set(source, path)
    yield* records.take()
  }
  const given = await findGivenClone(reading, false)
  const clone = tracker.clone('repository', given?.hasWorkTree)
  if (given) yield* given.carryTo(clone)
  const branch = clone.branch() ?? 'main'
  lists.names.describe(people)
  tracker.finish(entry, branch, Object.keys(lists.rest).length > 0 ? lists.rest : undefined)
  for (const [kind, record] of people.records()) records.add(kind, record)
  yield* records.take(true)
  for await (const file of uninterrupted(input.entries(), reading.signal)) {
    if (file.path.endsWith('/') || DATABASE.test(file.path)) continue
    const path = moved.get(file.path)
    if (path !== undefined) {
      // The first of several with one name is the attachment.
      moved.delete(file.path)
      yield { ...file, path, header: undefined }
    } else if (roleOf(file.path).role === 'unknown') yield { ...file, header: undefined }
    else tracker.problem('source-left-out', 'files with names of an archive', file.path)
  }
  yield* clone.finish(branch)
  problems.finish()
}

async function survey(input: SourceInput, reading: SourceReading) {
  /** The first bytes of the files beside the one of issues. */
  const files = new Map<string, Buffer>()
  let found: Found | undefined
  let other: string | undefined
  for await (const entry of uninterrupted(input.entries(), reading.signal)) {
    if (entry.path.endsWith('/')) continue
    const [, top = '', version = ''] = DATABASE.exec(entry.path) ?? []
    if (version === '') {
      if (!files.has(entry.path)) {
        const { content } = intact(entry, reading)
        files.set(entry.path, Buffer.from(await headOf(content, PICTURE_HEAD)))
      }
    } else if (!VERSIONS.includes(version)) other = entry.path
    else if (!found || VERSIONS.indexOf(version) < VERSIONS.indexOf(found.version)) {
      found?.lists.close()
      found = { top, version, entry: entry.path, lists: await listsIn(entry, reading) }
    }
  }
  if (found) return { found, files }
  if (other === undefined) {
    const message =
      'expected a file db-1.0.json or db-2.0.json, whose name says its version, found none'
    throw new ArchiveError('source-damaged', message)
  }
  const message = `its version is unknown; ${VERSIONS.join(' and ')} are read`
  throw new ArchiveError('source-unsupported', message, { entry: other })
}

async function listsIn(entry: ArchiveEntry, reading: SourceReading): Promise<Lists> {
  const lists = await readLists(entry, reading)
  if (lists) return lists
  throw new ArchiveError('source-damaged', 'there is no list of issues in it', {
    entry: entry.path,
  })
}

/** The name of the repository: as given, as an address in the log has it, or a guess from the name of the file. */
function repositoryNameOf({ repository }: Lists, path: string, options: SourceOptions) {
  const host = options.hostUrl ?? HOST
  const [owner = '', name = ''] = options.repoName?.split('/') ?? repository ?? []
  if (name !== '') return { host, owner, name, isGuessed: false }
  const whole = resolve(path)
  const file = basename(DATABASE.test(basename(whole)) ? dirname(whole) : whole)
  const guess = file.replace(/(?:\.zip|\.tar(?:\.gz)?|\.tgz)$/i, '').replace(/[-_ ]?issues$/i, '')
  return { host, owner: 'bitbucket', name: repositoryName(guess), isGuessed: true }
}

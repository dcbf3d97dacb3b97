import { basename, dirname, resolve } from 'node:path'
import type { ArchiveEntry } from '../../archive/entry.ts'
import { roleOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import { headOf } from '../../base/streams.ts'
import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { collectPeople } from '../people.ts'
import { PICTURE_HEAD } from '../picture-type.ts'
import { parseJson, readWhole } from '../read-json.ts'
import { fileEntry, fillRecordFiles } from '../record-files.ts'
import { type SourceInput, type SourceReading, uninterrupted } from '../source.ts'
import type { SourceOptions } from '../source-options.ts'
import { collectProblems } from '../source-problems.ts'
import { addIssues } from './issues.ts'
import { LISTS, latestOf, listsOf } from './lists.ts'
import { nameEverybody } from './people.ts'
import { HOST, Tracker } from './tracker.ts'

const DATABASE = /^((?:[^/]+\/)?)db-(\d+\.\d+)\.json$/

/** The versions that are known, the one that says most first. */
const VERSIONS = ['2.0', '1.0']

interface Found {
  /** The folder around everything, with a slash, or nothing. */
  top: string
  version: string
  entry: string
  bytes: Buffer
}

/** Reads issues that Bitbucket Cloud exported. A first pass finds the file of issues and the attachments, a second one carries these. */
export async function* readBitbucketIssues(
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<ArchiveEntry> {
  const { found, files } = await survey(input, reading)
  const { entry, top } = found
  const place = { entry }
  const value = parseJson(found.bytes, place, { ...reading, salvage: false })
  if (!isObject(value) || !Array.isArray(value.issues)) {
    const message = `${input.is}, but ${basename(entry)} holds no list of issues`
    throw new ArchiveError('source-damaged', message, place)
  }
  const lists = listsOf(value)
  const problems = collectProblems(reading.report)
  const newest = latestOf(lists)
  const date = new Date(newest || 0)
  const records = fillRecordFiles(date)
  const { isGuessed, ...name } = nameOf(lists.logs, input.path, reading.options)
  const people = collectPeople(name.host)
  const isPrivate = reading.options.visibility !== 'public'
  const names = nameEverybody([
    ...lists.issues.flatMap(({ reporter, assignee }) => [reporter, assignee]),
    ...[...lists.comments, ...lists.logs, ...lists.attachments].map(({ user }) => user),
  ])
  const tracker = new Tracker(
    name,
    { people, files: records, problems, date, isPrivate },
    names,
    lists.milestones.flatMap((milestone) =>
      typeof milestone.name === 'string' ? [milestone.name] : [],
    ),
  )
  if (isGuessed) {
    const reason = 'the export does not say whose issues these are'
    tracker.problem('source-name-guessed', reason, entry)
  }
  for (const [list, others] of lists.others) {
    for (const other of others) {
      const reason = `elements of ${list} that are no objects`
      tracker.problem('source-left-out', reason, entry, JSON.stringify(other).slice(0, 40))
    }
  }
  yield fileEntry('schema.json', [Buffer.from('{"version":"1.0.1"}')], date)
  const moved = new Map<string, string>()
  for (const [source, path] of addIssues(tracker, lists, { entry, top, files })) {
    if (source !== undefined) moved.set(source, path)
    yield* records.take()
  }
  names.describe(people)
  const known: ReadonlySet<string> = new Set(LISTS)
  const others = Object.entries(value).filter(([name]) => !known.has(name))
  tracker.finish(entry, others.length > 0 ? Object.fromEntries(others) : undefined)
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
  yield* tracker.clone('repository').finish('main')
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
        files.set(entry.path, Buffer.from(await headOf(entry.content, PICTURE_HEAD)))
      }
    } else if (!VERSIONS.includes(version)) other = entry.path
    else if (!found || VERSIONS.indexOf(version) < VERSIONS.indexOf(found.version)) {
      found = { top, version, entry: entry.path, bytes: await readWhole(entry, reading) }
    }
  }
  if (found) return { found, files }
  const message = `${input.is} of an unknown version; ${VERSIONS.join(' and ')} are read`
  throw new ArchiveError('source-unsupported', message, { entry: other })
}

const UPLOADED = /^\/([^/\s]+)\/([^/\s]+)\/issue-attachment\//

/** The name of the repository: as given, as an address in the log has it, or a guess from the name of the file. */
function nameOf(logs: readonly JsonObject[], path: string, options: SourceOptions) {
  const host = options.hostUrl ?? HOST
  const [given = '', name = ''] = options.repoName?.split('/') ?? []
  if (name !== '') return { host, owner: given, name, isGuessed: false }
  for (const { field, changed_from: from } of logs) {
    const parts = field === 'attachment' && typeof from === 'string' && UPLOADED.exec(from)
    if (parts && isName(parts[1]) && isName(parts[2])) {
      return { host, owner: parts[1] as string, name: parts[2] as string, isGuessed: false }
    }
  }
  const whole = resolve(path)
  const file = basename(DATABASE.test(basename(whole)) ? dirname(whole) : whole)
  const guess = file.replace(/(?:\.zip|\.tar(?:\.gz)?|\.tgz)$/i, '').replace(/[-_ ]?issues$/i, '')
  return { host, owner: 'bitbucket', name: asName(guess), isGuessed: true }
}

const isName = (name: string | undefined) => name !== undefined && asName(name) === name

/** A text as the name of a repository. */
const asName = (text: string): string =>
  text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+|(?<!-)-+$/g, '') || 'repository'

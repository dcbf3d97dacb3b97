import { roleOf } from '../../archive/entry-role.ts'
import { ArchiveError } from '../../base/errors.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { findGivenClone } from '../given-clone.ts'
import { keptParts } from '../known-parts.ts'
import { collectPeople, type People } from '../people.ts'
import { intact, readJson, readWhole } from '../read-json.ts'
import { fileEntry, fillRecordFiles, type RecordFiles, type SourceEntry } from '../record-files.ts'
import { type SourceInput, type SourceReading, uninterrupted } from '../source.ts'
import { collectProblems } from '../source-problems.ts'
import { addDiscussion } from './discussions.ts'
import { gitPathOf } from './git-path.ts'
import { type BackupPath, type BackupRole, isGit, placeOf, unwrapThread } from './layout.ts'
import { failedUploads, strayMembers, threadOf, withoutRecord } from './named-files.ts'
import { addRelease, assetPath } from './releases.ts'
import { Repository } from './repository.ts'
import { settleNames } from './settle-names.ts'
import { type Survey, startSurvey, surveyFile, THREADS } from './survey.ts'
import { NAME_OF_FILE } from './thread.ts'
import { addIssue, addPull } from './threads.ts'
import { webhooksOf } from './webhooks.ts'

/** Files of these roles hold JSON that records are made of. */
const READ: ReadonlySet<BackupRole> = new Set([
  'issue',
  'pull',
  'discussion',
  'milestone',
  'release',
  'manifest',
  'advisory',
  'labels',
  'hooks',
  'failures',
])

/** Those among them that tell nothing before records are made. */
const NOT_SURVEYED: ReadonlySet<BackupRole> = new Set(['hooks', 'advisory', 'failures'])

/**
 * Reads a folder that python-github-backup wrote. A first pass finds out the names of repositories, a second one makes the
 * records.
 */
export async function* readGithubBackup(
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const { report, signal } = reading
  const survey = await surveyBackup(input, reading)
  const guessed = settleNames(survey, reading.options, input.path)
  const problems = collectProblems(report)
  const date = new Date(survey.newest || 0)
  const files = fillRecordFiles(date, keptParts(reading, problems), reading.prints)
  const isPrivate = reading.options.visibility !== 'public'
  const hosts = new Map<string, People>()
  const repositories = new Map<string, Repository>()
  for (const [folder, facts] of survey.repositories) {
    if (!facts.isFilled) continue
    const people = hosts.get(facts.host) ?? collectPeople(facts.host)
    hosts.set(facts.host, people)
    const known = [...repositories.values()].find(({ url }) => url === urlOf(facts))
    const made = known ?? new Repository(facts, { people, files, problems, date, isPrivate })
    repositories.set(folder, made)
    if (guessed.has(folder))
      made.problem(
        'source-name-guessed',
        'nothing says whose repository it is',
        folder || facts.name,
      )
  }
  if (repositories.size === 0) {
    const message = 'there are no issues, pull requests or repositories in it'
    throw new ArchiveError('source-damaged', message, { archive: input.path })
  }
  const [only, ...others] = new Set(repositories.values())
  const hasClones = [...repositories.values()].some(({ facts }) => facts.clones.has('repository'))
  if (reading.options.repoGit !== undefined && others.length > 0) {
    const message = 'repoGit: the source has several repositories, and a clone belongs to one'
    throw new ArchiveError('option-invalid', message).about('repoGit')
  }
  const given = await findGivenClone(reading, hasClones)
  if (given) only?.facts.clones.set('repository', given.hasWorkTree)
  const shared = new Set<string>()
  yield fileEntry('schema.json', [Buffer.from('{"version":"1.0.1"}')], date)
  for await (const entry of uninterrupted(input.entries(), signal)) {
    if (entry.path.endsWith('/')) continue
    const place = placeOf(entry.path)
    const repository = repositories.get(place.folder)
    if (place.role === 'state') continue
    if (repository === undefined && place.folder !== '') {
      const reason = 'files of a repository whose name nobody tells'
      problems.add('source-left-out', reason, entry.path)
    } else if (repository && place.role === 'git') {
      const { part, hasWorkTree, path } = gitPathOf(place.inner)
      const known = repository.facts.clones.get(part)
      if (known === undefined && path !== '') {
        repository.problem('source-left-out', 'files of a clone without HEAD', entry.path)
      }
      // Files beside `.git` are a checkout of what Git has.
      if (path !== '' && known !== hasWorkTree) continue
      const carried = await repository.clone(part).add(entry, path)
      // Several repositories may have the same file of Git LFS.
      if (carried && !shared.has(carried.path)) yield carried
      if (carried && roleOf(carried.path).role === 'lfs') shared.add(carried.path)
    } else if (repository && filePath(repository, place) !== undefined) {
      yield { ...entry, path: filePath(repository, place) as string, header: undefined }
    } else if (isGit(entry.path)) {
      problems.add('source-left-out', 'Git data that belong to no repository', entry.path)
    } else if (repository === undefined || !READ.has(place.role)) {
      const { inner } = place
      const path = place.isAlone ? `repositories/${repository?.facts.name}/${inner}` : entry.path
      if (roleOf(path).role === 'unknown') yield { ...entry, path, header: undefined }
      else problems.add('source-left-out', 'files with names of an archive', entry.path)
    } else {
      const value = await readJson(entry, reading)
      if (value !== undefined) addFile(repository, place, value, entry.path)
      yield* files.take()
    }
  }
  if (given && only) yield* given.carryTo(only.clone('repository'))
  for (const repository of new Set(repositories.values())) yield* repository.finish()
  addPeople(hosts.values(), files)
  yield* files.take(true)
  problems.finish()
}

/** The path in the archive of a file that a record names. */
function filePath(repository: Repository, { role, inner }: BackupPath): string | undefined {
  const { uploads, assets, threads } = repository.facts
  if (role === 'asset' && assets.has(inner)) {
    const [, folder = '', name = ''] = inner.split('/')
    return assetPath(repository, folder, name)
  }
  // Without its thread, a file has no record.
  return role === 'upload' && threads.has(threadOf(inner))
    ? uploads.files.get(inner)?.path
    : undefined
}

const urlOf = ({ host, owner, name }: { host: string; owner: string; name: string }) =>
  `${host}/${owner}/${name}`

async function surveyBackup(input: SourceInput, reading: SourceReading): Promise<Survey> {
  const survey = startSurvey()
  for await (const entry of uninterrupted(input.entries(), reading.signal)) {
    if (entry.path.endsWith('/')) continue
    const place = placeOf(entry.path)
    const isConfig = place.role === 'git' && gitPathOf(place.inner).path === 'config'
    const tells = (READ.has(place.role) && !NOT_SURVEYED.has(place.role)) || isConfig
    surveyFile(survey, place, tells ? await readWhole(intact(entry, reading), reading) : undefined)
  }
  return survey
}

/** What every thread tells, at least in part. */
const TOLD = ['title', 'html_url', 'url', 'created_at', 'createdAt']

/** Adds the records of one file. */
function addFile(repository: Repository, place: BackupPath, value: JsonValue, entry: string): void {
  const number = place.number ?? 0
  const isList = place.role === 'labels' || place.role === 'hooks'
  if (isList ? !Array.isArray(value) : !isObject(value)) {
    const expected = isList ? 'a list' : 'an object'
    repository.problem('source-left-out', `files of JSON that is not ${expected}`, entry)
    return
  }
  const object = unwrapThread(value) as JsonObject
  if (THREADS.has(place.role) && !TOLD.some((name) => typeof object[name] === 'string')) {
    // Such as an error of the host, saved in place of the thread.
    repository.problem('source-incomplete', 'files of threads hold none', entry)
    return
  }
  switch (place.role) {
    case 'issue':
      // The backup has the same pull request with its branches.
      if (isObject(object.pull_request) && repository.facts.threads.has(`pulls/${number}`)) {
        const reason = 'pull requests that were saved as issues too'
        repository.problem('source-left-out', reason, entry)
      } else addIssue(repository, number, object, entry)
      break
    case 'pull':
      addPull(repository, number, object, entry)
      break
    case 'discussion':
      addDiscussion(repository, number, object, entry)
      break
    case 'release':
      addRelease(repository, object, {
        entry,
        folder: place.inner.slice('releases/'.length, -'.json'.length),
      })
      break
    case 'manifest':
      addManifest(repository, object, place, entry)
      break
    case 'failures':
      addFailures(repository, object, entry)
      break
    case 'advisory':
      addAdvisory(repository, object, entry)
      break
    case 'milestone':
      repository.compare(repository.members(object, entry), 'number', number, NAME_OF_FILE, entry)
      repository.milestones.urlOf({ ...object, number }, entry, '')
      break
    case 'labels':
      for (const [i, label] of (value as JsonValue[]).entries()) {
        const url = repository.labels.urlOf(label, entry, `[${i}]`, null)
        if (url === undefined)
          repository.problem('source-left-out', 'labels without a name', entry, `[${i}]`)
      }
      break
    default:
      repository.webhooks.push(...webhooksOf(repository, value as JsonValue[], entry))
  }
}

/** Counts what a list of uploads says that no record has. */
function addManifest(
  repository: Repository,
  manifest: JsonObject,
  { inner }: BackupPath,
  entry: string,
): void {
  for (const error of failedUploads(manifest)) {
    repository.problem('source-incomplete', 'uploads could not be saved', entry, error)
  }
  for (const name of withoutRecord(repository.facts.uploads, inner, manifest)) {
    const reason = 'uploads of discussions, or shown by another thread, are kept as files'
    repository.problem('source-left-out', reason, entry, name)
  }
  for (const at of strayMembers(manifest)) {
    const reason = 'members of lists of uploads that records have no place for'
    repository.problem('source-left-out', reason, entry, at)
  }
}

/** Counts what github-metadata-backup says of its own work: the threads that it could not save. */
function addFailures(repository: Repository, state: JsonObject, entry: string): void {
  const { version: _, last_backup: __, failed_issues, failed_pulls, ...others } = state
  for (const [name, numbers] of Object.entries({ failed_issues, failed_pulls })) {
    for (const failed of Array.isArray(numbers) ? numbers : []) {
      const reason = 'the backup could not save issues or pull requests'
      const at = `${name} ${String(failed).slice(0, 20)}`
      repository.problem('source-incomplete', reason, entry, at)
    }
  }
  for (const name of Object.keys(others)) {
    const reason = 'members of the state of the backup that records have no place for'
    repository.problem('source-left-out', reason, entry, name)
  }
}

/** Adds a security advisory, whole: archives have no such kind. */
function addAdvisory(repository: Repository, object: JsonObject, entry: string): void {
  const members = repository.members(object, entry)
  const page = members.text('html_url')
  const url = page ?? `${repository.url}/security/advisories/${entry.replace(/^.*\/|\.json$/g, '')}`
  repository.addWhole('security_advisories', { type: 'security_advisory', url }, members)
}

function addPeople(hosts: Iterable<People>, files: RecordFiles): void {
  for (const people of hosts) {
    for (const [kind, record] of people.records()) files.add(kind, record)
  }
}

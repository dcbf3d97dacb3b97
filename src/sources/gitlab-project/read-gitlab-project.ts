import { basename, resolve } from 'node:path'
import type { ArchiveEntry } from '../../archive/entry.ts'
import { roleOf } from '../../archive/entry-role.ts'
import { salvageEntry } from '../../archive/salvage-entry.ts'
import { ArchiveError } from '../../base/errors.ts'
import { repositoryName } from '../file-name.ts'
import { findGivenClone } from '../given-clone.ts'
import { keptParts } from '../known-parts.ts'
import { collectPeople } from '../people.ts'
import { readWhole } from '../read-json.ts'
import { fileEntry, fillRecordFiles, type SourceEntry } from '../record-files.ts'
import { type SourceInput, type SourceReading, uninterrupted } from '../source.ts'
import type { SourceOptions } from '../source-options.ts'
import { collectProblems } from '../source-problems.ts'
import { elementsOf, innerOf, relationOf } from './elements.ts'
import { Project } from './project.ts'
import { addElement } from './relations.ts'
import { bundleIn, closeBundles, type Survey, surveyExport, uploadIn } from './survey.ts'

/** The host, if nothing says which one it is. */
const HOST = 'https://gitlab.com'

/** Visible to everybody. */
const PUBLIC = 20

/** Reads a project export of GitLab: once for what must be known before, once for records, and once for files. */
export async function* readGitlabProject(
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const survey = await surveyExport(input, reading)
  try {
    checkSurvey(survey, input, reading)
    input.madeBy(survey.program)
    yield* readSurveyed(survey, input, reading)
  } finally {
    closeBundles(survey)
  }
}

async function* readSurveyed(
  survey: Survey,
  input: SourceInput,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const { report, signal, options } = reading
  const problems = collectProblems(report)
  const date = new Date(survey.newest || 0)
  const files = fillRecordFiles(date, keptParts(reading, problems), reading.prints)
  const { isGuessed, ...name } = projectNameOf(survey, input.path, options)
  const people = collectPeople(name.host)
  const level = survey.project?.visibility_level
  const isOpen = typeof level === 'number' ? level === PUBLIC : options.visibility === 'public'
  // With --visibility public, confidential records are left out.
  const leavesOut = isOpen && options.visibility === 'public'
  const isPrivate = !isOpen || (survey.hasConfidential && !leavesOut)
  const making = { people, files, problems, date, isPrivate }
  const project = new Project(name, making, survey, leavesOut, options)
  const entry = `${survey.top}tree/project.json`
  if (isGuessed) {
    project.problem('source-name-guessed', 'the export does not say its name', basename(input.path))
  }
  const renumbered = project.renumbering()
  if (renumbered !== undefined) project.problem('source-renumbered', renumbered, entry)
  if (isPrivate && isOpen) {
    const reason = 'it is private, because some of it is confidential'
    project.problem('source-made', reason, entry)
  }
  yield fileEntry('schema.json', [Buffer.from('{"version":"1.0.1"}')], date)
  for await (const file of uninterrupted(input.entries(), signal)) {
    const relation = file.path.endsWith('/') ? undefined : relationOf(file.path)
    if (relation === undefined) continue
    for await (const element of elementsOf(file, relation, reading, { diffs: true })) {
      addElement(project, element)
      yield* files.take()
    }
  }
  let branch: string | undefined
  for await (const file of uninterrupted(input.entries(), signal)) {
    const isPart = file.path.endsWith('/') || relationOf(file.path) !== undefined
    if (isPart || VERSIONS.has(innerOf(file.path, survey.top))) continue
    const part = bundleIn(file.path)
    const bundle = part && survey.bundles.get(part)
    if (bundle) {
      const head = yield* bundle.files({
        folder: project.gitFolder(part),
        date,
        branches: part === 'wiki' ? ['master', 'main'] : ['main', 'master'],
        pull: project.pullNumber,
        leaveOut: (reason) => project.problem('source-left-out', reason, file.path),
      })
      if (part === 'repository') branch = head
    } else yield* carry(file, project, reading)
  }
  const given = await findGivenClone(reading, survey.bundles.has('repository'))
  if (given) {
    const clone = project.clone('repository', given.hasWorkTree)
    yield* given.carryTo(clone)
    branch = clone.branch()
    yield* clone.finish('main')
  } else if (!survey.bundles.has('repository')) {
    const reason = 'there is no readable project.bundle; an empty repository was made'
    project.problem('source-made', reason, basename(input.path))
    yield* project.clone('repository').finish('main')
  }
  project.finish(branch ?? 'main', isPrivate)
  const unnamed = survey.accounts.describe(people)
  if (unnamed > 0) {
    const who = unnamed === 1 ? '1 person is' : `${unnamed} people are`
    const reason = `${who} known by number only; marc map --users gives logins`
    project.problem('source-made', reason, entry)
  }
  for (const [kind, record] of people.records()) files.add(kind, record)
  yield* files.take(true)
  problems.finish()
}

const VERSIONS = new Set(['VERSION', 'GITLAB_VERSION', 'GITLAB_REVISION'])

function checkSurvey(survey: Survey, { path }: SourceInput, reading: SourceReading): void {
  const { version, project, highest, bundles } = survey
  const place = { archive: path }
  if (version !== '' && !/^0\.[1-3]\.\d+$/.test(version)) {
    const message = `its version is ${version.slice(0, 20)}; 0.1 to 0.3 are read`
    throw new ArchiveError('source-unsupported', message, place)
  }
  if (project === undefined) {
    const message = 'there is no readable tree/project.json in it'
    if (!reading.salvage) throw new ArchiveError('source-damaged', message, place)
    reading.report?.({ code: 'record-lost', place: {}, message })
  }
  if (highest.issues + highest.merge_requests === 0 && !bundles.has('repository')) {
    const message = 'there are no issues, merge requests and code in it'
    throw new ArchiveError('source-damaged', message, place)
  }
}

const EXPORTED = /^\d{4}-\d\d-\d\d_\d\d-\d\d-\d+_(.+?)_export(?:\.tar(?:\.gz)?|\.tgz)?$/

/** The name of the repository: as given, as most links in notes have it, or a guess from the name of the file. */
function projectNameOf({ paths }: Survey, source: string, options: SourceOptions) {
  const host = options.hostUrl ?? HOST
  const told = [...paths]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .find(([path]) => isPath(path))?.[0]
  if (options.repoName !== undefined) {
    const [owner = '', name = ''] = options.repoName.split('/')
    return { host, owner, name, path: told ?? options.repoName, isGuessed: false }
  }
  const file = basename(resolve(source))
  const [, inFile] = EXPORTED.exec(file) ?? []
  const guess = inFile?.replaceAll('_', '/') ?? file.replace(/\.(?:tar(?:\.gz)?|tgz|zip)$/i, '')
  const path = told ?? guess
  const parts = path.split('/').map(repositoryName)
  const name = parts.pop() as string
  return { host, owner: parts.join('-') || 'gitlab', name, path, isGuessed: told === undefined }
}

const isPath = (path: string) => path.length < 300 && /^[\w.-]+(?:\/[\w.-]+)+$/.test(path)

/** Carries a file that holds no records: an upload to the places where it is shown, others as they are. */
async function* carry(
  file: ArchiveEntry,
  project: Project,
  reading: SourceReading,
): AsyncGenerator<SourceEntry> {
  const { survey, uploads } = project
  const inner = innerOf(file.path, survey.top)
  const upload = uploadIn(file.path)
  const places = upload === undefined ? [] : (uploads.moved.get(upload) ?? [])
  if (upload !== undefined) uploads.moved.delete(upload)
  if (upload !== undefined && places.length === 0 && project.hidesUploads()) {
    project.problem('source-left-out', 'uploads that only confidential texts may show', file.path)
    return
  }
  const [first] = places
  if (first !== undefined && places.length === 1) {
    yield { ...file, path: first, header: undefined }
  } else if (places.length > 1) {
    const content: Buffer[] = []
    const read = async (entry: ArchiveEntry) => {
      content.push(await readWhole(entry, reading))
    }
    const { salvage, report } = reading
    await (salvage && report ? salvageEntry(file, report, read) : read(file))
    for (const path of content.length > 0 ? places : []) {
      yield fileEntry(path, content, file.modifiedAt)
    }
  } else if (/^lfs-objects\/[0-9a-f]{64}$/.test(inner)) {
    const oid = inner.slice('lfs-objects/'.length)
    const path = `git-lfs/${oid.slice(0, 2)}/${oid.slice(2, 4)}/${oid}`
    yield { ...file, path, header: undefined }
  } else if (roleOf(inner).role === 'unknown') yield { ...file, path: inner, header: undefined }
  else {
    project.problem('source-left-out', 'files with names of an archive', file.path)
    for await (const _ of file.content);
  }
}

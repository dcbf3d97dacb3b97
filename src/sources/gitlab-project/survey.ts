import type { ArchiveEntry } from '../../archive/entry.ts'
import { isDamage } from '../../archive/read-until-damaged.ts'
import { ArchiveError } from '../../base/errors.ts'
import { headOf } from '../../base/streams.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { timeOf } from '../members.ts'
import { PICTURE_HEAD } from '../picture-type.ts'
import { intact } from '../read-json.ts'
import { type SourceInput, type SourceReading, uninterrupted } from '../source.ts'
import type { GitPart } from '../source-repository.ts'
import { type Bundle, openBundle } from './bundle.ts'
import { elementsOf, relationOf } from './elements.ts'
import { Accounts, isId } from './people.ts'

/** The facts of an export that must be known before its records are made. */
export interface Survey {
  /** The folder around everything, with a slash, or nothing. */
  top: string
  /** Version of the form, such as `0.2.4`. */
  version: string
  /** Version of the program that made it. */
  program: string
  project: JsonObject | undefined
  accounts: Accounts
  /** How often a text tells this path of the project. */
  paths: Map<string, number>
  /** The highest numbers of issues and merge requests; 0 without any. */
  highest: { issues: number; merge_requests: number }
  hasConfidential: boolean
  /** Milestones by `keyOf`, and the highest number of those of the project. */
  milestones: Map<string, { created: string; title: string; iid: number | undefined }>
  /** Labels as notes of old exports name them: `~` with the number or the title in lower case. */
  labels: Map<string, JsonObject>
  /** First bytes of uploads, by the path below `uploads/`. */
  uploads: Map<string, Buffer>
  /** Git data by part, open until the caller closes them. */
  bundles: Map<GitPart, Bundle>
  newest: string
}

const LINK = /\]\(\/([^\s()]+?)(?:\/-)?\/(?:merge_requests|issues|compare|commit)\//

/** The path below `uploads/` of a file. */
export const uploadIn = (path: string): string | undefined =>
  /^(?:[^/]+\/)?uploads\/([0-9a-f]{32}\/[^/]+)$/s.exec(path)?.[1]

/** What a bundle holds, by its path. */
export function bundleIn(path: string): GitPart | undefined {
  const found = BUNDLE.exec(path)
  return found ? (found[1] === undefined ? 'repository' : 'wiki') : undefined
}

const TOP = /^((?:[^/]+\/)??)(?:VERSION|tree\/project\.json|project\.json)$/
const BUNDLE = /^(?:[^/]+\/)?project(\.wiki)?\.bundle$/
/** Bytes of a file with a version. */
const SHORT = 100

export async function surveyExport(input: SourceInput, reading: SourceReading): Promise<Survey> {
  const survey: Survey = {
    top: '',
    version: '',
    program: '',
    project: undefined,
    accounts: new Accounts(),
    paths: new Map(),
    highest: { issues: 0, merge_requests: 0 },
    hasConfidential: false,
    milestones: new Map(),
    labels: new Map(),
    uploads: new Map(),
    bundles: new Map(),
    newest: '',
  }
  try {
    for await (const entry of uninterrupted(input.entries(), reading.signal)) {
      if (!entry.path.endsWith('/')) await surveyFile(survey, entry, reading)
    }
    return survey
  } catch (error) {
    closeBundles(survey)
    throw error
  }
}

export function closeBundles({ bundles }: Survey): void {
  for (const bundle of bundles.values()) bundle.close()
}

async function surveyFile(survey: Survey, entry: ArchiveEntry, reading: SourceReading) {
  const { path, content } = intact(entry, reading)
  const [, top] = TOP.exec(path) ?? []
  if (top !== undefined) survey.top = top
  const part = bundleIn(path)
  if (part !== undefined && !survey.bundles.has(part)) {
    const bundle = await bundleOf(entry, reading)
    if (bundle) survey.bundles.set(part, bundle)
  }
  const upload = uploadIn(path)
  if (upload !== undefined) {
    survey.uploads.set(upload, Buffer.from(await headOf(content, PICTURE_HEAD)))
  }
  const text = async () => (await headOf(content, SHORT)).toString().trim()
  if (/(?:^|\/)VERSION$/.test(path)) survey.version = await text()
  if (/(?:^|\/)GITLAB_VERSION$/.test(path)) survey.program = await text()
  const relation = relationOf(path)
  if (relation === undefined || !SURVEYED.has(relation)) return
  // Losses are reported when records are made.
  const quietly = { ...reading, report: undefined }
  for await (const { relation: list, object } of elementsOf(entry, relation, quietly, {
    diffs: false,
  })) {
    surveyElement(survey, list, object)
  }
}

/** A bundle; undefined if it is damaged or unsupported and the rest is to be salvaged. */
async function bundleOf(
  entry: ArchiveEntry,
  { salvage, report, signal }: SourceReading,
): Promise<Bundle | undefined> {
  try {
    return await openBundle(entry, signal)
  } catch (error) {
    if (!salvage || !(isDamage(error) || isDamagedGit(error))) throw error
    const message = `${error.message}; its Git data are left out`
    report?.({ code: 'entry-lost', place: { entry: entry.path }, message })
    return undefined
  }
}

const GIT_ERRORS: ReadonlySet<string> = new Set([
  'git-object-damaged',
  'git-incomplete',
  'git-unsupported',
])

const isDamagedGit = (error: unknown): error is ArchiveError =>
  error instanceof ArchiveError && GIT_ERRORS.has(error.code)

const SURVEYED = new Set([
  '*',
  'project',
  'project_members',
  'user_contributions',
  'labels',
  'milestones',
  'issues',
  'merge_requests',
])

function surveyElement(survey: Survey, relation: string, object: JsonObject): void {
  const { accounts, highest } = survey
  if (relation === 'project') survey.project = object
  else if (relation === 'project_members') accounts.note(object.user)
  else if (relation === 'user_contributions') accounts.note(object)
  else if (relation === 'labels') noteLabel(survey, object)
  else if (relation === 'milestones') noteMilestone(survey, object)
  else if (relation === 'issues' || relation === 'merge_requests') {
    const { iid, confidential, updated_at, milestone, resource_milestone_events } = object
    if (isId(iid) && iid > highest[relation]) highest[relation] = iid
    if (confidential === true) survey.hasConfidential = true
    const updated = typeof updated_at === 'string' ? timeOf(updated_at) : undefined
    if (updated !== undefined && updated > survey.newest) survey.newest = updated
    noteMilestone(survey, milestone)
    for (const { label } of objectsIn(object.label_links)) noteLabel(survey, label)
    for (const event of objectsIn(resource_milestone_events)) noteMilestone(survey, event.milestone)
    surveyNotes(survey, object)
  }
}

function surveyNotes(survey: Survey, thread: JsonObject): void {
  const { accounts, paths } = survey
  const assigned = new Set<string>()
  for (const { note, system, author, author_id, confidential, internal } of objectsIn(
    thread.notes,
  )) {
    if (isObject(author)) accounts.noteName(author_id, author.name)
    if (confidential === true || internal === true) survey.hasConfidential = true
    if (system !== true || typeof note !== 'string') continue
    const [, path] = LINK.exec(note) ?? []
    if (path !== undefined) paths.set(path, (paths.get(path) ?? 0) + 1)
    const [, login] = /^assigned to @([\w.-]+)$/.exec(note) ?? []
    if (login !== undefined) assigned.add(login)
  }
  // A text tells who has a number only if there is one of each.
  const ids = objectsIn(thread.issue_assignees ?? thread.merge_request_assignees)
    .map(({ user_id }) => user_id)
    .filter(isId)
  const [id, ...others] = new Set(ids)
  const [login, ...more] = assigned
  if (id === undefined || login === undefined || others.length + more.length > 0) return
  accounts.noteLogin(id, login)
}

/** The key of a milestone: the number of those of the project, and the title of those of its group. */
export function keyOf({ iid, title, group_id, project_id }: JsonObject): string {
  const isOfProject = isId(iid) && !isId(group_id) && project_id !== null
  return isOfProject ? `project ${iid}` : `group ${String(title)}`
}

function noteMilestone({ milestones }: Survey, milestone: JsonValue | undefined): void {
  if (!isObject(milestone)) return
  const key = keyOf(milestone)
  if (milestones.has(key)) return
  const { iid, title, created_at } = milestone
  milestones.set(key, {
    created: String(created_at),
    title: String(title),
    iid: key.startsWith('project ') && isId(iid) ? iid : undefined,
  })
}

function noteLabel({ labels }: Survey, label: JsonValue | undefined): void {
  if (!isObject(label) || typeof label.title !== 'string') return
  for (const name of [label.id, label.title.toLowerCase()]) {
    if (name !== undefined && !labels.has(`~${name}`)) labels.set(`~${name}`, label)
  }
}

/** The objects of a list. */
export const objectsIn = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : []

import type { JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'

/** Files of a repository in a folder of python-github-backup. */
export type BackupRole =
  | 'issue'
  | 'pull'
  | 'discussion'
  | 'milestone'
  | 'release'
  | 'asset'
  | 'manifest'
  | 'upload'
  | 'advisory'
  | 'labels'
  | 'hooks'
  | 'failures'
  | 'git'
  | 'state'
  | 'other'

/** Where a file of a folder of python-github-backup belongs. */
export interface BackupPath {
  /** The folder of its repository, such as `repositories/kettle`; empty for other files. */
  folder: string
  role: BackupRole
  /** Whether that folder is the source itself. */
  isAlone?: boolean
  /** The path below that folder. */
  inner: string
  /** The number of an issue, pull request, discussion or milestone, or of the thread that has the upload. */
  number?: number
}

// The first of several: a checkout may have such folders too.
const REPOSITORY = /^((?:.*?\/)??(?:repositories\/[^/]+|starred\/[^/]+\/[^/]+))\/(.+)$/s
/** A repository on its own, at the top or in one folder. Files of a checkout have any path. */
const ALONE =
  /^(?:((?!(?:repository|wiki)\/)[^/]+)\/)?((?:issues|pulls|milestones|labels|hooks|releases|discussions|security-advisories|repository|wiki)\/.+|state\.json)$/s
/** Git data of a gist that was cloned without a checkout, in which no file has a folder. */
const GIST =
  /(?:^|\/)gists\/[^/]+\/repository\/(?:HEAD|[A-Z]+_HEAD|config|description|packed-refs|(?:objects|refs|hooks|info|logs|branches|lfs)\/.*)$/s

const FILES: readonly (readonly [RegExp, BackupRole])[] = [
  // State of the program itself, and files that it was writing when it was stopped.
  [/^(?:[^/]+\/)?(?:(?:reviews_)?last_update|[^/]+\.json\.temp)$/, 'state'],
  [/^issues\/([1-9]\d{0,15})\.json$/, 'issue'],
  [/^pulls\/([1-9]\d{0,15})\.json$/, 'pull'],
  [/^discussions\/([1-9]\d{0,15})\.json$/, 'discussion'],
  [/^(?:issues|pulls|discussions)\/attachments\/([1-9]\d{0,15})\/manifest\.json$/, 'manifest'],
  [/^(?:issues|pulls|discussions)\/attachments\/([1-9]\d{0,15})\/[^/]+$/, 'upload'],
  [/^releases\/[^/]+\.json$/, 'release'],
  [/^releases\/[^/]+\/[^/]+$/, 'asset'],
  [/^security-advisories\/[^/]+\.json$/, 'advisory'],
  [/^milestones\/([1-9]\d{0,15})\.json$/, 'milestone'],
  [/^labels\/labels\.json$/, 'labels'],
  // The list of threads that github-metadata-backup could not save.
  [/^state\.json$/, 'failures'],
  [/^hooks\/hooks\.json$/, 'hooks'],
  [/^(?:repository|wiki)\//, 'git'],
]

/**
 * The JSON of a thread as python-github-backup saves it. github-metadata-backup has it in an object, beside its timeline and
 * review comments.
 */
export function unwrapThread(value: JsonValue): JsonValue {
  if (!isObject(value)) return value
  const { type, events, comments, ...others } = value
  if (type !== 'issue' && type !== 'pull') return value
  const { [type]: thread, ...beside } = others
  if (!isObject(thread)) return value
  return {
    ...beside,
    ...thread,
    ...(events !== undefined && { timeline_data: events }),
    ...(comments !== undefined && { comment_data: comments }),
  }
}

/** Whether a file is a part of Git data, which may hold a token, wherever it is. */
export const isGit = (path: string): boolean =>
  /(?:^|\/)\.git(?:\/|$)/.test(path) || GIST.test(path)

/** The place of a file by its path in the source. */
export function placeOf(path: string): BackupPath {
  const among = REPOSITORY.exec(path)
  const parts = among ?? ALONE.exec(path)
  if (!parts) return { folder: '', role: 'other', inner: path }
  const [, folder = '', inner = ''] = parts
  const where = { folder, inner, isAlone: !among }
  for (const [pattern, role] of FILES) {
    const found = pattern.exec(inner)
    if (found) return { ...where, role, ...(found[1] && { number: Number(found[1]) }) }
  }
  return { ...where, role: 'other' }
}

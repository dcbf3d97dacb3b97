import { aText, checkArguments, is } from '../base/check-arguments.ts'

/** The purpose of an entry, known from its path, and the parts of the path. */
export type EntryRole =
  | {
      /** A record file. */
      role: 'records'
      /** The name of its kind, such as `issues`. */
      stem: string
      /** Its number, such as `000012`. */
      suffix: string
    }
  | {
      /** schema.json. */
      role: 'schema'
    }
  | {
      /** urls.json. */
      role: 'urls'
    }
  | {
      /** audit_log.csv. */
      role: 'audit-log'
    }
  | {
      /** Git data. */
      role: 'git'
      /** owner/name; `.wiki` at the end for a wiki. */
      repository: string
      /** Path in the bare repository. */
      path: string
    }
  | {
      /** An upload. */
      role: 'attachment' | 'repository-file' | 'release-asset'
      /** The folder that it has for itself. */
      id: string
      /** Its name in that folder, which may have folders too. */
      name: string
    }
  | {
      /** A file of Git LFS. */
      role: 'lfs'
      /** Path below `git-lfs/`. */
      path: string
    }
  | {
      /** A directory, or a file of unknown purpose. */
      role: 'directory' | 'unknown'
      /** Path in the archive. */
      path: string
    }

// A suffix is 000001 in an export, and 000001(2) or the like in renamed copies.
const records = /^([A-Za-z][A-Za-z0-9_]*)_(\d[^/]*)\.json$/
const git = /^repositories\/(.+?)\.git\/(.+)$/s
const upload = /^(attachments|repository_files|releases)\/([^/]+)\/(.+)$/s
const lfs = /^git-lfs\/(.+)$/s

/** The file that macOS puts beside each file of a tar, for attributes that a tar has no place for. */
const appleDouble = /\/\._[^/]*$/

const UPLOADS = {
  attachments: 'attachment',
  repository_files: 'repository-file',
  releases: 'release-asset',
} as const

/** The roles of uploads. */
export const UPLOAD_ROLES: ReadonlySet<EntryRole['role']> = new Set(Object.values(UPLOADS))

const FOLDERS = {
  attachment: 'attachments',
  'repository-file': 'repository_files',
  'release-asset': 'releases',
} as const

/**
 * The role of an entry by its path. The inverse of `pathOf`.
 *
 * @param path a path in an archive, such as `issues_000012.json`
 * @returns the role with its parts; `unknown` for any other path, and for a file of macOS such as `attachments/12/._a.png`
 * @throws `option-invalid`
 * @example
 * roleOf('issues_000012.json') // { role: 'records', stem: 'issues', suffix: '000012' }
 */
export function roleOf(path: string): EntryRole {
  if (typeof path !== 'string') checkArguments({ path }, { path: aText })
  if (path.endsWith('/')) return { role: 'directory', path }
  if (path === 'schema.json') return { role: 'schema' }
  if (path === 'urls.json') return { role: 'urls' }
  if (path === 'audit_log.csv') return { role: 'audit-log' }
  if (appleDouble.test(path)) return { role: 'unknown', path }
  let parts = records.exec(path)
  if (parts) return { role: 'records', stem: parts[1] as string, suffix: parts[2] as string }
  parts = git.exec(path)
  if (parts) return { role: 'git', repository: parts[1] as string, path: parts[2] as string }
  parts = upload.exec(path)
  if (parts) {
    const role = UPLOADS[parts[1] as keyof typeof UPLOADS]
    return { role, id: parts[2] as string, name: parts[3] as string }
  }
  parts = lfs.exec(path)
  if (parts) return { role: 'lfs', path: parts[1] as string }
  return { role: 'unknown', path }
}

/** Whether a path ends with the name that record files have in an export: their numbers begin at 000001. */
export const endsAsRecords = (path: string): boolean =>
  /(?:^|\/)[A-Za-z][A-Za-z0-9_]*_0\d{5}\.json$/.test(path)

const ROLES: { readonly [Role in EntryRole['role']]: readonly string[] } = {
  records: ['stem', 'suffix'],
  schema: [],
  urls: [],
  'audit-log': [],
  git: ['repository', 'path'],
  attachment: ['id', 'name'],
  'repository-file': ['id', 'name'],
  'release-asset': ['id', 'name'],
  lfs: ['path'],
  directory: ['path'],
  unknown: ['path'],
}

const aRole = is('a role with its parts, as roleOf gives', (value) => {
  const entry = Object(value) as { readonly [member: string]: unknown }
  const parts =
    typeof entry.role === 'string' &&
    Object.hasOwn(ROLES, entry.role) &&
    ROLES[entry.role as EntryRole['role']]
  return parts !== false && parts.every((part) => typeof entry[part] === 'string')
})

/**
 * The path of the entry with a role. The inverse of `roleOf`.
 *
 * @param entry a role with its parts
 * @returns the path in the archive
 * @throws `option-invalid`
 * @example
 * pathOf({ role: 'records', stem: 'issues', suffix: '000012' }) // 'issues_000012.json'
 */
export function pathOf(entry: EntryRole): string {
  checkArguments({ entry }, { entry: aRole })
  switch (entry.role) {
    case 'records':
      return `${entry.stem}_${entry.suffix}.json`
    case 'schema':
      return 'schema.json'
    case 'urls':
      return 'urls.json'
    case 'audit-log':
      return 'audit_log.csv'
    case 'git':
      return `repositories/${entry.repository}.git/${entry.path}`
    case 'lfs':
      return `git-lfs/${entry.path}`
    case 'directory':
    case 'unknown':
      return entry.path
    default:
      return `${FOLDERS[entry.role]}/${entry.id}/${entry.name}`
  }
}

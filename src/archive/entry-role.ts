/** What an entry is for, told by its path alone. */
export type EntryRole =
  | { role: 'records'; stem: string; shard: string }
  | { role: 'schema' }
  | { role: 'urls' }
  | { role: 'git'; repository: string; path: string }
  | { role: 'attachment' | 'repository-file' | 'release-asset'; id: string; name: string }
  | { role: 'lfs'; path: string }
  | { role: 'directory' | 'unknown'; path: string }

// A shard is 000001 in an export; renamed copies are called 000001(2) and the like.
const records = /^([A-Za-z][A-Za-z0-9_]*)_(\d[^/]*)\.json$/
const git = /^repositories\/(.+?)\.git\/(.+)$/s
const upload = /^(attachments|repository_files|releases)\/([^/]+)\/(.+)$/s
const lfs = /^git-lfs\/(.+)$/s

const UPLOADS = {
  attachments: 'attachment',
  repository_files: 'repository-file',
  releases: 'release-asset',
} as const

const FOLDERS = {
  attachment: 'attachments',
  'repository-file': 'repository_files',
  'release-asset': 'releases',
} as const

/** Tells the role of an entry. The inverse of `pathOf`. */
export function roleOf(path: string): EntryRole {
  if (path.endsWith('/')) return { role: 'directory', path }
  if (path === 'schema.json') return { role: 'schema' }
  if (path === 'urls.json') return { role: 'urls' }
  let parts = records.exec(path)
  if (parts) return { role: 'records', stem: parts[1] as string, shard: parts[2] as string }
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

/** The path of the entry with this role. The inverse of `roleOf`. */
export function pathOf(entry: EntryRole): string {
  switch (entry.role) {
    case 'records':
      return `${entry.stem}_${entry.shard}.json`
    case 'schema':
      return 'schema.json'
    case 'urls':
      return 'urls.json'
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

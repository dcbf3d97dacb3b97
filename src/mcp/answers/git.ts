import { ArchiveError } from '../../base/errors.ts'
import type { GitData } from '../../git/open-git.ts'
import { type Commit, subjectOf } from '../../git/parse/parse-commit.ts'
import { timeOf } from '../../git/parse/parse-person.ts'
import { isFolder, isSubmodule, type TreeEntry } from '../../git/parse/parse-tree.ts'
import { changesOf, compareFiles } from '../../reading/git/changes.ts'
import { readGitFile } from '../../reading/git/files.ts'
import { findAt, readFolder } from '../../reading/git/folders.ts'
import { listCommits } from '../../reading/git/history.ts'
import { defaultRevision, openReadableGit } from '../../reading/git/repository-git.ts'
import { findCommit, revisionOf } from '../../reading/git/revisions.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { blameFile } from '../../tasks/run-task.ts'
import { type Answer, type Asked, repositoryNamed } from '../tool.ts'
import { nameOrNull, pageOf, Room, shortName, writingOf } from '../writing.ts'

const MOST = 500

export interface AtRevision {
  repository: string
  revision?: string
}

interface Opened {
  readonly repository: Repository
  readonly git: GitData
  readonly commit: Commit
}

/** The Git data of a repository at a revision. Throws `repository-not-found` and `git-revision-not-found`. */
function openAt(library: Library, { repository: name, revision }: AtRevision): Opened {
  const repository = repositoryNamed(library, name)
  const git = repository.git === undefined ? undefined : openReadableGit(repository)
  if (!git) {
    throw new ArchiveError('repository-not-found', 'the archive has no Git data of the repository')
  }
  const found =
    revision === undefined ? defaultRevision(repository, git) : revisionOf(git, revision)
  const commit = found && findCommit(git, found.oid)
  if (!commit) throw new ArchiveError('git-revision-not-found', 'there is no such revision')
  return { repository, git, commit }
}

const partsOf = (path = ''): string[] => path.split('/').filter((part) => part !== '')

/** The entry at a path. Throws `git-path-not-found`. */
function entryAt({ git, commit }: Opened, path: string | undefined): TreeEntry | undefined {
  const parts = partsOf(path)
  if (parts.length === 0) return undefined
  const entry = findAt(git, commit.tree, parts)
  if (entry) return entry
  throw new ArchiveError('git-path-not-found', 'the revision has no such path')
}

function kindOf(entry: TreeEntry): string {
  if (isFolder(entry)) return 'folder'
  if (isSubmodule(entry)) return 'submodule'
  return entry.mode === '120000' ? 'link' : 'file'
}

/** Some lines of a text, from 1. Throws `option-invalid` if there are none. */
const linesOf = (whole: string, first: number, last: number | undefined): string => {
  if (first === 1 && last === undefined) return whole
  const lines = whole.replace(/\n$/, '').split('\n')
  if (first > lines.length) {
    throw new ArchiveError('option-invalid', `the file has ${lines.length} lines`)
  }
  if (last !== undefined && last < first) {
    throw new ArchiveError('option-invalid', 'the last line is before the first')
  }
  return lines.slice(first - 1, last).join('\n')
}

const describe = (commit: Commit) => ({
  oid: commit.oid,
  subject: shortName(subjectOf(commit)),
  author: shortName(commit.author.name),
  email: shortName(commit.author.email),
  time: timeOf(commit.author),
  parents: commit.parents.slice(0, 16),
})

const SIGNS = { context: ' ', deleted: '-', inserted: '+' } as const

/** Characters of a patch. */
const LONGEST_PATCH = 2_000_000

async function patchOf(
  git: GitData,
  file: Parameters<typeof compareFiles>[1][number],
): Promise<string> {
  let patch = ''
  for await (const { parts } of compareFiles(git, [file])) {
    for (const { hunks } of parts) {
      for (const hunk of hunks) {
        const { oldStart, oldLines, newStart, newLines } = hunk
        patch += `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n`
        for (const { kind, bytes } of hunk.lines()) {
          patch += `${SIGNS[kind]}${bytes.toString('utf8').replace(/\r?\n$/, '')}\n`
          if (patch.length > LONGEST_PATCH) return patch
        }
      }
    }
  }
  return patch
}

export function listFiles(
  { path, cursor, ...named }: AtRevision & { path?: string; cursor?: string },
  { library, bytes }: Asked,
): Answer {
  const opened = openAt(library, named)
  const entry = entryAt(opened, path)
  if (entry && !isFolder(entry)) {
    throw new ArchiveError('git-path-not-found', 'this is a file: call read_file')
  }
  const { entries, more } = readFolder(opened.git, entry?.oid ?? opened.commit.tree)
  const { items, next_cursor } = pageOf(
    { total: entries.length, cursor, bytes, most: 2_000 },
    (offset, limit) => entries.slice(offset, offset + limit),
    (each) => ({ name: shortName(each.name), kind: kindOf(each) }),
  )
  const summary = `${items.length} of ${entries.length + more} entries.`
  return { summary, revision: opened.commit.oid, entries: items, next_cursor }
}

export async function readFile(
  {
    path,
    first_line = 1,
    last_line,
    text_offset,
    ...named
  }: AtRevision & { path: string; first_line?: number; last_line?: number; text_offset?: number },
  { library, bytes }: Asked,
): Promise<Answer> {
  const opened = openAt(library, named)
  const entry = entryAt(opened, path)
  if (!entry || isFolder(entry) || isSubmodule(entry)) {
    throw new ArchiveError('git-path-not-found', 'this is no file: call list_files')
  }
  const file = await readGitFile(opened.git, entry.oid)
  const body = file.text === undefined ? '' : linesOf(file.text, first_line, last_line)
  const written = { author: null, url: null, created_at: null, body }
  return {
    summary: `Bytes of the file: ${file.size}.`,
    revision: opened.commit.oid,
    path: shortName(path),
    size: file.size,
    is_binary: file.text === undefined,
    words: writingOf(written, bytes, text_offset),
  }
}

export async function log(
  { path, cursor, ...named }: AtRevision & { path?: string; cursor?: string },
  { library, bytes }: Asked,
): Promise<Answer> {
  const { git, commit } = openAt(library, named)
  const list = listCommits(git, commit.oid, { path: partsOf(path) })
  const offset = Math.trunc(Number(cursor ?? 0))
  await list.reach(offset + MOST + 1)
  if (list.count === 0 && path) {
    throw new ArchiveError('git-path-not-found', 'no commit of this history has changed it')
  }
  const { items, next_cursor } = pageOf(
    { total: list.count, cursor, bytes, most: MOST },
    (from, limit) => list.oids(from, limit).flatMap((oid) => findCommit(git, oid) ?? []),
    describe,
  )
  return { summary: `Commits: ${items.length}.`, commits: items, next_cursor }
}

export async function showCommit(
  {
    path,
    text_offset,
    cursor,
    ...named
  }: AtRevision & { path?: string; text_offset?: number; cursor?: string },
  { library, bytes }: Asked,
): Promise<Answer> {
  const { git, commit } = openAt(library, named)
  const changes = changesOf(git, commit)
  const files = changes?.files ?? []
  const about = {
    author: shortName(commit.author.name),
    url: null,
    created_at: timeOf(commit.author),
  }
  const message = writingOf({ ...about, body: commit.message }, bytes / 3)
  const shown: unknown[] = []
  let patch: unknown = null
  if (path !== undefined) {
    const wanted = files.find((file) => file.path === partsOf(path).join('/'))
    if (!wanted) throw new ArchiveError('git-path-not-found', 'the commit did not change this path')
    const body = await patchOf(git, wanted)
    patch = writingOf({ ...about, body }, bytes, text_offset)
  }
  const room = new Room(bytes, [message, patch])
  const offset = Math.trunc(Number(cursor ?? 0))
  const listed = path === undefined ? files.slice(offset) : []
  for (const file of listed) {
    if (!room.add(shown, { path: shortName(file.path), status: file.status })) break
  }
  const next = offset + shown.length
  return {
    summary: `${shown.length} of ${files.length} changed files.`,
    commit: describe(commit),
    message,
    files: shown,
    patch,
    next_cursor: path === undefined && next < files.length ? String(next) : null,
  }
}

export async function blame(
  { path, cursor, ...named }: AtRevision & { path: string; cursor?: string },
  { library, bytes, limits, signal }: Asked,
): Promise<Answer> {
  const opened = openAt(library, named)
  entryAt(opened, path)
  const { repository, commit } = opened
  const found = await blameFile(
    repository.store.database.name,
    {
      repository: repository.git as string,
      rev: commit.oid,
      file: partsOf(path).join('/'),
      lines: 1_000_000,
    },
    { ...limits, signal },
  )
  const { items, next_cursor } = pageOf(
    { total: found.length, cursor, bytes, most: MOST },
    (offset, limit) => found.slice(offset, offset + limit),
    (run) => ({
      line: run.line,
      lines: run.count,
      oid: run.oid,
      subject: shortName(run.subject),
      author: shortName(run.author.name),
      time: nameOrNull(run.time),
      pull_request: run.brought?.number ?? null,
    }),
  )
  return { summary: `${items.length} of ${found.length} runs.`, runs: items, next_cursor }
}

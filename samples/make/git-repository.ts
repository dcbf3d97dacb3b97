import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findHunk, type Hunk } from './find-hunk.ts'

export interface Commit {
  /** The name that other modules use; the real id is known at the end. */
  key: string
  /** The ref that it moves: `heads/main`, `pull/2/head`. */
  ref: string
  author: string
  at: string
  message: string
  /** By path; null deletes. */
  files?: { readonly [path: string]: string | null }
  /** Keys; by default the commit before it on the same ref. The second one is merged. */
  parents?: readonly string[]
}

export interface Tag {
  name: string
  commit: string
  author: string
  at: string
  message: string
}

/** A bare repository as archives have it. */
export interface GitRepository {
  /** The id of a commit. */
  oid(key: string): string
  /** The diff of a pull request up to this commit, up to a line of the new file. */
  hunk(commit: string, path: string, line: number): Hunk
  /** Its files by path, relative to the repository. */
  files: ReadonlyMap<string, Uint8Array>
}

/** Makes a repository with the git program, always with the same ids and the same bytes. */
export function makeGitRepository(
  fullName: string,
  branch: string,
  commits: readonly Commit[],
  tags: readonly Tag[] = [],
): GitRepository {
  const folder = mkdtempSync(join(tmpdir(), 'make-samples-'))
  const git = (args: readonly string[], input?: string) =>
    execFileSync('git', args, {
      cwd: folder,
      env: environment(),
      encoding: 'utf8',
      input: input ?? '',
      stdio: ['pipe', 'pipe', 'inherit'],
    })
  try {
    git(['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
    git(['fast-import', '--quiet', '--export-marks=marks'], importStream(commits, tags))
    const oids = readMarks(readFileSync(join(folder, 'marks'), 'utf8'), commits)
    const asked = commits
      .filter(({ ref }) => ref.startsWith('pull/'))
      .map(({ key, ref }) => {
        const base = commits.find((commit) => commit.ref === ref)?.parents?.[0] ?? ''
        return `${textOf(oids, key)} ${textOf(oids, base)}\n`
      })
    const diffs = readDiffs(git(diff, asked.join('')))
    git(['pack-refs', '--all'])
    git([...packing, 'repack', '-a', '-d', '-F', '--quiet'])
    return {
      oid: (key) => textOf(oids, key),
      hunk: (commit, path, line) => findHunk(textOf(diffs, textOf(oids, commit)), path, line),
      files: orderEntries(folder, fullName, branch),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

// The order of objects depends on threads, and their bytes on the version of zlib. Uncompressed,
// the pack is the same everywhere, and the archive, compressed as a whole, is even smaller.
const packing = ['threads=1', 'compression=0', 'writeReverseIndex=false', 'indexVersion=2']
  .flatMap((setting) => ['-c', `pack.${setting}`])
  .concat('-c', 'repack.writeBitmaps=false')

// Commits and what each is compared with, one pair per line.
const diff = ['diff-tree', '--stdin', '-r', '-M', '--diff-algorithm=myers', '--unified=3']

/** Settings of this machine are ignored. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(own),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_DEFAULT_HASH: 'sha1',
    GIT_DEFAULT_REF_FORMAT: 'files',
    LC_ALL: 'C',
  }
}

/** The input of `git fast-import`. */
function importStream(commits: readonly Commit[], tags: readonly Tag[]): string {
  const marks = new Map(commits.map(({ key }, i) => [key, `:${i + 1}`]))
  const lines: string[] = []
  const data = (text: string) => lines.push(`data ${Buffer.byteLength(text)}\n${text}`)
  const stamp = ({ author, at }: Commit | Tag) =>
    `${author} <${author.replace('[bot]', '')}@example.org> ${Date.parse(at) / 1000} +0000`
  for (const commit of commits) {
    const { ref, files = {}, parents = [] } = commit
    const signed = stamp(commit)
    lines.push(`commit refs/${ref}`, `mark ${marks.get(commit.key)}`)
    lines.push(`author ${signed}`, `committer ${signed}`)
    data(`${commit.message}\n`)
    for (const [i, key] of parents.entries()) {
      lines.push(`${i === 0 ? 'from' : 'merge'} ${marks.get(key)}`)
    }
    for (const [path, text] of Object.entries(files)) {
      if (text === null) {
        lines.push(`D ${path}`)
      } else {
        lines.push(`M 100644 inline ${path}`)
        data(text)
      }
    }
  }
  for (const tag of tags) {
    lines.push(`tag ${tag.name}`, `from ${marks.get(tag.commit)}`, `tagger ${stamp(tag)}`)
    data(`${tag.message}\n`)
  }
  return `${lines.join('\n')}\n`
}

function readMarks(text: string, commits: readonly Commit[]): ReadonlyMap<string, string> {
  const lines = text.trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [mark = '', oid = ''] = line.slice(1).split(' ')
      return [commits[Number(mark) - 1]?.key ?? '', oid]
    }),
  )
}

/** Diffs by the id of the commit, which stands on a line of its own before each. */
function readDiffs(text: string): ReadonlyMap<string, string> {
  const [, ...parts] = text.split(/^([0-9a-f]{40})\n/m)
  return new Map(
    Array.from({ length: parts.length / 2 }, (_, i) => [
      parts[2 * i] ?? '',
      parts[2 * i + 1] ?? '',
    ]),
  )
}

/** The files of a bare repository as the host lays them out, which mirrors one that is its own. */
function orderEntries(folder: string, fullName: string, branch: string): Map<string, Uint8Array> {
  const config = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
[remote "origin"]
\turl = https://git.example.org/${fullName}.git
\tfetch = +refs/*:refs/*
\tmirror = true
`
  const description = "Unnamed repository; edit this file 'description' to name the repository.\n"
  const packs = readdirSync(join(folder, 'objects/pack')).sort()
  const text = {
    HEAD: `ref: refs/heads/${branch}\n`,
    'branches/': '',
    config,
    description,
    'info/exclude': '# Lines that start with # are comments.\n',
    'objects/info/': '',
    'refs/heads/': '',
    'refs/tags/': '',
  }
  return new Map([
    ...Object.entries(text).map(([path, content]) => [path, Buffer.from(content)] as const),
    ...['packed-refs', ...packs.map((name) => `objects/pack/${name}`)].map(
      (path) => [path, readFileSync(join(folder, path))] as const,
    ),
  ])
}

function textOf(map: ReadonlyMap<string, string>, key: string): string {
  const value = map.get(key)
  if (value === undefined) throw new Error(`there is no ${key}`)
  return value
}

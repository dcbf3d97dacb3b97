import { ArchiveError } from '../base/errors.ts'
import { headOf, peek } from '../base/streams.ts'
import type { ArchiveEntry } from './entry.ts'
import { roleOf, UPLOAD_ROLES } from './entry-role.ts'

/** An export or a backup of another kind. */
interface ForeignSource {
  /** Its name in messages. */
  readonly is: string
  /** How to export from the same host what can be read. */
  readonly instead?: string
  /** Paths that only such a source has, at its top or in one folder. */
  readonly mark?: RegExp
  /** Whether a file of that path begins as in such a source. */
  begins?(text: string): boolean
  /** Paths that such a source has, and that others may have too: all of them together are a mark. */
  readonly together?: readonly RegExp[]
}

/** A path at the top of a source, or in the one folder around everything. */
const at = (pattern: string) => new RegExp(`^(?:[^/]+/)?(?:${pattern})$`)

const THREAD = '(?:issues|pulls|discussions|milestones)/\\d+\\.json'

/** THE TABLE of what people have in place of a migration archive. */
const FOREIGN_SOURCES: readonly ForeignSource[] = [
  {
    is: 'a dataset of marc export',
    instead: 'ask it with: marc query, marc shell or marc tables',
    mark: at(
      '_marc/(?:schema\\.json|archives/.+\\.json)|(?:kind=[^/]+/)?archive=[^/]+/data\\.(?:parquet|(?:ndjson|csv)(?:\\.gz)?)',
    ),
  },
  {
    is: 'a project export of GitLab',
    mark: at('tree/project\\.json|tree/project/[a-z_]+\\.ndjson'),
  },
  { is: 'a project export of GitLab', together: [at('VERSION'), at('project\\.json')] },
  {
    is: 'a group export of GitLab',
    instead: 'export its projects: Settings > General > Advanced > Export project',
    mark: at('tree/groups/.+'),
  },
  {
    is: 'a backup of a whole GitLab server',
    instead: 'export single projects: Settings > General > Advanced > Export project',
    mark: at('backup_information\\.yml'),
  },
  { is: 'an export of issues of Bitbucket', mark: at('db-\\d+\\.\\d+\\.json') },
  {
    is: 'an export of a Bitbucket server',
    mark: at('metadata\\.json'),
    begins: (text) => /bitbucket/i.test(text),
  },
  {
    is: 'a folder of github-metadata-backup',
    mark: at('(?:issues|pulls)/\\d+\\.json'),
    // Its members in another order, too.
    begins: (text) =>
      /^\s*\{\s*(?:"type":\s*"(issue|pull)",\s*"\1":\s*\{|"(?:events|comments)":\s*\[)/.test(text),
  },
  {
    is: 'a folder of python-github-backup',
    mark: at(
      `(?:repositories/[^/]+|starred/[^/]+/[^/]+)/(?:${THREAD}|labels/labels\\.json|releases/[^/]+\\.json|(?:repository|wiki)/.+)`,
    ),
  },
  {
    is: 'a folder of python-github-backup',
    mark: at(THREAD),
    // Records of a migration archive, one in a file, begin with their type.
    begins: (text) =>
      !/^\s*\{\s*"type":/.test(text) && /"(?:author_association|avatar_url)":/.test(text),
  },
  { is: 'a dump of a Gitea or Forgejo server', mark: at('(?:gitea|forgejo)-db\\.sql') },
  {
    is: 'a dump of a Gitea or Forgejo server',
    // Its database may be elsewhere.
    mark: at('app\\.ini'),
    begins: (text) => /^(?:APP_NAME|RUN_USER)\s*=/m.test(text),
  },
  {
    is: 'a dump of a repository of Gitea or Forgejo',
    together: [at('repo\\.yml'), at('issue\\.yml')],
  },
  { is: 'a backup of Jira', mark: at('entities\\.xml') },
  { is: 'a clone of a Git repository', together: [at('\\.git/HEAD'), at('\\.git/objects/.*')] },
  {
    is: 'a bare Git repository',
    together: [at('HEAD'), at('objects/.*'), at('refs/.*|packed-refs')],
  },
]

/** Bytes of a file that `SourceDetector` looks at. */
export const HEAD = 4096

/** Notes the files of a source, and recognizes what else than a migration archive it is. */
export class SourceDetector {
  readonly #seen = new Map<ForeignSource, Set<RegExp>>()
  readonly #opened = new Set<ForeignSource>()

  /**
   * Recognizes the source by the path of a file; undefined if the path is of no known source.
   *
   * @param head reads the first bytes of the file, at most `HEAD`, once. It is asked of the first file of a kind only
   */
  async add(path: string, head?: () => Promise<Buffer>): Promise<string | undefined> {
    let text: string | undefined
    for (const source of FOREIGN_SOURCES) {
      const { mark, begins, together = [] } = source
      const parts = together.filter((part) => part.test(path))
      const seen = this.#seen.get(source) ?? new Set()
      if (parts.length > 0) this.#seen.set(source, new Set([...seen, ...parts]))
      if (!mark?.test(path)) continue
      if (!begins) return source.is
      if (!head || this.#opened.has(source)) continue
      text ??= (await head()).toString()
      // A file that could not be written says nothing of the others.
      if (/^[\s\0]*$/.test(text)) continue
      this.#opened.add(source)
      if (begins(text)) return source.is
    }
    return undefined
  }

  /** Recognizes the source by all paths together. */
  finish(): string | undefined {
    return [...this.#seen].find(([{ together }, seen]) => together?.length === seen.size)?.[0].is
  }
}

/** Recognizes a source by one path. */
export const sourceWith = (path: string): string | undefined =>
  FOREIGN_SOURCES.find(({ mark, begins }) => !begins && mark?.test(path))?.is

/** A source whose marks are further down than one folder, by the path of a file: what it is, and its folder. */
export function sourceBelow(path: string): { is: string; folder: string } | undefined {
  const parts = path.split('/')
  for (let from = parts.length - 1; from > 1; from--) {
    const is = sourceWith(parts.slice(from).join('/'))
    if (is !== undefined) return { is, folder: parts.slice(0, from).join('/') }
  }
  return undefined
}

/**
 * The same entries. Looks at those before the first one that only a migration archive has.
 *
 * @throws `source-unsupported` for an export or a backup of another kind
 */
export async function* refuseForeignSources(
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<ArchiveEntry> {
  const detector = new SourceDetector()
  let isArchive = false
  for await (const entry of entries) {
    let { content } = entry
    if (!isArchive) {
      const found = await detector.add(entry.path, async () => {
        const { head, bytes } = await peek(content, HEAD)
        content = bytes
        return head
      })
      if (found !== undefined) throw foreignSource(found)
      isArchive = isDecisive(entry.path)
    }
    yield content === entry.content ? entry : { ...entry, content }
  }
}

/** What a source is by its first entries, or by all of them together; undefined for a migration archive. */
export async function recognizeEntries(
  entries: AsyncIterable<ArchiveEntry>,
): Promise<string | undefined> {
  const detector = new SourceDetector()
  for await (const { path, content } of entries) {
    const found = await detector.add(path, () => headOf(content, HEAD))
    if (found !== undefined) return found
    if (isDecisive(path) || isUpload(path)) return undefined
  }
  return detector.finish()
}

/** The error about such a source. */
export function foreignSource(is: string): ArchiveError {
  const instead = FOREIGN_SOURCES.find((source) => source.is === is)?.instead
  const message = `expected a migration archive, but this is ${is}${instead ? `; ${instead}` : ''}`
  return new ArchiveError('source-unsupported', message).about(is)
}

/** Whether a file is an upload of an archive. Of the sources that can be read, none has such paths, but for releases. */
const isUpload = (path: string): boolean =>
  rolesOf(path).some((role) => UPLOAD_ROLES.has(role) && role !== 'release-asset')

/** Records, schema.json and Git data. Other sources have uploads too. */
const isDecisive = (path: string): boolean =>
  rolesOf(path).some((role) => ['records', 'schema', 'urls', 'git'].includes(role))

/** The roles of a file, as it is and in a folder around everything. */
const rolesOf = (path: string) =>
  [path, path.slice(path.indexOf('/') + 1)].map((one) => roleOf(one).role)

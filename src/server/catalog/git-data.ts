import { ArchiveError } from '../../errors.ts'
import type { ObjectStore } from '../../git/objects/object-store.ts'
import { openRepository } from '../../git/open-repository.ts'
import { createLruCache } from '../../lru-cache.ts'
import { isFullRefName } from '../../rules/ref-name.ts'
import { COMMIT_ID } from '../../rules/sql/record-select.ts'
import { isSafe } from './index/source-sql.ts'
import type { Repository } from './repositories.ts'
import { asText, asTextOrNull, type Row, type Sources } from './sources.ts'

/** A ref that names an object. */
export interface GitRef {
  /** Its full name, such as refs/heads/main. */
  readonly name: string
  readonly oid: string
  /** The object that an annotated tag points to. */
  readonly peeled: string | null
}

/** The Git data of a repository. */
export interface GitRepository {
  readonly objects: ObjectStore
  /** Throws `git-revision-not-found`. */
  resolve(revision: string, type?: 'commit' | 'tree'): string
}

/** Largest object that is sent in bytes, as the host has it. */
export const LARGEST_BLOB = 100 * 2 ** 20

/** Repositories whose packs are kept open. */
const MOST_OPEN = 8

const FOLDER = 'tarball://root/repositories/'

/** Errors for which a repository counts as one without Git data, so that the rest of its archive can be served. */
const ABSENT = new Set(['repository-not-found', 'git-unsupported', 'content-missing'])

/** Finds the Git data of repositories, which are read in place, and their refs. */
export class GitData {
  readonly #sources: Sources
  readonly #opened = createLruCache<number, GitRepository>(MOST_OPEN)

  constructor(sources: Sources) {
    this.#sources = sources
  }

  /** The Git data of a repository; undefined if the archive has none that can be read. */
  open(repository: Repository): GitRepository | undefined {
    const known = this.#opened.get(repository.id)
    const database = this.#sources.databases[repository.database]
    const name = this.nameOf(repository)
    if (known || !database || name === undefined) return known
    try {
      const opened = openRepository(database, name, { maxObject: LARGEST_BLOB })
      this.#opened.set(repository.id, opened)
      return opened
    } catch (error) {
      if (error instanceof ArchiveError && ABSENT.has(error.code)) return undefined
      throw error
    }
  }

  /** The name under which the archive has the Git data: its record says where they are. */
  nameOf({ database, row }: Repository): string | undefined {
    const address = asText(this.#sources.record(database, 'repositories', 'git_url', row)?.[0])
    return address.startsWith(FOLDER) && address.endsWith('.git')
      ? address.slice(FOLDER.length, -'.git'.length)
      : undefined
  }

  /** The rowids of the refs whose full names begin with this prefix, in the order of names. */
  refs(repository: Repository, prefix: string): Float64Array {
    return this.#sources.remember(
      `refs ${repository.id} ${prefix}`,
      () => {
        const rows = this.#sources.findAll(
          repository.database,
          `SELECT rowid, name FROM refs AS r WHERE repository = ? AND name >= ? AND name < ?
            AND oid GLOB '${COMMIT_ID}' AND ${isSafe('r')} ORDER BY name`,
          ...[this.nameOf(repository) ?? '', prefix, `${prefix}\u{10ffff}`],
        )
        return Float64Array.from(
          rows.filter(([, name]) => typeof name === 'string' && isFullRefName(name)),
          ([row]) => row as number,
        )
      },
      ({ byteLength }) => byteLength,
    )
  }

  refAt({ database }: Repository, row: number): GitRef | undefined {
    const found = this.#sources.record(database, 'refs', 'name, oid, peeled', row)
    return found && toRef(found)
  }

  /** The ref with this full name. */
  findRef(repository: Repository, name: string): GitRef | undefined {
    if (!isFullRefName(name)) return undefined
    const found = this.#sources.find(
      repository.database,
      `SELECT name, oid, peeled FROM refs WHERE repository = ? AND name = ?
        AND oid GLOB '${COMMIT_ID}'`,
      ...[this.nameOf(repository) ?? '', name],
    )
    return found && toRef(found)
  }
}

const toRef = ([name, oid, peeled]: Row): GitRef => ({
  ...{ name: asText(name), oid: asText(oid), peeled: asTextOrNull(peeled) },
})

import type { People } from './people.ts'
import type { Repository } from './repositories.ts'
import { asInteger, asText, type Sources } from './sources.ts'
import { parseTime } from './times.ts'

/** A release, by where its record is. */
export interface Release {
  readonly row: number
  readonly number: number
  readonly isDraft: boolean
  readonly tag: string
}

const COLUMNS = 'rowid, url, state, tag_name, created_at, published_at'

/** Finds the releases of repositories. */
export class Releases {
  readonly #sources: Sources
  readonly #people: People

  constructor(sources: Sources, people: People) {
    this.#sources = sources
    this.#people = people
  }

  /**
   * The releases of a repository, those published last first.
   *
   * @param withDrafts also those that only people see who may write
   */
  list(repository: Repository, withDrafts: boolean): readonly Release[] {
    const all = this.#sources.remember(
      `releases ${repository.id}`,
      () => this.#read(repository),
      (releases) => releases.length * RELEASE_BYTES,
    )
    return withDrafts ? all : all.filter(({ isDraft }) => !isDraft)
  }

  #read({ url: home, database }: Repository): Release[] {
    const sql = `SELECT ${COLUMNS} FROM releases WHERE repository = ?`
    const rows = this.#sources.findAll(database, sql, home)
    const found = rows.flatMap(([row, recordUrl, state, tag, created, published]) => {
      const url = asText(recordUrl)
      if (!Number.isSafeInteger(row) || !url.startsWith(`${home}/releases/tag/`)) return []
      const number = this.#people.numberOf('Release', url)
      const isDraft = state !== 'published'
      const time = parseTime(published) ?? parseTime(created) ?? 0
      return [{ time, row: asInteger(row), number, isDraft, tag: asText(tag) }]
    })
    return found
      .sort((a, b) => b.time - a.time || b.number - a.number)
      .map(({ time, ...release }) => release)
  }
}

/** About how many bytes a release takes in memory. */
const RELEASE_BYTES = 300

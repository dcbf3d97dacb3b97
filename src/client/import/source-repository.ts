import { ArchiveError } from '../../base/errors.ts'
import type { Database } from '../../database/open-database.ts'
import type { ImportTarget } from './import-options.ts'

/** The repositories of a database as owner/name. */
export const repositoriesIn = (database: Database): string[] =>
  database
    .prepare<[], string>(
      'SELECT full_name FROM repositories WHERE full_name IS NOT NULL ORDER BY full_name',
    )
    .pluck()
    .all()

/** The address of a repository of the archive on its host. */
const addressOfSource = (database: Database, from: string): string | undefined =>
  database
    .prepare<[string], string | null>('SELECT url FROM repositories WHERE full_name = ?')
    .pluck()
    .get(from) ?? undefined

/** The repository that was named, or the only one in the archive, with that address, or of that name. */
export function findRepository(
  database: Database,
  { repository, from, sourceUrl }: ImportTarget,
): string {
  if (!/^[\w.-]{1,100}$/.test(repository)) {
    const message = `repository: expected a name of letters, digits, - _ and ., found ${JSON.stringify(repository)}`
    throw new ArchiveError('option-invalid', message).about('repository')
  }
  const names = repositoriesIn(database)
  const isSame = (left: string, right: string) => left.toLowerCase() === right.toLowerCase()
  const guess = () => {
    const addressed = names.filter((name) => addressOfSource(database, name) === sourceUrl)
    const alike = names.filter((name) => isSame(name.slice(name.indexOf('/') + 1), repository))
    return [names, addressed, alike].find((list) => list.length === 1)?.[0]
  }
  const found = from === undefined ? guess() : names.find((name) => isSame(name, from))
  if (found !== undefined) return found
  const wanted = from ?? repository
  const message = `the archive has no repository ${JSON.stringify(wanted)}; it has ${listed(names)}`
  throw new ArchiveError('repository-not-found', message).about(wanted)
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  return names.length > 5 ? `${names.slice(0, 5).join(', ')}, …` : names.join(', ')
}

/** The address that a repository had. */
export function sourceOf(database: Database, from: string, { sourceUrl }: ImportTarget): URL {
  const text = sourceUrl ?? addressOfSource(database, from) ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password === '') return url
  const message = `sourceUrl: expected the http or https address of ${from}, found ${JSON.stringify(text)}`
  throw new ArchiveError('option-invalid', message).about('sourceUrl')
}

import { ArchiveError } from '../../base/errors.ts'
import { archivesOf, listProblems } from '../../reading/databases/archives.ts'
import { nearestPerson } from '../../reading/databases/resolve-name.ts'
import { totalsOf } from '../../reading/databases/totals.ts'
import { findProfile, findTraces } from '../../reading/people/profiles.ts'
import { findWritten, WRITTEN, type WrittenText } from '../../reading/people/written-texts.ts'
import { findWrittenTexts } from '../../tasks/run-task.ts'
import type { Answer, Asked } from '../tool.ts'
import { nameOrNull, pageOf, shortName } from '../writing.ts'

const MOST = 100

const describe = ({ kind, place, url, heading, created_at }: WrittenText) => ({
  kind: shortName(kind),
  place: nameOrNull(place),
  url: nameOrNull(url),
  title: nameOrNull(heading),
  created_at: nameOrNull(created_at),
})

export function about({ cursor }: { cursor?: string }, { library, bytes }: Asked): Answer {
  const archives = library.stores.flatMap((store, i) =>
    archivesOf(store)
      .slice(0, MOST)
      .map(({ name, exportedAt, state }) => ({
        database: i + 1,
        name: shortName(name),
        exported_at: nameOrNull(exportedAt),
        state: shortName(state),
      })),
  )
  const offset = Math.trunc(Number(cursor ?? 0))
  const { total, rows } = listProblems(library, { offset, limit: MOST })
  const { items, next_cursor } = pageOf(
    { total, cursor, bytes, most: MOST, around: archives },
    () => rows,
    ({ code, message, times }) => ({ code: shortName(code), message: shortName(message), times }),
  )
  return {
    summary: `Archives: ${archives.length}. Problems: ${total}.`,
    archives: archives.slice(0, MOST),
    totals: totalsOf(library),
    problem_count: total,
    problems: items,
    next_cursor,
  }
}

export async function getPerson(
  { login, cursor }: { login: string; cursor?: string },
  { library, bytes, limits, signal }: Asked,
): Promise<Answer> {
  const found = findProfile(library, login)
  const url = found?.profile.url ?? findTraces(library, login)?.url
  if (url === undefined) {
    const meant = library.stores.map(({ database }) => nearestPerson(database, login))
    const error = new ArchiveError('person-not-found', 'the archive has nothing of this account')
    throw error.about(
      login,
      meant.find((name) => name !== undefined),
    )
  }
  const { counts, newest } = await findWritten(library, url, (paths, person) =>
    findWrittenTexts(paths, person, { ...limits, signal }),
  )
  const total = Object.values(counts).reduce((sum, each) => sum + each, 0)
  const { items, next_cursor } = pageOf(
    { total: Math.min(total, 1_000), cursor, bytes: bytes / 2, most: MOST },
    (offset, limit) => newest(undefined, { offset, limit }),
    describe,
  )
  const profile = found?.profile
  return {
    summary: `Texts: ${total}.`,
    login: shortName(found?.login ?? login),
    url: shortName(url),
    kind: profile?.kind ?? null,
    name: nameOrNull(profile?.name ?? null),
    profile: profile
      ? {
          bio: nameOrNull(profile.bio),
          company: nameOrNull(profile.company),
          website: nameOrNull(profile.website),
          location: nameOrNull(profile.location),
        }
      : null,
    written: Object.fromEntries(
      (Object.keys(WRITTEN) as (keyof typeof WRITTEN)[]).map((list) => [list, counts[list]]),
    ),
    texts: items,
    next_cursor,
  }
}

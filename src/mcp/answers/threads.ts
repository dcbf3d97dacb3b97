import { ArchiveError } from '../../base/errors.ts'
import { namesIn, resolveName } from '../../reading/databases/resolve-name.ts'
import type { Library, Repository } from '../../reading/library.ts'
import { milestoneTitled } from '../../reading/milestones.ts'
import { foldCase } from '../../reading/names.ts'
import { type ListName, listThreads, type ThreadRow } from '../../reading/threads/list-threads.ts'
import { parseTime } from '../../reading/times.ts'
import { type Answer, type Asked, repositoryNamed } from '../tool.ts'
import { nameOrNull, namesOf, pageOf, shortName } from '../writing.ts'

const MOST = 100

export interface ListArguments {
  repository: string
  kind?: ListName
  state?: 'open' | 'closed' | 'all'
  labels?: string[]
  author?: string
  assignee?: string
  milestone?: string
  created_from?: string
  created_before?: string
  sort?: 'created' | 'comments'
  direction?: 'asc' | 'desc'
  cursor?: string
}

export const NAMES: Readonly<Record<ListName, string>> = {
  issues: 'issues',
  pulls: 'pull requests',
  discussions: 'discussions',
}

/** Seconds since 1970 of a time that was asked for. Throws `option-invalid`. */
export function secondsOf(name: string, time: string | undefined): number | undefined {
  if (time === undefined) return undefined
  const seconds = parseTime(time)
  if (seconds === undefined)
    throw new ArchiveError('option-invalid', `${name}: there is no such day or time`)
  return seconds
}

const describe = ({ labels, assignees, draft, ...row }: ThreadRow) => ({
  number: row.number,
  url: shortName(row.url),
  title: nameOrNull(row.title),
  state: row.state,
  draft: draft === 1,
  author: nameOrNull(row.author),
  created_at: nameOrNull(row.created_at),
  closed_at: nameOrNull(row.closed_at),
  comments: row.comments,
  labels: namesOf(labels.map(({ name }) => name)),
  assignees: namesOf(assignees),
  milestone: nameOrNull(row.milestone),
  category: nameOrNull(row.category),
})

/**
 * Throws for a name that nothing has, with the closest one: `label-not-found`, `person-not-found`, `milestone-not-found`. A
 * stranger learns no names: they may be of repositories that are private.
 */
async function checkNames(
  { labels = [], author, assignee, milestone }: ListArguments,
  { audience }: Library,
  { store }: Repository,
): Promise<void> {
  if (audience !== 'all') return
  const source = namesIn(store.database)
  for (const label of labels) await resolveName(source, 'label', label)
  for (const login of [author, assignee]) {
    // Deleted accounts have this name, and no record.
    if (login !== undefined && foldCase(login) !== 'ghost') {
      await resolveName(source, 'person', login)
    }
  }
  if (milestone !== undefined) await resolveName(source, 'milestone', milestone)
}

export async function listRepositoryThreads(
  asked: ListArguments,
  { library, bytes }: Asked,
): Promise<Answer> {
  const repository = repositoryNamed(library, asked.repository)
  const { kind = 'issues', state = 'all', labels, author, assignee, sort, direction } = asked
  const milestone =
    asked.milestone === undefined ? undefined : milestoneTitled(repository, asked.milestone)
  if (asked.milestone !== undefined && milestone === undefined) {
    await checkNames(asked, library, repository)
    throw new ArchiveError('milestone-not-found', 'the repository has no milestone with this title')
  }
  const found = listThreads(library, repository, kind, {
    state,
    labels,
    author,
    assignee,
    milestone,
    createdFrom: secondsOf('created_from', asked.created_from),
    createdBefore: secondsOf('created_before', asked.created_before),
    sort,
    ...(direction && { direction }),
  })
  if (found.total === 0) await checkNames(asked, library, repository)
  const { items, next_cursor } = pageOf(
    { total: found.total, cursor: asked.cursor, bytes, most: MOST },
    found.rows,
    describe,
  )
  return {
    summary: `${items.length} of ${found.total} ${NAMES[kind]}.`,
    total: found.total,
    threads: items,
    next_cursor,
  }
}

/** What each face says of an issue or pull request, as it says it. */

import type { Database } from '../../src/database/open-database.ts'
import { readSurroundings, type Surroundings } from '../../src/pages/read/surroundings.ts'
import { threadContext } from '../../src/pages/text-context.ts'
import { readQueries, SHIPPED_QUERIES } from '../../src/query/saved-queries.ts'
import { threadMarkdown } from '../../src/reading/markdown/thread-markdown.ts'
import { resolveTarget } from '../../src/reading/resolve-target.ts'
import { findThread } from '../../src/reading/threads/find-thread.ts'
import {
  countThreads,
  listThreads,
  type ThreadRow,
} from '../../src/reading/threads/list-threads.ts'
import { readThread, threadAt } from '../../src/reading/threads/read-thread.ts'
import type { Thread, TimelineItem } from '../../src/reading/threads/thread.ts'
import type { ThreadKind } from '../../src/reading/threads/thread-facts.ts'
import { type Item, readTimeline, timelinesOf } from '../../src/reading/threads/timeline.ts'
import { findUpload } from '../../src/reading/uploads.ts'
import { htmlOf } from '../support/web.ts'
import { loginOf } from './normal.ts'
import type { Faces, Json } from './open-faces.ts'
import { type MarkdownThread, parseMarkdown } from './parse-markdown.ts'

/** A row of a query, by column. */
export type SqlRow = Readonly<Record<string, string | number | null>>

/** What happened in a thread, on any face. */
export interface Happening {
  readonly kind: 'comment' | 'event' | 'review'
  /** The type of an event, the verdict of a review. */
  readonly what: string
  readonly who: string | null
  /** Whatever the face says. */
  readonly time: unknown
}

export interface ThreadAnswers {
  readonly sql: {
    readonly row: SqlRow
    readonly timeline: readonly SqlRow[]
    ask(sql: string): SqlRow[]
    /** The login of a person by URL. */
    login(url: unknown): string | null
  }
  readonly show: {
    readonly thread: Thread
    readonly timeline: readonly TimelineItem[]
    /** Whether its short name leads to it. */
    readonly isFound: boolean
  }
  readonly markdown: MarkdownThread
  /** Undefined if no page shows it. */
  readonly page:
    | {
        readonly thread: Thread
        readonly row: ThreadRow | undefined
        readonly facts: Surroundings
        readonly items: readonly Item[]
        /** Undefined if another thread is at its address. */
        readonly html: string | undefined
        readonly isClosed: boolean
        /** The same as of the interface. */
        readonly uploads: readonly string[]
        readonly isFound: boolean
      }
    | undefined
  /** Whether the address with its number, and the word for its kind, leads to it. */
  readonly isServed: boolean
  /** Undefined if it has no address as an issue. */
  readonly rest:
    | {
        readonly issue: Json
        readonly pull: Json | undefined
        readonly timeline: readonly Json[]
        readonly reviews: readonly Json[]
        readonly reviewComments: readonly Json[]
        readonly reactions: readonly Json[]
        /** Of the uploads that `show` names, those whose bytes it has. */
        readonly uploads: readonly string[]
        readonly isListed: boolean
      }
    | undefined
}

const QUESTIONS = new Map(readQueries(SHIPPED_QUERIES).map((query) => [query.name, query.sql]))

/** Answers of a saved question, once for a database. */
export function answersOf(
  { once }: Faces,
  database: Database,
  name: string,
  parameters: Json = {},
): SqlRow[] {
  const sql = QUESTIONS.get(name) ?? ''
  const ask = () => database.prepare<[Json], SqlRow>(sql).all(parameters)
  return once(`${database.name} ${name} ${JSON.stringify(parameters)}`, ask)
}

export async function readAnswers(
  faces: Faces,
  database: Database,
  row: SqlRow,
): Promise<ThreadAnswers> {
  const url = String(row.url)
  const timeline = [...readTimeline(database, url)]
  const thread = readThread(database, url) as Thread
  const name = `${row.full_name}#${row.number}`
  const found = resolveTarget(database, name)
  return {
    sql: {
      row,
      timeline: timelineOf(database, row),
      ask: (sql) => askOf(faces, database)(sql, url),
      login: (person) => loginIn(askOf(faces, database), person),
    },
    show: { thread, timeline, isFound: found.some((target) => target.url === url) },
    markdown: parseMarkdown([...threadMarkdown(thread, timeline)].join('')),
    page: await pageOf(faces, database, row),
    rest: await restOf(faces, database, row, uploadsOf(thread, timeline)),
    isServed: await isServed(faces, database, row),
  }
}

const askOf =
  ({ once }: Faces, database: Database) =>
  (sql: string, url: string): SqlRow[] => {
    const prepare = () => database.prepare<[{ url: string }], SqlRow>(sql)
    return once(`${database.name} ${sql}`, prepare).all({ url })
  }

function loginIn(ask: (sql: string, url: string) => SqlRow[], url: unknown): string | null {
  if (typeof url !== 'string') return null
  const [found] = ask("SELECT nullif(login, '') AS login FROM people WHERE url = :url", url)
  return found?.login ? String(found.login) : loginOf(url)
}

/** The saved question, for one thread: two may share a number. */
function timelineOf(database: Database, { url, number, full_name }: SqlRow): SqlRow[] {
  const sql = QUESTIONS.get('timeline-of-a-thread')?.replace('SELECT', 'SELECT thread, kind, ')
  return database
    .prepare<[Json], SqlRow>(sql ?? '')
    .all({ number, full_name })
    .filter(({ thread }) => thread === url)
}

async function pageOf(
  faces: Faces,
  database: Database,
  row: SqlRow,
): Promise<ThreadAnswers['page']> {
  const { library, pages, once } = faces
  const url = String(row.url)
  const repository = faces.repositoryAt(database, String(row.repository))
  if (!repository) return undefined
  const kind = row.kind === 'issue' ? 'issues' : 'pulls'
  const { store } = repository
  const thread = threadAt(store, url, [row.kind as ThreadKind]) as Thread
  const context = threadContext(library, repository, thread.author)
  const listedIn = (state?: 'closed') =>
    once(`${store.database.name} ${repository.url} ${kind} ${state}`, () => {
      const list = listThreads(library, repository, kind, { state })
      const rows = list.rows(0, list.total)
      // The number above a list is that of its rows.
      const counts = [list.total, countThreads(library, repository, kind, { state })]
      if (counts.some((count) => count !== rows.length)) throw new Error('a wrong count')
      return new Map(rows.map((each) => [each.url, each]))
    })
  const name = `/${encodeURIComponent(repository.owner)}/${encodeURIComponent(repository.name)}`
  const path = `${name}/pull/${row.number}`
  // Who merged it, and whose review is asked for, is decided where it is printed.
  const isFound = findThread(repository, Number(row.number), kind)?.url === url
  const html =
    kind === 'pulls' && isFound
      ? htmlOf(await pages.render(path, new URLSearchParams()))
      : undefined
  return {
    thread,
    row: listedIn().get(url),
    facts: readSurroundings(repository, context, thread),
    items: timelinesOf(store).page(url, { offset: 0, limit: 100_000 }).items,
    html,
    uploads: uploadsOf(thread, [...timelinesOf(store).each(url)]).filter(
      (upload) => findUpload(library, upload)?.stored,
    ),
    isClosed: listedIn('closed').has(url),
    isFound,
  }
}

async function isServed(faces: Faces, database: Database, row: SqlRow): Promise<boolean> {
  if (!faces.repositoryAt(database, String(row.repository))) return false
  const word = row.kind === 'issue' ? 'issues' : 'pulls'
  const found = await faces.rest(String(row.full_name), `/${word}/${row.number}`)
  return found?.html_url === row.url
}

/** The uploads of the texts of a thread, by url. */
export function uploadsOf(thread: Thread, timeline: readonly TimelineItem[]): string[] {
  const texts = timeline.flatMap((item) => {
    if (item.kind === 'event') return []
    if (item.kind === 'comment') return [item]
    const threads = item.kind === 'review' ? item.threads : [item]
    const comments = threads.flatMap((each) => each.comments)
    return item.kind === 'review' ? [item, ...comments] : comments
  })
  const all = [thread, ...texts].flatMap(({ attachments }) => attachments)
  return [...new Set(all.map(({ url }) => url))].sort()
}

async function restOf(
  faces: Faces,
  database: Database,
  row: SqlRow,
  uploads: readonly string[],
): Promise<ThreadAnswers['rest']> {
  const name = String(row.full_name)
  if (!faces.repositoryAt(database, String(row.repository))) return undefined
  const issue = await faces.rest(name, `/issues/${row.number}`)
  if (issue === undefined || issue.html_url !== row.url) return undefined
  const isPull = row.kind === 'pull_request'
  const list = (path: string) => faces.restList<Json>(name, path)
  const served = await Promise.all(uploads.map((url) => faces.hasBytes(url)))
  const all = await faces.once<Promise<Json[]>>(`${name} issues`, () => list('/issues?state=all'))
  return {
    issue,
    pull: isPull ? await faces.rest<Json>(name, `/pulls/${row.number}`) : undefined,
    timeline: await list(`/issues/${row.number}/timeline`),
    reviews: isPull ? await list(`/pulls/${row.number}/reviews`) : [],
    reviewComments: isPull ? await list(`/pulls/${row.number}/comments`) : [],
    reactions: await list(`/issues/${row.number}/reactions`),
    uploads: uploads.filter((_, i) => served[i]),
    isListed: all.some(({ html_url }) => html_url === row.url),
  }
}

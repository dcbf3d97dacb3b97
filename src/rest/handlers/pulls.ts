import { notFound } from '../../http/http-error.ts'
import { type RenderedElement, renderList } from '../../http/rendered.ts'
import { viewerKey } from '../../reading/people/viewer.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import type { IndexedThread } from '../../reading/threads/indexed-threads.ts'
import { asText } from '../../reading/values.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import type { Handler, RequestHead } from '../request-context.ts'
import { bytesOf, type KeptJson, keepJson, sizeOfKept, wholeJson } from '../resources/kept-json.ts'
import { toSinglePullRequest, toWholePullRequest } from '../resources/pull-requests.ts'
import type { Rendering } from '../resources/rendering.ts'
import { readThread } from '../resources/threads.ts'
import { findThread, inRepository, renderingOf } from './find-in-path.ts'
import { ListParameters } from './list-parameters.ts'

/** The pull requests of a repository, open ones unless others are asked for. */
export const repositoryPulls: Handler = inRepository((context, repository) => {
  const parameters = new ListParameters(context.query, 'PullRequest')
  const state = parameters.word('state', ['open', 'closed', 'all'])
  const sort = parameters.word('sort', ['created', 'updated', 'popularity'])
  const asked = parameters.word('direction', ['', 'asc', 'desc'])
  const head = parameters.text('head')
  const base = parameters.text('base')
  parameters.check()
  const rendering = renderingOf(context)
  const { reader } = rendering
  const list = reader.threads.list({
    repositories: [repository.id],
    state,
    kind: 'pulls',
    sort: sort === 'popularity' ? 'comments' : sort,
    direction: asked || (sort === 'created' ? 'desc' : 'asc'),
  })
  const describe = (id: number): RenderedElement[] => {
    const pieces = pullJson(rendering, id)
    return pieces ? [pieces] : []
  }
  if (head === undefined && base === undefined) {
    const items = (offset: number, limit: number) =>
      renderList(list.ids(offset, limit).flatMap(describe))
    return { status: 200, list: { total: list.total, items } }
  }
  const wanted = list.ids(0, list.total).filter((id) => hasEnds(reader.threads.byId(id)))
  const items = (offset: number, limit: number) =>
    renderList(wanted.slice(offset, offset + limit).flatMap(describe))
  return { status: 200, list: { total: wanted.length, items } }

  /** Whether a pull request has the head and base branches that are asked for. */
  function hasEnds(thread: IndexedThread | undefined): boolean {
    const columns = "base ->> 'ref', head ->> 'ref', head ->> 'user'"
    const row =
      thread &&
      reader.library.store(repository.database).record('pull_requests', columns, thread.row)
    const owner = reader.people.byUrl(row?.[2], repository.host).login
    return (
      (base === undefined || row?.[0] === base) &&
      (head === undefined || `${owner}:${asText(row?.[1])}` === head)
    )
  }
})

/** A pull request of a list as JSON, in pieces: the repositories of its ends are the same bytes in all. */
function pullJson(rendering: Rendering, id: number): RenderedElement | undefined {
  const { reader } = rendering
  const kept = reader.library.remember(PULLS, `${keyOf(rendering)} ${id}`, () => {
    const thread = reader.threads.byId(id)
    const record = thread && readThread(rendering, thread)
    if (!record) return undefined
    const members = Object.entries(toWholePullRequest(rendering, record))
    const at = members.findIndex(([name]) => name === 'head')
    const [before, after] = [members.slice(0, at), members.slice(at + 2)].map((some) =>
      keepJson(Object.fromEntries(some)),
    ) as [KeptJson, KeptJson]
    const ends = members.slice(at, at + 2).map(([name, end]) => keepEnd(rendering, name, end))
    return { before, ends, after }
  })
  if (!kept) return undefined
  const whole = (json: KeptJson) => wholeJson(rendering, json)
  return [
    bytesOf(whole(kept.before).slice(0, -1)),
    ...kept.ends.flatMap(({ name, members, repository }) => {
      const start = `,"${name}":${whole(members).slice(0, -1)},"repo":`
      return [bytesOf(start), repository, CLOSE]
    }),
    bytesOf(`,${whole(kept.after).slice(1)}`),
  ]
}

/** A pull request without its people, and with repositories that others share. */
interface KeptPull {
  readonly before: KeptJson
  readonly ends: readonly KeptEnd[]
  readonly after: KeptJson
}

/** One of the two branches of a pull request, with its name. */
interface KeptEnd {
  readonly name: string
  readonly members: KeptJson
  readonly repository: Buffer
}

function keepEnd(rendering: Rendering, name: string, end: JsonValue | undefined): KeptEnd {
  const { repo = null, ...members } = end as JsonObject
  const { full_name } = (repo ?? {}) as JsonObject
  const repository = rendering.reader.library.remember(
    REPOSITORIES,
    `${keyOf(rendering)} ${full_name}`,
    () => Buffer.from(JSON.stringify(repo)),
  )
  return { name, members: keepJson(members), repository }
}

const CLOSE = Buffer.from('}')

/** What an answer depends on besides its subject. */
const keyOf = ({ base, origin, viewer }: Rendering): string =>
  `${base} ${origin} ${viewerKey(viewer)}`

const PULLS = new Memo<KeptPull | undefined>((pull) =>
  pull
    ? [pull.before, ...pull.ends.map(({ members }) => members), pull.after].reduce(
        (sum, kept) => sum + sizeOfKept(kept),
        0,
      )
    : 0,
)

const REPOSITORIES = new Memo<Buffer>(({ length }) => length)

/** The pull request in the path. */
export function findPull(head: RequestHead, repository: IndexedRepository): IndexedThread {
  const thread = findThread(head, repository, 'pull_number')
  if (!thread.isPull) throw notFound()
  return thread
}

export const pull: Handler = inRepository(async (context, repository) => {
  const rendering = renderingOf(context)
  const record = readThread(rendering, findPull(context, repository))
  if (!record) throw notFound()
  return { status: 200, body: await toSinglePullRequest(rendering, record) }
})

/** Whether it was merged: for clients, 404 means no. */
export const isMerged: Handler = inRepository((context, repository) => {
  const record = readThread(renderingOf(context), findPull(context, repository))
  if (!record || record.facts.mergedAt === null) throw notFound()
  return { status: 204 }
})

/** People who were asked for a review and have not given it. Archives have no requests to teams. */
export const requestedReviewers: Handler = inRepository((context, repository) => {
  const rendering = renderingOf(context)
  const record = readThread(rendering, findPull(context, repository))
  if (!record) throw notFound()
  const { requested_reviewers } = toWholePullRequest(rendering, record)
  return { status: 200, body: { users: requested_reviewers ?? [], teams: [] } }
})

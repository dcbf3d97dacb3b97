import { notFound } from '../../http/http-error.ts'
import { type Rendered, renderList } from '../../http/rendered.ts'
import type { Activity } from '../../reading/feeds.ts'
import { foldCase } from '../../reading/names.ts'
import type { Viewer } from '../../reading/people/viewer.ts'
import { viewerKey } from '../../reading/people/viewer.ts'
import { Memo } from '../../reading/remembered.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../request-context.ts'
import { toActivityEvent } from '../resources/activity-events.ts'
import {
  findOrganization,
  findPerson,
  findRepository,
  readerOf,
  renderingOf,
} from './find-in-path.ts'

/** Finds the subject of a feed in the path, and returns how to find its events. */
type Feed = (head: RequestHead) => FeedSource

interface FeedSource {
  /** Tells the feed from others. */
  readonly key: string
  /** Whose private events may be in it. */
  readonly viewer: Viewer
  ids(now: number): readonly number[]
}

const DEFAULT_POLL_INTERVAL = 60

const toHandler = (feed: Feed): Handler => ({
  find: (head) => void feed(head),
  answer: (context) => answerFeed(context, feed(context)),
})

function answerFeed(context: RequestContext, source: FeedSource): Answer {
  const { now, page, base, caller, server } = context
  const rendering = renderingOf(context)
  const { feeds, library } = rendering.reader
  const seconds = Math.floor(now.getTime() / 1000)
  const viewer = viewerKey(source.viewer)
  const key = `${source.key} ${viewer} ${feeds.moment(seconds)}`
  const { ids, newest } = library.remember(FEEDS, key, () => {
    const found = source.ids(seconds)
    return { ids: found, newest: found[0] === undefined ? undefined : feeds.find(found[0]) }
  })
  // A payload names other repositories only to those who may read them.
  const reader = viewerKey(caller)
  const items = (offset: number, limit: number): Rendered =>
    library.remember(FEED_PAGES, `${base} ${key} ${reader} ${page.page}`, () =>
      renderList(
        ids.slice(offset, offset + limit).flatMap((id) => {
          const activity = feeds.find(id)
          const event = activity && toActivityEvent(rendering, activity)
          return event ? [[Buffer.from(JSON.stringify(event))]] : []
        }),
      ),
    )
  return {
    status: 200,
    list: { total: ids.length, items },
    headers: { 'X-Poll-Interval': String(server.options.pollInterval ?? DEFAULT_POLL_INTERVAL) },
    lastModified: newest && new Date(newest.time * 1000),
  }
}

const FEED_PAGES = new Memo<Rendered>(({ length }) => length)

const FEEDS = new Memo<{ ids: readonly number[]; newest: Activity | undefined }>(
  (feed) => 8 * feed.ids.length,
)

/** Private events are for the person in the path alone. */
const themselves = ({ caller, params }: RequestHead): Viewer =>
  caller && foldCase(caller.login) === foldCase(params.username ?? '') ? caller : undefined

export const publicEvents: Handler = toHandler((head) => ({
  key: 'all',
  viewer: undefined,
  ids: (now) => readerOf(head).feeds.ofEverybody(now),
}))

export const repositoryEvents: Handler = toHandler((head) => {
  const repository = findRepository(head)
  return {
    key: `repository ${repository.id}`,
    viewer: head.caller,
    ids: (now) => readerOf(head).feeds.ofRepository(now, repository),
  }
})

/** Links between forks do not survive an export, so the network of a repository is the repository. */
export const networkEvents: Handler = toHandler((head) => {
  const repository = findRepository(head)
  return {
    key: `network ${repository.id}`,
    viewer: undefined,
    ids: (now) => (repository.isPrivate ? [] : readerOf(head).feeds.ofRepository(now, repository)),
  }
})

export const organizationEvents: Handler = toHandler((head) => {
  const organization = findOrganization(head)
  return {
    key: `organization ${organization.url}`,
    viewer: undefined,
    ids: (now) => readerOf(head).feeds.ofOrganization(now, organization),
  }
})

const ofPerson =
  (kind: 'by' | 'received', viewerOf: (head: RequestHead) => Viewer): Feed =>
  (head) => {
    const person = findPerson(head)
    const viewer = viewerOf(head)
    const { feeds } = readerOf(head)
    return {
      key: `${kind} ${person.url}`,
      viewer,
      ids: (now) =>
        kind === 'by' ? feeds.ofActor(now, person, viewer) : feeds.received(now, person, viewer),
    }
  }

const nobody = (): Viewer => undefined

export const userEvents: Handler = toHandler(ofPerson('by', themselves))
export const publicUserEvents: Handler = toHandler(ofPerson('by', nobody))
export const receivedEvents: Handler = toHandler(ofPerson('received', themselves))
export const publicReceivedEvents: Handler = toHandler(ofPerson('received', nobody))

/** The events of an organization that a member sees. */
export const dashboardEvents: Handler = toHandler((head) => {
  const viewer = themselves(head)
  if (!viewer) throw notFound()
  const organization = findOrganization(head)
  const { permissions, feeds } = readerOf(head)
  if (!permissions.roleIn(organization, viewer.login)) throw notFound()
  return {
    key: `dashboard ${organization.url}`,
    viewer,
    ids: (now) => feeds.ofDashboard(now, organization, viewer),
  }
})

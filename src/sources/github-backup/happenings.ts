import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import type { Members } from '../members.ts'

/** Events, comments and reviews of a thread, by the kind of their records. */
export interface Happenings {
  events: JsonObject[]
  comments: JsonObject[]
  reviews: JsonObject[]
  reviewComments: JsonObject[]
  commitComments: JsonObject[]
}

/** Takes the events, and the timeline, which repeats them beside comments and reviews. */
export function happeningsOf(members: Members): Happenings {
  const found: Happenings = {
    events: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    commitComments: [],
  }
  const commits: JsonObject[] = []
  const known = new Map<JsonValue, number>()
  const others: JsonObject[] = []
  /** Takes the comments in an event, which says nothing else. */
  const takeComments = (event: JsonObject): JsonObject[] => {
    const { event: _, node_id: __, comments, ...rest } = event
    const list = Array.isArray(comments) ? comments : []
    const bad = list.filter((comment) => !isObject(comment))
    if (Object.keys(rest).length > 0 || bad.length > 0) others.push({ ...event, comments: bad })
    return list.filter(isObject)
  }
  const add = (event: JsonObject) => {
    const { event: word, id, comments } = event
    if (word === 'committed') commits.push(event)
    else if (word === 'commented') found.comments.push(event)
    else if (word === 'reviewed') found.reviews.push(event)
    else if (word === 'line-commented' && Array.isArray(comments)) {
      found.reviewComments.push(...takeComments(event))
    } else if (word === 'commit-commented' && Array.isArray(comments)) {
      found.commitComments.push(...takeComments(event))
    } else {
      const before = id === undefined ? undefined : known.get(id)
      // The timeline and the list of events may tell different members.
      if (before !== undefined) found.events[before] = { ...event, ...found.events[before] }
      else {
        if (id !== undefined) known.set(id, found.events.length)
        found.events.push(event)
      }
    }
  }
  for (const list of ['event_data', 'timeline_data']) {
    for (const event of members.objects(list)) add(event)
  }
  if (commits.length > 0 && members.see('commit_data') === null) {
    members.keep('commit_data', commits)
  }
  if (others.length > 0) members.keep('timeline_data', others)
  return found
}

/** The objects of several lists, each once: of those with one id the one that changed last. */
export function united(...lists: readonly (readonly JsonObject[])[]): JsonObject[] {
  const byId = new Map<JsonValue, JsonObject>()
  const others: JsonObject[] = []
  for (const object of lists.flat()) {
    const { id } = object
    if (typeof id !== 'number') others.push(object)
    else if (!byId.has(id) || changeOf(object) > changeOf(byId.get(id) as JsonObject)) {
      byId.set(id, object)
    }
  }
  return [...byId.values(), ...others]
}

const changeOf = ({ updated_at }: JsonObject) => (typeof updated_at === 'string' ? updated_at : '')

import type { JsonObject } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { type Members, timeOf } from '../members.ts'
import { partOfUrl } from '../people.ts'
import { isDerivable } from './derivable.ts'
import type { Thread } from './thread.ts'

/** The url of a team that is asked for a review. */
export function teamOf({ repository }: Thread, { slug }: JsonObject): string | undefined {
  if (typeof slug !== 'string' || slug === '') return undefined
  const { host, owner } = repository.facts
  return `${host}/orgs/${partOfUrl(owner)}/teams/${partOfUrl(slug)}`
}

/** Who is asked for a review of a pull request, with the dates that its events tell. */
export function requestsOf(
  thread: Thread,
  members: Members,
  events: readonly JsonObject[],
): JsonObject[] {
  const { repository, entry, created_at } = thread
  const asked = datesOf(thread, events)
  const request = (reviewer: string, type: string, at: string): JsonObject => ({
    reviewer,
    reviewer_type: type,
    created_at: at,
    updated_at: at,
    dismissed_at: null,
  })
  const people = members.see('requested_reviewers')
  const logins = Array.isArray(people) ? people : []
  const urls = repository.persons(members, 'requested_reviewers', created_at)
  const dates = logins.map((each) => (isObject(each) ? asked.get(String(each.login)) : undefined))
  const teams = new Map<string, JsonObject>()
  members.list('requested_teams', (team, i) => {
    const url = isObject(team) ? teamOf(thread, team) : undefined
    if (url === undefined || !isObject(team) || teams.has(url)) return url
    const { slug: _, ...others } = team
    const inner = repository.members(others, entry, `requested_teams[${i}]`)
    const rest = inner.rest('', isDerivable)
    const isBare = Object.keys(rest).length === 0
    teams.set(url, {
      ...request(url, 'Team', asked.get(url) ?? created_at),
      ...(!isBare && { requested_team: rest }),
    })
    return url
  })
  return [...urls.map((url, i) => request(url, 'User', dates[i] ?? created_at)), ...teams.values()]
}

/** When somebody was asked last, by login or by the url of the team. */
function datesOf(thread: Thread, events: readonly JsonObject[]): Map<string, string> {
  const asked = new Map<string, string>()
  for (const { event, requested_reviewer, requested_team, created_at } of events) {
    if (event !== 'review_requested' || typeof created_at !== 'string') continue
    const team = isObject(requested_team) ? teamOf(thread, requested_team) : undefined
    const { login } = isObject(requested_reviewer) ? requested_reviewer : {}
    const at = timeOf(created_at)
    if (at !== undefined) asked.set(team ?? String(login), at)
  }
  return asked
}

import type { JsonObject } from '../json/json.ts'

/** owner/name of the repository that an issue, pull request or part of one belongs to, if its urls tell. */
export function repositoryOfRecord(record: JsonObject): string | undefined {
  const { repository, issue, pull_request } = record
  if (typeof repository === 'string') return lastTwoParts(repository)
  const thread = issue ?? pull_request
  return typeof thread === 'string'
    ? lastTwoParts(beforeLastPart(beforeLastPart(thread)))
    : undefined
}

const beforeLastPart = (url: string): string => url.slice(0, Math.max(0, url.lastIndexOf('/')))

/** `owner/name`, with which the url of a repository ends. */
export function lastTwoParts(url: string): string | undefined {
  const owner = url.lastIndexOf('/', url.lastIndexOf('/') - 1)
  return owner < 0 ? undefined : url.slice(owner + 1)
}

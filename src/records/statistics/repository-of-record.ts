import type { JsonObject } from '../json/json.ts'

/** owner/name of the repository of an issue, a pull request or a part of one, if its URLs show it. */
export function repositoryOfRecord(record: JsonObject): string | undefined {
  const { repository, issue, pull_request } = record
  if (typeof repository === 'string') return lastTwoParts(repository)
  const thread = issue ?? pull_request
  return typeof thread === 'string'
    ? lastTwoParts(beforeLastPart(beforeLastPart(thread)))
    : undefined
}

const beforeLastPart = (url: string): string => url.slice(0, Math.max(0, url.lastIndexOf('/')))

/** The `owner/name` at the end of a repository's URL. */
export function lastTwoParts(url: string): string | undefined {
  const owner = url.lastIndexOf('/', url.lastIndexOf('/') - 1)
  return owner < 0 ? undefined : url.slice(owner + 1)
}

import type { JsonObject } from '../json/json.ts'

/** The URL of the repository of an issue, a pull request or a part of one, if its URLs show it. */
export function repositoryOfRecord(record: JsonObject): string | undefined {
  const { repository, issue, pull_request } = record
  if (typeof repository === 'string') return repository
  const thread = issue ?? pull_request
  return typeof thread === 'string' ? beforeLastPart(beforeLastPart(thread)) : undefined
}

const beforeLastPart = (url: string): string => url.slice(0, Math.max(0, url.lastIndexOf('/')))

/** Facts of repositories by `owner/name`, from those by URL; by the URL where two hosts have one name. Others are left out. */
export function byFullName<T>(byUrl: ReadonlyMap<string, T>): [name: string, facts: T][] {
  const named = Map.groupBy(byUrl, ([url]) => lastTwoParts(url))
  return [...named].flatMap(([name, same]) =>
    name === undefined
      ? []
      : same.map(([url, facts]): [string, T] => [same.length === 1 ? name : url, facts]),
  )
}

/** The `owner/name` at the end of a repository's URL. */
function lastTwoParts(url: string): string | undefined {
  const owner = url.lastIndexOf('/', url.lastIndexOf('/') - 1)
  return owner < 0 ? undefined : url.slice(owner + 1)
}

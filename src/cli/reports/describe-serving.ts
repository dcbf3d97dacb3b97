import { existsSync } from 'node:fs'
import { isLoopback } from '../../rest/addresses.ts'
import { knowsUsers } from '../../server/http/other-user.ts'
import type { ArchiveServer } from '../../server/serve-archive.ts'
import type { ServeOptions } from '../../server/serve-options.ts'
import { formatCount } from '../output/quantities.ts'

/** Milliseconds that feeds go back. */
const FEED_AGE = 90 * 86_400_000

/** Facts about a server that has started, for its operator, one line each. */
export function describeServing(
  { contents, state }: Pick<ArchiveServer, 'contents' | 'state'>,
  { insecure, bind, readOnly, now, pages }: ServeOptions,
  token: string | undefined,
): string[] {
  const { repositories, shadowed, unserved, newestEvent, exporter } = contents
  const start = now instanceof Date ? now : new Date()
  const isEmpty =
    now !== 'newest' &&
    newestEvent !== undefined &&
    start.getTime() - newestEvent.getTime() > FEED_AGE
  const lines = [`serving ${count(repositories, 'repository', 'repositories')}`]
  if (shadowed > 0) {
    const names = count(shadowed, 'repository or person', 'repositories and people')
    lines.push(`${names} left out: an earlier database has their names`)
  }
  if (unserved > 0) {
    lines.push(
      `${count(unserved, 'repository is', 'repositories are')} left out: only references tell of them`,
    )
  }
  if (state !== undefined && !readOnly) lines.push(`keeping state in ${state}`)
  else if (state !== undefined && existsSync(state)) lines.push(`reading state in ${state}`)
  if (isEmpty) {
    const day = newestEvent.toISOString().slice(0, 10)
    lines.push(`all feeds are empty: the newest event is of ${day}; see --now newest`)
  }
  if (pages && isLoopback(bind ?? '127.0.0.1') && !knowsUsers()) {
    lines.push('everyone with an account on this machine can read the pages; see --no-pages')
  }
  if (insecure) lines.push(`warning: requests to ${bind} are not encrypted`)
  if (token !== undefined && exporter !== undefined) {
    lines.push(`token of ${exporter}, until the server stops: ${token}`)
  }
  return lines
}

const count = (number: number, one: string, many: string): string =>
  `${formatCount(number)} ${number === 1 ? one : many}`

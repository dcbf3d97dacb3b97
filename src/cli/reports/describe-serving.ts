import { existsSync } from 'node:fs'
import { knowsUsers } from '../../http/other-user.ts'
import type { LogEntry } from '../../http/request-log.ts'
import { isLoopback } from '../../interface/addresses.ts'
import type { ServeOptions } from '../../rest/serve-options.ts'
import type { ArchiveServer } from '../../serve/serve-archive.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount } from '../output/quantities.ts'

/** Milliseconds that feeds go back. */
const FEED_AGE = 90 * 86_400_000

/** Facts about a server that has started, for its operator, one line each. */
export function describeServing(
  { contents, state }: Pick<ArchiveServer, 'contents' | 'state'>,
  { insecure, bind, readOnly, now, pages }: Omit<ServeOptions, 'pages'> & { pages: boolean },
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
    lines.push(`${names} left out: others have their names`)
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

/** A request on one line: time, request, status, size, duration, login, ID; a fault of ours below it. */
export function describeRequest(entry: LogEntry): SafeText {
  const { time, method, path, status, bytes, milliseconds, login, requestId, fault } = entry
  const line = [
    time.toISOString(),
    `${method} ${path}`,
    String(status),
    formatBytes(bytes),
    `${milliseconds.toFixed(1)} ms`,
    login ?? '-',
    requestId,
  ]
    .map(escapeControls)
    .join(' ')
  if (fault === undefined) return line
  return [line, ...fault.split('\n').map((text) => safe`  ${escapeControls(text)}`)].join('\n')
}

/**
 * Lists the settings by which forges that import from GitHub import from a server instead, one line each.
 *
 * @param url the address under which they reach the server
 * @param token one that may be shown
 */
export function describeImporters(url: string, token: string | undefined): string[] {
  const secret = token ?? 'TOKEN'
  const { hostname, protocol } = new URL(url)
  const isOwn = isLoopback(hostname)
  return [
    'Forges that import from GitHub can import from this server. OWNER/NAME is a repository.',
    ...(token === undefined
      ? ['TOKEN is one of the accounts file (marc accounts token); public repositories need none.']
      : []),
    ...(isOwn
      ? [
          'Only programs on this machine reach it. For others, also in containers, add the name that they',
          'call it by: --bind 0.0.0.0 --host-name NAME, and --insecure or a certificate (--tls-cert).',
        ]
      : []),
    '',
    'Gitea, Forgejo: + > New Migration > GitHub',
    `  Migrate / Clone From URL   ${url}/OWNER/NAME`,
    `  Access Token               ${secret}`,
    '  They refuse addresses of local networks, unless their app.ini has:',
    '    [migrations]',
    '    ALLOW_LOCALNETWORKS = true',
    ...(protocol === 'https:'
      ? ['  and, for a certificate that no authority signed, SKIP_TLS_VERIFY = true']
      : []),
    '',
    'GitLab: one request, with a token of GitLab in $GITLAB_TOKEN and its address in $GITLAB',
    '  curl "$GITLAB/api/v4/import/github" --header "PRIVATE-TOKEN: $GITLAB_TOKEN" \\',
    `    --data github_hostname=${url} --data personal_access_token=${secret} \\`,
    '    --data repo_id=ID --data target_namespace=GROUP',
    `  ID is the id that ${url}/repos/OWNER/NAME answers.`,
    '  An administrator must allow, under Admin > Settings:',
    '    General > Import and export settings: GitHub as an import source',
    '    Network > Outbound requests: requests to the local network',
  ]
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../../errors.ts'
import type { Io } from '../command/io.ts'

/**
 * The URL of a PostgreSQL server, with what the service file says if the URL or PGSERVICE names a service. The driver knows
 * all other variables, but no services.
 *
 * @throws `option-invalid` if there is no such service
 */
export function withService(url: string, env: Io['env']): string {
  const service = serviceIn(url) ?? env.PGSERVICE
  if (!service || !/^postgres(?:ql)?:\/\//.test(url)) return url
  return addService(url, service, readServices(env))
}

function readServices({ PGSERVICEFILE, HOME, PGSYSCONFDIR }: Io['env']): string | undefined {
  const places = [
    PGSERVICEFILE ?? (HOME && join(HOME, '.pg_service.conf')),
    PGSYSCONFDIR && join(PGSYSCONFDIR, 'pg_service.conf'),
  ]
  for (const place of places) {
    try {
      if (place) return readFileSync(place, 'utf8')
    } catch {
      // The next one counts.
    }
  }
  return undefined
}

/**
 * The URL of a server, completed from the service that PGSERVICE or `?service=` names. Parts that the URL has already
 * stay.
 *
 * @param text the content of the service file; undefined if there is none
 * @throws `option-invalid` if the file has no such service
 */
export function addService(url: string, service: string, text: string | undefined): string {
  const settings = settingsOf(service, text ?? '')
  if (!settings) {
    const message = `there is no service ${JSON.stringify(service)} in the service file`
    throw new ArchiveError('option-invalid', message)
  }
  const [, authority = '', path = '', query = ''] = URL_PARTS.exec(url) ?? []
  const parameters = new URLSearchParams(query)
  parameters.delete('service')
  const [, user = '', password = '', host = '', port = ''] = AUTHORITY.exec(authority) ?? []
  const given: Record<string, string> = { user, password, host, port, dbname: path.slice(1) }
  const { dbname, ...others } = settings
  for (const [name, value] of Object.entries(others)) {
    if (!given[name] && !parameters.has(name)) parameters.set(name, value)
  }
  const database = path.length > 1 || dbname === undefined ? path : `/${encodeURIComponent(dbname)}`
  const rest = parameters.toString()
  return `postgres://${authority}${database}${rest && `?${rest}`}`
}

/** The service that a URL names. */
export const serviceIn = (url: string): string | undefined =>
  new URLSearchParams(URL_PARTS.exec(url)?.[3]).get('service') ?? undefined

const URL_PARTS = /^postgres(?:ql)?:\/\/([^/?]*)(\/[^?]*)?(?:\?(.*))?$/s
const AUTHORITY = /^(?:([^:@]*)(?::([^@]*))?@)?(\[[^\]]*\]|[^:]*)(?::(\d*))?$/s

/** The settings of one section of a service file; undefined if it has no such section. */
function settingsOf(service: string, text: string): Record<string, string> | undefined {
  let found: Record<string, string> | undefined
  let isOurs = false
  for (const line of text.split(/\r?\n/).map((one) => one.trim())) {
    const [, section] = /^\[(.*)\]$/.exec(line) ?? []
    if (section !== undefined) {
      // If two sections have the same name, the first counts.
      isOurs = section === service && !found
      if (isOurs) found = {}
    } else if (isOurs && found && !line.startsWith('#')) {
      const [, name, value] = /^([^=\s]+)\s*=\s*(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) found[name] ??= value
    }
  }
  return found
}

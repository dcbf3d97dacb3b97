import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addService, serviceIn } from '../../exporters/targets/postgres/service.ts'
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

import { quotaKey } from '../../http/rate-limit.ts'
import type { Endpoint } from '../../interface/endpoint.ts'
import { ENDPOINTS } from '../../interface/endpoints.ts'
import type { Handler } from '../request-context.ts'

const NAMED = (ENDPOINTS as readonly Endpoint[]).filter(({ index }) => index !== undefined)

/** The addresses of the interface by name, parameters as URI templates. */
export const index: Handler = ({ base }) => ({
  status: 200,
  body: Object.fromEntries(
    NAMED.map(({ index, path }) => [index as string, `${base}${templateOf(path)}`]),
  ),
})

const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

/** How many requests the caller has left. */
export const rateLimit: Handler = ({ caller, remoteAddress, now, server }) => {
  const key = quotaKey(caller?.login, remoteAddress)
  const { limit, used, remaining, reset } = server.rateLimit.quota(key, !caller, now)
  const core = { limit, used, remaining, reset }
  return { status: 200, body: { resources: { core }, rate: core } }
}

/** Clients ask what a service of this interface is before they use it. */
export const meta: Handler = () => ({
  status: 200,
  body: { verifiable_password_authentication: true },
})

/** 204 if requests can be answered. */
export const ready: Handler = ({ server }) => {
  server.catalog.requireReady()
  return { status: 204 }
}

import { ENDPOINTS, type HandlerName } from './endpoints.ts'

type Method = (typeof ENDPOINTS)[number]['method']
type Address = Pick<(typeof ENDPOINTS)[number], 'method' | 'path'>

const BY_NAME = Object.fromEntries(
  ENDPOINTS.map((endpoint) => [endpoint.handler, endpoint]),
) as unknown as Readonly<Record<HandlerName, Address>>

/**
 * The method and path of an endpoint with its parameters filled in: the inverse of routing.
 *
 * @param name the name of its handler
 * @param parameters the values of `:parameters`, which are percent-encoded
 * @example
 * addressOf('unlockUserRepository', { migration_id: 7, repo_name: 'ada/kettle' })
 * // { method: 'DELETE', path: '/user/migrations/7/repos/ada%2Fkettle/lock' }
 */
export function addressOf(
  name: HandlerName,
  parameters: Readonly<Record<string, string | number>> = {},
): { method: Method; path: string } {
  const { method, path } = BY_NAME[name]
  const filled = path.replace(/:(\w+)\+?/g, (_, parameter: string) =>
    encodeURIComponent(parameters[parameter] ?? ''),
  )
  return { method, path: filled }
}

/** Whether only this machine can reach an address. */
export const isLoopback = (address: string): boolean =>
  /^(?:127\.\d+\.\d+\.\d+|::1|\[::1\]|localhost)$/.test(address)

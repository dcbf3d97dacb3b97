import { isLoopback } from '../interface/addresses.ts'
import type { Audience } from '../reading/library.ts'
import type { ServeOptions } from '../rest/serve-options.ts'

/**
 * Whose pages a server shows: everything if only this machine can reach it, else none, or with `isWanted` what a stranger may
 * see. A base address or a host name of its own means a proxy in front.
 */
export function audienceOf(
  {
    bind = '127.0.0.1',
    baseUrl,
    hostNames = [],
  }: Pick<ServeOptions, 'bind' | 'baseUrl' | 'hostNames'>,
  isWanted: boolean | undefined,
): Audience | undefined {
  if (isWanted === false) return undefined
  const isOwn = isLoopback(bind) && baseUrl === undefined && hostNames.every(isOwnName)
  if (isOwn) return 'all'
  return isWanted ? 'public' : undefined
}

const isOwnName = (name: string): boolean => isLoopback(name) || name.endsWith('.localhost')

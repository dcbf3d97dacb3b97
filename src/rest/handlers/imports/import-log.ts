import { createReadStream, statSync } from 'node:fs'
import { notFound } from '../../../http/http-error.ts'
import type { Handler } from '../../request-context.ts'
import { requireSignature } from '../signed-address.ts'

/** The log of an import, by an address that its owner was given. No other credentials are asked for. */
export const importLog: Handler = (context) => {
  const guid = context.params.guid ?? ''
  requireSignature(context, { purpose: 'log', name: guid })
  const { imports } = context.server.state
  const path = imports?.findByGuid(guid) && imports.logPath(guid)
  const stats = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || !stats?.isFile()) throw notFound()
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(stats.size),
      'Cache-Control': 'private, no-store',
    },
    bytes: createReadStream(path, { end: Math.max(0, stats.size - 1) }),
  }
}

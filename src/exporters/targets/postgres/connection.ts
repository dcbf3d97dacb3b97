import type { Writable } from 'node:stream'
import { ArchiveError } from '../../../base/errors.ts'
import { loadOptional } from '../../../base/optional-package.ts'
import { hidePassword } from '../server-url.ts'

/** The part of the package pg that we use. */
interface Client {
  connect(): Promise<void>
  query<Row>(text: string, values?: readonly unknown[]): Promise<{ rows: Row[] }>
  query<Submitted extends object>(submitted: Submitted): Submitted
  on(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<void>
}

interface Pg {
  Client: new (settings: { connectionString: string; application_name: string }) => Client
}

interface CopyStreams {
  from(statement: string): Writable & { rowCount: number }
}

export interface Connection {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Starts a COPY FROM STDIN. Nothing else can be asked until it has ended. */
  copy(statement: string): Copy
  close(): Promise<void>
}

export interface Copy {
  /** Resolves when the server can take more. */
  write(bytes: Buffer): Promise<void>
  /** Ends the COPY. Returns the number of rows, as the server counts them. */
  end(): Promise<number>
  /** Cancels the COPY; the transaction has failed. */
  destroy(): void
}

const PACKAGES = 'pg pg-copy-streams'

const IS_URL = /^postgres(ql)?:\/\//

/** The URL of a server without its password, for messages. */
export const withoutPassword = (url: string): string =>
  IS_URL.test(url) ? hidePassword(url, 'postgres') : 'postgres'

/**
 * Connects to a server. Passwords come from the URL, from PGPASSWORD or from ~/.pgpass.
 *
 * @throws `option-invalid`, `package-missing`, `target-failed`
 */
export async function connect(url: string): Promise<Connection> {
  if (!IS_URL.test(url)) {
    throw new ArchiveError('option-invalid', 'expected a URL that begins with postgres://')
  }
  const { Client } = loadOptional<Pg>('pg', PACKAGES)
  const { from } = loadOptional<CopyStreams>('pg-copy-streams', PACKAGES)
  const place = { archive: withoutPassword(url) }
  const failed = (error: unknown) => asArchiveError(error, place)
  const client = new Client({ connectionString: url, application_name: 'marc' })
  // The running statement fails as well, and reports it.
  client.on('error', () => {})
  await client.connect().catch((error: unknown) => {
    throw failed(error)
  })
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      try {
        // Without values, one message can have several statements.
        const done = await (values.length > 0
          ? client.query<Row>(text, values)
          : client.query<Row>(text))
        return done.rows
      } catch (error) {
        throw failed(error)
      }
    },
    copy(statement) {
      const stream = client.query(from(statement))
      let broken: unknown
      const ended = new Promise<void>((resolve, reject) => {
        stream.on('finish', resolve)
        stream.on('error', (error: unknown) => {
          broken = error
          reject(failed(error))
        })
      })
      ended.catch(() => {})
      return {
        async write(bytes) {
          if (broken !== undefined) throw failed(broken)
          if (stream.write(bytes)) return
          const drained = new Promise<void>((resolve) => stream.once('drain', resolve))
          await Promise.race([drained, ended])
        },
        async end() {
          stream.end()
          await ended
          return stream.rowCount
        },
        destroy: () => stream.destroy(),
      }
    },
    close: () => client.end().catch(() => {}),
  }
}

function asArchiveError(error: unknown, place: { archive: string }): ArchiveError {
  if (error instanceof ArchiveError) return error
  // Several addresses of one host fail together, without a message of their own.
  const [first] = error instanceof AggregateError ? error.errors : [error]
  const message = first instanceof Error ? first.message : String(first)
  return new ArchiveError('target-failed', message || 'the connection failed', place, error)
}

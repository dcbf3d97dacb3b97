import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ArchiveError } from '../../../base/errors.ts'
import { hidePassword, reasonOf } from '../server-url.ts'

export interface Connection {
  /** The URL without a password, for errors. */
  readonly shown: string
  /** The rows of a query, as JSON has them. */
  query<Row>(sql: string): Promise<Row[]>
  /** Runs one statement. */
  run(sql: string): Promise<void>
  /** Sends a Parquet file as the rows of an INSERT. */
  insert(table: string, path: string): Promise<void>
}

export interface ConnectionOptions {
  database: string
  user?: string | undefined
  password?: string | undefined
  signal?: AbortSignal | undefined
}

const IS_URL = /^https?:\/\//

/** The URL of a server without its password, for messages. */
export const withoutPassword = (url: string): string =>
  IS_URL.test(url) ? hidePassword(url, 'clickhouse') : 'clickhouse'

const SETTINGS = {
  // Let the answer begin when the statement is done, so that its status shows an error.
  wait_end_of_query: '1',
  // A file without derived columns has fewer of them.
  input_format_parquet_allow_missing_columns: '1',
  output_format_json_quote_64bit_integers: '0',
}

/**
 * Prepares requests to the HTTP interface of a server, each on its own.
 *
 * @throws `option-invalid` for something other than the URL of a server
 */
export function openConnection(
  url: string,
  { database, user, password, signal }: ConnectionOptions,
): Connection {
  if (!IS_URL.test(url) || !URL.canParse(url)) {
    throw new ArchiveError('option-invalid', 'expected a URL that begins with http:// or https://')
  }
  const { username, password: typed, protocol, host, pathname } = new URL(url)
  const shown = withoutPassword(url)
  const name = decodeURIComponent(username) || user
  const key = decodeURIComponent(typed) || password
  const headers = {
    ...(name !== undefined && { 'X-ClickHouse-User': name }),
    ...(key !== undefined && { 'X-ClickHouse-Key': key }),
  }
  const ask = async (body: BodyInit, settings: Record<string, string>): Promise<string> => {
    const address = new URL(`${protocol}//${host}${pathname}`)
    for (const [setting, value] of Object.entries({ database, ...SETTINGS, ...settings })) {
      address.searchParams.set(setting, value)
    }
    try {
      // Types of the DOM do not know that a body that is streamed needs `duplex`.
      const options: RequestInit & { duplex: 'half' } = {
        method: 'POST',
        body,
        headers,
        redirect: 'error',
        duplex: 'half',
        ...(signal && { signal }),
      }
      const response = await fetch(address, options)
      const text = await response.text()
      if (response.ok) return text
      throw new ArchiveError('target-failed', errorIn(text, response.status), { archive: shown })
    } catch (error) {
      if (error instanceof ArchiveError) throw error
      throw new ArchiveError('target-failed', reasonOf(error), { archive: shown }, error)
    }
  }
  return {
    shown,
    async query<Row>(sql: string) {
      const text = await ask(sql, { default_format: 'JSONEachRow' })
      return text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Row)
    },
    run: async (sql) => void (await ask(sql, {})),
    async insert(table, path) {
      const file = Readable.toWeb(createReadStream(path)) as ReadableStream
      await ask(file, { query: `INSERT INTO ${table} FORMAT Parquet` })
    },
  }
}

/** The message of a server about an error, on one line and without its version. */
const errorIn = (text: string, status: number): string =>
  text
    .trim()
    .split('\n', 1)[0]
    ?.replace(/\s*\(version [^\n]*$/, '') || `the server answered with status ${status}`

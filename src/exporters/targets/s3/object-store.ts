import { setTimeout as sleep } from 'node:timers/promises'
import { ArchiveError } from '../../../errors.ts'
import { loadOptional } from '../optional-package.ts'
import { reasonOf } from '../server-url.ts'
import { addressOf, encodeKey, parsePlace, type StoreOptions } from './place.ts'

/** An object and its metadata in the store. */
export interface StoredObject {
  readonly bytes: Buffer
  readonly etag: string
  /** Milliseconds since it was last written, by the clock of the store. */
  readonly age: number
}

/** A condition under which an object is written: there is none yet, or it is the one with this tag. */
export type WriteCondition = { ifNoneMatch: '*' } | { ifMatch: string }

/** The objects below `s3://bucket/folder`. Keys are relative to it. */
export interface ObjectStore {
  /** The place, for errors. */
  readonly shown: string
  /** The address of the folder over HTTP. */
  readonly url: string
  get(key: string): Promise<StoredObject | undefined>
  /** The content of an object in pieces. */
  read(key: string): Promise<AsyncIterable<Uint8Array>>
  /** Writes an object as a whole. Returns false if the condition does not hold. */
  put(
    key: string,
    body: string | Uint8Array,
    options?: { condition?: WriteCondition; sha256?: string },
  ): Promise<boolean>
  /** Sends a request about one object. Throws `target-failed` unless it succeeds. */
  ask(
    method: string,
    key: string,
    options?: { query?: Record<string, string>; body?: string | Uint8Array; sha256?: string },
  ): Promise<Response>
  remove(key: string): Promise<void>
  /** The keys that begin with `prefix`, with the sizes of their objects. */
  list(prefix: string): Promise<Map<string, number>>
  /** Whether any key begins with `prefix`. */
  has(prefix: string): Promise<boolean>
  /** The names of the folders at the top. */
  folders(): Promise<string[]>
}

interface Aws4Fetch {
  AwsClient: new (
    options: StoreOptions & { service: string; region: string; retries: number },
  ) => { fetch(url: URL, init: RequestInit): Promise<Response> }
}

/** Milliseconds before a request is repeated after its connection broke. */
const PAUSES = [100, 400]
/** How often the package repeats a request that the store could not answer just then. */
const RETRIES = 5

/**
 * Prepares requests to a bucket, each on its own.
 *
 * @param place `s3://bucket` or `s3://bucket/folder`
 * @throws `option-invalid`, `package-missing`
 */
export function openObjectStore(
  place: string,
  {
    credentials,
    signal,
  }: { credentials?: StoreOptions | undefined; signal?: AbortSignal | undefined },
): ObjectStore {
  const { bucket, folder } = parsePlace(place)
  const { AwsClient } = loadOptional<Aws4Fetch>('aws4fetch')
  if (!credentials?.accessKeyId || !credentials.secretAccessKey) {
    const message = 'no credentials for s3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    throw new ArchiveError('option-invalid', message)
  }
  const region = credentials.region || 'us-east-1'
  const client = new AwsClient({ ...credentials, region, service: 's3', retries: RETRIES })
  const root = addressOf(bucket, region, credentials.endpoint)
  const shown = `s3://${bucket}${folder && `/${folder}`}`
  const at = { archive: shown }
  const inFolder = (key: string) => (folder === '' ? key : `${folder}/${key}`)

  const send = async (
    method: string,
    key: string,
    init: {
      query?: Record<string, string>
      body?: string | Uint8Array
      headers?: Record<string, string>
    },
  ): Promise<Response> => {
    const url = new URL(`${root}/${encodeKey(key)}`)
    for (const [name, value] of Object.entries(init.query ?? {})) url.searchParams.set(name, value)
    const { body, headers } = init
    const request = {
      ...{ method, redirect: 'manual', ...(signal && { signal }) },
      ...{ ...(headers && { headers }), ...(body !== undefined && { body }) },
    } as RequestInit
    for (let attempt = 0; ; attempt++) {
      try {
        return await client.fetch(url, request)
      } catch (error) {
        const pause = PAUSES[attempt]
        if (signal?.aborted || pause === undefined) {
          throw new ArchiveError('target-failed', reasonOf(error), at, error)
        }
        await sleep(pause)
      }
    }
  }
  const refused = async (response: Response) => asError(await problemIn(response), at)
  const ask: ObjectStore['ask'] = async (method, key, { query, body, sha256 } = {}) => {
    const headers = sha256 === undefined ? {} : { 'X-Amz-Content-Sha256': sha256 }
    const response = await send(method, inFolder(key), {
      ...{ headers, ...(query && { query }), ...(body !== undefined && { body }) },
    })
    if (response.ok) return response
    throw await refused(response)
  }
  const listPage = async (query: Record<string, string>): Promise<string> => {
    const response = await send('GET', '', { query: { 'list-type': '2', ...query } })
    if (response.ok) return response.text()
    throw await refused(response)
  }
  const start = inFolder('')
  /** Keys below the folder. It may have an object of its own, without a name. */
  const keysIn = (page: string) =>
    page
      .split('<Contents>')
      .slice(1)
      .flatMap((part) => {
        const [content = ''] = part.split('</Contents>', 1)
        const key = textIn(content, 'Key').slice(start.length)
        return key === '' ? [] : [{ key, bytes: Number(textIn(content, 'Size')) }]
      })
  /** Gives the pages of a listing to `take`, which returns the name after which the next one begins. */
  const eachPage = async (query: Record<string, string>, take: (page: string) => string) => {
    for (let after: string | undefined; ; ) {
      const page = await listPage({ ...query, ...(after && { 'start-after': inFolder(after) }) })
      const last = take(page)
      if (textIn(page, 'IsTruncated') !== 'true' || last === after) return
      after = last
    }
  }
  return {
    ...{ shown, url: `${root}${folder && `/${encodeKey(folder)}`}`, ask },
    async get(key) {
      const response = await send('GET', inFolder(key), {})
      if (!response.ok) {
        const problem = await problemIn(response)
        if (problem.isGone) return undefined
        throw asError(problem, at)
      }
      const { headers } = response
      const written = Date.parse(headers.get('last-modified') ?? '')
      return {
        bytes: Buffer.from(await response.arrayBuffer()),
        etag: headers.get('etag') ?? '',
        age: Date.parse(headers.get('date') ?? '') - written || 0,
      }
    },
    async read(key) {
      const { body } = await ask('GET', key)
      return body as unknown as AsyncIterable<Uint8Array>
    },
    async put(key, body, { condition, sha256 } = {}) {
      const headers = {
        ...(sha256 !== undefined && { 'X-Amz-Content-Sha256': sha256 }),
        ...(condition && 'ifMatch' in condition && { 'If-Match': condition.ifMatch }),
        ...(condition && 'ifNoneMatch' in condition && { 'If-None-Match': '*' }),
      }
      const response = await send('PUT', inFolder(key), { body, headers })
      if (response.ok) return true
      const problem = await problemIn(response)
      // The object that was to be replaced may be gone, or another request may come between.
      if (condition && (problem.isGone || [409, 412].includes(response.status))) return false
      throw asError(problem, at)
    },
    remove: async (key) => void (await ask('DELETE', key)),
    async list(prefix) {
      const keys = new Map<string, number>()
      await eachPage({ prefix: inFolder(prefix) }, (page) => {
        const found = keysIn(page)
        for (const { key, bytes } of found) keys.set(key, bytes)
        return found.at(-1)?.key ?? ''
      })
      return keys
    },
    has: async (prefix) =>
      keysIn(await listPage({ prefix: inFolder(prefix), 'max-keys': '2' })).length > 0,
    async folders() {
      const names: string[] = []
      await eachPage({ prefix: start, delimiter: '/' }, (page) => {
        for (const [, content = ''] of page.matchAll(PREFIXES)) {
          names.push(textIn(content, 'Prefix').slice(start.length, -1))
        }
        const last = names.at(-1)
        // Every key below a folder comes before this.
        const ends = [
          keysIn(page).at(-1)?.key ?? '',
          last === undefined ? '' : `${last}/\u{10ffff}`,
        ]
        return ends.sort().at(-1) as string
      })
      return names
    },
  }
}

const PREFIXES = /<CommonPrefixes>(.*?)<\/CommonPrefixes>/gs

interface Problem {
  /** The message of the server. */
  readonly message: string
  /** There is no such object, but the bucket exists. */
  readonly isGone: boolean
}

async function problemIn(response: Response): Promise<Problem> {
  const text = await response.text().catch(() => '')
  const [code, message] = [textIn(text, 'Code'), textIn(text, 'Message')]
  const said = code && message ? `${code}: ${message}` : code || message
  return {
    message: said || `the server answered with status ${response.status}`,
    isGone: response.status === 404 && code !== 'NoSuchBucket',
  }
}

const asError = ({ message }: Problem, place: { archive: string }): ArchiveError =>
  new ArchiveError('target-failed', message, place)

/** The text of the first XML element with a name; empty if there is none. */
export const textIn = (xml: string, name: string): string =>
  (new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '').replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
    (found, hex?: string, decimal?: string, named?: string) => {
      if (named) return ENTITIES[named.toLowerCase()] ?? found
      const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : found
    },
  )

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
}

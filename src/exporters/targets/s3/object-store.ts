import type { Readable } from 'node:stream'
import { ArchiveError } from '../../../base/errors.ts'
import { loadOptional } from '../../../base/optional-package.ts'
import { collect } from '../../../base/streams.ts'
import type { StoreOptions } from '../../exporter.ts'
import { reasonOf } from '../server-url.ts'
import { addressOf, encodeKey, parsePlace } from './place.ts'

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
  /** Uploads a file in parts. Nobody sees the object before all of it is there. */
  upload(key: string, body: Readable, partBytes: number): Promise<void>
  remove(key: string): Promise<void>
  /** The keys that begin with `prefix`, with the sizes of their objects. */
  list(prefix: string): Promise<Map<string, number>>
  /** Whether any key begins with `prefix`. */
  has(prefix: string): Promise<boolean>
  /** The names of the folders at the top. */
  folders(): Promise<string[]>
}

/** The parts of @aws-sdk/client-s3 that are used. */
interface S3Client {
  readonly middlewareStack: {
    add(
      wrap: (next: Deserialize) => Deserialize,
      options: { step: 'deserialize'; priority: 'high' },
    ): void
  }
  getObject(input: Input, options: Options): Promise<Found>
  putObject(input: Input, options: Options): Promise<unknown>
  deleteObject(input: Input, options: Options): Promise<unknown>
  listObjectsV2(input: Input, options: Options): Promise<Listing>
}

type Input = Readonly<Record<string, unknown>>
type Options = { abortSignal?: AbortSignal }
type Deserialize = (
  request: unknown,
) => Promise<{ response: { headers?: Record<string, string> }; output: Partial<Found> }>

interface Found {
  Body: AsyncIterable<Uint8Array>
  ETag?: string
  LastModified?: Date
  /** The time of the answer, by the clock of the store. */
  answered?: string | undefined
}

interface Listing {
  Contents?: readonly { Key?: string; Size?: number }[]
  CommonPrefixes?: readonly { Prefix?: string }[]
  NextContinuationToken?: string
}

/** The part of @aws-sdk/lib-storage that is used. */
interface Uploads {
  Upload: new (options: {
    client: S3Client
    params: Input
    partSize: number
    queueSize: number
  }) => { done(): Promise<unknown>; abort(): Promise<void> }
}

export const PACKAGES = '@aws-sdk/client-s3 @aws-sdk/lib-storage'

/** Parts of a file that are sent at a time: several files are. */
const PARTS_AT_ONCE = 2
/** How often a request is made that the store could not answer just then. */
const ATTEMPTS = 6

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
  const { S3 } = loadOptional<{ S3: new (options: Input) => S3Client }>(
    '@aws-sdk/client-s3',
    PACKAGES,
  )
  const { Upload } = loadOptional<Uploads>('@aws-sdk/lib-storage', PACKAGES)
  if (!credentials?.accessKeyId || !credentials.secretAccessKey) {
    const message = 'no credentials for s3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    throw new ArchiveError('option-invalid', message)
  }
  const { endpoint, accessKeyId, secretAccessKey, sessionToken } = credentials
  const region = credentials.region || 'us-east-1'
  const root = addressOf(bucket, region, endpoint)
  const client = new S3({
    region,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
    ...(endpoint && { endpoint }),
    // Amazon has a host name for each bucket; other stores seldom do.
    forcePathStyle: endpoint !== undefined && endpoint !== '',
    maxAttempts: ATTEMPTS,
    // Stores other than Amazon's know none of its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next) => async (request) => {
      const result = await next(request)
      result.output.answered = result.response.headers?.date
      return result
    },
    { step: 'deserialize', priority: 'high' },
  )
  const shown = `s3://${bucket}${folder && `/${folder}`}`
  const inFolder = (key: string) => (folder === '' ? key : `${folder}/${key}`)
  const objectOf = (key: string) => ({ Bucket: bucket, Key: inFolder(key) })
  const options: Options = signal ? { abortSignal: signal } : {}
  const failed = (error: unknown) =>
    new ArchiveError('target-failed', describeFailure(error), { archive: shown }, error)
  const attempt = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error) => {
      throw failed(error)
    })

  async function* listings(query: Input): AsyncGenerator<Listing> {
    for (let token: string | undefined; ; ) {
      const input = { Bucket: bucket, ...query, ContinuationToken: token }
      const page = await attempt(client.listObjectsV2(input, options))
      yield page
      token = page.NextContinuationToken
      if (!token) return
    }
  }
  const start = inFolder('')
  /** Keys below the folder. It may have an object of its own, without a name. */
  const keysIn = ({ Contents = [] }: Listing) =>
    Contents.flatMap(({ Key = '', Size = 0 }) => {
      const key = Key.slice(start.length)
      return key === '' ? [] : [{ key, bytes: Size }]
    })
  return {
    shown,
    url: `${root}${folder && `/${encodeKey(folder)}`}`,
    async get(key) {
      try {
        const found = await client.getObject(objectOf(key), options)
        const { Body, ETag = '', LastModified, answered = '' } = found
        const age = Date.parse(answered) - Number(LastModified) || 0
        return { bytes: await collect(Body), etag: ETag, age }
      } catch (error) {
        if (isGone(error)) return undefined
        throw failed(error)
      }
    },
    async read(key) {
      return (await attempt(client.getObject(objectOf(key), options))).Body
    },
    async put(key, body, { condition, sha256 } = {}) {
      const input = {
        ...objectOf(key),
        Body: body,
        ...(sha256 !== undefined && {
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        }),
        ...(condition && 'ifMatch' in condition && { IfMatch: condition.ifMatch }),
        ...(condition && 'ifNoneMatch' in condition && { IfNoneMatch: '*' }),
      }
      try {
        await client.putObject(input, options)
        return true
      } catch (error) {
        // The object that was to be replaced may be gone, or another request may come between.
        if (condition && (isGone(error) || [409, 412].includes(statusOf(error)))) return false
        throw failed(error)
      }
    },
    async upload(key, body, partBytes) {
      const upload = new Upload({
        client,
        params: { ...objectOf(key), Body: body },
        partSize: partBytes,
        queueSize: PARTS_AT_ONCE,
      })
      const abort = () => void upload.abort()
      signal?.addEventListener('abort', abort)
      try {
        await attempt(upload.done())
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    remove: async (key) => void (await attempt(client.deleteObject(objectOf(key), options))),
    async list(prefix) {
      const keys = new Map<string, number>()
      for await (const page of listings({ Prefix: inFolder(prefix) })) {
        for (const { key, bytes } of keysIn(page)) keys.set(key, bytes)
      }
      return keys
    },
    async has(prefix) {
      const query = { Bucket: bucket, Prefix: inFolder(prefix), MaxKeys: 2 }
      return keysIn(await attempt(client.listObjectsV2(query, options))).length > 0
    },
    async folders() {
      const names: string[] = []
      for await (const { CommonPrefixes = [] } of listings({ Prefix: start, Delimiter: '/' })) {
        for (const { Prefix = '' } of CommonPrefixes) names.push(Prefix.slice(start.length, -1))
      }
      return names
    },
  }
}

const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0

/** Whether there is no such object, though the bucket exists. */
const isGone = (error: unknown): boolean =>
  statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket'

/** The answer of a store, as `Code: message`, or the reason why there is none. */
function describeFailure(error: unknown): string {
  const status = statusOf(error)
  if (status === 0) return reasonOf(error)
  const { name, message } = error as Error
  const said = [name, message].filter((part) => part !== '' && !/^Unknown(?:Error)?$/.test(part))
  return said.join(': ') || `the server answered with status ${status}`
}

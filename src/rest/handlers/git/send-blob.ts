import { joinChunks } from '../../../git/objects/inflate.ts'
import type { GitData } from '../../../git/open-git.ts'
import { isOid } from '../../../git/parse/git-object.ts'
import { etagOf, notModified } from '../../../http/etag.ts'
import { notFound } from '../../../http/http-error.ts'
import type { JsonObject } from '../../../records/json/json.ts'
import type { Answer, RequestContext } from '../../request-context.ts'
import { tooLarge } from './git-request.ts'

/** Largest object that is sent in bytes, as the host has it. */
export const LARGEST_BLOB = 100 * 2 ** 20

type Content = readonly [Buffer] | AsyncIterable<Buffer>

/** A blob, whose content can be read once. */
export interface OpenBlob {
  readonly oid: string
  readonly size: number
  readonly content: Content
}

/** Opens a blob. Throws `HttpError` 404, and 403 for one that is larger than the interface sends. */
export function openBlob({ objects }: GitData, oid: string): OpenBlob {
  if (!isOid(oid) || !objects.has(oid)) throw notFound()
  if (objects.sizeOf(oid) > LARGEST_BLOB) throw tooLarge()
  const { type, size, content } = objects.stream(oid)
  if (type !== 'blob') throw notFound()
  return { oid, size, content }
}

/** Larger blobs are sent while they are read, and are left out of the description of a file. */
export const LARGEST_WHOLE = 2 ** 20

/** Bytes of a line of base64, as the host writes it. */
const LINE = 45

/** The content of a blob in base64, with a line feed after each 60 characters. */
export const toBase64 = async (blob: OpenBlob): Promise<string> => inLines(await joinChunks(blob))

const inLines = (bytes: Buffer): string => bytes.toString('base64').replace(/.{1,60}/g, '$&\n')

/** Answers with a blob as JSON. */
export async function sendAsJson(
  context: RequestContext,
  blob: OpenBlob,
  head: JsonObject,
): Promise<Answer> {
  const { oid, size, content } = blob
  if (size <= LARGEST_WHOLE) {
    return { status: 200, body: { ...head, content: await toBase64(blob), encoding: 'base64' } }
  }
  const start = `${JSON.stringify(head).slice(0, -1)},"content":"`
  const end = '","encoding":"base64"}'
  const characters = 4 * Math.ceil(size / 3)
  const length = Buffer.byteLength(start) + characters + 2 * Math.ceil(characters / 60) + end.length
  return stream(
    context,
    etagOf(start + oid),
    {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(length),
    },
    async function* () {
      yield Buffer.from(start)
      let rest: Buffer = Buffer.alloc(0)
      for await (const piece of content) {
        const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
        const whole = bytes.length - (bytes.length % LINE)
        yield Buffer.from(inLines(bytes.subarray(0, whole)).replaceAll('\n', '\\n'))
        // A copy, because the reader may reuse the memory.
        rest = Buffer.from(bytes.subarray(whole))
      }
      yield Buffer.from(inLines(rest).replaceAll('\n', '\\n') + end)
    },
  )
}

/** Answers with the bytes of a blob, which are never shown as a page of this server. */
export const sendBytes = (context: RequestContext, { oid, size, content }: OpenBlob): Answer =>
  stream(
    context,
    `"${oid}"`,
    {
      'Content-Type': 'application/vnd.github.raw; charset=utf-8',
      'Content-Length': String(size),
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
    async function* () {
      yield* content
    },
  )

function stream(
  { headers: asked }: RequestContext,
  ETag: string,
  headers: Readonly<Record<string, string>>,
  bytes: () => AsyncIterable<Uint8Array>,
): Answer {
  return (
    notModified(asked, { ETag }) ?? { status: 200, headers: { ETag, ...headers }, bytes: bytes() }
  )
}

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { ArchiveError, systemReason } from '../../base/errors.ts'
import { isObject, textOrEmpty } from '../../records/json/json.ts'
import { ClientError } from '../client-error.ts'
import type { Session } from '../open-session.ts'
import { Patience } from '../patience.ts'
import type { Answer } from '../read-refusal.ts'
import type { Content } from '../send-request.ts'
import type { UploadNotes } from './upload-notes.ts'

const MIB = 2 ** 20
/** The largest archive that hosts take in one request. */
const LARGEST_WHOLE = 100 * MIB
/** Attempts in a row that transfer nothing. */
const MOST_FRUITLESS = 10
/** Uploads that the server refused to continue. */
const MOST_RESTARTS = 3
/** Bytes that are read at a time. */
const BATCH = 2 ** 18

/** An archive on disk, and where it goes. */
export interface Upload {
  path: string
  bytes: number
  /** The number of the organization. */
  organization: number
  /** Bytes of a part. An archive that is larger than one goes in parts. */
  partSize: number
  notes: UploadNotes
  /** Called with the bytes that were sent, those of earlier processes included. */
  progress?: ((bytes: number) => void) | undefined
}

/**
 * Uploads an archive, whole or in parts, or continues an upload. A part whose answer was lost is sent again to the same address. If
 * the server does not go on with an upload, another begins.
 *
 * @param session a session with the host of uploads
 * @returns the address of the upload, `gei://archive/…`
 * @throws `archive-changed`, `archive-unreadable`, and the codes of a session
 */
export async function uploadArchive(session: Session, upload: Upload): Promise<string> {
  const { bytes, notes, partSize } = upload
  if (notes.facts.uri !== undefined) return notes.facts.uri
  await requireUnchanged(upload)
  const isWhole = bytes <= Math.min(partSize, LARGEST_WHOLE) && notes.facts.next === undefined
  const uri = isWhole ? await sendWhole(session, upload) : await sendInParts(session, upload)
  await requireUnchanged(upload)
  await notes.write({ uri })
  upload.progress?.(bytes)
  return uri
}

async function requireUnchanged({ path, bytes }: Upload): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    throw new ArchiveError('archive-unreadable', systemReason(error), { archive: path }, error)
  })
  if (found.size === bytes) return
  const message = `it had ${bytes} bytes, and now has ${found.size}`
  throw new ArchiveError('archive-changed', message, { archive: path })
}

const archivesOf = ({ server }: Session, organization: number) =>
  new URL(`${server.base}/organizations/${organization}/gei/archive`)

async function sendWhole(session: Session, upload: Upload): Promise<string> {
  const url = archivesOf(session, upload.organization)
  url.searchParams.set('name', basename(upload.path))
  const answer = await session.request('POST', url, {
    content: contentOf(upload, 0, upload.bytes),
    redirects: 0,
    // A second upload of the same archive does no harm, and nobody can look for the first.
    retries: MOST_FRUITLESS,
  })
  const uri = uriIn(answer)
  if (uri !== undefined) return uri
  throw new ClientError('server-failed', 'the server took an archive and did not say where it is')
}

async function sendInParts(session: Session, upload: Upload): Promise<string> {
  const { notes } = upload
  for (let restarts = 0; ; restarts++) {
    try {
      if (notes.facts.next === undefined) await begin(session, upload)
      return await sendParts(session, upload)
    } catch (error) {
      if (notes.facts.next === undefined || !isRefused(error)) throw error
      await notes.remove()
      if (restarts === MOST_RESTARTS) throw error
      session.notice(`${error.message}; the upload begins again`)
    }
  }
}

/** Whether the server does not go on with an upload. */
const isRefused = (error: unknown): error is ClientError =>
  error instanceof ClientError &&
  error.code === 'request-refused' &&
  ![401, 413].includes(error.status ?? 0)

async function begin(session: Session, upload: Upload): Promise<void> {
  const { path, bytes, partSize, notes, organization } = upload
  const url = new URL(`${archivesOf(session, organization).href}/blobs/uploads`)
  const answer = await session.request('POST', url, {
    body: { content_type: 'application/octet-stream', name: basename(path), size: bytes },
    redirects: 0,
    retries: MOST_FRUITLESS,
  })
  const next = locationIn(answer, session)
  if (next === undefined) throw unaddressed()
  const guid = next.searchParams.get('guid') ?? ''
  await notes.write({ next: { location: next.href, sent: 0, partSize, guid } })
}

async function sendParts(session: Session, upload: Upload): Promise<string> {
  const { bytes, notes } = upload
  const patience = new Patience(session, { retries: MOST_FRUITLESS })
  for (;;) {
    const { next } = notes.facts
    if (next === undefined) throw unaddressed()
    const { location, sent, partSize, guid } = next
    try {
      const url = allowed(new URL(location), session)
      if (sent === bytes) {
        const done = { body: '', redirects: 0, once: true } as const
        return await addressOf(await session.request('PUT', url, done), guid)
      }
      const end = Math.min(bytes, sent + partSize)
      const content = contentOf(upload, sent, end)
      const answer = await session.request('PATCH', url, { content, redirects: 0, once: true })
      const following = locationIn(answer, session) ?? url
      await notes.write({ next: { ...next, location: following.href, sent: end } })
      patience.renew()
    } catch (error) {
      if (!(await patience.allows(error))) throw error
    }
  }
}

/** Some servers say the address at the end, some in the first location. */
function addressOf(answer: Answer, guid: string): string {
  const stated = uriIn(answer)
  const named = parseUri(`gei://archive/${guid}`)
  if (stated !== undefined && named !== undefined && stated !== named) {
    const message = 'the server says two different addresses of one upload'
    throw new ClientError('server-failed', message)
  }
  const uri = stated ?? named
  if (uri !== undefined) return uri
  throw new ClientError('server-failed', 'the server took an archive and did not say where it is')
}

const uriIn = ({ body }: Answer) => (isObject(body) ? parseUri(textOrEmpty(body.uri)) : undefined)

const parseUri = (text: string): string | undefined =>
  /^gei:\/\/archive\/[\w-]{1,128}$/.test(text) ? text : undefined

/** The address for what follows. Throws for one at another host: the token and the archive go to no other. */
function locationIn({ headers, url }: Answer, session: Session): URL | undefined {
  const location = headers.get('location')
  if (location === null) return undefined
  if (!URL.canParse(location, url.href)) throw unaddressed()
  return allowed(new URL(location, url), session)
}

function allowed(url: URL, { server }: Session): URL {
  if (url.origin === server.origin && url.username + url.password === '') return url
  const message = `the server sends the upload to another host, ${url.origin}`
  throw new ClientError('server-failed', message)
}

const unaddressed = () =>
  new ClientError('server-failed', 'the server began an upload without an address for it')

function contentOf({ path, progress }: Upload, start: number, end: number): Content {
  async function* read() {
    if (end === start) return
    let sent = start
    for await (const piece of createReadStream(path, {
      start,
      end: end - 1,
      highWaterMark: BATCH,
    })) {
      yield piece as Uint8Array
      sent += (piece as Uint8Array).length
      progress?.(sent)
    }
  }
  return { bytes: end - start, read }
}

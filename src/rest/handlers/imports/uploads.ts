import { ArchiveError } from '../../../base/errors.ts'
import { formatTime } from '../../../base/format-time.ts'
import { limitBody } from '../../../http/body.ts'
import { type FieldFault, HttpError, invalid, notFound } from '../../../http/http-error.ts'
import { formatNodeId } from '../../../interface/node-id.ts'
import type { JsonObject, JsonValue } from '../../../records/json/json.ts'
import { IMPORT_LIMITS } from '../../../rules/import-limits.ts'
import type { Answer, Handler, RequestContext, RequestHead } from '../../request-context.ts'
import { requireAuthorization } from '../../single-sign-on.ts'
import {
  LARGEST_PART,
  MOST_UPLOADS,
  type PartVerdict,
  SMALLEST_PART,
  type Upload,
  type UploadOwner,
  type Uploads,
} from '../../state/uploads.ts'
import { numberInPath, readerOf } from '../find-in-path.ts'
import { mayImport } from './may-import.ts'

/** Bytes of an archive that is uploaded with one request. */
const LARGEST_WHOLE = 100 * 2 ** 20

/** The uploads of a server that takes imports, and who uploads to which organization. */
interface Place {
  readonly uploads: Uploads
  readonly of: UploadOwner
}

/**
 * The organization in the path, if the caller may import into it.
 *
 * @throws `HttpError` 404 for anybody else, and on a server that takes no imports
 */
function findPlace(head: RequestHead): Place {
  const { caller, server } = head
  const uploads = server.state.imports?.uploads
  if (!uploads || !caller) throw notFound()
  const number = numberInPath(head, 'organization_id')
  const organization = readerOf(head).people.findOrganizationByNumber(number)
  if (!organization) throw notFound()
  requireAuthorization(head, organization.login)
  if (!mayImport(head, organization)) throw notFound()
  return { uploads, of: { owner: caller.login, organization: organization.login } }
}

const toUploads = (
  answer: (context: RequestContext, place: Place) => Answer | Promise<Answer>,
): Handler => ({
  find: (head) => void findPlace(head),
  answer: (context) => answer(context, findPlace(context)),
})

/** Takes a whole archive. */
export const uploadArchive = toUploads(async (context, { uploads, of }) => {
  const { headers, query, readBytes } = context
  const name = query.get('name')
  const faults = nameFaults(name)
  if (faults.length > 0) throw invalid(faults)
  const announced = Number(headers.get('content-length') ?? LARGEST_WHOLE)
  if (announced > LARGEST_WHOLE) throw tooLarge(TOO_LARGE)
  requireRoom(uploads, announced)
  const bytes = limitBody(readBytes(), LARGEST_WHOLE)
  const upload = await uploads.store(of, name as string, bytes).catch(explain)
  return { status: 201, body: toUpload(upload) }
})

const TOO_LARGE = 'An archive above 100 MiB is uploaded in parts, to blobs/uploads'

/** Begins an upload in parts. The answer says where the first part goes. */
export const beginUpload = toUploads((context, { uploads, of }) => {
  const { name, size } = context.body
  const faults = nameFaults(name)
  const isSize = typeof size === 'number' && Number.isInteger(size) && size > 0
  if (size == null) faults.push(fault('size', { code: 'missing_field' }))
  else if (!isSize) faults.push(fault('size', { code: 'invalid' }))
  else if (size > IMPORT_LIMITS.archive) {
    faults.push(fault('size', { code: 'custom', message: 'an archive has 40 GiB at most' }))
  }
  if (faults.length > 0) throw invalid(faults)
  requireRoom(uploads, size as number)
  const upload = uploads.begin(of, name as string, size as number)
  if (!upload) {
    throw new HttpError(403, `At most ${MOST_UPLOADS} uploads of an account can be under way`)
  }
  return nextPart(context, upload, 1)
})

/** Takes a part. The answer says where the next one goes. */
export const uploadPart = toUploads(async (context, place) => {
  const upload = findUpload(context, place)
  const number = numberOfPart(context)
  // A part that was sent before is read again, to be compared.
  const most = number > upload.parts ? Math.min(LARGEST_PART, upload.size) : LARGEST_PART
  const bytes = limitBody(context.readBytes(), most)
  const verdict = await place.uploads.take(upload, number, bytes).catch(explain)
  if (verdict !== 'taken') throw refused(verdict, number, upload)
  return nextPart(context, upload, number + 1)
})

function refused(
  verdict: Exclude<PartVerdict, 'taken'>,
  number: number,
  upload: Upload,
): HttpError {
  switch (verdict) {
    case 'other':
      return new HttpError(409, `Part ${number} has arrived before, with other bytes`)
    case 'early':
      return new HttpError(409, `Part ${number} came before part ${upload.parts + 1}`)
    case 'short':
      return new HttpError(422, `A part that is not the last has ${SMALLEST_PART} bytes at least`)
    case 'long':
      return new HttpError(422, `Part ${number} goes beyond the ${upload.size} bytes announced`)
  }
}

/** Completes an upload in parts, whatever the body is. */
export const finishUpload = toUploads((context, place) => {
  const found = findUpload(context, place)
  if (!place.uploads.finish(found.guid)) {
    throw new HttpError(409, `${found.received} of ${found.size} bytes have arrived`)
  }
  return { status: 201, body: toUpload(found) }
})

function findUpload({ query }: RequestContext, { uploads, of }: Place): Upload {
  const upload = uploads.find(query.get('guid') ?? '', of)
  if (!upload) throw notFound()
  return upload
}

function numberOfPart({ query }: RequestContext): number {
  const text = query.get('part_number') ?? ''
  if (!/^[1-9]\d{0,5}$/.test(text)) throw notFound()
  return Number(text)
}

function nextPart({ base, params }: RequestContext, { guid }: Upload, number: number): Answer {
  const path = `/organizations/${params.organization_id}/gei/archive/blobs/uploads`
  const Location = `${base}${path}?part_number=${number}&guid=${guid}`
  return { status: 202, headers: { Location, 'Content-Length': '0' } }
}

/** The address by which a migration names an upload. */
const archiveUri = ({ guid }: Upload): string => `gei://archive/${guid}`

const toUpload = (upload: Upload): JsonObject => ({
  guid: upload.guid,
  node_id: formatNodeId('MigrationArchive', numberOf(upload.guid)),
  name: upload.name,
  size: upload.size,
  uri: archiveUri(upload),
  created_at: formatTime(upload.createdAt),
})

/** The first 48 bits of a guid. */
const numberOf = (guid: string): number =>
  Number.parseInt(guid.replaceAll('-', '').slice(0, 12), 16)

const fault = (field: string, more: Omit<FieldFault, 'resource' | 'field'>): FieldFault => ({
  resource: 'MigrationArchive',
  field,
  ...more,
})

/** A name is for people: nothing of it becomes a path. */
function nameFaults(name: JsonValue | undefined): FieldFault[] {
  if (name == null || name === '') return [fault('name', { code: 'missing_field' })]
  const isName = typeof name === 'string' && /^[^\p{Cc}]{1,255}$/u.test(name)
  return isName ? [] : [fault('name', { code: 'invalid' })]
}

const tooLarge = (message: string) =>
  new HttpError(413, message, { headers: { Connection: 'close' } })

function requireRoom(uploads: Uploads, bytes: number): void {
  if (!uploads.hasRoom(bytes)) throw noRoom()
}

const noRoom = () => new HttpError(507, 'The disk of the server has no room for this archive')

function explain(error: unknown): never {
  if (error instanceof ArchiveError && error.code === 'output-full') throw noRoom()
  throw error
}

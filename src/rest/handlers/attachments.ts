import { notFound } from '../../http/http-error.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { type UploadRecord, uploadsAt } from '../../reading/uploads.ts'
import type { Handler, RequestHead } from '../request-context.ts'

import { requireAuthorization } from '../single-sign-on.ts'

import { readerOf } from './find-in-path.ts'
import { sendStored } from './releases.ts'

/** A file that the text of a record links to, and its repository. */
interface Attachment extends UploadRecord {
  readonly home: IndexedRepository
}

/**
 * The file with the address of the request on the host of its record. If several have it, the first that the caller may
 * read.
 */
function findAttachment(head: RequestHead): Attachment {
  const { people, permissions, repositories, library } = readerOf(head)
  const path = pathOf(head)
  const urls = [...library.hosts].flatMap((host) => [
    `https://${host}${path}`,
    `http://${host}${path}`,
  ])
  for (const store of library.stores) {
    for (const upload of urls.flatMap((url) => uploadsAt(store, url))) {
      const home = repositories.findByName(upload.repository ?? '')
      if (!home || home.store !== store) continue
      requireAuthorization(head, people.byId(home.ownerId, home.host).login)
      if (permissions.canRead(head.caller, home)) return { ...upload, home }
    }
  }
  throw notFound()
}

/** The path of a request as records have it in their urls. */
function pathOf({ endpoint, params }: RequestHead): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURI(params[name] ?? ''))
}

/** The bytes of a file that a text links to, for those who may read the repository. */
export const attachment: Handler = {
  find: (head) => void findAttachment(head),
  answer(context) {
    return sendStored(context, findAttachment(context))
  },
}
export const attachedFile = attachment
export const olderAttachment = attachment
export const olderFile = attachment

import { notFound } from '../../http/http-error.ts'
import { Memo } from '../../reading/remembered.ts'
import type { IndexedRepository } from '../../reading/repositories.ts'
import { findStored, type StoredUpload } from '../../reading/uploads.ts'
import { asText } from '../../reading/values.ts'
import type { Handler, RequestHead } from '../request-context.ts'

import { requireAuthorization } from '../single-sign-on.ts'

import { readerOf } from './find-in-path.ts'
import { sendStored } from './releases.ts'

/** A file that the text of a record links to. */
interface Attachment {
  readonly repository: IndexedRepository
  readonly name: string
  readonly contentType: string
  readonly content: StoredUpload | undefined
}

/** Queries for such files by url: repository, file name, type, and path in the archive. */
const TABLES = [
  'SELECT full_name, asset_name, asset_content_type, asset_url FROM attachments WHERE url = ?',
  'SELECT full_name, file_name, file_content_type, file_url FROM repository_files WHERE url = ?',
]

/**
 * The file with the address of the request on the host of its record. If several have it, the first that the caller may
 * read.
 */
function findAttachment(head: RequestHead): Attachment {
  const { people, permissions, repositories, library } = readerOf(head)
  const hosts = library.remember(HOSTS, '', () =>
    library.index
      .rows(`SELECT DISTINCT substr(url, 1, instr(substr(url, 9), '/') + 7) FROM repositories`)
      .map(([host]) => asText(host)),
  )
  for (const [database, store] of library.stores.entries()) {
    for (const host of hosts) {
      for (const sql of TABLES) {
        const [fullName, name, contentType, address] = store.row(sql, host + pathOf(head)) ?? []
        const repository = repositories.findByName(asText(fullName))
        if (!repository || repository.database !== database) continue
        requireAuthorization(head, people.byId(repository.ownerId, repository.host).login)
        if (!permissions.canRead(head.caller, repository)) continue
        return {
          repository,
          name: asText(name) || 'file',
          contentType: asText(contentType),
          content: findStored(store, asText(address)),
        }
      }
    }
  }
  throw notFound()
}

const HOSTS = new Memo<readonly string[]>(({ length }) => 100 * length)

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

import { requireAuthorization } from '../access/single-sign-on.ts'
import type { Repository } from '../catalog/repositories.ts'
import { asText } from '../catalog/sources.ts'
import { notFound } from '../http/http-error.ts'
import type { Handler, RequestHead } from '../request-context.ts'
import { type StoredAsset, storedAt } from '../resources/releases.ts'
import { readerOf } from './find-in-path.ts'
import { sendStored } from './releases.ts'

/** A file that the text of a record links to. */
interface Attachment {
  readonly repository: Repository
  readonly name: string
  readonly contentType: string
  readonly content: StoredAsset | undefined
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
  const { people, permissions, repositories, sources } = readerOf(head)
  const hosts = sources.remember(
    'hosts',
    () =>
      sources
        .all(`SELECT DISTINCT substr(url, 1, instr(substr(url, 9), '/') + 7) FROM repositories`)
        .map(([host]) => asText(host)),
    ({ length }) => 100 * length,
  )
  for (const database of sources.databases.keys()) {
    for (const host of hosts) {
      for (const sql of TABLES) {
        const [fullName, name, contentType, address] =
          sources.find(database, sql, host + pathOf(head)) ?? []
        const repository = repositories.findByName(asText(fullName))
        if (!repository || repository.database !== database) continue
        requireAuthorization(head, people.byId(repository.owner, repository.host).login)
        if (!permissions.canRead(head.caller, repository)) continue
        return {
          ...{ repository, name: asText(name) || 'file', contentType: asText(contentType) },
          content: storedAt(readerOf(head), database, asText(address)),
        }
      }
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
    const { repository, ...found } = findAttachment(context)
    return sendStored(context, repository, found)
  },
}
export const attachedFile = attachment
export const olderAttachment = attachment
export const olderFile = attachment

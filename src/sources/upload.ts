import { pathOf } from '../archive/entry-role.ts'
import type { JsonObject } from '../records/json/json.ts'
import { fileName, nameInUrl } from './file-name.ts'
import { pictureType } from './picture-type.ts'

/** A file that was uploaded, as an archive has it. */
export interface Upload {
  kind: 'attachments' | 'repository_files'
  url: string
  name: string
  contentType: string
  /** Its path in the archive. */
  path: string
}

/** A file of another host than GitHub. Pictures and other files have addresses of different shapes. */
export function uploadOf(
  host: string,
  file: { name: string; head: Buffer | undefined; uuid: () => string; number: () => number },
): Upload {
  const name = fileName(file.name)
  const picture = pictureType(name, file.head)
  if (picture !== undefined) {
    const id = file.uuid()
    const url = `${host}/user-attachments/assets/${id}`
    const path = pathOf({ role: 'attachment', id, name })
    return { kind: 'attachments', url, name, contentType: picture, path }
  }
  const id = String(file.number())
  const url = `${host}/user-attachments/files/${id}/${nameInUrl(name)}`
  const path = pathOf({ role: 'repository-file', id, name })
  return { kind: 'repository_files', url, name, contentType: 'application/octet-stream', path }
}

/** The record of an upload. */
export function uploadRecord(
  { kind, url, name, contentType, path }: Upload,
  of: {
    repository: string
    /** The type of the record that shows it, such as `issue`, and its url. */
    parent: string
    parentUrl: string
    user: string | null
    at: string
  },
): JsonObject {
  const { repository, parent, parentUrl, user, at } = of
  const address = `tarball://root/${path}`
  return kind === 'attachments'
    ? {
        type: 'attachment',
        url,
        legacy_url: null,
        [parent]: parentUrl,
        user,
        asset_name: name,
        asset_content_type: contentType,
        asset_url: address,
        created_at: at,
      }
    : {
        type: 'repository_file',
        url,
        repository,
        user,
        file_name: name,
        file_content_type: contentType,
        file_url: address,
        created_at: at,
      }
}

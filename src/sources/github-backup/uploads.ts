import type { JsonObject } from '../../records/json/json.ts'
import { uploadLinks } from '../../records/upload-links.ts'
import type { Upload } from './named-files.ts'
import type { Thread } from './thread.ts'

/** Adds the records of uploads that a text links to. */
export function claimUploads(
  thread: Thread,
  text: string | null,
  record: { kind: string; url: string; user: string | null; at: string },
): void {
  const { uploads } = thread
  if (uploads.size === 0 || text === null) return
  for (const link of uploadLinks(text)) {
    const upload = uploads.get(link)
    if (upload === undefined) continue
    uploads.delete(link)
    addUpload(thread, upload, record)
  }
}

/** Adds the records of uploads that no text links to. */
export function addOtherUploads(thread: Thread, user: string | null): void {
  const { uploads, parent, url, created_at } = thread
  for (const upload of uploads.values()) {
    addUpload(thread, upload, { kind: parent, url, user, at: created_at })
  }
  uploads.clear()
}

function addUpload(
  { repository, entry }: Thread,
  { kind, url, name, contentType, path }: Upload,
  {
    kind: parent,
    url: parentUrl,
    user,
    at,
  }: { kind: string; url: string; user: string | null; at: string },
): void {
  const address = `tarball://root/${path}`
  const record: JsonObject =
    kind === 'attachments'
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
          repository: repository.url,
          user,
          file_name: name,
          file_content_type: contentType,
          file_url: address,
          created_at: at,
        }
  repository.add(kind, record, repository.members({}, entry))
}

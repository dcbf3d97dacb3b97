import { uploadLinks } from '../../records/upload-links.ts'
import { type Upload, uploadRecord } from '../upload.ts'
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
  upload: Upload,
  { kind, url, user, at }: { kind: string; url: string; user: string | null; at: string },
): void {
  const of = { repository: repository.url, parent: kind, parentUrl: url, user, at }
  repository.add(upload.kind, uploadRecord(upload, of), repository.members({}, entry))
}

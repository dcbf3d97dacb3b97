import { pathOf } from '../../archive/entry-role.ts'
import type { JsonObject, JsonValue } from '../../records/json/json.ts'
import { isObject } from '../../records/json/json.ts'
import { fileName, isFileName } from '../file-name.ts'
import { madeUuid } from '../made-id.ts'
import type { Upload } from '../upload.ts'

/** Uploads of one repository. */
export interface Uploads {
  /** By the path of the file in the folder of the repository. */
  files: Map<string, Upload>
  /** By the thread, such as `issues/7`, and then by address. */
  threads: Map<string, Map<string, Upload>>
}

/** The file of a thread, such as `issues/7`, by the path of one of its uploads. */
export const threadOf = (inner: string): string =>
  inner.replace(/\/attachments\/(\d+)\/.*$/s, '/$1')

/**
 * Notes the uploads in a list `manifest.json` that were saved. An upload that another thread has too is noted once.
 *
 * @param inner the path of the list
 * @param seen addresses that were noted
 */
export function noteUploads(
  uploads: Uploads,
  inner: string,
  manifest: JsonValue,
  seen: Set<string>,
): void {
  const folder = inner.replace(/[^/]*$/, '')
  for (const { url, success, original_filename, saved_as, content_type } of listed(manifest)) {
    if (success !== true || typeof url !== 'string' || typeof saved_as !== 'string') continue
    if (!/^https?:\/\/[^/\s]+\/[^?#\s]+$/.test(url) || seen.has(url)) continue
    const kind = /\/files\//.test(url) ? 'repository_files' : 'attachments'
    // Discussions have no attachments in archives; the file is kept under its own path.
    if (kind === 'attachments' && inner.startsWith('discussions/')) continue
    seen.add(url)
    const name = fileName(typeof original_filename === 'string' ? original_filename : saved_as)
    const id = idIn(url) ?? madeUuid(`github-backup ${kind} ${url}`)
    const role = kind === 'attachments' ? 'attachment' : 'repository-file'
    const upload: Upload = {
      url,
      kind,
      name,
      contentType: typeof content_type === 'string' ? content_type : 'application/octet-stream',
      path: pathOf({ role, id, name }),
    }
    uploads.files.set(folder + saved_as, upload)
    const thread = threadOf(inner)
    uploads.threads.set(thread, (uploads.threads.get(thread) ?? new Map()).set(url, upload))
  }
}

/** The uploads in a list that could not be saved, and why. */
export const failedUploads = (manifest: JsonValue): string[] =>
  listed(manifest)
    .filter(({ success }) => success !== true)
    .map(({ error }) => (typeof error === 'string' ? error.slice(0, 100) : 'no reason is given'))

/** Members of such a list, and of an upload in it, that records or files say as well. */
const OF_LIST = new Set(['attachments', 'item_number', 'item_type', 'repository'])
const OF_UPLOAD = new Set([
  'content_type',
  'error',
  'http_status',
  'original_filename',
  'saved_as',
  'size_bytes',
  'success',
  'url',
])

/** The places in a list of uploads that say something for which records have no place. */
export function strayMembers(manifest: JsonObject): string[] {
  const strays = Object.keys(manifest).filter((name) => !OF_LIST.has(name))
  const { attachments } = manifest
  if (!Array.isArray(attachments)) return attachments ? [...strays, 'attachments'] : strays
  const inside = attachments.flatMap((each, i) => {
    const at = `attachments[${i}]`
    if (!isObject(each)) return [at]
    const others = Object.keys(each).filter((name) => !OF_UPLOAD.has(name))
    return others.map((name) => `${at}.${name}`)
  })
  return [...strays, ...inside]
}

/** The names of the files of uploads that were saved and have no record. They are kept as files. */
export const withoutRecord = (uploads: Uploads, inner: string, manifest: JsonValue): string[] =>
  listed(manifest)
    .filter(({ success }) => success === true)
    .map(({ saved_as }) => String(saved_as).slice(0, 100))
    .filter((name) => !uploads.files.has(inner.replace(/[^/]*$/, '') + name))

const listed = (manifest: JsonValue): JsonObject[] => {
  const list = isObject(manifest) ? manifest.attachments : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** The UUID or number of an upload in its address. */
function idIn(url: string): string | undefined {
  const [, uuid, number] =
    /\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?=[/.]|$)|\/files\/(\d{1,15})\//i.exec(url) ??
    []
  return uuid ?? number
}

/** The uploads of a thread, until a text is found that links to them. */
export type Unclaimed = Map<string, Upload>

/** Names of files in the list of a release that are names of files in a folder. */
export function assetNames(release: JsonObject): string[] {
  const { assets } = release
  const names = Array.isArray(assets) ? assets.map((asset) => Object(asset).name) : []
  return names.filter((name) => typeof name === 'string' && isFileName(name))
}

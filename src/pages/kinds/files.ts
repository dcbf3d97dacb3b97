import { readWholeFile } from '../../database/contents/read-file.ts'
import { fileType, findFile, findUpload, type StoredUpload } from '../../reading/uploads.ts'
import { ASSETS } from '../assets.ts'
import { localPathOf } from '../link.ts'
import type { PageRequest, PageResult, SiteLink } from '../page.ts'
import { isShownAsIs, savingHeaders, uploadPath } from '../served-bytes.ts'

/** A web host takes the type of a file from its name: the ending is that of its content. What no browser may open is saved. */
export function fileInSite({ library, params }: PageRequest, file: string): SiteLink {
  const { sha256 = '', name = '' } = params
  const upload = /^[0-9a-f]{64}$/.test(sha256) ? findFile(library, sha256, name) : undefined
  if (!upload) return { file }
  const { kind, endings } = fileType(upload)
  if (kind === 'other' || kind === 'svg' || kind === 'text') {
    return { file: `${file}.bin`, download: name }
  }
  const hasEnding = endings.some((ending) => file.toLowerCase().endsWith(`.${ending}`))
  return { file: hasEnding ? file : `${file}.${endings[0]}` }
}

/** The bytes of an upload by the SHA-256 of its content, which never changes. */
export function filePage({ library, params }: PageRequest): PageResult {
  const { sha256 = '', name = '' } = params
  if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
  const upload = findFile(library, sha256, name)
  return upload && sendUpload(upload, name)
}

/** The bytes of an upload. */
export function sendUpload(upload: StoredUpload, name: string): PageResult {
  if (!upload.stored) return undefined
  const type = fileType(upload)
  const headers = {
    'Cache-Control': 'private, max-age=31536000, immutable',
    ...(!isShownAsIs(type) && savingHeaders(name)),
  }
  const bytes = async function* () {
    yield* readWholeFile(upload.store.database, {
      id: upload.file,
      path: upload.path,
      size: upload.size,
    })
  }
  return { type: type.type, bytes: bytes(), size: upload.size, etag: upload.sha256, headers }
}

/** An upload by its address on the host: a redirect to its content. */
export function uploadPage({ library, path }: PageRequest): PageResult {
  for (const host of library.hosts) {
    const upload = findUpload(library, `https://${host}${path}`)
    if (upload) return { redirect: uploadPath(upload) }
    const other = localPathOf(library, `https://${host}${path}`)
    if (other?.startsWith('/-/files/')) return { redirect: other }
  }
  return undefined
}

/** Style sheet, script and icon, each named by its content. */
export function assetPage({ path }: PageRequest): PageResult {
  const found = Object.values(ASSETS).find((asset) => asset.path === path)
  if (!found) return undefined
  const headers = { 'Cache-Control': 'public, max-age=31536000, immutable' }
  return { type: found.type, bytes: found.bytes, size: found.bytes.length, headers }
}

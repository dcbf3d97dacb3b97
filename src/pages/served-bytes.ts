import type { FileType } from '../reading/file-type.ts'
import type { StoredUpload } from '../reading/uploads.ts'

/** The path of the page with the bytes of an upload: by content, so it never changes. */
export const uploadPath = ({ sha256, name }: Pick<StoredUpload, 'sha256' | 'name'>): string =>
  `/-/files/${sha256}/${encodeURIComponent(name)}`

const SANDBOX = "sandbox; default-src 'none'"

/** Headers of bytes that no browser may open as a page of ours: it saves them under this name. */
export const savingHeaders = (name: string): Record<string, string> => ({
  'Content-Security-Policy': SANDBOX,
  'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`,
})

/** Whether a browser may show the bytes themselves at an address of ours. */
export const isShownAsIs = ({ kind }: FileType): boolean => kind !== 'other' && kind !== 'svg'

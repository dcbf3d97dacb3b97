// A parenthesis may be part of a URL; these characters end one in Markdown or HTML.
const ADDRESS = /https?:\/\/[^\s<>"'`[\]\\]+/g

/** URLs of files that people upload to issues, pull requests and comments. */
const UPLOAD = new RegExp(
  [
    '^https?://[^/]+/user-attachments/(?:assets|files)/[^/?#]+',
    '^https?://[^/]+/[^/]+/[^/]+/(?:assets|files)/\\d+/[^/?#]+',
    '^https?://[^/]+/storage/user/\\d+/files/[^/?#]+',
    '^https?://user-images\\.githubusercontent\\.com/\\d+/[^/?#]+',
  ].join('|'),
  'i',
)

/** Every such URL contains one of these: texts without them are skipped. */
export const SIGNS = ['/assets/', '/files/', 'user-images.'] as const

/** The URLs of uploads that a text links to, in order, without duplicates. */
export function uploadLinks(text: string): string[] {
  const found = new Set<string>()
  for (const [address] of text.matchAll(ADDRESS)) {
    const link = withoutEnd(address)
    if (UPLOAD.test(link)) found.add(link)
  }
  return [...found]
}

/** A URL without punctuation that belongs to the sentence: a full stop, or a parenthesis opened before the URL. */
export function withoutEnd(address: string): string {
  let end = address.length
  let open = 0
  for (let i = 0; i < end; i++) {
    if (address[i] === '(') open++
    if (address[i] === ')' && --open < 0) end = i
  }
  while (end > 0 && '.,;:!?*_~'.includes(address[end - 1] as string)) end--
  return address.slice(0, end)
}

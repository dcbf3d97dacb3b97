// What may end an address in Markdown or HTML; a parenthesis may be part of it.
const ADDRESS = /https?:\/\/[^\s<>"'`[\]\\]+/g

/** Where a host puts what people upload to issues, pull requests and comments. */
const UPLOAD = new RegExp(
  [
    '^https?://[^/]+/user-attachments/(?:assets|files)/[^/?#]+',
    '^https?://[^/]+/[^/]+/[^/]+/(?:assets|files)/\\d+/[^/?#]+',
    '^https?://[^/]+/storage/user/\\d+/files/[^/?#]+',
    '^https?://user-images\\.githubusercontent\\.com/\\d+/[^/?#]+',
  ].join('|'),
  'i',
)

/** Words one of which is in each such address, to pass over texts that have none. */
export const SIGNS = ['/assets/', '/files/', 'user-images.'] as const

/** The addresses of uploads that a text links to, each once, in their order. */
export function uploadLinks(text: string): string[] {
  const found = new Set<string>()
  for (const [address] of text.matchAll(ADDRESS)) {
    const link = withoutEnd(address)
    if (UPLOAD.test(link)) found.add(link)
  }
  return [...found]
}

/** Without what belongs to the sentence: a full stop, or a parenthesis that was opened before the address. */
function withoutEnd(address: string): string {
  let end = address.length
  let open = 0
  for (let i = 0; i < end; i++) {
    if (address[i] === '(') open++
    if (address[i] === ')' && --open < 0) end = i
  }
  while (end > 0 && '.,;:!?*_~'.includes(address[end - 1] as string)) end--
  return address.slice(0, end)
}

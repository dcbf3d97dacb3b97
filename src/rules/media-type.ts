/** The signatures of media types: the bytes at an offset, in hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, at: number, hex: string])[] = [
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/gif', 0, '47494638'],
  ['image/webp', 8, '57454250'],
  ['image/tiff', 0, '49492a00'],
  ['image/tiff', 0, '4d4d002a'],
  ['application/pdf', 0, '255044462d'],
  ['application/zip', 0, '504b0304'],
  ['application/zip', 0, '504b0506'],
  ['application/gzip', 0, '1f8b08'],
  ['video/mp4', 4, '66747970'],
  ['video/webm', 0, '1a45dfa3'],
]

// Texts may begin with anything; these beginnings leave no doubt.
const MARKUP: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/svg+xml', /^\s*(?:<[?!][^>]*>\s*)*<svg[\s>]/i],
  ['text/html', /^\s*(?:<!doctype html|<(?:html|head|body|script|iframe)[\s>])/i],
]

/** Synonyms of types, and types that use the container format of another. */
const SAME: readonly (readonly [declared: RegExp, type: string])[] = [
  [/^image\/(?:jpg|pjpeg)$/, 'image/jpeg'],
  [/^image\/x-png$/, 'image/png'],
  [/^application\/(?:x-gzip|x-gtar|x-tgz|x-compressed-tar)$/, 'application/gzip'],
  [/^application\/(?:x-zip(?:-compressed)?|java-archive|epub\+zip)$/, 'application/zip'],
  [/^application\/vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\./, 'application/zip'],
  [/^(?:video\/(?:quicktime|x-m4v)|audio\/(?:mp4|x-m4a)|image\/(?:heic|heif|avif))$/, 'video/mp4'],
  [/^(?:video\/x-matroska|audio\/webm)$/, 'video/webm'],
]

/** What a whole file has near its end, by the type that its first bytes say. */
const ENDS: Readonly<Record<string, string>> = {
  // The last chunk, IEND, with its checksum.
  'image/png': '49454e44ae426082',
  // The marker "end of image", which no compressed data contains.
  'image/jpeg': 'ffd9',
  // The end of the central directory.
  'application/zip': '504b0506',
  // %%EOF
  'application/pdf': '2525454f46',
}

/** The bytes at the end of a file in which `isCutOff` looks: phones append a short video to a picture. */
export const TAIL = 2 ** 20

/** Whether a picture, PDF or ZIP archive with these first and last bytes lacks its end. False for all other files. */
export function isCutOff(head: Uint8Array, tail: Uint8Array): boolean {
  const type = signatureOf(head)
  const end = type === undefined ? undefined : ENDS[type]
  return end !== undefined && Buffer.from(tail).lastIndexOf(end, undefined, 'hex') < 0
}

const SIGNED = new Set(SIGNATURES.map(([type]) => type))

/** The type that a content seems to have instead of the declared one; undefined if the declared one is possible. */
export function looksInsteadLike(declared: string, head: Uint8Array): string | undefined {
  const named = (declared.toLowerCase().split(';')[0] as string).trim()
  const type = SAME.find(([pattern]) => pattern.test(named))?.[1] ?? named
  const isText = type.startsWith('text/') || type === 'image/svg+xml'
  const found = signatureOf(head)
  if (found === type) return undefined
  if (found !== undefined) return SIGNED.has(type) || isText ? found : undefined
  return SIGNED.has(type) ? (markupOf(head) ?? 'something else') : undefined
}

function signatureOf(head: Uint8Array): string | undefined {
  const hex = Buffer.from(head).toString('hex')
  return SIGNATURES.find(([, at, signature]) => hex.startsWith(signature, at * 2))?.[0]
}

function markupOf(head: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(head) // without a byte order mark
  return MARKUP.find(([, beginning]) => beginning.test(text))?.[0]
}

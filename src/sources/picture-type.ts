const TYPES: readonly (readonly [extension: RegExp, type: string, start: RegExp])[] = [
  [/\.png$/i, 'image/png', /^\x89PNG/],
  [/\.jpe?g$/i, 'image/jpeg', /^\xff\xd8/],
  [/\.gif$/i, 'image/gif', /^GIF8/],
  [/\.webp$/i, 'image/webp', /^RIFF.{4}WEBP/s],
]

/** Bytes that tell a picture. */
export const PICTURE_HEAD = 12

/** The media type of a picture; undefined for another file. Without its first bytes, the name decides. */
export function pictureType(name: string, head: Buffer | undefined): string | undefined {
  const start = head?.toString('latin1')
  return TYPES.find(
    ([extension, , begins]) => extension.test(name) && (start === undefined || begins.test(start)),
  )?.[1]
}

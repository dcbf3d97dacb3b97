/** A picture without metadata: comments, EXIF, XMP and texts. Undefined for what is no such picture, or damaged. */
export function stripMetadata(bytes: Buffer): Buffer | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return stripPng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return stripJpeg(bytes)
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? stripWebp(bytes) : undefined
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const PNG_METADATA = new Set(['tEXt', 'zTXt', 'iTXt', 'eXIf', 'tIME'])

function stripPng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 8)]
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return undefined
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (!PNG_METADATA.has(type)) kept.push(bytes.subarray(at, end))
    at = end
    // Whatever follows the end of the picture is not part of it.
    if (type === 'IEND') break
  }
  return Buffer.concat(kept)
}

function stripJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    // APP0 is JFIF, APP2 the color profile, APP14 the color transform; the others and comments are metadata.
    const isMetadata =
      marker === 0xfe || (marker > 0xe0 && marker <= 0xef && marker !== 0xee && marker !== 0xe2)
    if (!isMetadata) kept.push(bytes.subarray(at, end))
    at = end
    if (marker !== 0xda) continue
    const last = bytes.lastIndexOf(Buffer.from([0xff, 0xd9]))
    kept.push(bytes.subarray(at, last < at ? bytes.length : last + 2))
    return Buffer.concat(kept)
  }
  return undefined
}

function stripWebp(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const size = bytes.readUInt32LE(at + 4)
    const end = Math.min(bytes.length, at + 8 + size + (size % 2))
    if (at + 8 + size > bytes.length) return undefined
    if (type === 'VP8X') {
      const chunk = Buffer.from(bytes.subarray(at, end))
      // The flags for EXIF and XMP.
      chunk[8] = (chunk[8] as number) & ~0x0c
      kept.push(chunk)
    } else if (type !== 'EXIF' && type !== 'XMP ') kept.push(bytes.subarray(at, end))
    at = end
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

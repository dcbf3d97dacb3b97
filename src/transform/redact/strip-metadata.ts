import { crc32, deflateSync, inflateSync } from 'node:zlib'

/** A picture without metadata: comments, EXIF, XMP and texts, also those of its color profile. Undefined for a damaged picture, or one of another type. */
export function stripMetadata(bytes: Buffer): Buffer | undefined {
  if (bytes.subarray(0, 8).equals(PNG)) return stripPng(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return stripJpeg(bytes)
  const isWebp =
    bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp ? stripWebp(bytes) : undefined
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/** Chunks that say how to draw the picture. Others may have texts, names, places and times, and so may those of programs. */
const PNG_KEPT = new Set([
  'tRNS',
  'gAMA',
  'cHRM',
  'sRGB',
  'sBIT',
  'bKGD',
  'pHYs',
  'hIST',
  'oFFs',
  'sTER',
  'acTL',
  'fcTL',
  'fdAT',
  'cICP',
  'mDCV',
  'cLLI',
])

function stripPng(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 8)]
  for (let at = 8; at < bytes.length; ) {
    if (at + 12 > bytes.length) return undefined
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    // A capital letter: no picture can be drawn without it.
    if (type === 'iCCP') kept.push(pngProfile(bytes.subarray(at, end)))
    else if (/^[A-Z]/.test(type) || PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end))
    at = end
    // Whatever follows the end of the picture is not part of it.
    if (type === 'IEND') break
  }
  return Buffer.concat(kept)
}

const PROFILE_NAME = 'ICC profile'
const LARGEST_PROFILE = 16 * 2 ** 20

/** A chunk with a color profile that has no texts; empty for what is none. */
function pngProfile(chunk: Buffer): Buffer {
  const name = chunk.subarray(8, chunk.indexOf(0, 8)).toString('latin1')
  const profile = inflated(chunk.subarray(8 + name.length + 2, -4))
  const clean = profile && cleanColorProfile(profile)
  if (!clean) return Buffer.alloc(0)
  if (name === PROFILE_NAME && clean.equals(profile)) return chunk
  const data = Buffer.concat([Buffer.from(`iCCP${PROFILE_NAME}\0\0`), deflateSync(clean)])
  const now = Buffer.alloc(data.length + 8)
  now.writeUInt32BE(data.length - 4)
  data.copy(now, 4)
  now.writeUInt32BE(crc32(data), now.length - 4)
  return now
}

function inflated(bytes: Buffer): Buffer | undefined {
  try {
    return inflateSync(bytes, { maxOutputLength: LARGEST_PROFILE })
  } catch {
    return undefined
  }
}

/** Bytes before the part of a profile in its segment: marker, length, name, number and count. */
const BEFORE_PROFILE = 18

const isProfile = (segment: Buffer): boolean =>
  segment[1] === 0xe2 && segment.toString('latin1', 4, 16) === 'ICC_PROFILE\0'

/** Takes the texts out of the color profile of a JPEG, which may be in several segments. */
function withCleanProfile(segments: readonly Buffer[]): Buffer {
  const parts = segments.filter(isProfile).toSorted((a, b) => (a[16] ?? 0) - (b[16] ?? 0))
  const clean = cleanColorProfile(Buffer.concat(parts.map((part) => part.subarray(BEFORE_PROFILE))))
  const starts = new Map<Buffer, number>()
  let length = 0
  for (const part of parts) {
    starts.set(part, length)
    length += part.length - BEFORE_PROFILE
  }
  const written = segments.flatMap((segment) => {
    const start = starts.get(segment)
    if (start === undefined) return [segment]
    if (!clean) return []
    const end = start + segment.length - BEFORE_PROFILE
    return [segment.subarray(0, BEFORE_PROFILE), clean.subarray(start, end)]
  })
  return Buffer.concat(written)
}

function stripJpeg(bytes: Buffer): Buffer | undefined {
  const kept = [bytes.subarray(0, 2)]
  let hasScan = false
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    if (marker === 0xff) {
      at++
      continue
    }
    if (marker === END_OF_IMAGE) {
      // Other pictures may follow, with metadata of their own.
      kept.push(bytes.subarray(at, at + 2))
      return hasScan ? withCleanProfile(kept) : undefined
    }
    if (at + 4 > bytes.length) break
    let end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return undefined
    if (marker === START_OF_SCAN) {
      end = endOfScan(bytes, end)
      hasScan = true
    }
    if (isDrawn(marker, bytes.subarray(at + 4, end))) {
      kept.push(bytes.subarray(at, end))
    }
    at = end
  }
  // Viewers show what is there of a truncated picture.
  return hasScan ? withCleanProfile(kept) : undefined
}

const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda

/** Bytes of the segment of Adobe. A longer one has something else. */
const COLOR_TRANSFORM = 12

/** Whether a segment says how to draw the picture: of those of programs JFIF, the color profile and the color transform. */
function isDrawn(marker: number, segment: Buffer): boolean {
  if (marker === 0xfe) return false
  if (marker < 0xe0 || marker > 0xef) return true
  const start = segment.toString('latin1', 0, 12)
  return (
    (marker === 0xe0 && start.startsWith('JFIF\0')) ||
    (marker === 0xe2 && start.startsWith('ICC_PROFILE\0')) ||
    (marker === 0xee && start.startsWith('Adobe') && segment.length === COLOR_TRANSFORM)
  )
}

/** Where the next marker is: a byte of FF within a scan has a zero or a number of a restart behind it. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  return bytes.length
}

/** Chunks that say how to draw the picture. */
const WEBP_KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH'])

function stripWebp(bytes: Buffer): Buffer | undefined {
  const kept: Buffer[] = []
  let extended: Buffer | undefined
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
      extended = chunk
    } else if (type === 'ICCP') {
      const clean = cleanColorProfile(bytes.subarray(at + 8, at + 8 + size))
      if (clean) kept.push(bytes.subarray(at, at + 8), clean, Buffer.alloc(size % 2))
      // The flag for a profile.
      else if (extended) extended[8] = (extended[8] as number) & ~0x20
    } else if (WEBP_KEPT.has(type)) kept.push(bytes.subarray(at, end))
    at = end
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}

/** Types of the data by which colors are computed. Others are texts, dates, and names and numbers of devices. */
const COMPUTED = new Set(['XYZ ', 'curv', 'para', 'sf32', 'mft1', 'mft2', 'mAB ', 'mBA ', 'cicp'])
const HEADER = 128
const [ID, END_OF_ID] = [84, 100]
const TAG = 12
/** Tags share data, but not many. */
const MOST_SHARED = 16

/**
 * A color profile (ICC) without texts: those of a screen often have its name, which has that of a person. The length stays, and
 * colors stay the same. Undefined for what is no profile.
 *
 * @see https://www.color.org/specification/ICC.1-2022-05.pdf
 */
function cleanColorProfile(profile: Buffer): Buffer | undefined {
  if (profile.length < HEADER + 4 || profile.toString('latin1', 36, 40) !== 'acsp') return undefined
  const tags = profile.readUInt32BE(HEADER)
  const endOfTable = HEADER + 4 + tags * TAG
  if (endOfTable > profile.length) return undefined
  const clean = Buffer.alloc(profile.length)
  profile.copy(clean, 0, 0, endOfTable)
  // A sum of the old bytes; zeros say that there is none.
  clean.fill(0, ID, END_OF_ID)
  let copied = 0
  for (let at = HEADER + 4; at < endOfTable; at += TAG) {
    const [start, size] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)]
    copied += size
    if (start + size > profile.length || copied > MOST_SHARED * profile.length) return undefined
    const type = profile.toString('latin1', start, start + 4)
    profile.copy(clean, start, start, start + (COMPUTED.has(type) ? size : Math.min(size, 8)))
  }
  return clean
}

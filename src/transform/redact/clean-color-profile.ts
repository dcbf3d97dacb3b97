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
export function cleanColorProfile(profile: Buffer): Buffer | undefined {
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

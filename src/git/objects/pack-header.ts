/** As many bytes tell all that the header of a pack or of its index says. */
export const PACK_HEADER = 8 + 256 * 4

const PACK = 0x5041434b
const INDEX = 0xff744f63

export interface PackHeader {
  /** Undefined for what is neither a pack nor an index. */
  version?: number | undefined
  objects?: number | undefined
}

/** What the first bytes of a pack, or of the index of one, say of it. */
export function parsePackHeader(start: Buffer): PackHeader {
  if (start.length < 12) return {}
  const magic = start.readUInt32BE(0)
  if (magic === PACK) return { version: start.readUInt32BE(4), objects: start.readUInt32BE(8) }
  if (start.length < PACK_HEADER) return {}
  // The last of 256 counters counts them all; an index of version 1 begins with these.
  if (magic !== INDEX) return { version: 1, objects: start.readUInt32BE(255 * 4) }
  return { version: start.readUInt32BE(4), objects: start.readUInt32BE(PACK_HEADER - 4) }
}

import type { SeekableBytes } from './seekable-bytes.ts'

/** Reads the header of a delta. Throws `RangeError` if it ends early. */
export function readDeltaHead(delta: Pick<SeekableBytes, 'byteAt'>): {
  baseSize: number
  size: number
  end: number
} {
  let end = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = delta.byteAt(end++)
      if (byte === undefined) throw endsEarly()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const [baseSize, size] = [number(), number()]
  return { baseSize, size, end }
}

const endsEarly = () => new RangeError('the delta ends early')

/** An object being built from a delta. */
export interface DeltaResult {
  /** Total size in bytes. */
  readonly size: number
  /** Fills the buffer with the next bytes. Throws `RangeError` if the delta is damaged. */
  fill(room: Buffer): void
}

/**
 * Applies a delta to its base, as many bytes at a time as requested. `check` may reject the size. Throws `RangeError` if
 * the delta is damaged.
 */
export function applyDelta(
  base: SeekableBytes,
  delta: SeekableBytes,
  check: (size: number) => void,
): DeltaResult {
  const { baseSize, size, end } = readDeltaHead(delta)
  let at = end
  const next = (): number => {
    const byte = delta.byteAt(at++)
    if (byte === undefined) throw endsEarly()
    return byte
  }
  /** A number without its zero bytes; each bit of `present` marks a byte that is stored. */
  const sparse = (present: number): number => {
    let value = 0
    for (let bits = present, scale = 1; bits > 0; bits >>= 1, scale *= 256) {
      if (bits & 1) value += next() * scale
    }
    return value
  }

  if (baseSize !== base.length) {
    throw new RangeError(`the delta is for ${baseSize} bytes, its base has ${base.length}`)
  }
  check(size)
  let made = 0
  // The current copy operation and its remaining bytes.
  let source = base
  let from = 0
  let left = 0
  const begin = () => {
    if (at === delta.length) throw new RangeError(`the delta makes ${made} bytes of ${size}`)
    const op = next()
    const isCopy = op > 127
    source = isCopy ? base : delta
    from = isCopy ? sparse(op & 15) : at
    left = isCopy ? sparse((op >> 4) & 7) || 0x10000 : op
    if (left === 0 || from + left > source.length || made + left > size) throw isNotThere()
    made += left
    if (!isCopy) at += left
  }
  return {
    size,
    fill(room) {
      for (let filled = 0; filled < room.length; ) {
        if (left === 0) begin()
        const length = Math.min(left, room.length - filled)
        source.copy(room, filled, from, from + length)
        filled += length
        from += length
        left -= length
      }
      if (made === size && at < delta.length) throw isNotThere()
    },
  }
}

const isNotThere = () => new RangeError('the delta copies from outside its base')

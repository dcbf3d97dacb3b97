import type { SeekableBytes } from './seekable-bytes.ts'

/** What the head of a delta says, and where that ends, in bytes. Throws `RangeError` where it ends early. */
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

/** An object as it is made of another one. */
export interface DeltaResult {
  /** Bytes of all of it. */
  readonly size: number
  /** Makes as many bytes more as there is room for. Throws `RangeError` for a delta that is damaged. */
  fill(room: Buffer): void
}

/**
 * Makes an object of the one it is like and what is different, as much at a time as is asked for. `check` refuses its
 * size. Throws `RangeError` for a delta that is damaged.
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
  /** A number of which the bytes that are 0 were left out; a bit for each of the others tells where it belongs. */
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
  // What the operation at work copies, and how much of that is left.
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

const isNotThere = () => new RangeError('the delta copies what is not there')

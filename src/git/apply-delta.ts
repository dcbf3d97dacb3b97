/** What the head of a delta says, and where that ends, in bytes. Throws `RangeError` where it ends early. */
export function readDeltaHead(delta: Buffer): { baseSize: number; size: number; end: number } {
  let end = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[end++]
      if (byte === undefined) throw endsEarly()
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  const [baseSize, size] = [number(), number()]
  return { baseSize, size, end }
}

const endsEarly = () => new RangeError('the delta ends early')

/**
 * Makes an object of the one it is like and what is different. `check` refuses a size before there is room made
 * for it. Throws `RangeError` for a delta that is damaged.
 */
export function applyDelta(base: Buffer, delta: Buffer, check: (size: number) => void): Buffer {
  const { baseSize, size, end } = readDeltaHead(delta)
  let at = end
  const next = (): number => {
    const byte = delta[at++]
    if (byte === undefined) throw endsEarly()
    return byte
  }
  /** The bytes of a number of which those that are 0 were left out. */
  const sparse = (present: number, count: number): number => {
    let value = 0
    for (let i = 0; i < count; i++) if (present & (1 << i)) value += next() * 256 ** i
    return value
  }

  if (baseSize !== base.length) {
    throw new RangeError(`the delta is for ${baseSize} bytes, its base has ${base.length}`)
  }
  check(size)
  const target = Buffer.allocUnsafe(size)
  let written = 0
  while (at < delta.length) {
    const op = next()
    const isCopy = op > 127
    const source = isCopy ? base : delta
    const from = isCopy ? sparse(op, 4) : at
    const length = isCopy ? sparse(op >> 4, 3) || 0x10000 : op
    if (length === 0 || from + length > source.length || written + length > size) {
      throw new RangeError('the delta copies what is not there')
    }
    source.copy(target, written, from, from + length)
    written += length
    if (!isCopy) at += length
  }
  if (written !== size) throw new RangeError(`the delta makes ${written} bytes of ${size}`)
  return target
}

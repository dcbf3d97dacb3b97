/** Bytes of the object that a delta makes, by its head, of which these are the first bytes. */
export function sizeOfDelta(head: Buffer): number {
  let at = 0
  const number = (): number => {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = head[at++]
      if (byte === undefined) throw new RangeError('the delta ends early')
      value += (byte & 127) * scale
      if (byte < 128) return value
    }
  }
  number() // that of its base
  return number()
}

/**
 * Makes an object of the one it is like and what is different. `check` refuses a size before there is room made
 * for it. Throws `RangeError` for a delta that is damaged.
 */
export function applyDelta(base: Buffer, delta: Buffer, check: (size: number) => void): Buffer {
  let at = 0
  const next = (): number => {
    const byte = delta[at++]
    if (byte === undefined) throw new RangeError('the delta ends early')
    return byte
  }
  const number = (): number => {
    let value = 0
    for (let scale = 1, more = true; more; scale *= 128) {
      const byte = next()
      value += (byte & 127) * scale
      more = byte > 127
    }
    return value
  }
  /** The bytes of a number of which those that are 0 were left out. */
  const sparse = (present: number, count: number): number => {
    let value = 0
    for (let i = 0; i < count; i++) if (present & (1 << i)) value += next() * 256 ** i
    return value
  }

  const baseSize = number()
  if (baseSize !== base.length) {
    throw new RangeError(`the delta is for ${baseSize} bytes, its base has ${base.length}`)
  }
  const size = number()
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

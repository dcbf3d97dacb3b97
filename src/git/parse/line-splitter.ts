/** Splits bytes at line feeds, wherever chunks end. Of a longer line `line` is told the first `longest` bytes. */
export function openLineSplitter(longest: number, line: (bytes: Buffer) => void) {
  let pending: Buffer = Buffer.alloc(0)
  const add = (part: Buffer) => {
    const room = longest - pending.length
    pending =
      pending.length === 0
        ? part.subarray(0, room)
        : Buffer.concat([pending, part.subarray(0, room)])
  }
  return {
    see(chunk: Buffer) {
      let start = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        add(chunk.subarray(start, end))
        line(pending)
        pending = Buffer.alloc(0)
        start = end + 1
      }
      if (start < chunk.length) {
        add(chunk.subarray(start))
        // The chunk may be used again by whoever it is from.
        pending = Buffer.from(pending)
      }
    },
    /** Tells of what follows the last line feed. */
    end() {
      if (pending.length > 0) line(pending)
    },
  }
}

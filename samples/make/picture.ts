import { crc32, deflateSync } from 'node:zlib'

/** A PNG of 32 by 32 pixels; `paint` chooses one of `colors` for each. */
export function makePicture(
  colors: readonly (readonly [red: number, green: number, blue: number])[],
  paint: (x: number, y: number) => number,
): Uint8Array {
  const side = 32
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 3], 8) // eight bits a pixel, which name a color
  const lines = Array.from({ length: side }, (_, y) => [
    0, // the line is not filtered
    ...Array.from({ length: side }, (_, x) => paint(x, y)),
  ])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flat())),
    // Not compressed, so that every version of zlib makes the same bytes.
    chunk('IDAT', deflateSync(Buffer.from(lines.flat()), { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

const sha1 = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest()

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A pack with one object, and its index. The size may be a lie, but checksums and offsets are right. */
export function packOfOne(
  oid: string,
  { type = 3, size, data }: { type?: number; size: number; data: Uint8Array },
): { pack: Buffer; index: Buffer } {
  const head = [(type << 4) | (size % 16)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head[head.length - 1] = (head.at(-1) as number) | 128
    head.push(rest % 128)
  }
  const entry = Buffer.concat([Buffer.from(head), data])
  const body = Buffer.concat([Buffer.from('PACK'), number(2), number(1), entry])
  const name = Buffer.from(oid, 'hex')
  const table = Array.from({ length: 256 }, (_, byte) => number(byte < (name[0] as number) ? 0 : 1))
  const index = Buffer.concat([
    number(0xff744f63),
    number(2),
    ...table,
    name,
    number(crc32(entry)),
    number(12),
    sha1(body),
  ])
  return {
    pack: Buffer.concat([body, sha1(body)]),
    index: Buffer.concat([index, sha1(index)]),
  }
}

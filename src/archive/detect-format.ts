import type { ErrorCode } from '../base/errors.ts'
import { sourceWith } from './foreign-source.ts'

/** The format of a file by its first bytes; for a foreign one, with the code of the error. */
export type Format = 'gzip' | 'tar' | 'empty' | { foreign: string; code: ErrorCode }

const FOREIGN: readonly (readonly [start: Buffer, name: string, code?: ErrorCode])[] = [
  [Buffer.from('PK\x03\x04'), 'a zip archive'],
  [Buffer.from('PK\x05\x06'), 'an empty zip archive'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'compressed with zstd'],
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), 'compressed with xz'],
  [Buffer.from('BZh'), 'compressed with bzip2'],
  [Buffer.from('7z\xbc\xaf', 'latin1'), 'a 7z archive'],
  [Buffer.from('SQLite format 3\0'), 'a SQLite database', 'archive-is-database'],
  [Buffer.from('PAR1'), 'a Parquet file', 'source-unsupported'],
]

/** Detects the format from the first 512 bytes, or fewer if the file is shorter. */
export function detectFormat(head: Buffer): Format {
  if (head.length === 0) return 'empty'
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip'
  if (isTarHeader(head) || isZero(head)) return 'tar'
  const foreign = FOREIGN.find(([start]) => head.subarray(0, start.length).equals(start))
  const source = foreignInZip(head)
  if (source !== undefined) return { foreign: `${source}, in a zip`, code: 'source-unsupported' }
  if (foreign) return { foreign: foreign[1], code: foreign[2] ?? 'archive-unsupported' }
  if (head.toString('latin1', 8, 12) === 'DUCK') {
    return { foreign: 'a DuckDB database', code: 'source-unsupported' }
  }
  const [found, code] = describeText(head.toString('latin1').trimStart())
  return { foreign: found, code }
}

/** Names the kind of a zip file by its first member. */
function foreignInZip(head: Buffer): string | undefined {
  if (head.toString('latin1', 0, 4) !== 'PK\x03\x04' || head.length < 30) return undefined
  return sourceWith(head.toString('utf8', 30, 30 + head.readUInt16LE(26)))
}

function describeText(start: string): [found: string, code: ErrorCode] {
  if (/^<(!doctype )?html/i.test(start)) {
    return ['a web page, perhaps an error message', 'not-an-archive']
  }
  if (start.startsWith('<?xml') || start.startsWith('<Error')) {
    return ['an XML document, perhaps an error message', 'not-an-archive']
  }
  if (/^[[{]/.test(start)) return ['JSON', 'archive-is-json']
  return ['neither gzip nor tar', 'not-an-archive']
}

/** Whether a block of 512 bytes has the checksum of a tar header, whatever its dialect. */
export function isTarHeader(block: Buffer): boolean {
  if (block.length < 512) return false
  const stated = Number.parseInt(
    block.toString('latin1', 148, 156).replace(/(?<![\0 ])[\0 ]+$/, ''),
    8,
  )
  let sum = 8 * 0x20 // the checksum field counts as spaces
  for (let i = 0; i < 512; i++) if (i < 148 || i >= 156) sum += block[i] as number
  return stated === sum
}

/** The tar dialect of a header. */
export function dialectOf(block: Buffer): 'gnu' | 'ustar' | 'pax' | 'v7' {
  const magic = block.toString('latin1', 257, 265)
  if (magic.startsWith('ustar  ')) return 'gnu'
  if (!magic.startsWith('ustar\0')) return 'v7'
  return /[xg]/.test(String.fromCharCode(block[156] ?? 0)) ? 'pax' : 'ustar'
}

export const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

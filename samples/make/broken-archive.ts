import { gzipSync } from 'node:zlib'
import { tarHeader, tarPadding } from '../../src/archive/tar/tar-header.ts'
import { writeArchive } from '../../src/archive/write-archive.ts'
import { collect } from '../../src/base/streams.ts'
import { makeBroken } from './broken.ts'
import { entriesOf } from './content.ts'

const modifiedAt = new Date('2026-02-01T12:00:00Z')

/** A tar member that our writers would not produce. */
function member(name: string, type: string, content = '', linkname = ''): Buffer {
  const bytes = Buffer.from(content)
  const header = tarHeader({ name, size: bytes.length, mode: 0o644, modifiedAt })
  header.write(type, 156)
  header.write(linkname, 157)
  header.write(' '.repeat(8), 148) // the checksum is computed over spaces
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, bytes, tarPadding(bytes.length)])
}

/** The tar in broken.tar.gz: faulty content, a link, a PAX header, a repeated entry. */
export async function makeBrokenTar(): Promise<Buffer> {
  const twice = 'repositories/mona-lindqvist/tea-timer.git/HEAD'
  return Buffer.concat([
    member('./attachments/a-link.png', '2', '', 'a-file.png'),
    member('./PaxHeaders/HEAD', 'x', `${`00 path=./${twice}\n`.length} path=./${twice}\n`),
    member(`./${twice}`, '0', 'ref: refs/heads/main\n'),
    await collect(writeArchive(entriesOf(makeBroken()), { gzip: false })),
  ])
}

/** Compresses it in two gzip members, with bytes after the end. */
export function compressBadly(tar: Buffer): Buffer {
  const halves = [tar.subarray(0, 10_240), tar.subarray(10_240)]
  const members = halves.map((half) => gzipSync(half, { level: 9 }))
  return Buffer.concat([...members, Buffer.from('This is the end.\n')])
}

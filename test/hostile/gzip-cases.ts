import { gzipSync } from 'node:zlib'
import { header, tarOf } from '../support/build-tar.ts'
import { type HostileCase, refused, reported, type Verdict } from './case.ts'

const TAR = tarOf({
  'schema.json': '{"version":"1.0.1"}',
  'attachments/1/a': Array.from({ length: 3000 }, (_, i) => (i * 7919) % 9973).join(),
})
const GZIP = gzipSync(TAR)

const changed = (at: number): Buffer => {
  const bytes = Buffer.from(GZIP)
  bytes[bytes.length + at] = (bytes.at(at) as number) ^ 0xff
  return bytes
}

const gzipCase = (name: string, archive: Buffer, verdict: Verdict): HostileCase => ({
  code: 'T14',
  name,
  archive,
  verdict,
})
const foreign = (
  name: string,
  start: string | number[],
  code: Parameters<typeof refused>[0] = 'not-an-archive',
) => gzipCase(name, Buffer.from(start as string), refused(code))

/** Forty times 2 MiB of zeros, which are 2 KiB each. */
const bomb = Buffer.concat([
  gzipSync(header({ name: 'attachments/1/bomb', size: 80 * 2 ** 20 })),
  ...Array(40).fill(gzipSync(Buffer.alloc(2 * 2 ** 20))),
])

export const GZIP_CASES: readonly HostileCase[] = [
  ...Array.from({ length: 15 }, (_, i) =>
    gzipCase(
      `cut after ${i + 1} sixteenths`,
      GZIP.subarray(0, Math.floor((GZIP.length * (i + 1)) / 16)),
      refused('gzip-truncated'),
    ),
  ),
  gzipCase('a wrong checksum', changed(-8), refused('gzip-damaged')),
  gzipCase('a wrong length', changed(-1), refused('gzip-damaged')),
  gzipCase(
    'a wrong byte in the middle',
    changed(-Math.floor(GZIP.length / 2)),
    refused('gzip-damaged'),
  ),
  gzipCase(
    'several members',
    Buffer.concat([gzipSync(TAR.subarray(0, 700)), gzipSync(TAR.subarray(700)), gzipSync('')]),
    'read',
  ),
  gzipCase(
    'garbage at the end',
    Buffer.concat([GZIP, Buffer.from('garbage')]),
    reported('gzip-trailing'),
  ),
  gzipCase('zeros at the end', Buffer.concat([GZIP, Buffer.alloc(10_000)]), 'read'),
  gzipCase('a plain tar', TAR, 'read'),
  gzipCase('compressed twice', gzipSync(GZIP), refused('archive-unsupported')),
  gzipCase('nothing', Buffer.alloc(0), refused('not-an-archive')),
  gzipCase('compressed nothing', gzipSync(''), refused('not-an-archive')),
  foreign('an HTML page', '<!DOCTYPE html><html><body>Not found</body></html>'),
  foreign('an XML error', '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
  foreign('JSON', '{"message":"Not Found"}', 'archive-is-json'),
  foreign('zip', 'PK\x03\x04 and so on', 'zip-damaged'),
  foreign('zstd', [0x28, 0xb5, 0x2f, 0xfd, 0, 0], 'archive-unsupported'),
  {
    ...gzipCase('a thousand to one', bomb, refused('limit-expansion')),
    code: 'T15',
    options: ['--max-expansion', '900'],
  },
  {
    ...gzipCase(
      'more members than are allowed',
      Buffer.concat([GZIP, ...Array(10).fill(gzipSync(''))]),
      refused('limit-members'),
    ),
    options: ['--max-members', '10'],
  },
]

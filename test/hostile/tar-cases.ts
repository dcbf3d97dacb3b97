import { gzipSync } from 'node:zlib'
import {
  blocksOf,
  END,
  type HeaderFields,
  header,
  longName,
  member,
  pax,
  tarOf,
} from '../support/build-tar.ts'
import { type HostileCase, refused, reported, type Verdict } from './case.ts'

const SCHEMA = member({ name: 'schema.json' }, '{"version":"1.0.1"}')
const NAME = 'attachments/1/name'

/** Members byte for byte, after schema.json and before the end. */
const tarCase = (
  code: string,
  name: string,
  verdict: Verdict,
  ...parts: Buffer[]
): HostileCase => ({
  code,
  name,
  verdict,
  archive: gzipSync(Buffer.concat([SCHEMA, ...parts, END])),
})

/** A file with this name, in a folder of uploads where it is not about the whole path. */
const named = (code: string, name: string, verdict: Verdict) =>
  tarCase(code, JSON.stringify(name), verdict, member({ name }, 'x'))
const upload = (code: string, name: string | Buffer, verdict: Verdict = 'read') => {
  const path = Buffer.concat([Buffer.from('attachments/1/'), Buffer.from(name as string)])
  return tarCase(
    code,
    JSON.stringify(name.toString('latin1' as never)),
    verdict,
    member({ name: path }, 'x'),
  )
}

const hostile = refused('path-hostile')
const left = reported('entry-type')

const NAMES: HostileCase[] = [
  ...['/etc/passwd', '//server/share', '/'].map((name) => named('T1', name, hostile)),
  ...['../x', 'a/../../x', './../x', 'attachments/1/..'].map((name) => named('T2', name, hostile)),
  ...['C:\\x', 'C:../x', 'c:x', '\\\\server\\share', '\\\\?\\C:\\x'].map((name) =>
    named('T3', name, hostile),
  ),
  ...['..\\x', 'a\\..\\x', '\\x'].map((name) => named('T4', name, hostile)),
  upload('T4', 'a\\b'),
  ...['', '.', './'].map((name) => named('T5', name, hostile)),
  tarCase('T5', 'the archive itself as a directory', 'read', member({ name: './', type: '5' })),
  tarCase(
    'T5',
    'a directory as the oldest tars write it',
    'read',
    member({ name: 'attachments/1/' }),
  ),
  ...['CON', 'x.', 'x ', ' ', '...', 'nul.txt', 'a:b'].map((name) => upload('T5', name)),
  ...['a\nb', '\x1b[2J', '\u202etxt.exe', '\x07', '\x7f'].map((name) => upload('T6', name)),
  tarCase('T6', 'a NUL', hostile, pax({ path: 'attachments/1/a\0b' }), member({ name: 'a' })),
  upload('T7', Buffer.from([0xff, 0xfe]), reported('path-not-utf8')),
  tarCase(
    'T7',
    'names equal but for case, normal form and ligature',
    'read',
    ...['a', 'A', 'ä', 'a\u0308', 'fi', 'ﬁ'].map((name) =>
      member({ name: `attachments/1/${name}` }),
    ),
  ),
]

const ISSUES = (title: string, name = 'issues_000001.json') =>
  member({ name }, [{ type: 'issue', url: 'a', title }])

const TWICE: HostileCase[] = [
  tarCase(
    'T8',
    'records, the second by ./',
    reported('entry-repeated', 'record-duplicate'),
    ISSUES('one'),
    ISSUES('two', './issues_000001.json'),
  ),
  tarCase(
    'T8',
    'an upload',
    reported('entry-repeated'),
    member({ name: NAME }, '1'),
    member({ name: `./${NAME}` }, '2'),
  ),
  tarCase(
    'T8',
    'schema.json',
    reported('entry-repeated'),
    member({ name: './schema.json' }, '{"version":"1.2.0"}'),
  ),
  tarCase(
    'T8',
    'a file and a folder',
    reported('entry-repeated', 'entry-unknown'),
    member({ name: 'attachments/1' }, '1'),
    member({ name: 'attachments/1-2/x' }, '2'),
    member({ name: 'attachments/1/x' }, '3'),
  ),
]

const link = (type: '1' | '2', linkname: string, name = NAME) => member({ name, type, linkname })

const LINKS: HostileCase[] = [
  tarCase('T9', 'a symlink to outside', left, link('2', '/etc/passwd')),
  tarCase('T9', 'a hard link to outside', left, link('1', '../../etc/passwd')),
  tarCase(
    'T9',
    'a link before its target',
    left,
    link('1', 'attachments/1/b'),
    member({ name: 'attachments/1/b' }),
  ),
  tarCase(
    'T9',
    'a symlink to a folder, a hard link through it, a file through both',
    left,
    link('2', '/etc', 'attachments/1'),
    link('1', 'attachments/1/passwd', 'attachments/2'),
    member({ name: 'attachments/1/x' }, 'x'),
  ),
  tarCase(
    'T9',
    'a hard link with a size of its own',
    left,
    member({ name: NAME, type: '1', linkname: 'schema.json' }, 'content'),
  ),
  ...[
    { 'GNU.sparse.map': '0,1,9,1', 'GNU.sparse.name': NAME },
    { 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.realsize': '-1' },
    { 'GNU.sparse.size': '9'.repeat(40), 'GNU.sparse.numblocks': '-1' },
  ].map((values) =>
    tarCase('T10', Object.keys(values).join(), left, pax(values), member({ name: NAME }, 'x')),
  ),
  tarCase(
    'T10',
    'a sparse file whose name leads out',
    hostile,
    pax({ 'GNU.sparse.name': '../x' }),
    member({ name: NAME }, 'x'),
  ),
  ...[...'346SVMD?Z'].map((type) =>
    tarCase(
      'T10',
      `type ${type}`,
      left,
      member({ name: NAME, type }, '346'.includes(type) ? '' : 'x'),
    ),
  ),
]

const paxCase = (
  name: string,
  verdict: Verdict,
  values: Record<string, string>,
  fields: HeaderFields,
) => tarCase('T11', name, verdict, pax(values), member({ name: NAME, ...fields }, 'content'))

const EXTENDED: HostileCase[] = [
  paxCase('a PAX size instead of the header’s', 'read', { size: '7' }, { size: 0 }),
  paxCase('a PAX size that is less than what follows', refused('tar-damaged'), { size: '0' }, {}),
  paxCase('a negative PAX size', refused('tar-damaged'), { size: '-7' }, {}),
  paxCase('a PAX size in words', refused('tar-damaged'), { size: 'seven' }, {}),
  paxCase('a PAX path', 'read', { path: 'attachments/1/other' }, {}),
  paxCase('a numeric PAX path', reported('entry-unknown'), { path: '123' }, {}),
  paxCase('a PAX path out of the archive', hostile, { path: '../x' }, {}),
  paxCase('a PAX linkpath of a file', 'read', { linkpath: '/etc/passwd' }, {}),
  paxCase('a NUL in a PAX value', hostile, { path: 'a\0b' }, {}),
  paxCase(
    'a PAX header above 1 MiB',
    refused('limit-header'),
    { comment: 'x'.repeat(2 ** 20) },
    {},
  ),
  tarCase(
    'T11',
    'a PAX header of 600 MiB',
    refused('limit-header'),
    header({ name: 'PaxHeader', type: 'x', size: 600 * 2 ** 20 }),
  ),
  tarCase(
    'T11',
    'a PAX path before a GNU long name',
    'read',
    pax({ path: NAME }),
    longName('../x'),
    member({ name: 'see both' }),
  ),
  tarCase(
    'T11',
    'two PAX headers',
    'read',
    pax({ path: '../x' }),
    pax({ path: NAME }),
    member({ name: 'a' }),
  ),
  tarCase(
    'T11',
    'a global PAX header',
    'read',
    pax({ comment: 'x' }, 'g'),
    member({ name: NAME }, 'x'),
  ),
  tarCase(
    'T11',
    'a GNU long name above 4 MiB',
    refused('limit-header'),
    longName('n'.repeat(2 ** 22 + 1)),
    member({ name: 'a' }),
  ),
  tarCase(
    'T11',
    'rubbish for a PAX header, which hides a path',
    hostile,
    member({ name: 'x', type: 'x' }, '99999 path=../x'),
    member({ name: NAME }),
  ),
]

const base256 = (...bytes: number[]) => {
  const field = Buffer.alloc(12)
  field.set(bytes, 12 - bytes.length)
  field[0] = bytes.length === 12 ? (bytes[0] as number) : 0x80
  return field
}
const sized = (name: string, size: number | string | Buffer, verdict: Verdict, content = 'x') =>
  tarCase(
    'T12',
    name,
    verdict,
    Buffer.concat([header({ name: NAME, size }), blocksOf(Buffer.from(content))]),
  )
const GIB5 = base256(1, 0x40, 0, 0, 0)

const SIZES: HostileCase[] = [
  sized('a size in base 256', base256(1), 'read'),
  sized('a negative size in base 256', base256(...Array(12).fill(0xff)), refused('tar-damaged')),
  sized('a size beyond what remains', 100_000, refused('tar-truncated')),
  sized('a size that is no number', 'rubbish', refused('tar-damaged')),
  sized(
    'a size that is beyond any disk',
    base256(0x7f, 255, 255, 255, 255, 255, 255),
    refused('tar-truncated'),
  ),
  sized(
    'a size of eleven bytes in base 256',
    base256(...Array(11).fill(0x30)),
    refused('tar-truncated'),
  ),
  tarCase(
    'T12',
    'a bad checksum',
    refused('tar-damaged'),
    member({ name: NAME, checksum: 1 }, 'x'),
  ),
  tarCase(
    'T12',
    'a mode and a time that are no numbers',
    'read',
    member({ name: NAME, mode: 'x', mtime: 'y' }, 'x'),
  ),
  sized('a time far beyond years', 1, 'read'),
  { ...sized('an entry above 4 GiB, cut', GIB5, refused('tar-truncated')), code: 'T15' },
  {
    ...sized('8 GiB in base 256, cut', base256(2, 0, 0, 0, 0), refused('tar-truncated')),
    code: 'T15',
  },
]

const whole = tarOf({ 'schema.json': '{"version":"1.0.1"}', [NAME]: 'x' })
const open = tarOf({ 'schema.json': '{"version":"1.0.1"}', [NAME]: 'x' }, { end: false })
const bytesCase = (
  code: string,
  name: string,
  archive: Buffer,
  verdict: Verdict,
  options: string[] = [],
) => ({
  code,
  name,
  archive,
  verdict,
  options,
})

const ENDS: HostileCase[] = [
  bytesCase('T13', 'no blocks at the end', gzipSync(open), refused('tar-truncated')),
  bytesCase(
    'T13',
    'one block at the end',
    gzipSync(Buffer.concat([open, Buffer.alloc(512)])),
    refused('tar-truncated'),
  ),
  bytesCase(
    'T13',
    'garbage after the end',
    gzipSync(Buffer.concat([whole, Buffer.alloc(512, 'x')])),
    refused('tar-damaged'),
  ),
  bytesCase(
    'T13',
    'two tars in a row',
    gzipSync(Buffer.concat([whole, tarOf({ 'attachments/1/b': 'x' })])),
    'read',
  ),
  bytesCase(
    'T15',
    'ten members where nine are allowed',
    gzipSync(
      tarOf(Object.fromEntries(Array.from({ length: 10 }, (_, i) => [`attachments/1/${i}`, '']))),
    ),
    refused('limit-entries'),
    ['--max-entries', '9'],
  ),
  tarCase(
    'T15',
    'a path 100,000 deep',
    refused('limit-path'),
    longName('a/'.repeat(100_000)),
    member({ name: 'a' }),
  ),
  {
    ...tarCase(
      'T15',
      'a path 100,000 deep, its length allowed',
      refused('limit-parts'),
      longName('a/'.repeat(100_000)),
      member({ name: 'a' }),
    ),
    options: ['--max-path', 'off'],
  },
  {
    ...tarCase(
      'T15',
      'more bytes than are allowed in all',
      refused('limit-extracted'),
      member({ name: NAME }, 'x'.repeat(5000)),
    ),
    options: ['--max-extracted', '5000'],
  },
]

export const TAR_CASES: readonly HostileCase[] = [
  ...NAMES,
  ...TWICE,
  ...LINKS,
  ...EXTENDED,
  ...SIZES,
  ...ENDS,
]

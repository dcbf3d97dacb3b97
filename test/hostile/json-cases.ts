import { KINDS } from '../../src/records/kinds/kinds.ts'
import { someOf } from '../support/property-runs.ts'
import { filesCase, type HostileCase, recordsCase, refused, reported } from './case.ts'

const issue = (members: string) =>
  `[{"type":"issue","url":"https://host.example/a/b/issues/1",${members}}]`
const damaged = refused('json-damaged')
const unknown = reported('member-unknown')
const exact = { exact: true }

const SHAPES: HostileCase[] = [
  recordsCase('J1', 'an object', '{"url":"a"}', refused('json-not-array')),
  recordsCase('J1', 'one object a line', '{"url":"a"}\n{"url":"b"}\n', refused('json-not-array')),
  recordsCase('J1', 'a byte order mark', '\ufeff[]', reported('text-bom')),
  recordsCase('J1', 'UTF-16', Buffer.from('\ufeff[{"url":"a"}]', 'utf16le'), damaged),
  recordsCase('J1', 'an empty file', '', damaged),
  recordsCase('J1', 'an empty array', '[]', 'read'),
  recordsCase('J1', 'a trailing comma', '[{"url":"a"},]', damaged),
  recordsCase('J1', 'a cut in a string', '[{"url":"a', damaged),
  recordsCase('J1', 'a cut in a character', Buffer.from('[{"url":"ä"}]').subarray(0, 10), damaged),
  recordsCase('J1', 'a comment', '[/* none */]', damaged),
  recordsCase('J1', 'records that are none', '[1,"x",null,[]]', reported('record-not-object')),
  recordsCase('J2', '200,000 levels', nested(200_000), refused('limit-depth')),
  recordsCase('J2', '513 levels', nested(513), refused('limit-depth')),
  recordsCase('J2', '512 levels', nested(512), unknown, exact),
  {
    ...recordsCase('J2', '1,000 levels, allowed', nested(1000), unknown, exact),
    options: ['--max-depth', 'off'],
  },
  {
    ...recordsCase(
      'J2',
      '1,001 levels, more than SQLite reads',
      nested(1001),
      refused('limit-depth'),
    ),
    options: ['--max-depth', 'off'],
  },
  {
    ...recordsCase(
      'J3',
      'a string beyond the limit',
      issue(`"body":"${'x'.repeat(2 ** 20)}"`),
      refused('limit-record'),
    ),
    options: ['--max-record', '500000'],
  },
  ...[3_000, 20_000].map((count) =>
    recordsCase(
      'J3',
      `${count} members in a record`,
      issue(Array.from({ length: count }, (_, i) => `"member${i}":${i}`).join()),
      unknown,
      exact,
    ),
  ),
]

function nested(levels: number): string {
  // The record is a level itself.
  return issue(`"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}`)
}

/** A record of each kind with every member of another type than expected. */
const ODD = Object.entries(KINDS).map(([name, { type, columns }]) => {
  const members = Object.entries(columns).map(([member, { storage }]) => [
    member,
    storage === 'json' ? 'text' : { toString: 1, valueOf: { raw: ['x'] } },
  ])
  const record = { type, ...Object.fromEntries(members), url: name }
  return { entry: `${name}_000001.json`, json: JSON.stringify([record]) }
})

const VALUES: HostileCase[] = [
  recordsCase(
    'J4',
    'numbers that a double changes',
    issue('"a":9007199254740993,"b":1.0,"c":1e400,"d":-0,"e":[0.1000,12345678901234567890]'),
    unknown,
    exact,
  ),
  recordsCase(
    'J5',
    'a member twice',
    issue('"title":"one","title":"two"'),
    reported('member-repeated'),
  ),
  recordsCase(
    'J5',
    'members named like integers',
    issue('"b":1,"10":2,"9":3'),
    reported('member-order', 'member-unknown'),
  ),
  recordsCase(
    'J5',
    'names of JavaScript',
    issue(
      '"__proto__":{"x":1},"constructor":{"prototype":{}},"valueOf":1,"toString":null,"then":[]',
    ),
    unknown,
    exact,
  ),
  {
    ...filesCase(
      'J5',
      'an object wherever a kind has a scalar, a text wherever it has a list',
      Object.fromEntries(ODD.map(({ entry, json }) => [entry, json])),
      reported('member-type'),
    ),
    keeps: someOf(ODD),
  },
  recordsCase(
    'J6',
    'a lone surrogate',
    issue('"title":"\\ud800","body":"\\udc00\\ud800"'),
    reported('text-cut'),
    exact,
  ),
  recordsCase('J6', 'NUL in a text', issue('"title":"a\\u0000b"'), 'read'),
  recordsCase(
    'J6',
    'bytes that are not UTF-8',
    Buffer.from(issue('"title":"\xff\xc3"'), 'latin1'),
    reported('text-not-utf8'),
  ),
]

const KINDS_CASES: HostileCase[] = [
  recordsCase(
    'J7',
    'a type that does not fit the file',
    '[{"type":"user","url":"a","login":"x"}]',
    reported('record-type'),
  ),
  recordsCase(
    'J7',
    'an unknown kind',
    '[{"type":"gadget","url":"a","x":1}]',
    reported('kind-unknown'),
    {
      entry: 'gadgets_000001.json',
      exact: true,
    },
  ),
  recordsCase(
    'J7',
    'a file of an unknown kind that is no array',
    '{"a":1}',
    reported('entry-unknown'),
    {
      entry: 'config_1.json',
      exact: true,
    },
  ),
  recordsCase('J7', 'an unknown member', issue('"x":{"y":[1]}'), unknown, exact),
  recordsCase(
    'J7',
    'no url',
    '[{"type":"issue","title":"x"}]',
    reported('record-without-url'),
    exact,
  ),
  recordsCase(
    'J7',
    'one url twice, with other content',
    '[{"type":"issue","url":"a","title":"x"},{"type":"issue","url":"a","title":"y"}]',
    reported('record-duplicate'),
  ),
  ...[
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://evil.example/a',
    'a\\r\\nb',
    '',
    ' ',
  ].map((url) =>
    recordsCase(
      'J8',
      `the url ${JSON.stringify(url)}`,
      `[{"type":"issue","url":"${url}"}]`,
      'read',
    ),
  ),
  recordsCase('J9', 'a file named like SQL', '[]', reported('entry-unknown'), {
    entry: 'x"); DROP TABLE issues; --_000001.json',
  }),
  ...['select', 'sqlite_schema', 'Issues', 'issues_by_url', 'archives'].map((name) =>
    recordsCase('J9', `a kind named ${name}`, '[{"url":"a","x":1}]', reported('kind-unknown'), {
      entry: `${name}_000001.json`,
      exact: true,
    }),
  ),
  recordsCase(
    'J9',
    'members named like SQL, or like others but for case',
    issue(
      '"\\"); DROP TABLE issues; --":1,"URL":2,"Title":3,"_extra":4,"_archive":5,"rowid":6,"":7',
    ),
    unknown,
    exact,
  ),
  recordsCase(
    'J9',
    '2,500 members, more than SQLite has columns',
    issue(Array.from({ length: 2500 }, (_, i) => `"m${i}":1`).join()),
    unknown,
    exact,
  ),
  recordsCase(
    'J10',
    'dates with offsets, fractions, in the years 0 and 9999, and rubbish',
    `[${[
      '2020-01-02T03:04:05+02:00',
      '2020-01-02T03:04:05.678Z',
      '0000-01-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
      '+275760-09-13T00:00:00Z',
      'yesterday',
      '',
      '2020-13-45',
    ]
      .map((date, i) => `{"type":"issue","url":"${i}","created_at":"${date}"}`)
      .join()}]`,
    'read',
  ),
  recordsCase(
    'J10',
    'a date that is a number',
    issue('"created_at":1577934245'),
    reported('member-type'),
    exact,
  ),
  ...['issues_1.json', 'issues_0000001.json', 'issues_000001(2).json', 'issues_000007.json'].map(
    (entry) =>
      recordsCase('J11', `a recordFile named ${entry}`, issue('"title":"x"'), 'read', { entry }),
  ),
]

const RECORDS = { 'issues_000001.json': '[]' }
const schemaCase = (name: string, text: string | Buffer, ...codes: Parameters<typeof reported>) =>
  filesCase(
    'J12',
    name,
    { 'schema.json': text, ...RECORDS },
    codes.length > 0 ? reported(...codes) : 'read',
  )

const SCHEMAS: HostileCase[] = [
  filesCase('J12', 'no schema.json', RECORDS, 'read'),
  filesCase(
    'J12',
    'schema.json at the end',
    { ...RECORDS, 'schema.json': '{"version":"1.0.1"}' },
    'read',
  ),
  schemaCase('version 2', '{"version":"2.0.0"}', 'schema-version'),
  schemaCase('what is no version', '{"version":{"major":1}}', 'schema-version'),
  schemaCase('no JSON', '{"version":', 'schema-invalid'),
  schemaCase('an array', '[]', 'schema-invalid'),
  schemaCase('a byte order mark', '\ufeff{"version":"1.0.1"}', 'schema-invalid'),
  schemaCase(
    'bytes that are not UTF-8',
    Buffer.from('{"version":"1.0.1\xff"}', 'latin1'),
    'schema-invalid',
  ),
  schemaCase('2 MiB', ' '.repeat(2 ** 21), 'schema-invalid'),
]

export const JSON_CASES: readonly HostileCase[] = [...SHAPES, ...VALUES, ...KINDS_CASES, ...SCHEMAS]

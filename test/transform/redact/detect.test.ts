import { describe, expect, test } from 'vitest'
import { createDetector, WHAT } from '../../../src/transform/redact/detect.ts'
import type { Finding } from '../../../src/transform/redact/finding.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { FOUND, NAMES, NOTHING, token } from './corpus.ts'

const detectorWith = (keep: readonly string[] = []) =>
  createDetector({ what: new Set(WHAT), keep: new Set(keep), names: NAMES })

const detect = detectorWith()
const certain = (text: string, find = detect) =>
  find(text).filter(({ doubtful }: Finding) => !doubtful)

test('The corpus has two hundred texts, half of them without a value', () => {
  expect(Math.min(FOUND.length, NOTHING.length)).toBeGreaterThanOrEqual(100)
  expect(new Set(FOUND.map(([text]) => text)).size).toBe(FOUND.length)
})

test.each(FOUND.map(([text, ...expected]) => [text, expected] as const))(
  'in %j are values',
  (text, expected) => {
    expect(certain(text).map(({ value }) => value)).toEqual(expected)
    for (const { start, end } of certain(text)) expect(start).toBeLessThan(end)
  },
)

test.each(NOTHING)('in %j is none', (text) => {
  expect(certain(text)).toEqual([])
})

describe('Doubtful', () => {
  test.each([
    'v1.2.3.4',
    'version 1.2.3.4',
    'Version: 1.2.3.4',
    'x@1.2.3.4',
    'kettle1.2.3.4',
    'kettle -v1.2.3.4',
    '>= 1.2.3.4',
    'https://h/a/b/releases/tag/1.2.3.4',
  ])('are addresses that may be versions: %s', (text) => {
    expect(detect(text)).toEqual([expect.objectContaining({ value: '1.2.3.4', doubtful: true })])
  })
})

test.each([
  ['write to "Ada L"@example.org', '"Ada L"@example.org'],
  ['ada@[203.0.113.9] and ada@[IPv6:2a02::1].', 'ada@[203.0.113.9]', 'ada@[IPv6:2a02::1]'],
  ['host 093.184.216.034', '93.184.216.34'],
  ['http://0x5db8d822/', '93.184.216.34'],
  ['ssh ec2-93-184-216-34.compute-1.example', '93.184.216.34'],
  ['ada\\000040mail\\2e example', 'ada@mail.example'],
  ['https://ada%40mail.example@host.example/x', 'ada@mail.example'],
  ['inet6 addr:2a02:908::1a2b/64', '2a02:908::1a2b'],
  ['2a02:908::1a2b.txt and 2a02:908::1a2c.dat', '2a02:908::1a2b', '2a02:908::1a2c'],
  ['ip:2a02:908:0:0:0:1:2:3', '2a02:908:0:0:0:1:2:3'],
  ['the network 2a02:908:1:: and 2a02:908:2::/48', '2a02:908:1::', '2a02:908:2::'],
  ['संपर्क@डाटामेल.भारत', 'संपर्क@डाटामेल.भारत'],
  ['ju\u0308rgen@mail.example', 'ju\u0308rgen@mail.example'],
  ['\ufe0fada@mail.example', 'ada@mail.example'],
  ['ada@mail[.]example at 93[.]184[.]216[.]34', 'ada@mail.example', '93.184.216.34'],
  ['jane\\_doe\\@mail\\.example', 'jane_doe@mail.example'],
  ['at 93\\.184\\.216\\.34 and ~~93.184.216.35~~', '93.184.216.34', '93.184.216.35'],
  ['_https://bob:Zx81kqP0vT@db.example/x_', 'Zx81kqP0vT'],
  [token('ghp\\_', 36), token('ghp\\_', 36).replace('\\', '')],
  [`> ${token('ghp_a1', 14)}\n> ${token('b2', 18)}`, token('ghp_a1', 14) + token('b2', 18)],
  [
    'Ada_Lovelace, **Ada** Lovelace, Ada _Lovelace_',
    'Ada_Lovelace',
    'Ada** Lovelace',
    'Ada _Lovelace',
  ],
])('in %j are rare forms of values', (text, ...expected) => {
  expect(certain(text).map(({ value }) => value)).toEqual(expected)
})

test('A text in JSON stays one, and a value has one form wherever it is', () => {
  const text = JSON.stringify({ log: 'a\njane@x.example\tjane@x.example', mail: 'jane@x.example' })
  const found = certain(text)
  expect(found.map(({ value }) => value)).toEqual(Array(3).fill('jane@x.example'))
  const redacted = found.reduceRight(
    (rest, { start, end }) => `${rest.slice(0, start)}X${rest.slice(end)}`,
    text,
  )
  expect(JSON.parse(redacted)).toEqual({ log: 'a\nX\tX', mail: 'X' })
})

test('Values that stay are given by address, domain or IP', () => {
  const find = detectorWith(['bot@example.org', 'example.net', '9.9.9.9', 'ada lovelace'])
  expect(
    certain('bot@example.org x@EXAMPLE.net 9.9.9.9 a@example.org', find).map(({ value }) => value),
  ).toEqual(['a@example.org'])
})

test.each([
  'C:\\bxh3hy9yfa@redacted.invalid',
  'CORP\\n123456789@redacted.invalid',
  'a\\2001:db8:a6fa:8f2e:ea0c:d75f:96c7:3674',
])('A pseudonym behind a backslash is not read as an escape: %s', (text) => {
  expect(certain(text)).toEqual([])
})

const detectionOf = (text: string) => (length: number) => {
  const long = text.repeat(length / text.length)
  return () => detect(long)
}

test('Takes time linear in hostile texts', THOROUGH, () => {
  const texts = [
    '@',
    'a@',
    'a.a@a.',
    '1.',
    '1.1.1.1.',
    ':',
    'a:',
    '%40',
    'ghp_',
    'ghp_a1\n',
    'ghp_a1b2c3d4\nb2c3d4e5\n',
    '-----BEGIN ',
    'a://',
    'Ada ',
    '?token=',
    'eyJa.',
    "O'",
    'a<b>',
    'a (at) b.de ',
    'a at b dot com ',
    'a[.]',
    '\u200b',
    'A',
    'aA',
    'password=',
    'machine a login b password ',
    // Lines that look like base64, and hold no text, or one each.
    `${'x'.repeat(75)}A\n`,
    `${'x'.repeat(76)}\n${'YWJj'.repeat(19)}\n`,
    `0x${'ab'.repeat(39)}\n${'x'.repeat(79)}A\n`,
  ]
  for (const text of texts) expectLinear(detectionOf(text), 20_000, text)
})

test('An address below a token that was cut off is found whole', () => {
  const found = certain(`see ${token('ghp_', 29)}\n1234567+a1b2@users.noreply.forge.example`)
  expect(found.map(({ value }) => value)).toContain('1234567+a1b2@users.noreply.forge.example')
})

test('A random value is one whichever letters follow each other in it', () => {
  for (const word of ['PwD', 'kEy', 'paSs']) {
    const value = `a1bHViqqD3RBB8LRukc${word}Xwu3RNBLF5c6L`
    expect(certain(`Set("X-Api-Token", "${value}")`).map((each) => each.value)).toEqual([value])
  }
})

test('Secrets have the name of their form', () => {
  const [finding] = detect(token('ghp_', 36))
  expect(finding).toMatchObject({ type: 'secret', name: 'github-token' })
})

test('An address of IPv4 within one of IPv6 is a part of it, whatever follows', () => {
  for (const behind of ['', '.', '.dat', ':80']) {
    expect(certain(`from ::ffff:93.184.216.34${behind}`).map(({ value }) => value)).toEqual([
      '::ffff:93.184.216.34',
    ])
  }
})

import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { createDetector, WHAT } from '../../../src/transform/redact/detect.ts'
import { encodedHints, encodedTexts } from '../../../src/transform/redact/encoded-texts.ts'
import { createPseudonyms } from '../../../src/transform/redact/pseudonyms.ts'
import { replacementOf } from '../../../src/transform/redact/redact-records.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { FORMS } from './adversary/forms.ts'
import { Planter } from './adversary/planter.ts'

const pseudonyms = createPseudonyms(Buffer.alloc(32, 7), { keepDomain: false })
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const bytesOf = (run: string) => Buffer.from(run.replaceAll(/\s/g, ''), 'base64')
const inLines = (run: string) => run.replaceAll(/.{64}(?=.)/g, '$&\n')

/** How a text is encoded, and the other way round. */
const CODINGS: Readonly<Record<string, [(text: string) => string, (run: string) => string]>> = {
  base64: [base64, (run) => bytesOf(run).toString()],
  'base64 of URLs': [
    (text) => Buffer.from(text).toString('base64url'),
    (run) => Buffer.from(run, 'base64url').toString(),
  ],
  'base64 in lines': [(text) => inLines(base64(text)), (run) => bytesOf(run).toString()],
  'base64 twice': [
    (text) => base64(base64(text)),
    (run) => bytesOf(bytesOf(run).toString()).toString(),
  ],
  'base64 of UTF-16': [
    (text) => base64(Buffer.from(text, 'utf16le')),
    (run) => bytesOf(run).toString('utf16le'),
  ],
  'base64 of gzip': [
    (text) => base64(gzipSync(text)),
    (run) => gunzipSync(bytesOf(run)).toString(),
  ],
  'base64 of zlib': [
    (text) => base64(deflateSync(text)),
    (run) => inflateSync(bytesOf(run)).toString(),
  ],
  'hexadecimal digits': [
    (text) => Buffer.from(text).toString('hex'),
    (run) => Buffer.from(run, 'hex').toString(),
  ],
  'hexadecimal digits of a program': [
    (text) => `0x${Buffer.from(text).toString('hex')}`,
    (run) => Buffer.from(run.slice(2), 'hex').toString(),
  ],
  'hexadecimal digits of UTF-16': [
    (text) => Buffer.from(text, 'utf16le').toString('hex'),
    (run) => Buffer.from(run, 'hex').toString('utf16le'),
  ],
  'base64 of UTF-16 with its mark': [
    (text) => base64(Buffer.from(`\ufeff${text}`, 'utf16le')),
    (run) => bytesOf(run).toString('utf16le').slice(1),
  ],
}

const detectorOf = (planter?: Planter) =>
  createDetector({
    what: new Set(WHAT),
    keep: new Set(),
    names: planter?.people.flatMap(({ name = [] }) => name),
    logins: planter?.people.flatMap(({ login = [] }) => login),
    hosts: new Set(['forge.example']),
  })

const redacted = (text: string, detect = detectorOf()) =>
  detect(text)
    .filter(({ doubtful }) => !doubtful)
    .reduceRight(
      (rest, finding) =>
        rest.slice(0, finding.start) +
        replacementOf(finding, text, { pseudonyms, mode: 'pseudonym' }) +
        rest.slice(finding.end),
      text,
    )

describe.each(Object.entries(CODINGS))('In %s', (coding, [encode, decode]) => {
  const options = coding === 'base64' ? {} : THOROUGH
  test(
    'every form of a value is replaced, the text around it stays, and nothing is found again',
    options,
    () => {
      for (const form of Object.values(FORMS).flat()) {
        const planter = new Planter()
        // Capital letters in base64 tell it from a word.
        const text = `A text: see ${planter.plant(form, 'a text', '')} there. The End.`
        const detect = detectorOf(planter)
        const outer = redacted(`log=${encode(text)}\nend`, detect)
        expect(outer).toMatch(/^log=[\s\S]*\nend$/)
        const inner = decode(outer.slice(4, -4))
        expect(inner, form.name).toMatch(/^A text: see [\s\S]* there\. The End\.$/)
        const lower = inner.toLowerCase()
        for (const part of planter.hidden.keys()) expect(lower, form.name).not.toContain(part)
        expect(redacted(outer, detect), form.name).toBe(outer)
      }
    },
  )

  test('a hint is where the text begins', () => {
    const run = encode('mail ada@mail.example, please, and Do Not Wait')
    const row = Buffer.from(`{"body":"${run.replaceAll('\n', '\\n')}"}`)
    expect(encodedHints(row)).toContain(9)
  })
})

test('Hints are where the runs are, whatever is around them', () => {
  const run = base64('ada@mail.example')
  for (let before = 0; before < 40; before++) {
    const text = `${'a b-c de '.repeat(9).slice(0, before)}.${run}`
    expect(encodedHints(Buffer.from(text))).toEqual([before + 1])
    expect(encodedHints(Buffer.from(`${text}! ${text}`))).toHaveLength(2)
  }
})

test.each(['\\n', '\\t', '\\u000a', '\\x0a', '\\012', '%0A', '%20'])(
  'Behind the escape %s, whose letters are none of a run, there is a hint as well',
  (before) => {
    for (const coding of ['base64', 'hex'] as const) {
      const run = Buffer.from('Vera Kowalczyk').toString(coding)
      const text = `{"log":"line${before}${run}"}`
      expect(encodedHints(Buffer.from(text))).toEqual([text.indexOf(run)])
    }
  },
)

test.each(['/unsubscribe/', '/u/', '/ab12/', 'id_', 'abc-'])(
  'Behind %s, another run begins',
  (before) => {
    for (const after of ['', '/x', '/more']) {
      const text = `https://forge.example?${before}${base64('ada@mail.example')}${after} there`
      const [start, end] = [22 + before.length, text.length - 6 - after.length]
      expect(encodedHints(Buffer.from(text))).not.toEqual([])
      const now = redacted(text)
      expect(now.slice(0, start)).toBe(text.slice(0, start))
      expect(now.slice(-6 - after.length)).toBe(text.slice(end))
      expect(bytesOf(now.slice(start).split('/')[0] as string).toString()).toMatch(
        /^\w{10}@redacted\.invalid/,
      )
    }
  },
)

describe('A picture in base64 loses its metadata, and stays one,', () => {
  const chunk = (type: string, data: string) => {
    const bytes = Buffer.alloc(12 + data.length)
    bytes.writeUInt32BE(data.length)
    bytes.write(type + data, 4, 'latin1')
    return bytes
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = [chunk('IHDR', 'x'.repeat(13)), chunk('IDAT', 'See Pixels of a Picture')]
  const png = (...more: Buffer[]) =>
    Buffer.concat([signature, ...pixels, ...more, chunk('IEND', '')])

  test.each([
    ['with a value', 'by ada@mail.example'],
    ['with none that is known', 'at 52.3, 13.4'],
  ])('%s', (_, text) => {
    const notebook = (picture: Buffer) =>
      JSON.stringify({ data: { 'image/png': `${base64(picture)}\n`, 'text/plain': '' } })
    const before = notebook(png(chunk('tEXt', text)))
    expect(redacted(before)).toBe(notebook(png()))
    expect(encodedHints(Buffer.from(before))).not.toEqual([])
    expect(redacted(`<img src="data:image/png;base64,${base64(png(chunk('eXIf', text)))}">`)).toBe(
      `<img src="data:image/png;base64,${base64(png())}">`,
    )
  })

  test('and one without any is left as it is', () => {
    expect(redacted(base64(png()))).toBe(base64(png()))
    expect(encodedHints(Buffer.from(base64(png())))).toEqual([])
  })
})

test('Of a certificate only the texts stay, if they have a value', () => {
  const bytes = (text: string) =>
    Buffer.concat([Buffer.from([0x30, 0x82, 1, 2]), Buffer.from(text), Buffer.from([0x30, 0x81])])
  const run = base64(bytes('ada@mail.example'))
  expect(bytesOf(redacted(run)).toString()).toMatch(/^\w{10}@redacted\.invalid 0$/)
  const other = base64(bytes('nobody is named'))
  expect(redacted(other)).toBe(other)
})

test('Lines before a text that are none of it do not hide it', () => {
  const hidden = inLines(base64(`${'and more '.repeat(5)}ada@mail.example, ${'more '.repeat(20)}`))
  const stray = 'xY'.repeat(32)
  const found = [...encodedTexts(`${`${stray}\n`.repeat(7)}${hidden}\n`)].map(({ text }) => text)
  expect(found.join()).toContain('ada@mail.example')
})

test('Behind an escape there is no line break', () => {
  const log = JSON.stringify({
    log: inLines(base64(`ada@mail.example, ${'and more '.repeat(20)}`)),
  })
  const now = JSON.parse(redacted(log)) as { log: string }
  expect(bytesOf(now.log).toString()).toMatch(/^\w{10}@redacted\.invalid, and more/)
})

test.each([
  'commit 4831b6e612e85101831e662a74e33955652290ce',
  'sha512-3kU8T1C0bNnmCzG8k1vYkq3x9P7tZ2wQaXo1mKp4fJ0sDhGvRyLbTeUcWn5iA==',
  'src/transform/redact/Proof/FindRemoved',
  'https://forge.example/Ada/Tools/blob/Main/Source/Component',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  base64('Lorem ipsum dolor sit amet'),
])('Nothing is changed in %s', (text) => {
  expect(redacted(text)).toBe(text)
})

test('A run that is no text has none', () => {
  expect([...encodedTexts('ThisIsTheNameOfAFunction and 0123456789abcdef0123')]).toEqual([])
})

test('Words of mail that follow each other are one text, and are written as one word', () => {
  const text = 'To: =?iso-8859-1?Q?Jos=E9_ada=40mail?=\r\n =?utf-8*en?b?LmV4YW1wbGUh?= b'
  expect([...encodedTexts(text)].map((each) => each.text)).toEqual(['José ada@mail.example!'])
  const [, word = ''] = /^To: =\?utf-8\?b\?([^?]+)\?= b$/.exec(redacted(text)) ?? []
  expect(bytesOf(word).toString()).toMatch(/^José \w{10}@redacted\.invalid!$/)
})

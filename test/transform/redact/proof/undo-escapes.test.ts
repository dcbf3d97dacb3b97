import { expect, test } from 'vitest'
import { undoEscapes, withoutZeros } from '../../../../src/transform/redact/proof/undo-escapes.ts'

const undone = (text: string) =>
  [...undoEscapes(Buffer.from(text))].map(({ bytes }) => bytes.toString())

test.each([
  ['\\u0061b', 'ab'],
  ['\\\\u0061b', 'ab'],
  ['\\ud83d\\ude00', '😀'],
  ['%C3%A9%40', 'é@'],
  ['&#97;&#x62;&amp;', 'ab&'],
  ['a=40b=C3=A9', 'a@bé'],
  ['%2540 once', '%40 once'],
  ['\\x61\\u{62}\\143', 'abc'],
  ['ke=\r\nttle', 'kettle'],
  ['ke=\\nttle', 'kettle'],
  ['ke\u2067t\u200etle<!-- "a" > b -->s', 'kettles'],
  ['ke?=\r\n =?utf-8?Q?ttle', 'kettle'],
  ['ke\\u001b[1mttle\x1b[m', 'kettle'],
])('%s is %s', (text, plain) => {
  expect(undone(text)).toEqual([plain])
})

test('A text without such escapes is not looked at again', () => {
  expect(undone('a "b" \\n 100% & more = 5')).toEqual([])
})

test('Texts in UTF-16 are read without their zeros, wherever they begin', () => {
  const wide = Buffer.from(' kettle', 'utf16le')
  for (const before of ['', '?', '??']) {
    const bytes = Buffer.concat([Buffer.from(before), wide, Buffer.from('\0\0')])
    expect([...withoutZeros(bytes)].map((each) => each.bytes.toString()).at(-1)).toMatch(/kettle$/)
  }
})

import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { expect, test } from 'vitest'
import { escapeHtml } from '../../src/http/escape-html.ts'
import { codePoint } from '../support/code-point.ts'

/** The text of a document as a parser reads it, and the value of its attribute a. */
function parsed(document: string): { text: string; tags: string[]; a: string | undefined } {
  const found = { text: '', tags: [] as string[], a: undefined as string | undefined }
  const parser = new Parser({
    ontext(text) {
      found.text += text
    },
    onopentag(name, { a }) {
      found.tags.push(name)
      found.a = a
    },
  })
  parser.end(document)
  return found
}

test('A text is the same text in content and in an attribute, whatever it holds', () => {
  const anyText = fc.string({ unit: codePoint }).map((text) => text.toWellFormed())
  fc.assert(
    fc.property(fc.oneof(anyText, fc.stringMatching(/^[<>&"'a;#/ ]{0,12}$/)), (text) => {
      const escaped = escapeHtml(text)
      const { tags, ...found } = parsed(`<p a="${escaped}">${escaped}</p>`)
      // HTML has no control characters, nor characters that are none: both show as one sign.
      const shown = text.replace(/(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '\ufffd')
      expect({ tags, ...found }).toEqual({ tags: ['p'], a: shown, text: shown })
    }),
  )
})

test.each([
  ['<script>', '&lt;script&gt;'],
  ['"\'&', '&quot;&#39;&amp;'],
  ['\ud800', '\ufffd'],
  ['\u0000', '\ufffd'],
  ['Grüße, 水', 'Grüße, 水'],
])('%j is written as %j', (text, expected) => {
  expect(escapeHtml(text)).toBe(expected)
})

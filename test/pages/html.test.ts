import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { escapeHtml } from '../../src/http/escape-html.ts'
import { html, isolated, joinHtml, outwardHref, shown } from '../../src/pages/html.ts'

describe('A template', () => {
  test('escapes every value, in content and in attributes', () => {
    const evil = `"><script>alert('1')</script>&`
    expect(String(html`<a title="${evil}">${evil}</a>`)).toBe(
      '<a title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">' +
        '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</a>',
    )
  })

  test('takes HTML as it is, joins arrays, and leaves out what is not there', () => {
    const item = (text: string) => html`<li>${text}</li>`
    expect(String(html`<ul>${['a', '<'].map(item)}${null}${undefined}${false}${0}</ul>`)).toBe(
      '<ul><li>a</li><li>&lt;</li>0</ul>',
    )
    expect(String(joinHtml(['a', 'b'], html`<br>`))).toBe('a<br>b')
  })

  test('gives back any text as a browser reads it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        let read = ''
        let attribute = ''
        const parser = new Parser({
          ontext(part) {
            read += part
          },
          onopentag(_, { title = '' }) {
            attribute = title
          },
        })
        parser.end(String(html`<p title="${text}">${text}</p>`))
        // What HTML cannot hold.
        const held = text.replace(/(?![\t\n\r])\p{Cc}|\p{Noncharacter_Code_Point}/gu, '\ufffd')
        expect([read, attribute]).toEqual([held, held])
      }),
    )
  })
})

test('Characters that do not show are made visible', () => {
  expect(String(shown('abc\u202etxt.exe'))).toBe(
    'abc<span class="hidden-char">U+202E</span>txt.exe',
  )
  expect(String(shown('\u0000\u200b'))).toBe(
    '<span class="hidden-char">U+0000</span><span class="hidden-char">U+200B</span>',
  )
  expect(String(isolated('👩‍💻 é'))).toBe('<bdi>👩‍💻 é</bdi>')
})

test('A character is escaped or made visible alone as in a text with others', () => {
  const among = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i))
  const units = [among(0, 0x2100), among(0xd7f0, 0xd810), among(0xdff0, 0xe010)].flat()
  units.push(...among(0xfdc0, 0xffff))
  const escaped = units.map((unit) => escapeHtml(`<${unit}`).slice('&lt;'.length))
  expect(units.map(escapeHtml)).toEqual(escaped)
  const visible = units.map((unit) =>
    String(shown(`\u200b${unit}`))
      .split('</span>')
      .slice(1),
  )
  expect(units.map((unit) => String(shown(unit)))).toEqual(
    visible.map((part) => part.join('</span>')),
  )
})

test.each([
  ['https://a.example/x y', 'https://a.example/x%20y'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  ['javascript:alert(1)', undefined],
  [' JavaScript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//evil.example', undefined],
  ['/x', undefined],
  ['https://', undefined],
])('The address %j leads outward to %j', (url, href) => {
  expect(outwardHref(url)).toBe(href)
})

test('Only three places make HTML of a text', () => {
  const src = join(import.meta.dirname, '../../src')
  const places = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && path !== 'pages/html.ts')
    .filter((path) => readFileSync(join(src, path), 'utf8').includes('Html.trust('))
    .filter((path) => path !== 'pages/icons.ts')
  expect(places.sort()).toEqual(['pages/highlight.ts', 'pages/markdown/render-markdown.ts'])
})

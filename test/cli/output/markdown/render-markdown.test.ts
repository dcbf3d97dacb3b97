import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayWidth } from '../../../../src/cli/output/display-width.ts'
import {
  markdownLines,
  renderMarkdown,
} from '../../../../src/cli/output/markdown/render-markdown.ts'
import { PLAIN_STYLES, stylesFor } from '../../../../src/cli/output/styles.ts'
import { codePoint } from '../../../support/code-point.ts'
import { everyDay } from '../../../support/thorough.ts'

const render = (text: string, width = 80) => renderMarkdown(text, { width, styles: PLAIN_STYLES })
const COLOURS = stylesFor({ isTTY: true }, {})

test.each([
  ['paragraphs', 'one\n\n\ntwo', ['one', '', 'two']],
  ['line ends, as hosts do', 'one\r\ntwo', ['one', 'two']],
  ['headings', 'One\n===\n## Two *b*', ['# One', '', '## Two b']],
  ['bold, italic, struck and code', '**a** *b* ~~c~~ `d  e`', ['a b c d e']],
  ['lists', '- a\n- b\n  - c\n- d', ['• a', '• b', '  • c', '• d']],
  ['numbers', '3. a\n4. b', ['3. a', '4. b']],
  ['loose lists', '- a\n\n  b\n- c', ['• a', '', '  b', '', '• c']],
  ['tasks', '- [ ] a\n- [x] b', ['• ☐ a', '• ☑ b']],
  ['empty items', '-\n- a', ['•', '• a']],
  ['quotes', '> a\n> > b\n\nc', ['│ a', '│', '│ │ b', '', 'c']],
  ['code', '```js\na\n  b\n\n\tc\n```', ['    a', '      b', '', '        c']],
  ['code without an end', '```\na', ['    a']],
  ['rules', 'a\n\n---\n\nb', ['a', '', '─'.repeat(80), '', 'b']],
  ['links', '[a](https://b.example/c%20d "t")', ['a (https://b.example/c%20d)']],
  ['links that are their own text', '<https://a.example/ü>', ['https://a.example/ü']],
  ['links to nothing', '[a](javascript:alert(1))', ['[a](javascript:alert(1))']],
  ['pictures', '![a](b.png) ![](c.png)', ['[a] (b.png) [image] (c.png)']],
  ['references', '[a]\n\n[a]: https://b.example', ['a (https://b.example)']],
  ['tables', '|a|b|\n|-|-|\n|時計|**c**|', ['a     b', '────  ─', '時計  c']],
  ['entities', '&lt;b&gt; &copy;', ['<b> ©']],
  ['nothing', '', []],
])('renders %s', (_, text, lines) => {
  expect(render(text)).toEqual(lines)
})

test.each([
  ['comments', 'a <!-- b --> c\n\n<!--\nd\n-->', ['a c']],
  ['breaks', 'a<br>b', ['a', 'b']],
  ['pictures', '<img width=1 alt="a" src="b.png">', ['[a] (b.png)']],
  ['details', '<details><summary>a</summary>\nb</details>', ['a', '', 'b']],
  ['tags nobody knows', 'a <x-y z="1">b</x-y> < c', ['a b < c']],
])('shows the visible text of HTML: %s', (_, text, lines) => {
  expect(render(text)).toEqual(lines)
})

test('styles headings and nested emphasis', () => {
  const lines = renderMarkdown('# a\n**b *c*** `d`', { width: 80, styles: COLOURS })
  expect(lines).toEqual([
    '\x1b[2m#\x1b[22m \x1b[1ma\x1b[22m',
    '',
    '\x1b[1mb\x1b[22m \x1b[3m\x1b[1mc\x1b[22m\x1b[23m \x1b[36md\x1b[39m',
  ])
})

test.each([40, 80, 200])('fits %i columns, including wide characters and code', (width) => {
  const words = 'the clock 🕰️ at the quay is wrong 時計が間違っている '.repeat(6)
  const text = `${words}\n\n- ${words}\n  > ${words}\n\n~~~\n${words}\n~~~\n\n|a|b|\n|-|-|\n|${words}|${words}|`
  for (const line of render(text, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width)
})

describe('Hostile Markdown', () => {
  test('is shown with control characters as escapes', () => {
    const evil = '\x1b[31m\x9b2J\x1b]0;owned\x07\u202e'
    const text = `# ${evil}\n${evil} \`${evil}\` [${evil}](https://a.example/${encodeURIComponent(evil)}) ![${evil}](b)
<img src="${evil}">&#27;[31m&#x202e;\n\n- ${evil}\n\n~~~${evil}\n${evil}\n~~~\n\n|${evil}|\n|-|\n|${evil}|\n\n<div>${evil}</div>\n\n<!-- ${evil}`
    const shown = render(text).join('\n')
    expect(shown).toContain('\\x1b[31m\\x9b2J\\x1b]0;owned\\x07\\u{202e}')
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  })

  everyDay(1)([
    ['quotes', '>'.repeat(20_000)],
    ['lists', '* '.repeat(5_000)],
    ['emphasis', '*a_ '.repeat(5_000)],
    ['brackets', '['.repeat(10_000)],
    ['tags', '<'.repeat(20_000)],
    ['comments', '<!--'.repeat(10_000)],
    ['tables', `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|`],
  ])('does not explode: %s', (_, text) => {
    expect(render(text).length).toBeGreaterThanOrEqual(0)
  })

  test('is shown unformatted, line by line, if it is far too long', () => {
    const text = `**a** \x1b[31m\r\n\n${'😀'.repeat(150_000)}`
    const [first, second, ...lines] = markdownLines(text, { width: 80, styles: PLAIN_STYLES })
    expect([first, second]).toEqual(['**a** \\x1b[31m', ''])
    expect(lines.join('')).toBe('😀'.repeat(150_000))
    expect(Math.max(...lines.map((line) => line.length))).toBe(8192)
    expect(lines.every((line) => line.isWellFormed())).toBe(true)
  })

  test('never throws', () => {
    const part = fc.constantFrom(
      '*',
      '_',
      '`',
      '> ',
      '- ',
      '1. ',
      '[',
      '](',
      ')',
      '|',
      '\n',
      '<b',
      '>',
      '~~',
      '    ',
      '&',
      '#',
    )
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.array(fc.oneof(part, fc.string())).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 120 }), (markdown, width) => {
        for (const line of render(markdown, width)) expect(line).not.toMatch(/\p{Cc}/u)
      }),
    )
  })
})

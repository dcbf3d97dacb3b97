import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '../../../src/pages/markdown/render-markdown.ts'
import { type BodyLinks, rewriteBody } from '../../../src/reading/markdown/rewrite-body.ts'
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Threads and people are in the folder, and so is whatever is on this host. */
const LINKS: BodyLinks = {
  address: (url) =>
    url.startsWith('https://h/')
      ? { to: '../x.md', label: 'o/r#1' }
      : url.includes(':')
        ? undefined
        : { to: `https://h/o/r/${url}` },
  reference: (reference) =>
    reference.kind === 'thread'
      ? `${reference.number}.md`
      : reference.kind === 'person'
        ? `people/${reference.login}.md`
        : undefined,
}
const rewritten = (text: string): string => rewriteBody(text, LINKS)

describe('rewriteBody', () => {
  test.each([
    ['#12 and @ada, o/r#3', '[#12](12.md) and [@ada](people/ada.md), [o/r#3](3.md)'],
    ['a bare https://h/o/r/issues/1.', 'a bare [o/r#1](../x.md).'],
    ['<https://h/1> [text](https://h/1 "title")', '[o/r#1](../x.md) [text](../x.md "title")'],
    ['[![alt](https://h/a.png)](https://h/1)', '[![alt](../x.md)](../x.md)'],
    ['[text]: https://h/1\n[^1]: See', '[text]: ../x.md\n[^1]: See'],
    [
      '<img src=a.png> <a href="b?c&amp;d">#12</a>',
      '<img src="https://h/o/r/a.png"> <a href="https://h/o/r/b?c&amp;d">#12</a>',
    ],
    ['@ada[bot]', '[@ada\\[bot\\]](people/ada[bot].md)'],
  ])('makes of %j a text with links of the folder', (text, expected) => {
    expect(rewritten(text)).toBe(expected)
  })

  test.each([
    '`#12` and\n```\n@ada https://h/1\n```',
    'bob@ada.example \\#12 [#12](http://other/)',
    '[https://h/1](http://other/)',
    'f[0] (https) call](x) [half](',
    '<!-- #12 -->',
    '<table>\n<tr><td>#12</td></tr>\n</table>',
  ])('leaves %j as it is', (text) => {
    expect(rewritten(text)).toBe(text)
  })

  test('closes what a text leaves open, and leaves out ends of what it did not open', () => {
    expect(rewritten('<b><details>x')).toBe('<b><details>x\n\n</details></b>')
    expect(rewritten('x</blockquote>')).toBe('x')
    expect(rewritten('<!-- never <script>')).toBe('&lt;!-- never &lt;script>')
  })

  test('leaves no attribute that runs code, covers a page or forges a place', () => {
    expect(rewritten('<img onerror=x() alt="a" ONLOAD=\'y()\'>')).toBe('<img alt="a">')
    expect(rewritten('<img/onerror=x()>')).toBe('&lt;img/onerror=x()>')
    expect(rewritten('<a id="issuecomment-1" name=r2>x</a>')).toBe('<a>x</a>')
    expect(rewritten('<p style="position:fixed">x</p>')).toBe('<p>x</p>')
    const quoted = '<b title=" href=b onclick=x() ">x</b>'
    expect(rewritten(quoted)).toBe(quoted)
  })

  test.each(HOSTILE_TEXTS.map((text) => [text]))('shows the words of %j as before', (text) => {
    const words = (markdown: string) =>
      renderMarkdown(markdown)
        .toString()
        .replaceAll(/<[^>]*>|\s+/g, '')
        .replaceAll('&quot;', '"')
    const nowhere = rewriteBody(text, { address: () => undefined, reference: () => undefined })
    expect(words(nowhere)).toEqual(words(text))
  })

  test('takes no longer for each character of a long hostile text', THOROUGH, () => {
    for (const piece of [
      '[',
      '[a](<',
      '<',
      '<a ',
      '<b>',
      '[a]: x\n',
      '`',
      '<p>\n\n',
      '<!--',
      '](',
      '[a](',
      '\n    <p>',
    ]) {
      const text = piece.repeat(50_000 / piece.length)
      expect(rewriteBody(text, LINKS).length).toBeGreaterThanOrEqual(text.length)
    }
  })
})

import fc from 'fast-check'
import { gemoji } from 'gemoji'
import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import { EMOJI } from '../../../src/pages/markdown/emoji-names.ts'
import type { MarkdownContext } from '../../../src/pages/markdown/markdown-context.ts'
import { renderMarkdown } from '../../../src/pages/markdown/render-markdown.ts'
import { emojiNamed } from '../../../src/pages/markdown/rules/emoji.ts'
import { runs } from '../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const ELEMENTS = new Set(
  (
    'a abbr b blockquote br code dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd li mark ' +
    'ol p pre q rp rt ruby s samp span strike strong sub summary sup table tbody td tfoot th thead tr tt ul var'
  ).split(' '),
)

const ATTRIBUTES = new Set(
  (
    'href rel src alt title width height align dir lang open start colspan rowspan scope id name class type checked disabled ' +
    'aria-label loading value'
  ).split(' '),
)

const CLASSES =
  /^(?:alert|alert-(?:note|tip|important|warning|caution)|alert-title|code|code-label|footnotes|hidden-char|hl-[\w-]+|language-\w+|mention|missing|outward|plain|reference|task|function_|inherited__|class_|invoke__|constant_|language_|module__|link_|escape_)$/

/** Everything is there: threads, people, commits that begin with c0ffee; pictures of the archive. */
const WORLD: MarkdownContext = {
  link(url) {
    if (url.startsWith('https://github.com/o/r/issues/4'))
      return { href: '/o/r/issues/4', label: 'o/r#4' }
    if (url.startsWith('https://github.com/'))
      return { href: url, isOutside: true, isMissing: true }
    return /^(?:https?:|mailto:)/i.test(url) ? { href: url, isOutside: true } : undefined
  },
  reference(found) {
    if (found.kind === 'thread') return `/${found.repository ?? 'o/r'}/issues/${found.number}`
    if (found.kind === 'person') return `/${found.login}`
    if (found.kind === 'team') return `/orgs/${found.organization}/teams/${found.team}`
    return found.oid.startsWith('c0ffee') ? `/o/r/commit/${found.oid}` : undefined
  },
  picture: (url) =>
    url.startsWith('tarball://root/')
      ? { src: '/-/files/ab/x.png', width: 10, height: 20 }
      : undefined,
}

const render = (text: string): string => String(renderMarkdown(text, WORLD))

/** Throws for an element, attribute, address or class that no text may bring into a page, and for open elements. */
function expectSafe(markup: string): void {
  const open: string[] = []
  const parser = new Parser({
    onopentag(name, attributes) {
      expect(ELEMENTS).toContain(name)
      open.push(name)
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(ATTRIBUTES).toContain(attribute)
        if (attribute === 'href')
          expect(value).toMatch(/^(?:https?:\/\/|mailto:|\/|#user-content-)/)
        // No picture comes from another machine.
        if (attribute === 'src') expect(value).toMatch(/^\/-\/files\//)
        if (attribute === 'class')
          for (const name of value.split(' ')) expect(name).toMatch(CLASSES)
        if (attribute === 'id' || attribute === 'name') expect(value).toMatch(/^user-content-/)
      }
    },
    onclosetag(name, isImplied) {
      // A paragraph ends by itself before a block, as browsers end it.
      const endsItself = ['br', 'hr', 'img', 'input', 'p'].includes(name)
      if (!endsItself) expect(isImplied).toBe(false)
      expect(open.pop()).toBe(name)
    },
    oncomment: () => expect.unreachable('a comment'),
    onprocessinginstruction: () => expect.unreachable('an instruction'),
  })
  parser.end(markup)
  expect(open).toEqual([])
}

describe('Markdown', () => {
  test.each([
    ['**b** ~~s~~\nline', '<p><strong>b</strong> <del>s</del><br>\nline</p>'],
    ['~a *b*~ 1~2~~ ~~~c~~~ ~5', '<p><del>a <em>b</em></del> 1~2~~ ~~~c~~~ ~5</p>'],
    ['# Title', '<h3 id="user-content-title">Title</h3>'],
    ['##### Deep', '<h6 id="user-content-deep">Deep</h6>'],
    ['# <b>Title</b>', '<h3 id="user-content-btitleb"><b>Title</b></h3>'],
    [
      '- [x] done',
      '<input class="task" type="checkbox" disabled="" checked="" aria-label="completed task"> done',
    ],
    [
      '> [!TIP]\n> Try it',
      '<blockquote class="alert alert-tip">\n<p class="alert-title">Tip</p>\n<p>Try it</p>',
    ],
    ['a[^1]\n\n[^1]: note', '<li id="user-content-note-1"><p>note <a href="#user-content-use-1"'],
    ['|a|\n|:-:|\n|1|', '<th align="center">a</th>'],
    [
      '```js\nlet a\n```',
      '<pre class="code"><code><span class="hl-keyword">let</span> a\n</code></pre>',
    ],
    [
      '```mermaid\ngraph\n```',
      '<p class="code-label">mermaid</p>\n<pre class="code"><code>graph\n</code></pre>',
    ],
    [':tada: `:tada:` :nope:', '<p>🎉 <code>:tada:</code> :nope:</p>'],
    ['[to](#here)', '<a href="#user-content-here">to</a>'],
  ])('%j becomes %s', (text, markup) => {
    expect(render(text)).toContain(markup)
  })
})

describe('A formula stays TeX:', () => {
  const code = (tex: string) => `<code title="TeX">${tex}</code>`
  test.each([
    ['$a_1 * b_2$ and $c_3 * d_4$', `<p>${code('a_1 * b_2')} and ${code('c_3 * d_4')}</p>\n`],
    ['$`a_1`$, ($x$)', `<p>${code('a_1')}, (${code('x')})</p>\n`],
    ['so $$a_1 < b$$', `<p>so ${code('a_1 &lt; b')}</p>\n`],
    [
      'so\n$$\na_1 * b_2 *\n$$\nthus',
      `<p>so</p>\n<p class="code-label">math</p>\n<pre class="code"><code>a_1 * b_2 *\n</code></pre>\n<p>thus</p>\n`,
    ],
  ])('%j', (text, html) => {
    expect(render(text)).toBe(html)
  })

  test.each(['costs $5 and $10', 'US$5 and $6b', '$HOME/bin or $PATH', '$ 1 $', '\\$a$ b$', '$$'])(
    '%j has none',
    (text) => {
      expect(render(text)).not.toContain('TeX')
    },
  )
})

describe('An address that begins with www.', () => {
  test.each([
    ['www.example.org', 'http://www.example.org/', 'www.example.org'],
    [
      '(www.example.org/a_b?c=(d)).',
      'http://www.example.org/a_b?c=(d)',
      'www.example.org/a_b?c=(d)',
    ],
  ])('is a link: %s', (text, href, shown) => {
    expect(render(text)).toContain(`href="${href}"`)
    expect(render(text)).toContain(`>${shown}</a>`)
  })

  test.each(['www.', 'awww.example.org', '`www.example.org`'])(
    'is more than these letters, and no code: %s',
    (text) => {
      expect(render(text)).not.toContain('<a')
    },
  )
})

describe('A reference', () => {
  test.each([
    ['#12', '<a class="reference" href="/o/r/issues/12">#12</a>'],
    ['GH-12', '<a class="reference" href="/o/r/issues/12">GH-12</a>'],
    ['see a/b.c#12.', '<a class="reference" href="/a/b.c/issues/12">a/b.c#12</a>.'],
    ['@ada,', '<a class="mention" href="/ada">@ada</a>,'],
    ['@renovate[bot]', '<a class="mention" href="/renovate[bot]">@renovate[bot]</a>'],
    ['@acme/core', '<a class="reference" href="/orgs/acme/teams/core">@acme/core</a>'],
    ['c0ffee1234', '<a class="reference" href="/o/r/commit/c0ffee1234"><code>c0ffee1</code></a>'],
  ])('%j is a link', (text, link) => {
    expect(render(text)).toContain(link)
  })

  test.each([
    '`#12`',
    '[#12](https://a.example)',
    '<a href="https://a.example">#12</a>',
    'a#12b',
    'x@ada.example',
    '    #12',
    'deadbeef',
    '&#12;',
  ])('%j is none', (text) => {
    expect(render(text)).not.toMatch(/class="(?:reference|mention)"/)
  })
})

describe('A link', () => {
  test('to what is in the archive reads as its short form if it stands by itself', () => {
    expect(render('https://github.com/o/r/issues/4')).toBe(
      '<p><a href="/o/r/issues/4">o/r#4</a></p>\n',
    )
    expect(render('[this](https://github.com/o/r/issues/4)')).toContain('>this</a>')
  })

  test('to what is missing from the archive is marked, and one that leaves it as well', () => {
    expect(render('https://github.com/o/r/issues/5')).toContain('class="missing"')
    expect(render('https://a.example/')).toContain('class="outward"')
    expect(render('https://a.example/')).toContain('rel="noreferrer nofollow ugc"')
  })

  test('that leads nowhere is text', () => {
    expect(render('[up](../x)')).toBe('<p><a>up</a></p>\n')
  })
})

describe('A picture', () => {
  test('of the archive is shown with its size', () => {
    expect(render('![a](tarball://root/x.png)')).toContain(
      '<img src="/-/files/ab/x.png" alt="a" loading="lazy" width="10" height="20">',
    )
  })

  test.each([
    ['![a](https://e.example/a.png)', '>picture: a (e.example)</a>'],
    ['<img src="https://e.example/a.png" alt="a">', '>picture: a (e.example)</a>'],
    ['[![build](https://img.shields.io/x)](https://a.example)', '>build</a>'],
    ['[![build](https://ci.example/a/badge.svg)](https://a.example)', '>build</a>'],
    ['![a badger](https://e.example/badger.png)', '>picture: a badger (e.example)</a>'],
    ['<img src="../a.png">', 'picture (not in the archive)'],
  ])('from elsewhere is words: %s', (text, words) => {
    const markup = render(text)
    expect(markup).toContain(words)
    expect(markup).not.toContain('<img')
  })
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<ScRiPt src=//e.example/x.js></ScRiPt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x"onerror="alert(1)">',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<form><input name=attributes><button formaction=javascript:alert(1)>x</button></form>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" &#14; javascript:alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="vbscript:x">x</a>',
  '[x](javascript:alert(1))',
  '[x](<java\nscript:alert(1)>)',
  '![x](data:image/svg+xml;base64,PHN2Zz4=)',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<base href="https://e.example/">',
  '<meta http-equiv=refresh content="0;url=https://e.example">',
  '<link rel=stylesheet href=https://e.example/x.css>',
  '<style>*{display:none}</style>',
  '<p style="position:fixed;inset:0">over</p>',
  '<div class="topbar alert">dressed up</div>',
  '<a id=marc name=body href=#x>x</a>',
  '</div></article></main><h1>mine</h1>',
  '<details><summary>open',
  '<table><tr><td>open',
  '<textarea></textarea><script>alert(1)</script>',
  '<title></title><img src=x onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>">',
  '<template><img src=x onerror=alert(1)></template>',
  '<object data=x></object><embed src=x>',
  '<video src=https://e.example/x autoplay></video><audio src=x>',
  '<picture><source srcset=https://e.example/x><img src=x></picture>',
  '<img srcset="https://e.example/x 1x" src="tarball://root/a">',
  '<input type=image src=https://e.example/x>',
  '<!--><img src=x onerror=alert(1)>-->',
  'x[^1]\n\n[^1]: <img src=x onerror=alert(1)> <script>alert(1)</script> <p style="position:fixed">',
  '[^1]: <a href="javascript:alert(1)" onclick=alert(1)>x</a> </li></ol></div>',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?php echo 1 ?>',
  '```"><img src=x onerror=alert(1)>\nx\n```',
  '```html onload=alert(1)\n<script>alert(1)</script>\n```',
  '<a href="https://a.example"><a href="https://b.example">x</a></a>',
  `${'> '.repeat(1000)}deep`,
  '<div>'.repeat(1000),
  `${'['.repeat(500)}x${']('.repeat(500)}`,
  `<b ${'a=b '.repeat(1000)}>`,
]

describe('Hostile text stays text', () => {
  everyDay(6)(HOSTILE.map((text) => [text.slice(0, 60), text]))('%s', (_, text) => {
    expectSafe(render(text))
    expectSafe(render(`before\n\n- item ${text}\n\nafter @ada #1`))
    expectSafe(render(`| a |\n|---|\n| ${text.replaceAll('\n', ' ')} |`))
  })

  test('whatever it is made of', THOROUGH, () => {
    const pieces = fc.constantFrom(
      ...HOSTILE.filter((text) => text.length < 200),
      '<',
      '>',
      '"',
      "'",
      '`',
      '```\n',
      '\n',
      '\n\n',
      '- ',
      '> ',
      '    ',
      '[^1]',
      '[^1]: ',
      '&lt;',
      '\u0000',
      '\u202e',
      '#12',
      '@ada',
      '**',
      '~~',
      '![',
      '](',
      ')',
      '|',
      '\n|-|\n',
      '<b>',
      '</b>',
      '<div>',
      '</div>',
      '[!NOTE]',
      '- [x] ',
    )
    const texts = fc.array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 12 })
    fc.assert(
      fc.property(texts, (parts) => expectSafe(render(parts.join('')))),
      { numRuns: runs(300) },
    )
  })
})

describe('No text is lost:', () => {
  test.each([
    ['a <title> b', '<p>a &lt;title&gt; b</p>'],
    ['<script>\nlet a\n</script>', '&lt;script&gt;\nlet a\n&lt;/script&gt;'],
    ['List<String> or <T>', '<p>List&lt;String&gt; or &lt;T&gt;</p>'],
    ['<div title="\n\n"quoted" text', '<p>"quoted" text</p>'],
    ['if a <b and c> d', 'a &lt;b and c&gt; d'],
    ['```Error: no such file\nat x\n```', '<p class="code-label">Error: no such file</p>'],
    ['<details open>a', '<details open>a</details>'],
    ['<!-- a comment', '&lt;!-- a comment'],
    ['a <!-- hidden on the host, too --> b', '<p>a  b</p>'],
    ['<!-- a --!> b -->', ' b --&gt;'],
    ['<![CDATA[ words ]]>', '&lt;![CDATA[ words ]]&gt;'],
    ['<?php echo 1 ?>', '&lt;?php echo 1 ?&gt;'],
    ['<center>a</center> <option>b', 'a &lt;option&gt;b'],
    ['<p><img src="x"alt="a"> b', 'picture: a (not in the archive)</span> b'],
    ['a\n\n[^1]: unused', '<li id="user-content-note-1"><p>unused</p></li>'],
    ['a[^1]\n\n[^1]: first\n\n[^1]: again', '<li id="user-content-note-2"><p>again</p></li>'],
    [`${'> '.repeat(200)}deep`, '&gt; deep</pre>'],
    [`${'<div>'.repeat(200)}deep`, '&lt;div&gt;deep</pre>'],
  ])('%j', (text, markup) => {
    expect(render(text)).toContain(markup)
  })

  /** The words in a text or a page that are not part of a tag: `w1`, `w2` and so on. */
  const wordsIn = (text: string): string[] => (text.match(/\bw\d+\b/g) ?? []).sort()

  function shownIn(markup: string): string {
    const texts: string[] = []
    const parser = new Parser({ ontext: (text) => texts.push(text) })
    parser.end(markup)
    return texts.join(' ')
  }

  const ENTIRE = [
    '\n',
    '\n\n',
    '\n- ',
    '\n> ',
    '\n1. ',
    '\n# ',
    '\n    ',
    '\n```\n',
    ' | ',
    ' @ada ',
    '\n\n[^1]: ',
    '\n\n[^2]: ',
    '\n- [x] ',
    '\n> [!NOTE]\n> ',
    '<!DOCTYPE html>',
    '<!x ',
    '<p align="center">',
    '<a href="https://a.example">',
    '<img src="x">',
    '<font color=red>',
    '<iframe src=x>',
    '<source srcset=x>',
    '<?php ',
    ' ?>',
    ...'** _ ` ~~ [ ![ ](https://a.example/) & [^1] <br/> <hr> <![CDATA[ ]]>'.split(' '),
    ...'<b> </b> <div> </div> </a> <details> <summary> </summary> <pre> </pre> <li>'.split(' '),
    ...'<table> <tr> <td> </table> </font> <center> <picture> <form> <button> <u>'.split(' '),
    ...'<title> </title> <textarea> <script> </script> <style> </iframe> <xmp>'.split(' '),
    ...'<noscript> <plaintext> <template> <select> <option> <svg> <math> <object>'.split(' '),
    ...'<noembed> <video> <T> </T> List<String> <your-name>'.split(' '),
  ]
  const UNFINISHED = [
    ...'< </ <! <title </title <scr <script </div <details <!- <!-- &# \u0000'.split(' '),
    '<div title="',
    "<a href='",
    '<!-- a',
    '<b "',
    '<p =',
  ]

  everyDay(1)([
    ['with comments', [...ENTIRE, '<!-- hidden -->', '<!---->', '\n<!--\nhidden\n-->\n']],
    ['with tags and comments that never end', [...ENTIRE, ...UNFINISHED]],
  ])('the words that go into a page come out of it, %s', (_, pieces) => {
    const word = fc.constant('word')
    const texts = fc.array(fc.oneof(word, fc.constantFrom(...pieces)), { maxLength: 20 })
    fc.assert(
      fc.property(texts, (parts) => {
        const text = parts.map((part, i) => (part === 'word' ? ` w${i} ` : part)).join('')
        const markup = render(text)
        expectSafe(markup)
        expect(wordsIn(shownIn(markup))).toEqual(wordsIn(text))
      }),
      { numRuns: runs(2000) },
    )
  })
})

test('A body cannot have a class of ours, nor learn what ours begin with', () => {
  const markup = render('<span class="alert mention hl-keyword">x</span> @ada <b>y</b>')
  expect(markup).toContain('<span>x</span>')
  expect(markup).not.toMatch(/m[0-9a-f]{24}/)
})

test('Characters that do not show are made visible, in HTML as well', () => {
  const code = '<span class="hidden-char">U+202E</span>'
  expect(render('a\u202eb')).toContain(`a${code}b`)
  expect(render('<b>a\u202eb</b>')).toContain(`a${code}b`)
})

test('A very long text is shown as it is, and how much of it is not', () => {
  expect(render(`<b>${'x'.repeat(262_144 + 997)}`)).toMatch(
    /^<pre class="plain">&lt;b&gt;x{262141}<\/pre><p class="note-line">The text goes on for 1,000 characters\./,
  )
})

test('The shortcodes are those of the package gemoji', () => {
  const entries = gemoji.flatMap(({ emoji, names }) => names.map((name) => `${name}:${emoji}`))
  expect(EMOJI).toBe(entries.sort().join(' '))
  expect(emojiNamed('tada')).toBe('🎉')
})

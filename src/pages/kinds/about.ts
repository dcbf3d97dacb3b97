import { VERSION } from '../../base/version.ts'
import { html, joinHtml } from '../html.ts'
import type { PageRequest, PageResult } from '../page.ts'

/** The page about these pages: what they are, and what they promise. */
export function aboutPage({ isStatic }: PageRequest): PageResult {
  const body = html`<div class="words"><h1>About these pages</h1>
<p>They show what a migration archive holds. marc ${VERSION} made them${isStatic ? '' : html` from a database that it only reads`}.</p>
<h2>What they promise</h2>
<p>No page asks another machine for anything: no picture, font, script or count. Links that leave the archive are marked. Pages are complete without JavaScript, and set no cookies.</p>
<p>A picture is shown if the archive has it. What a text refers to is a link if it is in the archive.</p>
<p><a href="/-/keys">Keys</a> lead through them.</p>
<h2>Licences</h2>
<p>Icons: Octicons, MIT, © GitHub Inc. Markdown: markdown-it and sanitize-html, MIT. Colors of code: highlight.js, BSD-3-Clause.</p></div>`
  return { title: 'About', body }
}

const KEYS: readonly [string, string][] = [
  ['j k', 'next and previous item'],
  ['n p', 'next and previous page'],
  ['o', 'opens the item; also Enter'],
  ['[ ]', 'previous and next file of a diff'],
  ['/', 'search'],
  ['Esc', 'closes a menu, and leaves the search'],
  ['g c, g i, g p, g d', 'overview, issues, pull requests, discussions'],
  ['t', 'a file by a part of its path'],
  ['y', 'permanent link of a file or folder'],
  ['.', 'raw record'],
  ['?', 'these keys'],
]

/** The keys that lead through the pages. */
export const keysPage = (): PageResult => ({
  title: 'Keys',
  body: html`<div class="words"><h1>Keys</h1>
<p>They need JavaScript. A button at the foot of each page switches them off.</p>
<table class="data" aria-label="Keys"><thead><tr><th scope="col">Key</th><th scope="col">What it does</th></tr></thead><tbody>${KEYS.map(
    ([key, text]) =>
      html`<tr><td>${joinHtml(
        key
          .split(', ')
          .map((one) => html`${one.split(' ').map((part) => html`<kbd>${part}</kbd> `)}`),
        html`, `,
      )}</td><td>${text}</td></tr>`,
  )}</tbody></table></div>`,
})

import { findRecord } from '../../database/rows/read-record.ts'
import { VERSION } from '../../version.ts'
import { type Html, html, isolated, joinHtml, shown } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import { type PageRequest, type PageResult, pageNumber } from '../page.ts'
import { blank, formatNumber, formatSize, plural, when } from '../parts/elements.ts'
import { createPager } from '../parts/pager.ts'
import type { Library } from '../read/library.ts'

interface ArchiveRow {
  id: number
  name: string
  size: number | null
  sha256: string
  state: string
  schema_version: string | null
  github_sha: string | null
  exported_at: string | null
}

/** The archives that were loaded, with the kinds of records of each. */
export function archivesPage({ library, isStatic }: PageRequest): PageResult {
  const body = html`<div class="bar-above"><h1>Archives</h1><p class="buttons"><a href="/-/attachments">${icon('paperclip')} Attachments</a>${isStatic ? '' : html` <a href="/-/schema">${icon('table')} Tables</a> <a href="/-/check">${icon('check')} Check</a>`}</p></div>
${library.stores.map((store) => {
  const archives = store.all<ArchiveRow>(
    'SELECT id, name, size, sha256, state, schema_version, github_sha, exported_at FROM archives ORDER BY id',
  )
  return archives.map((archive) => {
    const kinds = store.all<{ kind: string; records: number; files: number }>(
      'SELECT kind, sum(records) AS records, count(*) AS files FROM record_files WHERE archive = ? GROUP BY kind ORDER BY kind',
      archive.id,
    )
    const files = store.get<{ files: number; size: number | null }>(
      'SELECT count(*) AS files, sum(size) AS size FROM files WHERE archive = ?',
      archive.id,
    )
    return html`<section class="card release"><header><h2>${isolated(archive.name)}</h2>${archive.state === 'complete' ? '' : html` <span class="pill-note">${archive.state}</span>`}
<p class="meta">${archive.size === null ? 'folder' : formatSize(archive.size)}${archive.exported_at === null ? '' : html` · exported ${when(archive.exported_at)}`}${archive.schema_version === null ? '' : html` · schema ${isolated(archive.schema_version)}`} · ${plural(files?.files ?? 0, 'other file')} of ${formatSize(files?.size ?? 0)} · SHA-256 <code>${archive.sha256}</code></p></header>
<section class="scroll" tabindex="0" aria-label="Records of ${archive.name}, ${archive.sha256.slice(0, 7)}"><table class="data"><thead><tr><th scope="col">Kind</th><th scope="col" class="num">Records</th><th scope="col" class="num">Record files</th></tr></thead><tbody>
${kinds.map(({ kind, records, files: count }) => html`<tr><td>${breakable(kind)}</td><td class="num">${formatNumber(records)}</td><td class="num">${formatNumber(count)}</td></tr>\n`)}</tbody></table></section></section>`
  })
})}`
  return { title: 'Archives', body }
}

/** The name of a kind, which may be cut after each underscore. */
const breakable = (kind: string): Html =>
  html`<bdi>${joinHtml(kind.split('_').map(shown), html`_<wbr>`)}</bdi>`

const PROBLEMS = 100

/** The problems that were found when the archives were loaded. */
export function problemsPage({ library, query, path }: PageRequest): PageResult {
  const page = pageNumber(query)
  const counts = library.stores.map((store) => store.count('SELECT count(*) FROM problems'))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (page > 1 && (page - 1) * PROBLEMS >= total) return undefined
  const rows: {
    code: string
    entry: string | null
    record: number | null
    message: string
    times: number
  }[] = []
  let skip = (page - 1) * PROBLEMS
  for (const [i, store] of library.stores.entries()) {
    const here = counts[i] ?? 0
    if (skip < here && rows.length < PROBLEMS) {
      rows.push(
        ...store.all<(typeof rows)[number]>(
          'SELECT code, entry, record, message, times FROM problems ORDER BY archive, code, rowid LIMIT ? OFFSET ?',
          ...[PROBLEMS - rows.length, skip],
        ),
      )
    }
    skip = Math.max(0, skip - here)
  }
  const pager = createPager(
    path,
    query,
    { page, total, size: PROBLEMS },
    { prev: 'Before', next: 'After' },
  )
  const body = html`<div class="bar-above"><h1>${plural(total, 'problem')}</h1><p class="muted">Problems that were found when the archives were loaded. None of them stopped the load.</p></div>
${
  total === 0
    ? blank('No problems', 'Every record and file was as expected.')
    : html`<section class="scroll box" tabindex="0" aria-label="Problems"><table class="data"><thead><tr><th scope="col">Problem</th><th scope="col">Where</th><th scope="col">What</th><th scope="col" class="num">Records</th></tr></thead><tbody>
${rows.map(({ code, entry, record, message, times }) => html`<tr><td><code>${code}</code></td><td>${entry === null ? '' : isolated(entry)}${record === null ? '' : html`, record ${formatNumber(record)}`}</td><td>${isolated(message)}</td><td class="num">${formatNumber(times)}</td></tr>\n`)}</tbody></table></section>${pager.nav}`
}`
  return { title: 'Problems', body, prev: pager.prev, next: pager.next }
}

/** A record as in the archive; what it refers to is a link. */
export function rawPage({ library, query }: PageRequest): PageResult {
  const url = query.get('url') ?? ''
  if (url === '') return undefined
  for (const store of library.stores) {
    const record = findRecord(store.database, url)
    if (!record) continue
    const page = localPathOf(library, url)
    const body = html`<div class="bar-above"><h1>Record</h1>${page === undefined ? '' : html`<a href="${page}">${icon('eye')} Read it as a page</a>`}</div>
<p class="about">${isolated(url)}</p>
<div class="box"><section class="scroll" tabindex="0" aria-label="The record as JSON"><pre class="record">${jsonHtml(record, library, 0)}</pre></section></div>`
    return { title: 'Record', body }
  }
  return undefined
}

/** Characters of a text in a record. */
const LONGEST_TEXT = 262_144
/** Nested deeper, JSON is printed as it is. */
const DEEPEST = 60

function jsonHtml(value: unknown, library: Library, depth: number): Html {
  const pad = '  '.repeat(depth + 1)
  const end = '  '.repeat(depth)
  if (depth > DEEPEST) return html`${shown(JSON.stringify(value))}`
  if (typeof value === 'string') return stringHtml(value, library)
  if (value === null || typeof value !== 'object') {
    return html`<span class="hl-literal">${JSON.stringify(value) ?? String(value)}</span>`
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return html`[]`
    return html`[\n${value.map((item, i) => html`${pad}${jsonHtml(item, library, depth + 1)}${i < value.length - 1 ? ',' : ''}\n`)}${end}]`
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return html`{}`
  return html`{\n${entries.map(([name, item], i) => html`${pad}<span class="hl-name">${shown(JSON.stringify(name))}</span>: ${jsonHtml(item, library, depth + 1)}${i < entries.length - 1 ? ',' : ''}\n`)}${end}}`
}

function stringHtml(text: string, library: Library): Html {
  const rest = text.length - LONGEST_TEXT
  if (rest > 0) {
    return html`<span class="hl-string">${shown(JSON.stringify(text.slice(0, LONGEST_TEXT)).slice(0, -1))}</span> … and ${formatNumber(rest)} more characters: <code>marc cat</code> prints them`
  }
  const printed = shown(JSON.stringify(text))
  const path =
    /^https?:\/\/\S+$/.test(text) && text.length < 2048 ? localPathOf(library, text) : undefined
  return path === undefined
    ? html`<span class="hl-string">${printed}</span>`
    : html`<a href="${path}">${printed}</a>`
}

/** The page about these pages: what they are, and what they promise. */
export function aboutPage({ isStatic }: PageRequest): PageResult {
  const keys: [string, string][] = [
    ['j k', 'next and previous item'],
    ['n p', 'next and previous page'],
    ['o', 'opens the item; also Enter'],
    ['[ ]', 'previous and next file of a diff'],
    ['/', 'search'],
    ['Esc', 'closes a menu, and leaves the search'],
    ['g c, g i, g p, g d', 'overview, issues, pull requests, discussions'],
    ['y', 'permanent link of a file or folder'],
    ['.', 'raw record'],
    ['?', 'these keys'],
  ]
  const body = html`<div class="words"><h1>About these pages</h1>
<p>They show what a migration archive holds. marc ${VERSION} made them${isStatic ? '' : html` from a database that it only reads`}.</p>
<h2>What they promise</h2>
<p>No page asks another machine for anything: no picture, font, script or count. Links that leave the archive are marked. Pages are complete without JavaScript, and set no cookies.</p>
<p>A picture is shown if the archive has it. What a text refers to is a link if it is in the archive.</p>
<h2>Keys</h2>
<p>They need JavaScript. A button at the foot of each page switches them off.</p>
<table class="data" aria-label="Keys"><thead><tr><th scope="col">Key</th><th scope="col">What it does</th></tr></thead><tbody>${keys.map(
    ([key, text]) =>
      html`<tr><td>${joinHtml(
        key
          .split(', ')
          .map((one) => html`${one.split(' ').map((part) => html`<kbd>${part}</kbd> `)}`),
        html`, `,
      )}</td><td>${text}</td></tr>`,
  )}</tbody></table>
<h2>Licences</h2>
<p>Icons: Octicons, MIT, © GitHub Inc. Markdown: markdown-it and sanitize-html, MIT. Colors of code: highlight.js, BSD-3-Clause.</p></div>`
  return { title: 'About', body }
}

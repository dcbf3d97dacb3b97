import {
  archivesOf,
  countEntries,
  kindsOf,
  type LoadedArchive,
  listEntries,
  listProblems,
  otherFilesOf,
  readArchive,
} from '../../reading/databases/archives.ts'
import { shortOid } from '../../reading/names.ts'
import type { Store } from '../../reading/store.ts'
import { type Html, html, isolated, joinHtml, shown } from '../html.ts'
import { icon } from '../icons.ts'
import {
  type PageRequest,
  type PageResult,
  pageNumber,
  type SiteArchive,
  type SiteLink,
} from '../page.ts'
import { blank, formatNumber, formatSize, plural, when } from '../parts/elements.ts'
import { createPager } from '../parts/pager.ts'
import { storeOf } from './data/shown-store.ts'

/** The archives that were loaded, with the kinds of records of each. */
export function archivesPage({ library, isStatic, scope }: PageRequest): PageResult {
  const body = html`<div class="bar-above"><h1>Archives</h1><p class="buttons"><a href="/-/attachments">${icon('paperclip')} Attachments</a>${isStatic ? '' : html` <a href="/-/schema">${icon('table')} Tables</a> <a href="/-/check">${icon('check')} Check</a>`}${scope.archives.map(downloadLink)}</p></div>
${library.stores.map((store, i) => {
  const db = i === 0 ? '' : `?db=${encodeURIComponent(store.file)}`
  return archivesOf(store).map(
    (archive) =>
      html`<section class="card release"><header><h2><a href="/-/archives/${archive.id}${db}">${isolated(archive.name)}</a></h2>${archiveFacts(store, archive)}</header>
${kindsTable(store, archive)}</section>`,
  )
})}`
  return { title: 'Archives', body }
}

const downloadLink = ({ name, size }: SiteArchive): Html =>
  html` <a href="/-/download/${encodeURIComponent(name)}">${icon('download')} Download ${isolated(name)} (${formatSize(size)})</a>`

/** The archive that an address names, of those that a site has for download. */
export const archiveOf = ({ scope, params }: PageRequest): SiteArchive | undefined =>
  scope.archives.find(({ name }) => name === params.name)

/** The file of an archive in its site. */
export const archiveFile = ({ name }: SiteArchive): string => `-/archives/${name}`

export function archiveInSite(request: PageRequest, file: string): SiteLink {
  const archive = archiveOf(request)
  return archive ? { file: archiveFile(archive), download: archive.name } : { file }
}

/** State, size and origin of an archive. */
function archiveFacts(store: Store, archive: LoadedArchive): Html {
  const { size, state, exportedAt, schemaVersion, githubSha, sha256 } = archive
  const { files, bytes } = otherFilesOf(store, archive.id)
  return html`${state === 'complete' ? '' : html` <span class="pill-note">${state}</span>`}
<p class="meta">${size === null ? 'folder' : formatSize(size)}${exportedAt === null ? '' : html` · exported ${when(exportedAt)}`}${schemaVersion === null ? '' : html` · schema ${isolated(schemaVersion)}`}${githubSha === null ? '' : html` · host ${isolated(shortOid(githubSha))}`} · ${plural(files, 'other file')} of ${formatSize(bytes)} · SHA-256 <code>${sha256}</code></p>`
}

function kindsTable(store: Store, { id, name, sha256 }: LoadedArchive): Html {
  const kinds = kindsOf(store, id)
  return html`<section class="scroll" tabindex="0" aria-label="Records of ${name}, ${sha256.slice(0, 7)}"><table class="data"><thead><tr><th scope="col">Kind</th><th scope="col" class="num">Records</th><th scope="col" class="num">Record files</th></tr></thead><tbody>
${kinds.map(({ kind, records, files }) => html`<tr><td>${breakable(kind)}</td><td class="num">${formatNumber(records)}</td><td class="num">${formatNumber(files)}</td></tr>\n`)}</tbody></table></section>`
}

/** Entries of an archive on a page. */
const ENTRIES = 500

/** One archive: its kinds, and its entries in their order. */
export function archivePage(request: PageRequest): PageResult {
  const { params, query, path } = request
  const store = storeOf(request)
  if (!store || !/^[1-9]\d{0,8}$/.test(params.id ?? '')) return undefined
  const archive = readArchive(store, Number(params.id))
  if (!archive) return undefined
  const total = countEntries(store, archive.id)
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * ENTRIES >= total) return undefined
  const words = { prev: 'Before', next: 'After' }
  const pager = createPager(path, query, { page, total, size: ENTRIES }, words)
  const range = { offset: (page - 1) * ENTRIES, limit: ENTRIES }
  const entries = listEntries(store, archive.id, range)
  const body = html`<div class="bar-above"><h1>${isolated(archive.name)}</h1><p class="buttons"><a href="/-/archives">All archives</a></p></div>
<section class="card release"><header>${archiveFacts(store, archive)}</header>
${kindsTable(store, archive)}</section>
<h2 class="about">${plural(total, 'entry', 'entries')}</h2>
<section class="scroll box" tabindex="0" aria-label="Entries"><table class="data"><thead><tr><th scope="col" class="much">Path</th><th scope="col">Holds</th><th scope="col" class="num">Bytes</th><th scope="col">SHA-256</th></tr></thead><tbody>
${entries.map((entry) => html`<tr><td>${isolated(entry.path)}</td><td>${isolated(entry.role)}</td><td class="num">${formatNumber(entry.size)}</td><td>${entry.sha256 ? html`<code>${entry.sha256}</code>` : ''}</td></tr>\n`)}</tbody></table></section>${pager.nav()}`
  return { title: archive.name, body, prev: pager.prev, next: pager.next }
}

/** The name of a kind, which may be cut after each underscore. */
const breakable = (kind: string): Html =>
  html`<bdi>${joinHtml(kind.split('_').map(shown), html`_<wbr>`)}</bdi>`

const PROBLEMS = 100

/** The problems that were found when the archives were loaded. */
export function problemsPage({ library, query, path }: PageRequest): PageResult {
  const page = pageNumber(query)
  const range = { offset: (page - 1) * PROBLEMS, limit: PROBLEMS }
  const { total, rows } = listProblems(library, range)
  if (page > 1 && range.offset >= total) return undefined
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
${rows.map(({ code, entry, record, message, times }) => html`<tr><td><code>${code}</code></td><td>${entry === null ? '' : isolated(entry)}${record === null ? '' : html`, record ${formatNumber(record)}`}</td><td>${isolated(message)}</td><td class="num">${formatNumber(times)}</td></tr>\n`)}</tbody></table></section>${pager.nav()}`
}`
  return { title: 'Problems', body, prev: pager.prev, next: pager.next }
}

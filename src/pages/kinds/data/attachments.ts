import { countUploads, findUpload, listUploads } from '../../../reading/uploads.ts'
import { html, isolated } from '../../html.ts'
import { localPathOf } from '../../link.ts'
import { type PageRequest, type PageResult, pageNumber } from '../../page.ts'
import { blank, formatSize, plural } from '../../parts/elements.ts'
import { repositoryPath } from '../../parts/layout.ts'
import { createPager } from '../../parts/pager.ts'
import { uploadPath } from '../../served-bytes.ts'
import { storeChooser, storeOf } from './shown-store.ts'

const SIZE = 100

/** Uploads, the largest first; those that are missing at the end. */
export function attachmentsPage(request: PageRequest): PageResult {
  const { query, path, library } = request
  const store = storeOf(request)
  if (!store) return undefined
  const total = countUploads(store)
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * SIZE >= total) return undefined
  const pager = createPager(
    path,
    query,
    { page, total, size: SIZE },
    { prev: 'Larger', next: 'Smaller' },
  )
  const rows = listUploads(store, (page - 1) * SIZE, SIZE)
  const body = html`<div class="bar-above"><h1>${plural(total, 'attachment')}</h1></div>
${storeChooser(request)}${
  total === 0
    ? blank('No attachments')
    : html`<section class="scroll box" tabindex="0" aria-label="Attachments"><table class="data"><thead><tr><th scope="col">File</th><th scope="col">Kind</th><th scope="col" class="num">Size</th><th scope="col">In</th></tr></thead><tbody>
${rows.map(({ url, name, mediaType, size, present, parent, fullName }) => {
  const upload = present && url !== null ? findUpload(library, url) : undefined
  const text = isolated(name ?? url ?? 'a file')
  const repository = library.repository(fullName ?? '')
  // A file that belongs to no record links to its repository.
  const place =
    parent === null ? repository && repositoryPath(repository) : localPathOf(library, parent)
  return html`<tr><td>${upload ? html`<a href="${uploadPath(upload)}">${text}</a>` : html`${text} <span class="pill-note">${present ? 'Not stored' : 'Missing'}</span>`}</td><td>${isolated(mediaType ?? '')}</td><td class="num">${size === null ? '' : formatSize(size)}</td><td>${place === undefined ? '' : html`<a href="${place}">${isolated(place.replace(/^\//, ''))}</a>`}</td></tr>\n`
})}</tbody></table></section>${pager.nav()}`
}`
  return { title: 'Attachments', body, prev: pager.prev, next: pager.next }
}

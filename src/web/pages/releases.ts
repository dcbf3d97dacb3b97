import { objectsOf } from '../../thread/names.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { inRepository } from '../page.ts'
import { blank, counter, formatSize, personWithAvatar, when } from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import type { Library, Repository } from '../read/library.ts'
import { type Store, textOf } from '../read/store.ts'
import { findStored, uploadPath } from '../read/uploads.ts'
import { createMarkdownContext } from '../text-context.ts'

interface ReleaseRow {
  url: string
  tag_name: string | null
  name: string | null
  body: string | null
  state: string | null
  prerelease: number | null
  author: string | null
  published_at: string | null
  created_at: string | null
  release_assets: string | null
  /** Whether it is the newest release that is neither a draft nor a prerelease. */
  isLatest?: boolean
}

const RELEASE_COLUMNS =
  'url, tag_name, name, body, state, prerelease, user_login AS author, published_at, created_at, release_assets'

/** Releases, newest first. */
export const releasesPage = inRepository((repository, { library }) => {
  const rows = repository.store.all<ReleaseRow>(
    `SELECT ${RELEASE_COLUMNS} FROM releases WHERE repository = ? ${library.audience === 'all' ? '' : "AND state = 'published'"}
     ORDER BY unixepoch(coalesce(published_at, created_at)) DESC LIMIT 100`,
    repository.url,
  )
  const markdown = createMarkdownContext(library, repository)
  const base = repositoryPath(repository)
  const latest = rows.find(({ state, prerelease }) => state === 'published' && !prerelease)?.url
  const body = html`<div class="bar-above"><h1>Releases ${counter(rows.length)}</h1></div>
${rows.length === 0 ? blank('No releases') : rows.map((row) => releaseCard(library, repository, { ...row, isLatest: row.url === latest }, base, (text) => renderMarkdown(text, { ...markdown, level: 2 })))}`
  return { title: 'Releases', body, repository, tab: 'releases' }
})

/** One release, by its tag. */
export const releasePage = inRepository((repository, { params, library }) => {
  const row = repository.store.get<ReleaseRow>(
    `SELECT ${RELEASE_COLUMNS} FROM releases WHERE repository = ? AND tag_name = ? ${library.audience === 'all' ? '' : "AND state = 'published'"}`,
    ...[repository.url, params.rest ?? ''],
  )
  if (!row) return undefined
  const markdown = createMarkdownContext(library, repository)
  const body = html`<h1 class="hidden">${row.name || row.tag_name}</h1>${releaseCard(library, repository, row, repositoryPath(repository), (text) => renderMarkdown(text, { ...markdown, level: 2 }))}`
  return { title: row.name || (row.tag_name ?? 'Release'), body, repository, tab: 'releases' }
})

function releaseCard(
  library: Library,
  { store, url }: Repository,
  row: ReleaseRow,
  base: string,
  render: (text: string) => Html,
): Html {
  const { tag_name, name, body, state, prerelease, author, isLatest } = row
  const tag = tag_name ?? ''
  const tree = tag === '' ? undefined : localPathOf(library, `${url}/tree/${encodeURI(tag)}`)
  const assets = objectsOf(row.release_assets).map((asset) => assetRow(store, asset))
  return html`<article class="card release"><header><h2><a href="${base}/releases/tag/${encodeURIComponent(tag)}"><bdi dir="auto">${isolated(name || tag)}</bdi></a></h2>${state === 'draft' ? html` <span class="pill-note">Draft</span>` : ''}${prerelease ? html` <span class="pill-note">Pre-release</span>` : ''}${isLatest ? html` <span class="pill-latest">Latest</span>` : ''}
<p class="meta">${icon('tag')} ${tree === undefined ? isolated(tag) : html`<a href="${tree}" title="Files of this tag">${isolated(tag)}</a>`} · ${personWithAvatar(author)} · ${when(row.published_at ?? row.created_at)}</p></header>
<div class="in"><div class="body" dir="auto">${render(body ?? '')}</div>${assets.length === 0 ? '' : html`<h3>Files</h3><ul class="attachments">${assets}</ul>`}</div></article>`
}

/** A file of a release: its bytes if the archive has them, their number and SHA-256. */
function assetRow(store: Store, asset: Readonly<Record<string, unknown>>): Html {
  const name = textOf(asset.asset_name) ?? textOf(asset.url)?.split('/').at(-1) ?? 'Untitled'
  const found = findStored(store, textOf(asset.asset_url) ?? '')
  const link =
    found?.stored === true
      ? html`<a href="${uploadPath({ ...found, name })}">${isolated(name)}</a>`
      : html`${isolated(name)} <span class="pill-line">${found ? 'bytes not loaded' : 'not in the archive'}</span>`
  const added = when(textOf(asset.created_at))
  return html`<li>${icon('paperclip')} ${link}${found ? html` <span class="muted">${formatSize(found.size)} · ${added} · SHA-256 <code>${found.sha256}</code></span>` : html` <span class="muted">${added}</span>`}</li>`
}

import type { Library, Repository } from '../../reading/library.ts'
import { loginAt } from '../../reading/people/logins.ts'
import {
  listReleaseFiles,
  listReleases,
  type Release,
  type ReleaseFile,
  readRelease,
} from '../../reading/releases.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import { renderMarkdown } from '../markdown/render-markdown.ts'
import { inRepository } from '../page.ts'
import {
  blank,
  bounded,
  counter,
  formatSize,
  lastItem,
  personWithAvatar,
  when,
} from '../parts/elements.ts'
import { repositoryPath } from '../parts/layout.ts'
import { uploadPath } from '../served-bytes.ts'
import { createMarkdownContext } from '../text-context.ts'

/** Releases on a page. */
const MOST_RELEASES = 100

/** Releases, newest first. */
export const releasesPage = inRepository((repository, { library }) => {
  const listed = listReleases(repository, { withDrafts: library.audience === 'all' })
    .slice(0, MOST_RELEASES)
    .flatMap(({ url, isLatest }) => {
      const release = readRelease(repository, url)
      return release ? [{ release, isLatest }] : []
    })
  const card = releaseCardsOf(library, repository, { limit: MOST_LISTED, isList: true })
  const body = html`<div class="bar-above"><h1>Releases ${counter(listed.length)}</h1></div>
${listed.length === 0 ? blank('No releases') : listed.map(({ release, isLatest }) => card(release, isLatest))}`
  return { title: 'Releases', body, repository, tab: 'releases' }
})

/** One release, by its tag. */
export const releasePage = inRepository((repository, { params, library }) => {
  const found = listReleases(repository, { withDrafts: library.audience === 'all' }).find(
    ({ tag }) => tag === (params.rest ?? ''),
  )
  const release = found && readRelease(repository, found.url)
  if (!release) return undefined
  const card = releaseCardsOf(library, repository, { limit: MOST_FILES })
  const title = release.name || release.tag
  const body = html`<h1 class="hidden">${title}</h1>${card(release, found.isLatest)}`
  return { title: title || 'Release', body, repository, tab: 'releases' }
})

/** Files of a release: on its own page, and in the list of all. */
const MOST_FILES = 1_000
const MOST_LISTED = 100

/** Creates a function that shows releases with so many files, one or a list of them. */
function releaseCardsOf(
  library: Library,
  repository: Repository,
  { limit, isList = false }: { limit: number; isList?: boolean },
) {
  const markdown = { ...createMarkdownContext(library, repository), level: 2 }
  const base = repositoryPath(repository)
  return (release: Release, isLatest: boolean): Html => {
    const { tag, name, user, isDraft, isPrerelease, publishedAt, createdAt } = release
    const tree =
      tag === '' ? undefined : localPathOf(library, `${repository.url}/tree/${encodeURI(tag)}`)
    const files = listReleaseFiles(repository, release.url)
    const idPrefix = isList ? `${tag.replace(/\s/g, '-')}-` : undefined
    return html`<article class="card release"><header><h2><a href="${base}/releases/tag/${encodeURIComponent(tag)}"><bdi dir="auto">${isolated(name || tag)}</bdi></a></h2>${isDraft ? html` <span class="pill-note">Draft</span>` : ''}${isPrerelease ? html` <span class="pill-note">Pre-release</span>` : ''}${isLatest ? html` <span class="pill-latest">Latest</span>` : ''}
<p class="meta">${icon('tag')} ${tree === undefined ? isolated(tag) : html`<a href="${tree}" title="Files of this tag">${isolated(tag)}</a>`} · ${personWithAvatar(loginAt(repository.store, user))} · ${when(publishedAt ?? createdAt)}</p></header>
<div class="in"><div class="body" dir="auto">${renderMarkdown(release.body, { ...markdown, idPrefix })}</div>${files.length === 0 ? '' : html`<h3>Files</h3><ul class="attachments">${bounded(files, limit, fileRow, lastItem)}</ul>`}</div></article>`
  }
}

/** A file of a release: its bytes if the archive has them, their number and SHA-256. */
function fileRow({ name, content, createdAt }: ReleaseFile): Html {
  const link =
    content?.stored === true
      ? html`<a href="${uploadPath({ ...content, name })}">${isolated(name)}</a>`
      : html`${isolated(name)} <span class="pill-line">${content ? 'bytes not loaded' : 'not in the archive'}</span>`
  const added = when(createdAt)
  return html`<li>${icon('paperclip')} ${link}${content ? html` <span class="muted">${formatSize(content.size)} · ${added} · SHA-256 <code>${content.sha256}</code></span>` : html` <span class="muted">${added}</span>`}</li>`
}

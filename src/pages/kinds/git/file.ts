import { readCommit } from '../../../git/history/walk-commits.ts'
import { isFolder, isLink, isSubmodule } from '../../../git/parse/parse-tree.ts'
import { fileTypeOf, pictureSizeOf } from '../../../reading/file-type.ts'
import { type GitFile, HEAD, parseLfsPointer, readGitFile } from '../../../reading/git/files.ts'
import { findAt, isMarkdown, lastChanges } from '../../../reading/git/folders.ts'
import { findLfsFile } from '../../../reading/uploads.ts'
import { highlightLines, languageOf } from '../../highlight.ts'
import { type Html, html, shown } from '../../html.ts'
import { icon } from '../../icons.ts'
import type { PageFile, PageRequest, PageResult, SiteLink } from '../../page.ts'
import { blank, formatNumber, formatSize, plural } from '../../parts/elements.ts'
import { breadcrumbs, gitPath, latestCommit } from '../../parts/git.ts'
import { isShownAsIs, savingHeaders } from '../../served-bytes.ts'
import { sendUpload } from '../files.ts'
import { permanentLink, proseOf } from './folder.ts'
import { atPlace, type PlaceRequest, placeOf } from './git-page.ts'

/** A file with numbered lines; Markdown and pictures rendered. */
export const blobPage = atPlace(async (request): Promise<PageResult> => {
  const { library, repository, git, revision, place: path } = request
  const commit = readCommit(git.objects, revision.oid)
  const entry = findAt(git, commit.tree, path)
  if (!entry || path.length === 0 || isSubmodule(entry)) return undefined
  if (isFolder(entry)) return { redirect: gitPath(repository, 'tree', revision.name, path) }
  const file = await readGitFile(git, entry.oid)
  const changes = lastChanges(git, revision.oid, path.slice(0, -1), entry.bytes)
  const history = html`<a href="${gitPath(repository, 'commits', revision.name, path)}">${icon('history')} History</a>`
  const title = `${path.join('/')} at ${revision.name}`
  const body = html`<h1 class="hidden">${path.join('/')}</h1>
<div class="git-head">${breadcrumbs(repository, revision, path)}<span class="copied"><code class="hidden" data-copy>${path.join('/')}</code></span>${permanentLink(request, 'blob')}</div>
<div class="box file">${latestCommit(library, repository, changes.get(entry.bytes) ?? commit, history)}
${isLink(entry) ? link(request, file) : content(request, entry.name, file)}</div>`
  return { title, body, repository, tab: 'code' }
})

/** Lines of a text that a page shows. */
export const MOST_LINES = 10_000
/** Lines above this length are cut. */
const LONGEST_LINE = 2_000

function content(request: PlaceRequest, name: string, file: GitFile): Html {
  const { repository, revision, place: path, query } = request
  const raw = gitPath(repository, 'raw', revision.name, path)
  const { size, text, encoding, head } = file
  const type = fileTypeOf(head, size)
  const isPlain = query.get('plain') === '1'
  const lines = text === undefined ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const facts = [
    ...(text === undefined ? [] : [plural(lines, 'line')]),
    formatSize(size),
    ...(encoding === undefined ? [] : [encoding]),
  ]
  const isProse = text !== undefined && isMarkdown(name)
  const other =
    !isProse && type.kind !== 'svg'
      ? ''
      : isPlain
        ? html`<a href="${request.path}">${icon('eye')} Preview</a>`
        : html`<a href="${request.path}?plain=1">${icon('code')} Code</a>`
  const bar = html`<div class="box-head facts"><p class="meta">${facts.join(' · ')}</p><p class="buttons">${other}${text === undefined || request.isStatic ? '' : html`<a href="${gitPath(repository, 'blame', revision.name, path)}" data-lines>${icon('history')} Blame</a>`}<a href="${raw}">${icon('download')} Raw</a></p></div>`
  const pointer = parseLfsPointer(text)
  if (pointer) {
    const stored = findLfsFile(repository.store, pointer.sha256)
    return html`${bar}${blank(`Stored with Git LFS: ${formatSize(pointer.size)}`, stored ? 'Raw has the file.' : 'The archive does not have the file, only this pointer to it.')}<section class="scroll" tabindex="0" aria-label="Pointer"><pre class="record">${text}</pre></section>`
  }
  if (!isPlain && isProse) {
    return html`${bar}<div class="in body" dir="auto">${proseOf(request, { name }, text, { origin: request.path, level: 1 })}</div>`
  }
  if ((!isPlain && type.kind === 'svg') || type.kind === 'image') {
    const { width, height } = pictureSizeOf(type, head) ?? {}
    return html`${bar}<div class="picture"><img src="${raw}" alt="${name}" loading="lazy"${width === undefined ? '' : html` width="${width}" height="${height}"`}></div>`
  }
  if (type.kind === 'video') {
    return html`${bar}<div class="picture"><video src="${raw}" controls preload="none" aria-label="${name}"></video></div>`
  }
  if (text !== undefined) return html`${bar}${codeTable(name, text, raw)}`
  const isLarge = type.kind === 'text'
  return html`${bar}${blank(isLarge ? 'This file is too large to show' : 'This file is not text', 'Raw has its bytes.')}`
}

/** Lines with their numbers, each with an anchor, and with a cell before it if there is one. */
export function codeTable(
  name: string,
  text: string,
  raw: string,
  side?: { readonly heading: string; readonly cellAt: (line: number) => Html },
): Html {
  const given = text
    .replaceAll('\r\n', '\n')
    .replace(/\n$/, '')
    .split('\n', MOST_LINES + 1)
  const isCut = given.length > MOST_LINES
  const lines = given
    .slice(0, MOST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)} …` : line))
  if (lines.length === 1 && lines[0] === '') return blank('This file is empty')
  const colored = highlightLines(lines.join('\n'), languageOf(name))
  return html`<section class="scroll" tabindex="0" aria-label="${name}"><table class="code${side ? ' blame' : ''}"><thead class="hidden"><tr>${side && html`<th scope="col">${side.heading}</th>`}<th scope="col">Line</th><th scope="col">Text</th></tr></thead><tbody>
${colored.map((line, i) => html`<tr id="L${i + 1}">${side?.cellAt(i + 1)}<th scope="row"><a href="#L${i + 1}">${i + 1}</a></th><td>${line}</td></tr>\n`)}</tbody></table></section>
${isCut ? html`<p class="note-line">Only the first ${formatNumber(MOST_LINES)} lines are shown. <a href="${raw}">Raw</a> has all.</p>` : ''}`
}

/** A symbolic link, with its target if that is in the repository. */
function link({ repository, git, revision, place: path }: PlaceRequest, { text }: GitFile): Html {
  const target = text ?? ''
  const parts = resolveLink(path.slice(0, -1), target)
  const commit = readCommit(git.objects, revision.oid)
  const entry = parts && findAt(git, commit.tree, parts)
  const name = html`<code>${shown(target.slice(0, LONGEST_LINE))}</code>`
  return html`<div class="blank"><h2>A symbolic link</h2><p>${
    entry && parts
      ? html`It leads to <a href="${gitPath(repository, isFolder(entry) ? 'tree' : 'blob', revision.name, parts)}">${name}</a>.`
      : html`It leads to ${name}, which is not in the repository.`
  }</p></div>`
}

function resolveLink(folder: readonly string[], target: string): string[] | undefined {
  if (target === '' || target.startsWith('/') || target.includes('\0')) return undefined
  const parts = [...folder]
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts
}

/** The bytes of a file: shown by a browser if that is safe, otherwise saved. */
export const rawFilePage = atPlace(
  async ({ repository, git, revision, place }): Promise<PageResult> => {
    const entry = findAt(git, readCommit(git.objects, revision.oid).tree, place)
    if (!entry || isFolder(entry) || isSubmodule(entry)) return undefined
    return rawFile(await readGitFile(git, entry.oid), entry.name, { repository, git, revision })
  },
)

/** The file of a site with the bytes: one for all revisions that have them. */
export function rawInSite(request: PageRequest, file: string): SiteLink {
  const found = placeOf(request)
  const { git, revision, place } = found ?? {}
  const entry =
    git && revision && findAt(git, readCommit(git.objects, revision.oid).tree, place ?? [])
  if (!git || !entry) return { file }
  const { owner = '', repo = '' } = request.params
  const name = `${owner}/${repo}/-/raw/${entry.oid}`
  const kind = pictureEnding(git, entry.oid)
  return kind === undefined
    ? { file: `${name}.bin`, download: entry.name }
    : { file: `${name}.${kind}` }
}

/** Pictures of more bytes are saved, and not shown. */
const LARGEST_PICTURE = 32 * 2 ** 20

function pictureEnding({ objects }: PlaceRequest['git'], oid: string): string | undefined {
  const size = objects.sizeOf(oid)
  if (size > LARGEST_PICTURE) return undefined
  const { kind, type } = fileTypeOf(objects.read(oid).content.subarray(0, HEAD), size)
  return kind === 'image' ? type.slice('image/'.length) : undefined
}

async function rawFile(
  { oid, size, head, text }: GitFile,
  name: string,
  { repository, git, revision }: Pick<PlaceRequest, 'repository' | 'git' | 'revision'>,
): Promise<PageFile | PageResult> {
  const pointer = parseLfsPointer(text)
  const stored = pointer && findLfsFile(repository.store, pointer.sha256)
  if (stored) return sendUpload(stored, name)
  const type = fileTypeOf(head, size)
  const isFixed = revision.kind === 'commit'
  return {
    type: type.type,
    size,
    etag: oid,
    bytes: bytesOf(git, oid),
    headers: {
      'Cache-Control': isFixed ? 'private, max-age=31536000, immutable' : 'private, no-cache',
      ...(!isShownAsIs(type) && savingHeaders(name)),
    },
  }
}

async function* bytesOf({ objects }: PlaceRequest['git'], oid: string): AsyncGenerator<Uint8Array> {
  yield* objects.stream(oid).content
}

import type { Repository } from '../../reading/library.ts'
import { type Html, html, isolated } from '../html.ts'
import { icon } from '../icons.ts'
import { type Diff, type FileDiff, MOST_LINES } from '../read/git-diff.ts'
import type { HunkLine } from '../read/hunk-lines.ts'
import { diffTable } from './diff-table.ts'
import { blank, formatNumber, formatSize, plural } from './elements.ts'
import { gitPath } from './git.ts'

/** The parts of a diff besides its lines. */
export interface FileDiffsOptions {
  /** The path of the page. */
  readonly path: string
  /** The file that the page is about, if it is about one alone. */
  readonly only: number | undefined
  /** The commits that are compared, whose pictures are shown. */
  readonly versions: {
    readonly repository: Repository
    readonly before: string | undefined
    readonly after: string
  }
  /** Comments below a line of a file. */
  readonly below?: (file: FileDiff, line: HunkLine, index: number) => Html | undefined
}

/** The changed files of two versions: how many, which, and their lines. */
export function fileDiffs(diff: Diff, options: FileDiffsOptions): Html {
  const { files, count, hasMore, inserted, deleted } = diff
  if (files.length === 0) return blank('No changed files', 'Both versions have the same files.')
  const { path, only } = options
  const shown = only === undefined ? files : files.filter(({ number }) => number === only)
  const back = only === undefined ? '' : html`<a href="${path}">All changed files</a>`
  return html`<div class="change-bar"><h2>${plural(count, 'changed file')}${hasMore ? ' and more' : ''}</h2><span>${counts(inserted, deleted)}</span>${back}</div>
${only === undefined && files.length > 1 ? touched(files, hasMore || count > files.length) : ''}
${shown.map((file) => fileDiff(file, options))}`
}

/** +3 −1, with words for screen readers; zeros are left out. */
const counts = (inserted: number, deleted: number): Html =>
  html`${inserted === 0 ? '' : count('plus', '+', inserted, 'added')}${deleted === 0 ? '' : html` ${count('minus', '−', deleted, 'removed')}`}`

const count = (name: string, sign: string, lines: number, did: string): Html =>
  html`<span class="${name}"><span aria-hidden="true">${sign}${formatNumber(lines)}</span><span class="hidden">${plural(lines, 'line')} ${did}</span></span>`

const WORDS = { A: 'added', D: 'removed', M: 'changed', T: 'changed', R: 'renamed' } as const

function touched(files: readonly FileDiff[], hasMore: boolean): Html {
  const more = hasMore
    ? html`<li>There are more files. Those beyond the first ${formatNumber(files.length)} are not compared.</li>`
    : ''
  return html`<details class="box touched"${files.length <= SHORT ? html` open` : ''}><summary>Files</summary><ul>${files.map(
    ({ path, id, status, inserted, deleted }) =>
      html`<li>${icon('file-diff')} <a href="#${id}">${isolated(path)}</a> <span class="muted">${WORDS[status]}</span> <span>${counts(inserted, deleted)}</span></li>`,
  )}${more}</ul></details>`
}

const SHORT = 12

function fileDiff(file: FileDiff, { path: page, only, below, versions }: FileDiffsOptions): Html {
  const { path, oldPath, anchor, id, number, status, lines, inserted, deleted, modes } = file
  const mark = status === 'M' ? '' : html`<span class="pill-line">${WORDS[status]}</span>`
  const [before, after] = modes
  const mode =
    before !== undefined && after !== undefined && before !== after
      ? html`<span class="muted">${before} → ${after}</span>`
      : ''
  const name =
    oldPath === undefined ? isolated(path) : html`${isolated(oldPath)} → ${isolated(path)}`
  const head = html`<summary><h3><code>${name}</code></h3> ${mark} ${mode}<span class="counts">${counts(inserted, deleted)}</span></summary>`
  const isFolded = lines === undefined && inserted + deleted > 0
  const content =
    lines === undefined || lines.length === 0
      ? withoutLines(file, `${page}?file=${number}`, versions)
      : diffTable(lines, {
          path,
          name: path,
          anchor,
          ...(below && { below: (line, index) => below(file, line, index) }),
        })
  const cut =
    only !== undefined && (lines?.length ?? 0) >= MOST_LINES
      ? html`<p class="note-line">Only the first ${formatNumber(MOST_LINES)} lines are shown.</p>`
      : ''
  return html`<details class="file-diff" id="${id}"${isFolded && file.isGenerated ? '' : html` open`}>${head}
${content}${cut}</details>`
}

function withoutLines(file: FileDiff, page: string, versions: FileDiffsOptions['versions']): Html {
  const { isText, sizes, inserted, deleted, isGenerated, isBroken } = file
  if (isBroken) return html`<p class="note-line">Its content is not in the archive, or damaged.</p>`
  const [before, after] = sizes
  if (!isText) {
    const sized = [before, after].map((size) => formatSize(size)).join(' → ')
    return html`<p class="note-line">Binary file, ${sized}</p>${pictures(file, versions)}`
  }
  const count = inserted + deleted
  if (count === 0) return html`<p class="note-line">No lines changed</p>`
  const why = isGenerated ? 'A file that a program writes' : 'A large change'
  return html`<p class="note-line">${why}: ${plural(count, 'line')}. <a href="${page}">Show them</a></p>`
}

/** Endings of pictures that browsers show. If a file is not a picture, the browser shows its alternative text. */
const PICTURE = /\.(?:png|jpe?g|gif|webp|avif)$/i
const LARGEST_PICTURE = 8 * 2 ** 20

/** A picture before and after. */
function pictures(
  { path, oldPath = path, status, sizes }: FileDiff,
  { repository, before, after }: FileDiffsOptions['versions'],
): Html {
  if (!PICTURE.test(path) || Math.max(...sizes) > LARGEST_PICTURE) return html``
  const picture = (name: string, words: string, commit: string) =>
    html`<figure><img src="${gitPath(repository, 'raw', commit, name.split('/'))}" alt="${words}: ${name}" loading="lazy"><figcaption>${words}</figcaption></figure>`
  return html`<div class="picture versions">${status === 'A' || before === undefined ? '' : picture(oldPath, 'Before', before)}${status === 'D' ? '' : picture(path, 'After', after)}</div>`
}

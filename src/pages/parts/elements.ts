import { formatByteSize } from '../../base/byte-size.ts'
import type { Label } from '../../reading/labels.ts'
import { parseTime } from '../../reading/times.ts'
import { cut, type Html, type HtmlValue, html, isolated, LONGEST_NAME, shown } from '../html.ts'
import { type IconName, icon } from '../icons.ts'

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** A time as a short date; the whole time is in its title. Nothing for an invalid time. */
export const when = (time: string | null | undefined): Html => timeAs(time, ({ day }) => day)

/** A time as that of a day, such as 14:05. */
export const clock = (time: string | null | undefined): Html => timeAs(time, ({ hour }) => hour)

function timeAs(
  time: string | null | undefined,
  textOf: (parts: { day: string; hour: string }) => string,
): Html {
  const seconds = parseTime(time)
  if (seconds === undefined) return html``
  const date = new Date(seconds * 1000)
  const day = `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`
  const iso = date.toISOString()
  const hour = iso.slice(11, 16)
  return html`<time datetime="${iso}" title="${day}, ${hour} UTC">${textOf({ day, hour })}</time>`
}

/** The path of a page: its parts are encoded. */
export const pathTo = (...parts: readonly (string | number)[]): string =>
  `/${parts.map((part) => encodeURIComponent(part)).join('/')}`

const HUES = 12

function hueOf(login: string): number {
  let sum = 7
  for (const character of login.toLowerCase()) {
    sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  }
  return sum % HUES
}

/** Two letters of a login on a color of its own. */
export function avatar(login: string | null, size: 'large' | 'medium' | 'small'): Html {
  if (login === null) {
    return html`<span class="avatar ${size} ghost" aria-hidden="true">${icon('person')}</span>`
  }
  const words = login
    .replace(/\[bot\]$/, '')
    .split(/[-_.\s]+/)
    .filter(Boolean)
  const letters =
    words.length > 1
      ? words.slice(0, 2).map((word) => [...word][0] ?? '')
      : [...(words[0] ?? login)].slice(0, 2)
  return html`<span class="avatar ${size} hue-${hueOf(login)}" aria-hidden="true">${letters.join('').toUpperCase()}</span>`
}

/** A person by name; deleted accounts are ghosts. */
export const person = (login: string | null): Html =>
  login === null
    ? html`<span class="person">ghost</span>`
    : html`<a class="person" href="${pathTo(login)}">${isolated(login)}</a>`

/** The same with a small avatar. */
export const personWithAvatar = (login: string | null): Html =>
  html`${avatar(login, 'small')} ${person(login)}`

/** A label; a link to its threads if `base` is the path of its repository. */
export function labelPill({ name, color, description }: Label, base?: string): Html {
  const classes = `label${color === null ? '' : ` c-${color}`}`
  const title = cut(description ?? '', LONGEST_NAME)
  return base === undefined || name.length > LONGEST_NAME
    ? html`<span class="${classes}" title="${title}">${isolated(name)}</span>`
    : html`<a class="${classes}" title="${title}" href="${base}/labels/${encodeURIComponent(name)}">${isolated(name)}</a>`
}

/** As many items as a page has room for, and the number of the others. */
export function bounded<Item>(
  items: readonly Item[],
  limit: number,
  show: (item: Item) => HtmlValue,
  rest: (words: string) => HtmlValue = (words) => html`<span class="muted">${words}</span>`,
): Html {
  const more = items.length - limit
  return html`${items.slice(0, limit).map(show)}${more > 0 ? rest(`and ${formatNumber(more)} more`) : ''}`
}

/** The number of other items as the last one of a list. */
export const lastItem = (words: string): Html => html`<li class="muted">${words}</li>`

export const counter = (count: number): Html =>
  html`<span class="counter">${formatNumber(count)}</span>`

/** 12,345 */
export const formatNumber = (count: number): string => NUMBERS.format(count)

// A formatter of its own: toLocaleString makes one at every call.
const NUMBERS = new Intl.NumberFormat('en-US')

/** 1 issue, 2 issues */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`

/** `850 B`, `1.2 MiB`, `120 MiB` */
export const formatSize = (bytes: number): string =>
  formatByteSize(bytes, (amount) => (amount < 99.95 ? 1 : 0))

/** Characters of a title. GitHub allows 256. */
const LONGEST_TITLE = 512

/** A title as pages show it. */
export function titleOf(title: string | null): string {
  if (title === null || title.trim() === '') return 'Untitled'
  return cut(title, LONGEST_TITLE)
}

/** The title of a thread as HTML: what stands between backticks is code. */
export const titleHtml = (title: string | null): Html =>
  html`<bdi dir="auto">${withCode([{ text: titleOf(title) }], shown)}</bdi>`

/** Pieces of a text as HTML, in which what stands between backticks is code. */
export function withCode<Piece extends { readonly text: string }>(
  pieces: readonly Piece[],
  show: (text: string, piece: Piece) => Html,
): Html {
  const count = pieces.reduce((sum, { text }) => sum + text.split('`').length - 1, 0)
  // The last one of an odd number is a character like any other.
  let rest = count - (count % 2)
  let isCode = false
  const all: Html[] = []
  for (const piece of pieces) {
    const parts = piece.text.split('`')
    for (let i = 0; i < parts.length; i++) {
      let part = parts[i] ?? ''
      if (i > 0) {
        if (rest > 0) {
          rest--
          isCode = !isCode
        } else part = `\`${part}`
      }
      if (part !== '')
        all.push(isCode ? html`<code>${show(part, piece)}</code>` : show(part, piece))
    }
  }
  return html`${all}`
}

/** Stands between the pieces of a text while signs are taken out. */
const SEAM = '\uffff'

/**
 * Takes the signs of Markdown out of a part of a text: emphasis, the targets of links, the languages of code. Line breaks are
 * gone already, so quotes and lists are not told from other text. A target in which something was found stays.
 */
export function withoutSigns<Piece extends { readonly text: string }>(
  pieces: readonly Piece[],
): Piece[] {
  const whole = pieces.map(({ text }) => text.replaceAll(SEAM, '')).join(SEAM)
  const parts = whole.split(/(`+[^`]*`+)/).map((part, i) => {
    if (i % 2 === 1) return part.replace(/^(`{3,})[\w+#-]+ /, '$1')
    return part
      .replace(/!?\[([^[\]]{0,200})\]\((?:https?:|\/)[^()\s\uffff]{1,2000}\)/g, '$1')
      .replace(/\*\*(?=[^\s*])([^*]{1,300}?)\*\*/g, '$1')
  })
  return parts
    .join('')
    .split(SEAM)
    .map((text, i) => ({ ...(pieces[i] as Piece), text }))
}

/** The word and icon of a thread's state. */
export interface State {
  readonly word: string
  readonly name: 'open' | 'closed' | 'merged' | 'draft' | 'done'
  readonly icon: IconName
}

export function stateOf(
  kind: 'issues' | 'pulls' | 'discussions',
  { state, draft }: { state: string | null; draft?: boolean | number | null },
): State {
  if (kind === 'discussions')
    return { word: 'Discussion', name: 'draft', icon: 'comment-discussion' }
  if (kind === 'issues') {
    return state === 'open'
      ? { word: 'Open', name: 'open', icon: 'issue-opened' }
      : { word: 'Closed', name: 'merged', icon: 'issue-closed' }
  }
  if (state === 'merged') return { word: 'Merged', name: 'merged', icon: 'git-merge' }
  if (state === 'closed') return { word: 'Closed', name: 'closed', icon: 'git-pull-request-closed' }
  return draft
    ? { word: 'Draft', name: 'draft', icon: 'git-pull-request-draft' }
    : { word: 'Open', name: 'open', icon: 'git-pull-request' }
}

/** The text where there is nothing to show. */
export const blank = (title: string, text = '', more?: Html): Html =>
  html`<div class="blank"><h2>${title}</h2>${text === '' ? '' : html`<p>${text}</p>`}${more && html`<p class="about">${more}</p>`}</div>`

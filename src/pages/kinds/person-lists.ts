import type { Library } from '../../reading/library.ts'
import {
  WRITTEN,
  type Written,
  type WrittenList,
  type WrittenText,
} from '../../reading/people/written-texts.ts'
import { type Html, html, isolated, shown } from '../html.ts'
import { icon } from '../icons.ts'
import { localPathOf } from '../link.ts'
import { type PageRequest, pageNumber } from '../page.ts'
import { chart } from '../parts/chart.ts'
import {
  counter,
  plural,
  stateOf,
  titleHtml,
  when,
  withCode,
  withoutSigns,
} from '../parts/elements.ts'
import { createPager, type Pager } from '../parts/pager.ts'
import { verdictOf } from '../parts/review.ts'

const NAMES: Record<WrittenList, [name: string, one: string]> = {
  issues: ['Issues', 'issue'],
  pulls: ['Pull requests', 'pull request'],
  discussions: ['Discussions', 'discussion'],
  comments: ['Comments', 'comment'],
  reviews: ['Reviews', 'review'],
}

const LISTS = Object.keys(WRITTEN) as WrittenList[]

/** The list that `?tab=` names; undefined for what is none. */
export const listOfTab = (tab: string): WrittenList | undefined =>
  LISTS.find((list) => list === tab)

/** Links to the texts of a person, list by list; nothing if there are none. */
export function personTabs(
  path: string,
  counts: Readonly<Record<WrittenList, number>>,
  current: WrittenList | undefined,
): Html {
  const shownLists = LISTS.filter((list) => counts[list] > 0 || list === current)
  if (shownLists.length === 0) return html``
  const mark = (isCurrent: boolean) => (isCurrent ? html` aria-current="page"` : '')
  return html`<nav class="sub-tabs" aria-label="What they wrote"><a href="${path}"${mark(current === undefined)}>Overview</a>${shownLists.map(
    (list) =>
      html`<a href="${path}?tab=${list}"${mark(list === current)}>${NAMES[list][0]} ${counter(counts[list])}</a>`,
  )}</nav>`
}

/** Texts that an overview shows. */
const LATEST = 10

/** The latest texts of a person, and their activity by month. */
export function latestOf({ months, newest }: Written, library: Library): Html {
  const latest = newest(undefined, { offset: 0, limit: LATEST })
  if (latest.length === 0) return html``
  const drawn =
    months.length < 2
      ? ''
      : html`<section class="box pulse"><h2>Activity</h2>${chart({ columns: ['month', 'opened', 'comments', 'reviews'], rows: months })}</section>`
  return html`<section><h2>Latest</h2><ul class="rows box">${latest.map((text) => textRow(text, library))}</ul></section>${drawn}`
}

/** A page of one list, the newest first; undefined beyond its end. */
export function listPage(
  { counts, newest }: Written,
  { library, path, query, isStatic }: PageRequest,
  list: WrittenList,
): { title: string; html: Html; pager: Pager } | undefined {
  const total = counts[list]
  const size = isStatic ? 100 : 25
  const page = pageNumber(query)
  if (page > 1 && (page - 1) * size >= total) return undefined
  const texts = newest(list, { offset: (page - 1) * size, limit: size })
  const given = new URLSearchParams({ tab: list })
  const pager = createPager(path, given, { page, total, size })
  const [title, one] = NAMES[list]
  const rows = html`<section><h2>${plural(total, one)}</h2>${total === 0 ? '' : html`<ul class="rows box">${texts.map((text) => textRow(text, library))}</ul>`}</section>${pager.nav()}`
  return { title, html: rows, pager }
}

/** Characters of a text that a row shows. */
const LONGEST = 240

function textRow(text: WrittenText, library: Library): Html {
  const { list, kind, place, url, heading, body, created_at } = text
  const path = url === null ? undefined : localPathOf(library, url)
  const title = heading === null ? isolated(place ?? kind) : titleHtml(heading)
  const line = list === 'comments' || list === 'reviews' ? excerptOf(body) : ''
  const { sign, words } = signOf(text)
  return html`<li class="row-thread">${sign}<div><h3>${path === undefined ? title : html`<a href="${path}">${title}</a>`}</h3>
${line === '' ? '' : html`<p class="about" dir="auto">${withCode(withoutSigns([{ text: line }]), shown)}</p>`}
<p class="meta">${isolated(place ?? '')} · ${words} ${when(created_at)}</p></div></li>`
}

function signOf({ list, kind, state, draft }: WrittenText): { sign: Html; words: string } {
  if (list === 'reviews') {
    const { icon: sign, did, tone } = verdictOf(state)
    return {
      sign: html`<span class="verdict-sign ${tone}">${icon(sign)}</span>`,
      words: `${did} on`,
    }
  }
  if (list === 'comments')
    return { sign: icon('comment'), words: `${kind.replaceAll('_', ' ')} of` }
  const { icon: sign, word, name } = stateOf(list, { state, draft })
  return {
    sign: html`<span class="tone-${name}">${icon(sign)}</span>`,
    words: list === 'discussions' ? 'started' : `${word} · opened`,
  }
}

/** The beginning of a text on one line, without quotes of others. */
function excerptOf(body: string | null): string {
  const lines = (body ?? '').slice(0, 4 * LONGEST).split('\n')
  const line = lines
    .filter((one) => !one.startsWith('>'))
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line
}

/** The script of the search page of a site: it shows results as people type. */

import { InvalidSearch } from '../../search/grammar/invalid-search.ts'
import { BODY, type SiteIndex, TITLE } from '../site/search-format.ts'
import {
  type FoundTexts,
  findTexts,
  type Load,
  MOST_CHECKED,
  type ShownText,
  type SoughtPhrase,
  textsOf,
} from './find-texts.ts'
import { type MarkedPart, markWords } from './mark-words.ts'

/** Results that are shown at a time. */
const SHOWN = 25
/** Words of a text that a result shows. */
const SHOWN_WORDS = 32
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

// It is read now, while the script runs: later there is no current script.
const home = new URL('../../', (document.currentScript as HTMLScriptElement).src)

/** The data of the script of the index that ran last. */
let received: unknown
Object.assign(globalThis, {
  marc: (data: unknown) => {
    received = data
  },
})

const loaded = new Map<string, Promise<unknown>>()

/** Loads a script of the index, once: a page from a disk can load nothing else. */
const load: Load = <Data>(name: string) => {
  const data = loaded.get(name) ?? loadScript(`-/search/${name}.js`)
  loaded.set(name, data)
  return data as Promise<Data>
}

const loadScript = (path: string) =>
  new Promise<unknown>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = new URL(path, home).href
    script.onload = () => {
      script.remove()
      resolve(received)
    }
    script.onerror = () => reject(new Error(`a file of the index could not be loaded: ${path}`))
    document.head.append(script)
  })

function add<Name extends keyof HTMLElementTagNameMap>(
  parent: HTMLElement,
  name: Name,
  text = '',
  className = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(text)
  parent.append(element)
  return element
}

function addMarked(parent: HTMLElement, parts: readonly MarkedPart[]): void {
  for (const [text, isMarked] of parts) {
    if (isMarked) add(parent, 'mark', text)
    else parent.append(text)
  }
}

function addResult(
  list: HTMLElement,
  { path, kind, place, author, time, heading, body }: ShownText,
  wanted: readonly SoughtPhrase[],
): void {
  const item = add(list, 'li', '', 'found')
  const head = add(item, 'h3')
  const link = path ? add(head, 'a') : head
  if (link instanceof HTMLAnchorElement) link.href = new URL(path, home).href
  link.dir = 'auto'
  addMarked(link, heading === '' ? [[place, false]] : markWords(heading, wanted, TITLE))
  const text = add(item, 'p')
  text.dir = 'auto'
  addMarked(text, markWords(body, wanted, BODY, SHOWN_WORDS))
  const meta = add(item, 'p', '', 'meta')
  meta.append(`${kind} `)
  add(meta, 'bdi', place)
  if (author) {
    meta.append(' · ')
    add(meta, 'bdi', author)
  }
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return
  meta.append(' · ')
  const month = MONTHS[date.getUTCMonth()]
  const day = add(meta, 'time', `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`)
  day.dateTime = date.toISOString()
  day.title = date.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
}

const form = find(document, HTMLFormElement, '[data-find]')
const page = form.parentElement ?? document.body
const input = find(page, HTMLInputElement, 'input')
const status = find(page, HTMLElement, '[role=status]')
const list = find(page, HTMLElement, 'ol')
const more = find(page, HTMLElement, '[data-more]')

function find<Found extends Element>(
  within: ParentNode,
  type: new () => Found,
  selector: string,
): Found {
  const found = within.querySelector(selector)
  if (found instanceof type) return found
  throw new Error(`the page has no ${selector}`)
}

/** The number of the last search: what an earlier one finds is not shown. */
let turn = 0
let rest: readonly number[] = []
let wanted: readonly SoughtPhrase[] = []

function clear(): void {
  rest = []
  list.replaceChildren()
  list.hidden = true
  more.hidden = true
}

async function showMore(ofTurn: number): Promise<void> {
  const index = await load<SiteIndex>('index')
  const texts = await textsOf(index, rest.slice(0, SHOWN), load)
  if (ofTurn !== turn) return
  rest = rest.slice(SHOWN)
  for (const text of texts) addResult(list, text, wanted)
  list.hidden = list.children.length === 0
  more.hidden = rest.length === 0
}

async function search(): Promise<void> {
  const ofTurn = ++turn
  const text = input.value
  const show = (message: string) => {
    clear()
    status.textContent = message
  }
  if (text.trim() === '') return show('')
  try {
    const found = await findTexts(await load<SiteIndex>('index'), text, load)
    if (ofTurn !== turn) return
    show(describe(found))
    rest = found.ids
    wanted = found.wanted
    if (rest.length > 0) await showMore(ofTurn)
  } catch (error) {
    if (ofTurn !== turn) return
    const failure = error instanceof InvalidSearch ? 'This search is invalid' : 'The search failed'
    show(`${failure}: ${error instanceof Error ? error.message : error}`)
  }
}

function describe({ ids, isCut, isBegun }: FoundTexts): string {
  if (ids.length === 0) {
    return isCut
      ? `None of the ${MOST_CHECKED} texts that fit best has this phrase.`
      : 'No text has all these words.'
  }
  const count = `${ids.length.toLocaleString('en-US')} ${ids.length === 1 ? 'result' : 'results'}`
  if (isBegun) {
    return `No text has all these words. ${count} with words that begin with the last one:`
  }
  return isCut ? `${count} among the ${MOST_CHECKED} texts that fit best` : count
}

let timer: ReturnType<typeof setTimeout> | undefined
input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(search, 150)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})
more.addEventListener('click', () => showMore(turn))

const asked = new URLSearchParams(location.search)
const repository = asked.get('repo')
const parts = [repository ? `repo:${repository}` : '', asked.get('q') ?? '']
input.value = parts.filter((part) => part).join(' ')
if (input.value) search()

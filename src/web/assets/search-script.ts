import { BODY, TITLE } from '../site/search-words.ts'
import { SEARCH_CORE } from './search-core.ts'

/** The script of the search page of a site: it shows what `find` finds, as people type. */
export const SEARCH_SCRIPT = `'use strict'
${SEARCH_CORE}
const home = new URL('../../', document.currentScript.src)
let said
const marc = (data) => {
  said = data
}
const loaded = new Map()
const load = (name) => {
  let data = loaded.get(name)
  if (!data) {
    data = new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = new URL('-/search/' + name + '.js', home).href
      script.onload = () => {
        script.remove()
        resolve(said)
      }
      script.onerror = () => reject(new Error('a file of the index could not be loaded: -/search/' + name + '.js'))
      document.head.append(script)
    })
    loaded.set(name, data)
  }
  return data
}
const add = (parent, name, text, className) => {
  const element = document.createElement(name)
  if (className) element.className = className
  element.append(text)
  parent.append(element)
  return element
}
const mark = (parent, parts) => {
  for (const [text, isMarked] of parts) {
    if (isMarked) add(parent, 'mark', text)
    else parent.append(text)
  }
}
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const show = (list, { path, kind, place, author, time, heading, body }, wanted) => {
  const item = add(list, 'li', '', 'found')
  const head = add(item, 'h3', '')
  const link = path ? add(head, 'a', '') : head
  if (path) link.href = new URL(path, home).href
  link.dir = 'auto'
  mark(link, heading === '' ? [[place, false]] : markedOf(heading, wanted, ${TITLE}))
  const text = add(item, 'p', '')
  text.dir = 'auto'
  mark(text, markedOf(body, wanted, ${BODY}, SHOWN_WORDS))
  const meta = add(item, 'p', '', 'meta')
  meta.append(kind + ' ')
  add(meta, 'bdi', place)
  if (author) {
    meta.append(' · ')
    add(meta, 'bdi', author)
  }
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return
  meta.append(' · ')
  const day = add(meta, 'time', date.getUTCDate() + ' ' + MONTHS[date.getUTCMonth()] + ' ' + date.getUTCFullYear())
  day.dateTime = date.toISOString()
  day.title = date.toLocaleString(undefined, { dateStyle: 'long', timeStyle: 'short' })
}
const form = document.querySelector('[data-find]')
const [input, told, list, more] = ['input', '[role=status]', 'ol', '[data-more]'].map((one) => form.parentElement.querySelector(one))
const SHOWN = 25
const SHOWN_WORDS = 32
let turn = 0
let rest = []
let wanted = []
const showMore = async (mine) => {
  const index = await load('index')
  const texts = await textsOf(index, rest.slice(0, SHOWN), load)
  if (mine !== turn) return
  rest = rest.slice(SHOWN)
  for (const text of texts) show(list, text, wanted)
  list.hidden = list.children.length === 0
  more.hidden = rest.length === 0
}
const tell = ({ ids, isCut, isBegun }) => {
  if (ids.length === 0) return isCut ? 'None of the ' + MOST_CHECKED + ' texts that fit best has this phrase.' : 'No text has all these words.'
  const count = ids.length.toLocaleString('en-US') + (ids.length === 1 ? ' result' : ' results')
  if (isBegun) return 'No text has all these words. ' + count + ' with words that begin with the last one:'
  return isCut ? count + ' among the ' + MOST_CHECKED + ' texts that fit best' : count
}
const search = async () => {
  const mine = ++turn
  const text = input.value
  const fail = (message) => {
    if (mine !== turn) return
    told.textContent = message
    rest = []
    list.replaceChildren()
    list.hidden = more.hidden = true
  }
  if (text.trim() === '') return fail('')
  try {
    const index = await load('index')
    const found = await find(index, text, load)
    if (mine !== turn) return
    rest = found.ids
    wanted = found.wanted
    list.replaceChildren()
    list.hidden = more.hidden = true
    told.textContent = tell(found)
    if (rest.length > 0) await showMore(mine)
  } catch (error) {
    fail((error instanceof Refused ? 'This search is invalid: ' : 'The search failed: ') + error.message)
  }
}
let clock
input.addEventListener('input', () => {
  clearTimeout(clock)
  clock = setTimeout(search, 150)
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})
more.addEventListener('click', () => showMore(turn))
const asked = new URLSearchParams(location.search)
const repository = asked.get('repo')
input.value = [repository ? 'repo:' + repository : '', asked.get('q') || ''].filter((part) => part).join(' ')
if (input.value) search()
`

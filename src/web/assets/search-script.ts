import { UNSPACED } from '../../search/parse-search.ts'
import { DIGITS, LONGEST_WORD } from '../site/search-words.ts'

/**
 * Finds threads in the index of a site: words come in, numbers of threads go out, the best first. `load` returns what a script of
 * the index holds. It is text, because the pages of a site have nothing but scripts.
 */
export const SEARCH_CORE = String.raw`
const fold = (text) => text.toWellFormed().normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase()
const wordsIn = (text) => (fold(text).replace(/${UNSPACED.source}/g, '$&\u200b').match(/[\p{L}\p{N}\p{Co}]+/gu) || []).map((word) => word.slice(0, ${LONGEST_WORD}).toWellFormed())
const order = (a, b) => {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < left.length && i < right.length; i++) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0)
  }
  return left.length - right.length
}
const parse = (text) => {
  const terms = []
  for (const [, filter, value, quoted, plain] of text.matchAll(/(?:^|\s)(?:(author|label|repo|is):("[^"]*"|\S+)|"([^"]*)"|(\S+))/g)) {
    if (filter) {
      const name = fold(value.replaceAll('"', '')).replace(/\s+/g, ' ').trim()
      terms.push({ term: filter + ':' + (filter === 'is' && name === 'pr' ? 'pull' : name), isFilter: true })
      continue
    }
    const words = wordsIn(quoted || plain || '')
    words.forEach((term, i) => terms.push({ term, isPrefix: i === words.length - 1 && /\*$/.test(plain || '') }))
  }
  const last = terms[terms.length - 1]
  if (last && !last.isFilter && last.term.length > 2 && !/[\s"]$/.test(text)) last.isPrefix = true
  return terms
}
const postingsOf = (text, add) => {
  let number = 0
  for (let i = 0; i < text.length; ) {
    let [value, power, digit] = [0, 1, 32]
    while (digit >= 32 && i < text.length) {
      digit = digits.indexOf(text[i++])
      value += (digit % 32) * power
      power *= 32
    }
    number += Math.floor(value / 2)
    add(number, value % 2 === 1)
  }
}
const digits = '${DIGITS}'
const shardsOf = ({ words }, term, isPrefix) => {
  let first = words.findIndex(([start]) => order(start, term) >= 0)
  first = Math.max(0, (first < 0 ? words.length : first) - 1)
  const shards = []
  for (let i = first; i < words.length && shards.length < 40; i++) {
    const [start, name] = words[i]
    if (i > first && order(start, term) > 0 && !(isPrefix && start.startsWith(term))) break
    shards.push(name)
  }
  return shards
}
const matchesOf = async (index, { term, isPrefix }, load) => {
  const found = new Map()
  const lists = await Promise.all(shardsOf(index, term, isPrefix).map(load))
  for (const line of lists.flatMap((list) => list.split('\n'))) {
    const [word, postings] = line.split('\t')
    const isWhole = word === term
    if (!isWhole && !(isPrefix && word.startsWith(term))) continue
    postingsOf(postings, (thread, isTitle) => {
      const score = (isTitle ? 4 : 1) * (isWhole ? 2 : 1)
      if (score > (found.get(thread) || 0)) found.set(thread, score)
    })
  }
  return found
}
const find = async (index, text, load) => {
  const terms = parse(text)
  if (terms.length === 0) return { terms, threads: [] }
  const all = await Promise.all(terms.map((term) => matchesOf(index, term, load)))
  const [smallest, ...others] = [...all].sort((a, b) => a.size - b.size)
  const weights = new Map(all.map((found, i) => [found, terms[i].isFilter ? 0 : Math.log(1 + index.count / (1 + found.size))]))
  const threads = []
  for (const thread of smallest.keys()) {
    if (!others.every((found) => found.has(thread))) continue
    threads.push([all.reduce((sum, found) => sum + found.get(thread) * weights.get(found), 0), thread])
  }
  threads.sort((a, b) => b[0] - a[0] || b[1] - a[1])
  return { terms, threads: threads.map(([, thread]) => thread) }
}
`

/** The script of the search page of a site: it shows what `find` finds, as people type. */
export const SEARCH_SCRIPT = `'use strict'
${SEARCH_CORE}${String.raw`
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
const isMeant = (piece, terms) =>
  wordsIn(piece).some((word) => terms.some(({ term, isPrefix }) => word === term || (isPrefix && word.startsWith(term))))
const mark = (parent, text, terms) => {
  let end = 0
  for (const { 0: piece, index } of text.matchAll(/[\p{L}\p{N}\p{M}\p{Co}]+/gu)) {
    if (!isMeant(piece, terms)) continue
    parent.append(text.slice(end, index))
    add(parent, 'mark', piece)
    end = index + piece.length
  }
  parent.append(text.slice(end))
  return end > 0
}
const show = (list, [path, title, place, state, tone, author, day], terms) => {
  const item = add(list, 'li', '', 'found')
  const link = add(add(item, 'h2', ''), 'a', '')
  link.href = new URL(path, home).href
  link.dir = 'auto'
  const isInTitle = mark(link, title, terms)
  const meta = add(item, 'p', '', 'meta')
  add(meta, 'bdi', place)
  meta.append(' · ')
  add(meta, 'span', state, 'tone-' + tone)
  if (day) meta.append(' · ' + day)
  if (author) {
    meta.append(' · ')
    add(meta, 'bdi', author)
  }
  if (!isInTitle && terms.some(({ isFilter }) => !isFilter)) meta.append(' · found in its text')
}
const form = document.querySelector('[data-find]')
const [input, told, list, more] = ['input', '[role=status]', 'ol', '[data-more]'].map((one) => form.parentElement.querySelector(one))
const SHOWN = 25
let turn = 0
let rest = []
const showMore = async (mine) => {
  const index = await load('index')
  const next = rest.slice(0, SHOWN)
  const parts = new Map(await Promise.all([...new Set(next.map((thread) => Math.floor((thread - 1) / index.size)))].map(async (part) => [part, await load(index.threads[part])])))
  if (mine !== turn) return
  rest = rest.slice(SHOWN)
  for (const thread of next) {
    const found = parts.get(Math.floor((thread - 1) / index.size))[(thread - 1) % index.size]
    if (found) show(list, found, terms)
  }
  list.hidden = list.children.length === 0
  more.hidden = rest.length === 0
}
let terms = []
const search = async () => {
  const mine = ++turn
  const text = input.value
  try {
    const index = await load('index')
    const found = await find(index, text, load)
    if (mine !== turn) return
    terms = found.terms
    rest = found.threads
    list.replaceChildren()
    list.hidden = more.hidden = true
    told.textContent = terms.length === 0 ? '' : rest.length === 0 ? 'No thread has all these words.' : rest.length.toLocaleString('en-US') + (rest.length === 1 ? ' thread' : ' threads')
    if (rest.length > 0) await showMore(mine)
  } catch (error) {
    if (mine === turn) told.textContent = 'The search failed: ' + error.message
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
input.value = [asked.get('q') || '', repository ? 'repo:' + repository : ''].filter((part) => part).join(' ')
if (input.value) search()
`}`

import { SEARCH_KINDS, SEARCH_STATES } from '../../search/filter-sources.ts'
import { IS, PART } from '../../search/parse-filters.ts'
import { DEEPEST, MINUS, TOKEN, UNSPACED } from '../../search/parse-search.ts'
import { BODY, LONGEST_WORD, TITLE } from '../site/search-words.ts'

/** `parseFilters` and `parseSearch` as a script: a search comes in, filters and a tree of words go out, or it is refused. */
export const SEARCH_SYNTAX = String.raw`
class Refused extends Error {}
const refuse = (message) => {
  throw new Refused(message)
}
const fold = (text) => text.toWellFormed().normalize('NFKD').replace(/\p{M}+/gu, '').toLowerCase()
const split = (text) => text.replace(/${UNSPACED.source}/g, '$&\u200b')
const wordsIn = (text) => (split(fold(text)).match(/[\p{L}\p{N}\p{Co}]+/gu) || []).map((word) => word.slice(0, ${LONGEST_WORD}).toWellFormed())
const order = (a, b) => {
  const [left, right] = [[...a], [...b]]
  for (let i = 0; i < left.length && i < right.length; i++) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0)
  }
  return left.length - right.length
}

const IS = new Map(${JSON.stringify([...IS])})
const CHOICES = ${JSON.stringify({ kind: SEARCH_KINDS, state: SEARCH_STATES })}
const choose = (name, value, values) =>
  values.includes(value) ? value : refuse(name + ': takes ' + values.join(', ') + ', not ' + JSON.stringify(value))
const isPartOfMore = (before, after) => {
  const outside = before.replace(/"[^"]*"/g, '')
  const depth = outside.split('(').length - outside.split(')').length
  return depth > 0 || /(^|\s)(AND|OR|NOT)\s*$/.test(outside) || /^\s*(AND|OR)(\s|$)/.test(after)
}
const parseFilters = (text) => {
  const found = new Map()
  let [words, end] = ['', 0]
  for (const match of text.matchAll(/${PART.source}/g)) {
    const [part, minus, word, quoted, plain] = match
    words += text.slice(end, match.index)
    end = match.index + part.length
    if (word === undefined) {
      words += part
      continue
    }
    if (minus) refuse(part + ' cannot be excluded: only words and phrases can')
    const given = quoted === undefined ? plain : quoted
    const [name, value] = word === 'is' ? IS.get(given) || ['state', choose('is', given, [...IS.keys()])] : [word, given]
    if (found.has(name)) refuse(name + ': is given twice')
    if (isPartOfMore(words, text.slice(end))) refuse(part + ' narrows the whole search: write it without AND, OR, NOT, parentheses')
    found.set(name, value)
  }
  for (const [name, value] of found) if (CHOICES[name]) choose(name, value, CHOICES[name])
  return { words: (words + text.slice(end)).trim(), filters: [...found] }
}
const parseWords = (text) => {
  const tokens = [...text.matchAll(/${TOKEN.source}/gy)].map(([, token]) => token)
  if (text.includes('\0')) refuse('a word must not contain NUL')
  if (tokens.length === 0) refuse('there are no words to look for')
  let [at, depth] = [0, 0]
  const isEnd = (token) => token === undefined || token === ')' || ['AND', 'OR', 'NOT'].includes(token)
  const missing = (where, token) => refuse('a word is missing ' + where + ' ' + token)
  const parseEither = () => {
    const any = [parseAll()]
    while (tokens[at] === 'OR') {
      at++
      any.push(parseAll())
    }
    return any.length === 1 ? any[0] : { any }
  }
  const parseAll = () => {
    const [all, but] = [[], []]
    for (let token = tokens[at]; token !== undefined && token !== ')' && token !== 'OR'; token = tokens[at]) {
      if (token === 'AND') {
        if (all.length + but.length === 0) missing('before', token)
        at++
        if (isEnd(tokens[at]) && tokens[at] !== 'NOT') missing('after', token)
      } else if (token === 'NOT') {
        at++
        if (isEnd(tokens[at])) missing('after', token)
        but.push(parseOne())
      } else if (/${MINUS.source}/.test(token)) {
        at++
        but.push(phraseOf(token.slice(1)))
      } else all.push(parseOne())
    }
    if (all.length === 0 && but.length > 0) refuse('NOT excludes results of other words, and there are none')
    if (all.length === 0) missing(tokens[at] === 'OR' ? 'before' : 'after', tokens[at] === 'OR' ? 'OR' : tokens[at - 1] || ')')
    return all.length === 1 && but.length === 0 ? all[0] : { all, but }
  }
  const parseOne = () => {
    const token = tokens[at++]
    if (token !== '(') return phraseOf(token)
    if (++depth > ${DEEPEST}) refuse('parentheses are nested more than ${DEEPEST} deep')
    const inner = parseEither()
    if (tokens[at] !== ')') refuse('a parenthesis is not closed')
    depth--
    at++
    return inner
  }
  const tree = parseEither()
  if (tokens[at] === ')') refuse('a parenthesis is closed that was not opened')
  return tree
}
const COLUMNS = { 'title:': ${TITLE}, 'body:': ${BODY} }
const phraseOf = (token) => {
  const [, column = '', rest = ''] = /^((?:title|body):)?(.*)$/su.exec(token) || []
  const isPrefix = rest.endsWith('*')
  if (rest.startsWith('"') && !/^"[^"]*"\*?$/.test(rest)) refuse('a quotation mark is not closed')
  const text = rest.replaceAll('"', '').replace(/\*$/, '')
  if (!/[\p{L}\p{N}\p{Co}]/u.test(text)) refuse(JSON.stringify(token) + ' has no letters or digits; nothing else is indexed')
  return { column, text, isPrefix, columns: COLUMNS[column] || ${TITLE | BODY}, words: wordsIn(text) }
}
`

import { ArchiveError } from '../errors.ts'

/** A parenthesis, a phrase or a word of a search. */
export const TOKEN = /\s*(\(|\)|-?(?:(?:title|body):)?"[^"]*"?\*?|[^\s()"]+)/gy
/** The same as NOT; a word may begin with more than one. */
export const MINUS = /^-(?=[^-*])/
export const DEEPEST = 50
const OPERATORS = ['AND', 'OR', 'NOT']

/**
 * Translates a search as people type it into an expression of FTS5. Words must all occur, unless `"a phrase"`, `prefix*`,
 * `title:word`, `OR`, `NOT` or `-word`, `AND` or parentheses say otherwise. Throws `search-invalid`.
 */
export function parseSearch(text: string): string {
  const tokens = [...text.matchAll(TOKEN)].map(([, token]) => token as string)
  // FTS5 stops reading at the first NUL.
  if (text.includes('\0')) throw invalid('a word must not contain NUL')
  if (tokens.length === 0) throw invalid('there are no words to look for')
  let at = 0
  let depth = 0
  const next = () => tokens[at]

  function parseEither(): string {
    const parts = [parseAll()]
    while (next() === 'OR') {
      at++
      parts.push(parseAll())
    }
    return joined(parts, ' OR ')
  }

  function parseAll(): string {
    const wanted: string[] = []
    const unwanted: string[] = []
    for (
      let token = next();
      token !== undefined && token !== ')' && token !== 'OR';
      token = next()
    ) {
      if (token === 'AND') {
        if (wanted.length + unwanted.length === 0) throw missing('before', token)
        at++
        if (isEnd(next()) && next() !== 'NOT') throw missing('after', token)
      } else if (token === 'NOT') {
        at++
        if (isEnd(next())) throw missing('after', token)
        unwanted.push(parseOne())
      } else if (MINUS.test(token)) {
        at++
        unwanted.push(phraseOf(token.slice(1)))
      } else {
        wanted.push(parseOne())
      }
    }
    const where = next() === 'OR' ? 'before' : 'after'
    if (wanted.length === 0 && unwanted.length > 0) {
      throw invalid('NOT excludes results of other words, and there are none')
    }
    if (wanted.length === 0) throw missing(where, next() === 'OR' ? 'OR' : (tokens[at - 1] ?? ')'))
    const found = joined(wanted, ' AND ')
    return unwanted.length === 0 ? found : `(${found} NOT ${joined(unwanted, ' OR ')})`
  }

  function parseOne(): string {
    const token = next() as string
    at++
    if (token !== '(') return phraseOf(token)
    if (++depth > DEEPEST) throw invalid(`parentheses are nested more than ${DEEPEST} deep`)
    const inner = parseEither()
    if (next() !== ')') throw invalid('a parenthesis is not closed')
    depth--
    at++
    return inner
  }

  const expression = parseEither()
  if (next() === ')') throw invalid('a parenthesis is closed that was not opened')
  return expression
}

/** The same; undefined if the search has no words but a filter, such as an author. */
export const parseWords = (text: string, filter: object): string | undefined =>
  text.trim() === '' && Object.values(filter).some((value) => value !== undefined)
    ? undefined
    : parseSearch(text)

const joined = (parts: readonly string[], by: string): string =>
  parts.length === 1 ? (parts[0] as string) : `(${parts.join(by)})`

const isEnd = (token: string | undefined) =>
  token === undefined || token === ')' || OPERATORS.includes(token)

/** A word or phrase, quoted: FTS5 would take its punctuation for syntax. */
function phraseOf(token: string): string {
  const [, column = '', rest = ''] = /^((?:title|body):)?(.*)$/su.exec(token) ?? []
  const isPrefix = rest.endsWith('*')
  const quoted = rest.startsWith('"')
  if (quoted && !/^"[^"]*"\*?$/.test(rest)) throw invalid('a quotation mark is not closed')
  const words = rest.replaceAll('"', '').replace(/\*$/, '')
  if (!/[\p{L}\p{N}\p{Co}]/u.test(words)) {
    throw invalid(`${JSON.stringify(token)} has no letters or digits; nothing else is indexed`)
  }
  return `${column && `${column} `}"${splitUnspaced(words)}"${isPrefix ? ' *' : ''}`
}

const missing = (where: 'before' | 'after', token: string) =>
  invalid(`a word is missing ${where} ${token}`)

const invalid = (message: string) => new ArchiveError('search-invalid', message)

// Thai and Lao, Burmese, Khmer, Kana and Chinese characters, including those beyond U+FFFF.
export const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f]|[\ud840-\ud8bf][\udc00-\udfff]/g
const SEPARATOR = '\u200b'

/**
 * Inserts an invisible separator after each character of scripts without spaces between words. Without it the index would
 * take a whole sentence for one word.
 */
export const splitUnspaced = (text: string): string => text.replace(UNSPACED, `$&${SEPARATOR}`)

/** Removes these separators, including any that were in the text before: they are invisible. */
export const joinUnspaced = (text: string): string => text.replaceAll(SEPARATOR, '')

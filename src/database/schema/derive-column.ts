import type { Derivation } from '../../records/kinds/derivation.ts'
import { quoteName, quoteText } from '../quote.ts'

/** The SQL expression of a derivation. It uses only built-in functions, so that it works in any SQLite. */
export function deriveColumn(from: Derivation): string {
  switch (from.how) {
    case 'number-at-end':
      return numberAtEnd(quoteName(from.of))
    case 'last-part':
      return afterLastSlash(quoteName(from.of))
    case 'member':
      return `${quoteName(from.of)} ->> ${quoteText(from.member)}`
    case 'first-of':
      return from.of.length === 1
        ? quoteName(from.of[0] as string)
        : `coalesce(${from.of.map(quoteName).join(', ')})`
    case 'before-fragment':
      return beforeFragment(quoteName(from.of))
    case 'repository-of-thread':
      return withoutLastTwoParts(quoteName(from.of))
    case 'full-name': {
      const url = quoteName(from.of)
      return `substr(${url}, length(${withoutLastTwoParts(url)}) + 2)`
    }
    case 'word': {
      const words = Object.entries(from.words).map(
        ([n, word]) => `WHEN ${n} THEN ${quoteText(word)}`,
      )
      return `CASE ${quoteName(from.of)} ${words.join(' ')} END`
    }
    case 'state':
      return stateBy(quoteName(from.closed), from.merged && quoteName(from.merged))
  }
}

// rtrim removes any of the given characters from the end. The last digits of a commit id are not a number.
const numberAtEnd = (url: string) => {
  const start = `rtrim(${url}, '0123456789')`
  const digits = `substr(${url}, length(${start}) + 1)`
  return `CASE WHEN substr(${start}, -1) IN ('/', '-', 'r') THEN CAST(nullif(${digits}, '') AS INTEGER) END`
}

// Trimming all characters but the slash from the right leaves everything up to the last slash. rtrim takes quadratic
// time, so URLs longer than any real one are left alone.
const ifShort = (url: string, expression: string) =>
  `CASE WHEN length(${url}) <= 2048 THEN ${expression} END`
const trimmed = (text: string, url: string) => `rtrim(${text}, replace(${url}, '/', ''))`
/** The end of a URL: a login, or the name of a repository. */
export const afterLastSlash = (url: string): string =>
  `substr(${url}, length(${ifShort(url, trimmed(url, url))}) + 1)`
// SQLite recomputes a generated column at each mention, so the URL is mentioned as rarely as possible.
const withoutLastTwoParts = (url: string) =>
  ifShort(url, `rtrim(${trimmed(`rtrim(${trimmed(url, url)}, '/')`, url)}, '/')`)

const beforeFragment = (url: string) => {
  const page = `substr(${url}, 1, instr(${url} || '#', '#') - 1)`
  return `CASE WHEN ${page} LIKE '%/files' THEN substr(${page}, 1, length(${page}) - 6) ELSE ${page} END`
}

const stateBy = (closed: string, merged?: string) => {
  const whenMerged = merged ? `WHEN ${merged} IS NOT NULL THEN 'merged' ` : ''
  return `CASE ${whenMerged}WHEN ${closed} IS NOT NULL THEN 'closed' ELSE 'open' END`
}

import type { Database } from '../database/open-database.ts'
import { hasRelation } from '../database/schema/schema.ts'
import {
  MOST_SOURCES,
  TEXT_SOURCES,
  type TextSource,
  TOKENIZER,
} from '../database/schema/search-tables.ts'
import { joinUnspaced, splitUnspaced } from './grammar/words.ts'

/** A part of a text. */
export interface Snippet {
  /** The characters, without line breaks. */
  text: string
  /** Whether it is a match or the text around it. */
  matched: boolean
}

/** A search result. */
export interface FoundText {
  /** `owner/name#12` in an issue, pull request or discussion; else `owner/name@` and a tag or commit. */
  place: string | null
  /** issue, pull_request, discussion, release, comment, review, review_comment, commit_comment or commit. */
  kind: string
  /** owner/name of the repository. */
  full_name: string | null
  /** Number of the issue, pull request or discussion. */
  number: number | null
  /** The state of the issue, pull request or release. */
  state: string | null
  /** The author's login; for a commit, the name. */
  author: string | null
  /** When the text was written. */
  created_at: string | null
  /** URL of the record; null for a commit. */
  url: string | null
  /** The title; for a comment or review, the title of its issue or pull request. */
  title: Snippet[]
  /** The best matching part of the text, on one line. */
  snippet: Snippet[]
  /** Relevance; higher is better, comparable within one search only. */
  score: number
}

type Row = Omit<FoundText, 'title' | 'snippet' | 'score'> & {
  heading: string | null
  body: string | null
}

/** Words of a snippet. */
const LENGTH = 32
const BEGIN = '\u0002'
const END = '\u0003'
const SOURCES = BigInt(MOST_SOURCES)

/** Creates a reader of search results. Rows that have been deleted since are left out. */
export function createFoundTextReader(database: Database, expression: string | undefined) {
  // Results are rarely of all sources, and to prepare a statement takes longer than to read a row.
  const readers: ((id: bigint) => Row | undefined)[] = []
  const readerOf = (number: number) => {
    readers[number] ??= openReader(database, TEXT_SOURCES[number])
    return readers[number]
  }
  const mark = createMarker(database, expression)
  return function* (
    found: readonly { id: bigint; score: number }[],
  ): Generator<FoundText, void, void> {
    const texts = found.flatMap(({ id, score }) => {
      const row = readerOf(Number(id % SOURCES))(id / SOURCES)
      return row ? [{ ...row, score }] : []
    })
    const marked = mark(texts)
    for (const [i, { heading, body, ...text }] of texts.entries()) {
      yield { ...text, ...(marked[i] as Pick<FoundText, 'title' | 'snippet'>) }
    }
  }
}

function openReader(
  database: Database,
  source: TextSource | undefined,
): (id: bigint) => Row | undefined {
  if (!source || !hasRelation(database, source.table)) return () => undefined
  const statement = database.prepare<[bigint], Row>(
    `SELECT ${textFields(source)} FROM ${source.table} AS o WHERE o.rowid = ?`,
  )
  return (id) => statement.get(id)
}

/** SQL for the fields of a text, the row `o` of its table. */
export const textFields = (source: TextSource): string =>
  `${source.full_name} || ${source.suffix} AS place, '${source.kind}' AS kind,
   ${source.full_name} AS full_name, ${source.number} AS number, ${source.state} AS state,
   ${source.author} AS author, ${source.date} AS created_at, ${source.url} AS url,
   ${source.heading} AS heading, ${source.body} AS body`

/** Snippets are taken from this many characters: the longest text that GitHub accepts. */
const LONGEST = 65_536

/** FTS5 compares each match with all others, so matches in texts longer than this are counted first. */
const LONG = 2_048
const MOST_MARKS = 500

/** The beginnings of texts that were found without words. */
const markNothing = (texts: readonly Pick<Row, 'heading' | 'body'>[]) =>
  texts.map(({ heading, body }) => ({
    title: piecesOf(plain(heading)),
    snippet: piecesOf(plain(body).slice(0, LENGTH * 8)),
  }))

/** The index has no texts, so results are put into a temporary index, which marks the matches. */
function createMarker(database: Database, expression: string | undefined) {
  if (expression === undefined) return markNothing
  database.exec(
    `CREATE VIRTUAL TABLE temp.shown USING fts5(title, body, tokenize = '${TOKENIZER}')`,
  )
  const clear = database.prepare('DELETE FROM temp.shown')
  const insert = database.prepare('INSERT INTO temp.shown (rowid, title, body) VALUES (?, ?, ?)')
  const marks = `'${BEGIN}', '${END}'`
  const snippet = `snippet(shown, 1, ${marks}, '…', ${LENGTH})`
  const select = database
    .prepare<
      [string],
      [rowid: number, title: string | null, snippet: string | null, isLong: 0 | 1]
    >(
      `SELECT rowid, highlight(shown, 0, ${marks}),
         iif(length(body) > ${LONG}, highlight(shown, 1, ${marks}), ${snippet}), length(body) > ${LONG}
       FROM temp.shown WHERE shown MATCH ?`,
    )
    .raw()
  const selectOne = database
    .prepare<[string, number], string | null>(
      `SELECT ${snippet} FROM temp.shown WHERE shown MATCH ? AND rowid = ?`,
    )
    .pluck()
  const snippetOf = (i: number, marked: string): string => {
    const isDense = marked.split(BEGIN, MOST_MARKS + 1).length > MOST_MARKS
    return (isDense ? undefined : selectOne.get(expression, i)) ?? densestPart(marked)
  }
  return (texts: readonly Pick<Row, 'heading' | 'body'>[]) => {
    clear.run()
    const ready = texts.map(({ heading, body }) => ({ title: plain(heading), body: plain(body) }))
    for (const [i, { title, body }] of ready.entries()) insert.run(i, title, body)
    const marked = new Map(
      select
        .all(expression)
        .map(([i, title, body, isLong]) => [i, [title, isLong ? snippetOf(i, body ?? '') : body]]),
    )
    return ready.map(({ title, body }, i) => {
      const [heading = title, snippet = body.slice(0, LENGTH * 8)] = marked.get(i) ?? []
      return { title: piecesOf(heading), snippet: piecesOf(snippet) }
    })
  }
}

/** The part of a marked text, as long as a snippet, with the most different matches. */
function densestPart(marked: string): string {
  const words = marked.split(/\s+/)
  const wanted = words.map((word) => (word.includes(BEGIN) ? word.toLowerCase() : undefined))
  const counts = new Map<string, number>()
  let [best, most] = [0, 0]
  for (const [i, word] of wanted.entries()) {
    if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
    const gone = wanted[i - LENGTH]
    if (gone) {
      const left = (counts.get(gone) as number) - 1
      if (left > 0) counts.set(gone, left)
      else counts.delete(gone)
    }
    if (counts.size > most) [best, most] = [Math.max(0, i - LENGTH + 1), counts.size]
  }
  const part = words.slice(best, best + LENGTH).join(' ')
  return `${best > 0 ? '…' : ''}${part}${best + LENGTH < words.length ? '…' : ''}`
}

const plain = (text: string | null): string =>
  splitUnspaced((text ?? '').slice(0, LONGEST).replaceAll(BEGIN, '').replaceAll(END, ''))

/** Splits a text at its marks, and joins its lines. */
function piecesOf(text: string | null): Snippet[] {
  const line = joinUnspaced(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()
  return line
    .split(new RegExp(`[${BEGIN}${END}]`))
    .map((piece, i) => ({ text: piece, matched: i % 2 === 1 }))
    .filter((piece) => piece.text !== '')
}

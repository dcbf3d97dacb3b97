import { stateOf } from '../parts/small.ts'
import type { AllThreads, ThreadPlace } from '../read/all-threads.ts'
import { readThreadRows, THREAD_TABLES, type ThreadKind } from '../read/lists.ts'
import { filterTerm, wordsOf } from './search-words.ts'

/** Words of a thread's texts in the index, beside those of its title. */
const TELLING = 64
/** Different words of a thread that are looked at. */
const MOST = 20_000
/** Characters of one text that are looked at, and of a title. */
const LONGEST_TEXT = 262_144
const LONGEST_TITLE = 1000
/** Threads that tell how frequent a word is. */
const SAMPLES = 4000

/** The terms of a thread, and whether each is in its title. */
export type WordChooser = (place: ThreadPlace) => ReadonlyMap<string, boolean>

const bodies = (table: string, column: string) =>
  `SELECT substr(body, 1, ${LONGEST_TEXT}) AS body FROM ${table} WHERE ${column} = ? ORDER BY rowid`

/** Texts of a thread, beside its own. */
const TEXTS: Record<ThreadKind, readonly string[]> = {
  issues: [bodies('issue_comments', 'issue')],
  pulls: [
    bodies('issue_comments', 'pull_request'),
    bodies('pull_request_reviews', 'pull_request'),
    bodies('pull_request_review_comments', 'pull_request'),
  ],
  discussions: [],
}

/**
 * Chooses the words by which a thread is found: all of its title, author and labels, and of its texts those that are frequent there
 * and rare elsewhere. How rare they are is counted in a part of all threads, in a table of fixed size.
 */
export function createWordChooser(all: AllThreads): WordChooser {
  const threads = new Uint32Array(2 ** 20)
  const step = Math.max(1, Math.ceil(all.count / SAMPLES))
  let samples = 0
  for (let id = 0; id < all.count; id += step) {
    const [place] = all.following(id, 1)
    if (!place) break
    samples++
    for (const word of countWords(place).keys()) {
      const slot = hashOf(word) % threads.length
      threads[slot] = (threads[slot] ?? 0) + 1
    }
  }
  const rarity = (word: string) =>
    Math.log((samples + 1) / ((threads[hashOf(word) % threads.length] ?? 0) + 1))
  return (place) => {
    const terms = termsOf(place)
    const found = [...countWords(place)].filter(([word]) => !terms.has(word))
    const scored =
      found.length <= TELLING
        ? found
        : found
            .map(([word, count]): [string, number] => [word, scoreOf(word, count, rarity(word))])
            .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
            .slice(0, TELLING)
    for (const [word] of scored) terms.set(word, false)
    return terms
  }
}

/** Hashes of commits and other numbers tell little: nobody types them. */
const scoreOf = (word: string, count: number, rarity: number): number =>
  Math.log1p(count) * rarity * (/^(?=(?:\D*\d){3}).{12}/s.test(word) ? 0.1 : 1)

/** The words of title, author and labels, and what filters ask for. */
function termsOf({ repository, kind, rowid }: ThreadPlace): Map<string, boolean> {
  const terms = new Map<string, boolean>()
  const [row] = readThreadRows(repository, kind, BigInt64Array.of(rowid))
  if (!row) return terms
  const { title, author, labels } = row
  for (const word of wordsOf((title ?? '').slice(0, LONGEST_TITLE))) terms.set(word, true)
  const names = labels.map(({ name }) => name.slice(0, LONGEST_TITLE))
  for (const word of [author ?? '', ...names].flatMap(wordsOf)) {
    if (!terms.has(word)) terms.set(word, false)
  }
  if (author !== null) terms.set(filterTerm('author', author), false)
  for (const name of names) terms.set(filterTerm('label', name), false)
  terms.set(filterTerm('repo', repository.fullName), false)
  terms.set(`is:${KINDS[kind]}`, false)
  if (kind !== 'discussions') {
    const { word } = stateOf(kind, row)
    terms.set(filterTerm('is', word), false)
    if (word === 'Draft') terms.set('is:open', false)
    if (word === 'Merged') terms.set('is:closed', false)
  }
  return terms
}

const KINDS: Record<ThreadKind, string> = {
  issues: 'issue',
  pulls: 'pull',
  discussions: 'discussion',
}

/** How often each word stands in the texts of a thread. */
function countWords({ repository: { store }, kind, rowid, url }: ThreadPlace): Map<string, number> {
  const counts = new Map<string, number>()
  const add = (text: string | null) => {
    for (const word of wordsOf(text ?? '')) {
      const count = counts.get(word)
      if (count !== undefined || counts.size < MOST) counts.set(word, (count ?? 0) + 1)
    }
  }
  const { table } = THREAD_TABLES[kind]
  const own = `SELECT substr(body, 1, ${LONGEST_TEXT}) AS body FROM ${table} WHERE rowid = ?`
  add(store.get<{ body: string | null }>(own, rowid)?.body ?? null)
  for (const sql of TEXTS[kind]) {
    for (const { body } of store.each<{ body: string | null }>(sql, url)) add(body)
  }
  return counts
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

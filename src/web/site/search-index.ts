import { createHash } from 'node:crypto'
import { openConnection } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { shownText } from '../html.ts'
import type { Pages } from '../open-pages.ts'
import { pathTo, stateOf } from '../parts/small.ts'
import { allThreadsOf, type ThreadPlace } from '../read/all-threads.ts'
import { readThreadRows } from '../read/lists.ts'
import { encodeFile } from './rewrite-links.ts'
import { writeNumber } from './search-words.ts'
import { siteAddressOf } from './site-address.ts'
import { createWordChooser, type WordChooser } from './telling-words.ts'

/** Threads whose titles are in one script. */
const THREADS = 128
/** Bytes of a script with words: what is compressed is below 50 kB, whatever the words are. */
const LONGEST = 60_000
/** Letters that the words of one script have in common, where there are enough of them. */
const LETTERS = 2
/** Characters of a title that are shown. */
const LONGEST_TITLE = 300
/** Characters of the postings of one word in one script. */
const LONGEST_POSTINGS = 40_000
/** Digits of the largest number. */
const LONGEST_NUMBER = 11

/** A file of the index, in the folder of the site. */
export type IndexFile = [file: string, content: Buffer]

/**
 * The index with which a site is searched without a server: scripts, because a page from a disk can load nothing else. Words
 * lead to numbers of threads, each with one bit for whether the word is in the title. All is sorted in a temporary file of SQLite.
 */
export async function* searchIndexFiles(
  pages: Pages,
  signal?: AbortSignal | undefined,
): AsyncGenerator<IndexFile> {
  const all = allThreadsOf(pages.library)
  const own = openConnection('')
  try {
    own.exec('CREATE TABLE postings (term TEXT NOT NULL, posting INTEGER NOT NULL)')
    const threads: string[] = []
    const choose = createWordChooser(all)
    for (let after = 0; ; ) {
      const places = all.following(after, THREADS)
      const last = places.at(-1)
      if (!last) break
      signal?.throwIfAborted()
      own.transaction(() => note(own, places, choose))()
      const file = scriptOf(places.map(describe))
      threads.push(file.name)
      yield [file.path, file.content]
      after = last.id
      await new Promise((resolve) => setImmediate(resolve))
    }
    const words: [string, string][] = []
    for (const lines of shardsOf(postingsOf(own))) {
      signal?.throwIfAborted()
      const file = scriptOf(lines.map(({ term, postings }) => `${term}\t${postings}`).join('\n'))
      words.push([lines[0]?.term ?? '', file.name])
      yield [file.path, file.content]
    }
    const index = { count: all.count, size: THREADS, threads, words }
    yield ['-/search/index.js', Buffer.from(`marc(${JSON.stringify(index)})\n`)]
  } finally {
    own.close()
  }
}

/** A script that is named by its content. */
function scriptOf(data: unknown): { name: string; path: string; content: Buffer } {
  const content = Buffer.from(`marc(${JSON.stringify(data)})\n`)
  const name = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { name, path: `-/search/${name}.js`, content }
}

/** What a result shows: the file of its page, title, place, state, its color, author and day. */
type Described = [string, string, string, string, string, string, string]

function describe({ repository, kind, rowid }: ThreadPlace): Described | undefined {
  const [row] = readThreadRows(repository, kind, BigInt64Array.of(rowid))
  if (!row) return undefined
  const { owner, name, fullName } = repository
  const part = kind === 'pulls' ? 'pull' : kind
  const address = siteAddressOf(pathTo(owner, name, part, row.number ?? 0))
  const { word, name: tone } = stateOf(kind, row)
  const state =
    kind === 'discussions' ? word : `${word} ${kind === 'pulls' ? 'pull request' : 'issue'}`
  return [
    encodeFile(address?.file ?? ''),
    shownText((row.title ?? 'Untitled').slice(0, LONGEST_TITLE)),
    `${fullName}#${row.number}`,
    ...([state, tone, shownText(row.author ?? 'ghost')] as const),
    /^\d{4}-\d\d-\d\d/.exec(row.created_at ?? '')?.[0] ?? '',
  ]
}

function note(own: Database, places: readonly ThreadPlace[], choose: WordChooser): void {
  const insert = own.prepare<[string, number]>('INSERT INTO postings VALUES (?, ?)')
  for (const place of places) {
    for (const [term, isTitle] of choose(place)) insert.run(term, place.id * 2 + (isTitle ? 1 : 0))
  }
}

interface Line {
  readonly term: string
  readonly postings: string
}

/** Words in order, each with the threads that have it: the distance to the one before, twice, and one more for a title. */
function* postingsOf(own: Database): Generator<Line> {
  const rows = own
    .prepare<[], [string, number]>('SELECT term, posting FROM postings ORDER BY term, posting')
    .raw()
    .iterate()
  // Strings that grow by a character would be garbage many times their size.
  const written = Buffer.alloc(LONGEST_POSTINGS + LONGEST_NUMBER)
  let [term, end, before] = ['', 0, 0]
  const line = () => ({ term, postings: written.toString('latin1', 0, end) })
  for (const [word, posting] of rows) {
    if (word !== term || end > LONGEST_POSTINGS) {
      if (end > 0) yield line()
      ;[term, end, before] = [word, 0, 0]
    }
    const id = Math.floor(posting / 2)
    end = writeNumber((id - before) * 2 + (posting % 2), written, end)
    before = id
  }
  if (end > 0) yield line()
}

/** Lines by their first letters; those of rare letters share a script, those of frequent ones have several. */
export function* shardsOf(lines: Iterable<Line>): Generator<Line[]> {
  let shard: Line[] = []
  let [size, group, letters] = [0, 0, '']
  for (const line of lines) {
    const first = [...line.term].slice(0, LETTERS).join('')
    if (first !== letters) [letters, group] = [first, shard.length]
    while (shard.length > 0 && size + sizeOf(line) > LONGEST) {
      yield shard.slice(0, group || undefined)
      shard = group === 0 ? [] : shard.slice(group)
      size = shard.reduce((sum, one) => sum + sizeOf(one), 0)
      group = 0
    }
    shard.push(line)
    size += sizeOf(line)
  }
  if (shard.length > 0) yield shard
}

/** Bytes in a script: tab and newline are two each. */
const sizeOf = ({ term, postings }: Line): number => Buffer.byteLength(term) + postings.length + 4

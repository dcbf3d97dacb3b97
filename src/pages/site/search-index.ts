import { createHash } from 'node:crypto'
import { throwIfInterrupted } from '../../base/errors.ts'
import { openTemporary } from '../../database/connection.ts'
import type { Database } from '../../database/database.ts'
import { encodeFile } from '../../files/relative-address.ts'
import type { Library } from '../../reading/library.ts'
import { openSearchTexts, type SearchText } from '../../reading/threads/all-texts.ts'
import { shownText } from '../html.ts'
import { localPathOf } from '../link.ts'
import type { Pages } from '../open-pages.ts'
import type { SiteLink } from '../page.ts'
import { commitPath } from '../parts/git.ts'
import { type IndexedText, type SiteIndex, writeNumber } from './search-format.ts'
import { termsOf } from './text-terms.ts'

/** Texts that are read at a time. */
const TEXTS = 128
/** Bytes of a script: what is compressed is below 50 kB, whatever the words are. */
const LONGEST = 60_000
/** Letters that the words of one script have in common, if there are enough words. */
const LETTERS = 2
/** Characters of a title that are shown, and of a text in which phrases are looked for: as many as GitHub allows. */
const LONGEST_TITLE = 300
const LONGEST_TEXT = 65_536
/** Characters of the postings of one word in one script. */
const LONGEST_POSTINGS = 40_000
/** Digits of the largest number. */
const LONGEST_NUMBER = 11

/** A file of the index, in the folder of the site. */
export type IndexFile = [file: string, content: Buffer]

/** The file of a page in the site; undefined if the site does not have the page. */
export type FileOf = (address: string) => SiteLink | undefined

/**
 * The index with which a site is searched without a server: scripts, because a page from a disk can load nothing else. Words
 * lead to numbers of texts, each with two bits for where the word is. All is sorted in a temporary file of SQLite.
 *
 * @param fileOf is called with the address of each result, without its fragment
 */
export async function* searchIndexFiles(
  { library }: Pages,
  fileOf: FileOf,
  signal?: AbortSignal | undefined,
): AsyncGenerator<IndexFile> {
  const all = openSearchTexts(library)
  const own = openTemporary()
  try {
    own.exec('CREATE TABLE postings (term TEXT NOT NULL, posting INTEGER NOT NULL)')
    const parts: [number, string][] = []
    let part: IndexedText[] = []
    let [first, size] = [1, 0]
    const end = (): IndexFile => {
      const file = scriptOf(part)
      parts.push([first, file.name])
      first += part.length
      ;[part, size] = [[], 0]
      return [file.path, file.content]
    }
    for (let after = 0; after < all.count; after += TEXTS) {
      throwIfInterrupted(signal)
      const texts = all.following(after, TEXTS)
      own.transaction(() => note(own, texts))()
      for (const text of texts) {
        const described = describe(text, library, fileOf)
        const bytes = Buffer.byteLength(JSON.stringify(described))
        if (size > 0 && size + bytes > LONGEST) yield end()
        // A text that was removed since then leaves its place empty.
        while (first + part.length < text.id) part.push(NOTHING)
        part.push(described)
        size += bytes
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (part.length > 0) yield end()
    const words: [string, string][] = []
    for (const lines of shardsOf(postingsOf(own))) {
      throwIfInterrupted(signal)
      const file = scriptOf(lines.map(({ term, postings }) => `${term}\t${postings}`).join('\n'))
      words.push([lines[0]?.term ?? '', file.name])
      yield [file.path, file.content]
    }
    const index: SiteIndex = { count: all.count, texts: parts, words }
    yield ['-/search/index.js', Buffer.from(`marc(${JSON.stringify(index)})\n`)]
  } finally {
    own.close()
    all.close()
  }
}

/** A script that is named by its content. */
function scriptOf(data: unknown): { name: string; path: string; content: Buffer } {
  const content = Buffer.from(`marc(${JSON.stringify(data)})\n`)
  const name = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return { name, path: `-/search/${name}.js`, content }
}

const NOTHING: IndexedText = ['', '', '', '', '', '', '']

function describe(text: SearchText, library: Library, fileOf: FileOf): IndexedText {
  const { repository, kind, place, author, created_at, url, oid } = text
  const path = oid !== null ? commitPath(repository, oid) : localPathOf(library, url ?? '')
  const [address = '', fragment] = path?.split('#') ?? []
  const file = path === undefined ? undefined : fileOf(address)?.file
  const heading = shownText((text.heading ?? '').slice(0, LONGEST_TITLE))
  const title = shownText((text.title ?? '').slice(0, LONGEST_TITLE))
  const described: IndexedText = [
    file === undefined ? '' : `${encodeFile(file)}${fragment === undefined ? '' : `#${fragment}`}`,
    kind.replaceAll('_', ' '),
    place ?? '',
    shownText(author ?? 'ghost'),
    created_at ?? '',
    heading,
    shownText((text.body ?? '').slice(0, LONGEST_TEXT)),
  ]
  if (title !== heading) described.push(title)
  return described
}

function note(database: Database, texts: readonly SearchText[]): void {
  const insert = database.prepare<[string, number]>('INSERT INTO postings VALUES (?, ?)')
  for (const text of texts) {
    for (const [term, where] of termsOf(text)) insert.run(term, text.id * 4 + where)
  }
}

interface Line {
  readonly term: string
  readonly postings: string
}

/** Words in order, each with the texts that have it: four times the distance to the one before, and where the word is. */
function* postingsOf(database: Database): Generator<Line> {
  const rows = database
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
    const id = Math.floor(posting / 4)
    end = writeNumber((id - before) * 4 + (posting % 4), written, end)
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

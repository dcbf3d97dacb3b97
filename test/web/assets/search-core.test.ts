/** The search of a site finds what the search of a server finds. */

import { rm } from 'node:fs/promises'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseFilters } from '../../../src/search/parse-filters.ts'
import { parseSearch, splitUnspaced } from '../../../src/search/parse-search.ts'
import { searchDatabase } from '../../../src/search/search-database.ts'
import { updateSearchIndex } from '../../../src/search/update-search-index.ts'
import { SEARCH_CORE } from '../../../src/web/assets/search-core.ts'
import { openPages, type Pages } from '../../../src/web/open-pages.ts'
import { searchIndexFiles } from '../../../src/web/site/search-index.ts'
import { siteAddressOf } from '../../../src/web/site/site-address.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { loadSamples } from '../../support/web.ts'

type Node =
  | { any: readonly Node[]; all?: undefined }
  | { all: readonly Node[]; but: readonly Node[]; any?: undefined }
  | { column: string; text: string; isPrefix: boolean; any?: undefined; all?: undefined }

interface Found {
  readonly ids: readonly number[]
  readonly wanted: readonly object[]
  readonly isBegun: boolean
}

interface ShownText {
  readonly path: string
  readonly kind: string
  readonly place: string
  readonly heading: string
  readonly body: string
}

type Load = (name: string) => Promise<unknown>

interface Core {
  parseFilters(text: string): { words: string; filters: [string, string][] }
  parseWords(text: string): Node
  find(index: unknown, text: string, load: Load): Promise<Found>
  textsOf(index: unknown, ids: readonly number[], load: Load): Promise<ShownText[]>
  markedOf(text: string, wanted: readonly object[], column: number, most?: number): Marked[]
}

type Marked = [text: string, isMarked: boolean]

const core = runInThisContext(
  `(() => { ${SEARCH_CORE}; return { parseFilters, parseWords, find, textsOf, markedOf } })()`,
) as Core

const TITLE = 1
const BODY = 2
let pages: Pages
let index: unknown
let removeSamples: () => Promise<void>
const files = new Map<string, Buffer>()
/** Scripts are loaded once, as by a browser. */
const loads = new Map<string, unknown>()
const load: Load = async (name) => {
  const script = `((marc) => ${files.get(`-/search/${name}.js`)})((data) => data)`
  if (!loads.has(name)) loads.set(name, runInThisContext(script))
  return loads.get(name)
}

beforeAll(async () => {
  const { folder, paths } = await loadSamples()
  removeSamples = () => rm(folder, { recursive: true, force: true })
  pages = openPages(paths, { isStatic: true })
  for (const { database } of pages.library.stores) await updateSearchIndex(database)
  for await (const [path, content] of searchIndexFiles(pages, siteAddressOf)) {
    files.set(path, content)
  }
  index = await load('index')
})
afterAll(async () => {
  pages.close()
  await removeSamples()
})

/** What a result is known by, in the words of both. */
const nameOf = ({ kind, place, title }: { kind: string; place: string | null; title: string }) =>
  `${kind.replaceAll('_', ' ')} ${place}: ${title}`

/** What the server found, by the words of the search. */
const known = new Map<string, string[]>()

function served(words: string): string[] {
  const found =
    known.get(words) ??
    pages.library.stores.flatMap(({ database }) =>
      [...searchDatabase(database, words)].map(({ title, ...rest }) =>
        nameOf({ ...rest, title: title.map(({ text }) => text).join('') }),
      ),
    )
  known.set(words, found)
  return found
}

async function inSite(words: string): Promise<string[]> {
  const { ids, isBegun } = await core.find(index, words, load)
  const texts = await core.textsOf(index, ids, load)
  return isBegun ? [] : texts.map((text) => nameOf({ ...text, title: text.heading }))
}

const SEARCHES = [
  ...['TEA', 'tide table', 'tea bell OR tide', 'the-bell'],
  ...['(tea OR tide) bell', 'tea -bell', 'the -"the tide"'],
  ...['tea NOT (bell OR clock)', '"the bell"', 'bel*', '"the be"*', 'body:bell'],
  ...['title:"the bell rings"', '#12', 'v1.0', 'is:open'],
  ...['is:comment tea', 'author:INES-OKAFOR tea', 'label:BUG tea'],
  ...['repo:mona-lindqvist/tea-timer bell', 'xyzzy', 'tea OR xyzzy'],
]
/** They are of the same forms. */
const OTHERS = [
  ...[
    'tide AND table',
    'tide OR tea',
    'tea NOT bell',
    'NOT bell tea',
    '"bell the"',
    'is:merged',
    'state:open kind:issue',
    'label:"good first issue"',
    'title:tea body:clock',
  ],
  ...['tea', 'tide', 'tea clock', 'bell', 'the', 'tide -table -lamp', '"rings twice"', '"the"'],
  ...['tide "the station"', 'the NOT "the bell"', 'ti* -tide', 'title:bell', 'café', 'it’s', '1.0'],
  ...['is:closed bell', 'is:pr tea', 'is:issue tea', 'kind:release', 'kind:review_comment'],
  ...['kind:discussion tea', 'author:ines-okafor', 'AUTHOR:x', 'author:nobody tea', 'label:bug'],
  ...['label:bug is:open', 'repo:Harbour-Lights/Tidewatch', 'repo:x/y', 'tea xyzzy'],
  ...['"tea xyzzy"', '-tea clock author:mona-lindqvist'],
]

describe('A site finds what a server finds', () => {
  const findAlike = async (words: string) => {
    expect((await inSite(words)).sort()).toEqual(served(words).toSorted())
  }
  test.each(SEARCHES)('%s', findAlike)
  test.each(OTHERS)('%s', THOROUGH, findAlike)

  test('most of these searches find something, and some find nothing', () => {
    const counts = SEARCHES.map((words) => served(words).length)
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(SEARCHES.length * 0.7)
    expect(counts).toContain(0)
  })
})

test('A site marks what was searched for where a server does', async () => {
  const { ids, wanted } = await core.find(index, '"the bell" -tide ri*', load)
  const texts = await core.textsOf(index, ids, load)
  const marked = texts.flatMap(({ heading, body }) => [
    ...core.markedOf(heading, wanted, TITLE),
    ...core.markedOf(body, wanted, BODY, 32),
  ])
  const words = new Set(
    marked.flatMap(([text, isMarked]) => (isMarked ? [text.toLowerCase()] : [])),
  )
  expect(words).toContain('the bell')
  expect([...words].every((word) => word === 'the bell' || word.startsWith('ri'))).toBe(true)
  expect(texts.length).toBeGreaterThan(0)
})

test('A long text is shown around what was searched for', async () => {
  const { wanted } = await core.find(index, 'tea OR bell', load)
  const filler = Array.from({ length: 200 }, (_, i) => `word${i}`)
  const text = [...filler, 'the  tea', 'and\nthe', 'bell', ...filler].join(' ')
  const parts = core.markedOf(text, wanted, BODY, 12)
  expect(parts.map(([part]) => part).join('')).toBe(
    '…word197 word198 word199 the tea and the bell word0 word1 word2 word3…',
  )
  expect(parts.filter(([, isMarked]) => isMarked).map(([part]) => part)).toEqual(['tea', 'bell'])
  const begin = core.markedOf(text, wanted, TITLE, 5)
  expect(core.markedOf('none of them', wanted, BODY, 2)).toEqual([['none of…', false]])
  expect(begin.map(([part]) => part).join('')).toContain('tea')
})

const piece = fc.constantFrom(
  ...['tea', 'Über', '茶が', '"the bell"', '"the be"*', 'be*', 'title:tea', 'body:"a b"', '-tea'],
  ...[
    '-"a b"',
    '-title:x',
    '--x',
    '-',
    '-*',
    'AND',
    'OR',
    'NOT',
    '(',
    ')',
    '"',
    '*',
    '++',
    '#1',
    'a-b',
  ],
  ...[
    'author:ada',
    'label:"x y"',
    'is:open',
    'is:pr',
    'is:no',
    'state:open',
    'kind:issue',
    'kind:no',
  ],
  ...['-label:x', 'repo:a/b', 'author:', 'co-author:x', '\0', 'is:', '(author:x)', 'x"y z"'],
)

/** What a parsed search would be for FTS5. */
function print(node: Node): string {
  if (node.any) return `(${node.any.map(print).join(' OR ')})`
  if (node.all) {
    const join = (nodes: readonly Node[], by: string) =>
      nodes.length === 1 ? print(nodes[0] as Node) : `(${nodes.map(print).join(by)})`
    const found = join(node.all, ' AND ')
    return node.but.length === 0 ? found : `(${found} NOT ${join(node.but, ' OR ')})`
  }
  const { column, text, isPrefix } = node
  return `${column && `${column} `}"${splitUnspaced(text)}"${isPrefix ? ' *' : ''}`
}

const attempt = <T>(act: () => T): T | string => {
  try {
    return act()
  } catch (error) {
    return (error as Error).message
  }
}

test('A site and a server understand a search in the same way, and refuse it in the same words', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(' ', '', '  '), (parts, gap) => {
      const typed = parts.join(gap)
      expect(attempt(() => print(core.parseWords(typed)))).toBe(attempt(() => parseSearch(typed)))
      expect(attempt(() => filterOf(core.parseFilters(typed)))).toEqual(
        attempt(() => parseFilters(typed)),
      )
    }),
    { numRuns: 300 },
  )
})

/** The filters of the script in the form of the server's. */
function filterOf({ words, filters }: { words: string; filters: readonly [string, string][] }) {
  const names: Record<string, string> = { repo: 'repository' }
  const filter = filters.map(([name, value]) =>
    name === 'kind' ? { kinds: [value] } : { [names[name] ?? name]: value },
  )
  return { words, filter: Object.assign({}, ...filter) as object }
}

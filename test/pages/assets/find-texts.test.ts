/** The search of a site finds what the search of a server finds. */

import { rm } from 'node:fs/promises'
import { runInThisContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findTexts, type Load, textsOf } from '../../../src/pages/assets/find-texts.ts'
import { markWords } from '../../../src/pages/assets/mark-words.ts'
import { openPages, type Pages } from '../../../src/pages/open-pages.ts'
import { BODY, type SiteIndex, TITLE } from '../../../src/pages/site/search-format.ts'
import { searchIndexFiles } from '../../../src/pages/site/search-index.ts'
import { siteAddressOf } from '../../../src/pages/site/site-address.ts'
import { searchDatabase } from '../../../src/search/search-database.ts'
import { updateSearchIndex } from '../../../src/search/update-search-index.ts'
import { issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { loadSamples, sharePages } from '../../support/web.ts'

let pages: Pages
let index: SiteIndex
let removeSamples: () => Promise<void>
const files = new Map<string, Buffer>()
/** Scripts are loaded once, as by a browser. */
const loads = new Map<string, unknown>()
const load: Load = async <Data>(name: string) => {
  const script = `((marc) => ${files.get(`-/search/${name}.js`)})((data) => data)`
  if (!loads.has(name)) loads.set(name, runInThisContext(script))
  return loads.get(name) as Data
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
  const { ids, isBegun } = await findTexts(index, words, load)
  const texts = await textsOf(index, ids, load)
  return isBegun ? [] : texts.map((text) => nameOf({ ...text, title: text.heading }))
}

const SEARCHES = [
  'TEA',
  'tide table',
  'tea bell OR tide',
  'the-bell',
  '(tea OR tide) bell',
  'tea -bell',
  'the -"the tide"',
  'tea NOT (bell OR clock)',
  '"the bell"',
  'bel*',
  '"the be"*',
  'body:bell',
  'title:"the bell rings"',
  '#12',
  'v1.0',
  'is:open',
  'is:comment tea',
  'author:INES-OKAFOR tea',
  'label:BUG tea',
  'repo:mona-lindqvist/tea-timer bell',
  'xyzzy',
  'tea OR xyzzy',
]
/** They are of the same forms. */
const OTHERS = [
  'tide AND table',
  'tide OR tea',
  'tea NOT bell',
  'NOT bell tea',
  '"bell the"',
  'is:merged',
  'state:open kind:issue',
  'label:"good first issue"',
  'title:tea body:clock',
  'tea',
  'tide',
  'tea clock',
  'bell',
  'the',
  'tide -table -lamp',
  '"rings twice"',
  '"the"',
  'tide "the station"',
  'the NOT "the bell"',
  'ti* -tide',
  'title:bell',
  'café',
  'it’s',
  '1.0',
  'is:closed bell',
  'is:pr tea',
  'is:issue tea',
  'kind:release',
  'kind:review_comment',
  'kind:discussion tea',
  'author:ines-okafor',
  'AUTHOR:x',
  'author:nobody tea',
  'label:bug',
  'label:bug is:open',
  'repo:Harbour-Lights/Tidewatch',
  'repo:x/y',
  'tea xyzzy',
  '"tea xyzzy"',
  '-tea clock author:mona-lindqvist',
]

describe('A site finds what a server finds', () => {
  const findAlike = async (words: string) => {
    expect((await inSite(words)).sort()).toEqual(served(words).toSorted())
  }
  everyDay(1)(SEARCHES)('%s', findAlike)
  test.each(OTHERS)('%s', THOROUGH, findAlike)

  test('most of these searches find something, and some find nothing', THOROUGH, () => {
    const counts = SEARCHES.map((words) => served(words).length)
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(SEARCHES.length * 0.7)
    expect(counts).toContain(0)
  })
})

test('A site marks what was searched for where a server does', async () => {
  const { ids, wanted } = await findTexts(index, '"the bell" -tide ri*', load)
  const texts = await textsOf(index, ids, load)
  const marked = texts.flatMap(({ heading, body }) => [
    ...markWords(heading, wanted, TITLE),
    ...markWords(body, wanted, BODY, 32),
  ])
  const words = new Set(
    marked.flatMap(([text, isMarked]) => (isMarked ? [text.toLowerCase()] : [])),
  )
  expect(words).toContain('the bell')
  expect([...words].every((word) => word === 'the bell' || word.startsWith('ri'))).toBe(true)
  expect(texts.length).toBeGreaterThan(0)
})

test('A long text is shown around what was searched for', async () => {
  const { wanted } = await findTexts(index, 'tea OR bell', load)
  const filler = Array.from({ length: 200 }, (_, i) => `word${i}`)
  const text = [...filler, 'the  tea', 'and\nthe', 'bell', ...filler].join(' ')
  const parts = markWords(text, wanted, BODY, 12)
  expect(parts.map(([part]) => part).join('')).toBe(
    '…word197 word198 word199 the tea and the bell word0 word1 word2 word3…',
  )
  expect(parts.filter(([, isMarked]) => isMarked).map(([part]) => part)).toEqual(['tea', 'bell'])
  const begin = markWords(text, wanted, TITLE, 5)
  expect(markWords('none of them', wanted, BODY, 2)).toEqual([['none of…', false]])
  expect(begin.map(([part]) => part).join('')).toContain('tea')
})

describe('In long texts, too,', () => {
  // The same texts each time: of 3,000 words, some frequent and most rare.
  let state = 7
  const random = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const wordAt = (rank: number) => `w${rank.toString(36)}x`
  const word = () => wordAt(Math.floor(4_000 ** (random(10_000) / 10_000)))
  const bodies = Array.from({ length: 40 }, () => Array.from({ length: 3_000 }, word))
  const long = sharePages([
    {
      users: [user('ada')],
      repositories: [repository(KETTLE)],
      issues: bodies.map((words, i) =>
        issue(`${KETTLE}/issues/${i + 1}`, { title: `Thread ${i}`, body: words.join(' ') }),
      ),
    },
  ])
  const some = (words: readonly string[], at: number, count: number) =>
    words.slice(at, at + count).join(' ')
  const questions = Array.from({ length: 40 }, (_, i) => {
    const words = bodies[random(bodies.length)] as string[]
    const [at, other] = [random(2_990), random(2_990)]
    return [
      some(words, at, 1),
      `"${some(words, at, 3)}"`,
      `${some(words, at, 1)} ${some(words, other, 1)}`,
      `${some(words, at, 2)} -${word()}`,
      `${some(words, at, 1)} OR "${some(words, other, 2)}"`,
      `"${some(words, at, 2)}"*`,
      `${some(words, at, 1).slice(0, 3)}* ${some(words, other, 1)}`,
      `body:${some(words, at, 1)} title:thread`,
    ][i % 8] as string
  })

  test('40 of 40 generated questions find the same', THOROUGH, async () => {
    const [store] = long.pages.library.stores
    if (!store) throw new Error('there is a database')
    await updateSearchIndex(store.database)
    const scripts = new Map<string, Buffer>()
    for await (const [path, content] of searchIndexFiles(long.pages, siteAddressOf)) {
      scripts.set(path, content)
    }
    const loadLong: Load = async <Data>(name: string) =>
      runInThisContext(`((marc) => ${scripts.get(`-/search/${name}.js`)})((data) => data)`) as Data
    const all = await loadLong<SiteIndex>('index')
    const counts: number[] = []
    for (const question of questions) {
      const { ids, isBegun } = await findTexts(all, question, loadLong)
      const places = (await textsOf(all, ids, loadLong)).map(({ place }) => place)
      const expected = [...searchDatabase(store.database, question)].map(({ place }) => place)
      expect(isBegun ? [] : places.sort(), question).toEqual(expected.sort())
      counts.push(expected.length)
    }
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(30)
  })
})

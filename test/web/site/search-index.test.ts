import { runInThisContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { SEARCH_CORE } from '../../../src/web/assets/search-script.ts'
import { allThreadsOf } from '../../../src/web/read/all-threads.ts'
import { searchIndexFiles, shardsOf } from '../../../src/web/site/search-index.ts'
import { wordsOf, writeNumber } from '../../../src/web/site/search-words.ts'
import '../../../src/web/site/telling-words.ts'
import { issue, KETTLE, pullRequest, repository, user } from '../../support/rest-world.ts'
import { sharePages } from '../../support/web.ts'

interface Index {
  readonly count: number
  readonly size: number
  readonly threads: readonly string[]
  readonly words: readonly [string, string][]
}

interface Core {
  wordsIn(text: string): string[]
  postingsOf(text: string, add: (thread: number, isTitle: boolean) => void): void
  find(
    index: Index,
    text: string,
    load: (name: string) => Promise<string>,
  ): Promise<{ threads: number[] }>
}

/** The part of the script of a site that knows no page. */
const core = runInThisContext(
  `(() => { ${SEARCH_CORE}; return { wordsIn, postingsOf, find } })()`,
) as Core

const text = fc.string({ unit: 'grapheme', maxLength: 60 })
const words = fc
  .array(
    fc.constantFrom('tea', 'kettle', 'boils', 'Über', '茶が沸く', 'ÅNGSTRÖM', 'x1', '__proto__'),
  )
  .map((list) => list.join(' '))
const TEXTS = fc.sample(
  fc.record({ title: fc.oneof(text, words), body: fc.oneof(text, words) }),
  120,
)
const LABEL = `${KETTLE}/labels/help%20wanted`

const RARE = Array.from(
  { length: 58 },
  (_, i) => `saffron${String.fromCharCode(97 + (i % 26))}${i}`,
)
const HASHES = Array.from({ length: 90 }, (_, i) => `${i}0123456789abcdef`)

const comment = {
  ...{
    type: 'issue_comment',
    url: `${KETTLE}/issues/1#issuecomment-1`,
    issue: `${KETTLE}/issues/1`,
  },
  ...{ user: null, body: 'Somebody said marzipan', formatter: 'markdown', reactions: [] },
  created_at: '2024-05-06T03:00:00Z',
}

const samples = sharePages([
  {
    users: [user('ada')],
    repositories: [
      repository(KETTLE, { labels: [{ url: LABEL, name: 'help wanted', color: 'ff0000' }] }),
    ],
    issues: [
      ...TEXTS.map(({ title, body }, i) =>
        issue(`${KETTLE}/issues/${i + 1}`, { title, body, labels: i % 2 === 0 ? [LABEL] : [] }),
      ),
      issue(`${KETTLE}/issues/901`, { title: 'Spices', body: [...HASHES, ...RARE].join(' ') }),
    ],
    issue_comments: [comment],
    pull_requests: [
      pullRequest(`${KETTLE}/pull/900`, {
        title: 'Marzipan',
        body: 'x '.repeat(50),
        merged_at: null,
      }),
    ],
  },
])

const files = new Map<string, Buffer>()
const dataOf = <T>(name: string): T => {
  const script = String(files.get(`-/search/${name}.js`))
  return runInThisContext(`((marc) => ${script})((data) => data)`) as T
}
const load = async (name: string) => dataOf<string>(name)
let numbers: Map<number, string>
const find = async (words: string) => {
  const { threads } = await core.find(dataOf<Index>('index'), words, load)
  return threads.map((thread) => numbers.get(thread))
}

beforeAll(async () => {
  for await (const [path, content] of searchIndexFiles(samples.pages)) files.set(path, content)
  const places = allThreadsOf(samples.pages.library).following(0, 1000)
  numbers = new Map(places.map(({ id, url }) => [id, url.slice(url.lastIndexOf('/') + 1)]))
})

describe('The index of a site', () => {
  test('finds every thread by every word of its title and text', async () => {
    for (const [i, { title, body }] of TEXTS.entries()) {
      for (const word of new Set(wordsOf(`${title} ${body}`))) {
        expect(await find(`${word} `), word).toContain(String(i + 1))
      }
    }
  })

  test('finds words of comments, words of titles first, and by their beginning', async () => {
    expect(await find('marzipan')).toEqual(['900', '1'])
    expect(await find('MARZI*')).toEqual(['900', '1'])
    expect(await find('marzi ')).toEqual([])
    expect(await find('marzipan somebody')).toEqual(['1'])
  })

  test.each([
    ['is:pull', ['900']],
    ['is:open marzipan is:issue', ['1']],
    ['author:bob', ['900']],
    ['repo:Forge/Kettle author:bob', ['900']],
    ['label:"Help Wanted" marzipan', ['1']],
    ['label:other', []],
  ])('finds what %s asks for', async (words, expected) => {
    expect(await find(words)).toEqual(expected)
  })

  test('says of each thread what a result shows', () => {
    const { threads, size, count } = dataOf<Index>('index')
    expect([size, count]).toEqual([128, TEXTS.length + 2])
    const all = threads.flatMap((name) => dataOf<string[][]>(name))
    expect(all.find(([, title]) => title === 'Marzipan')).toEqual([
      ...['forge/kettle/pull/900.html', 'Marzipan', 'forge/kettle#900'],
      ...['Open pull request', 'open', 'bob', '2024-05-06'],
    ])
  })

  test('is the same bytes each time, and names its parts by their content', async () => {
    const again = new Map<string, Buffer>()
    for await (const [path, content] of searchIndexFiles(samples.pages)) again.set(path, content)
    expect(again).toEqual(files)
  })
})

test('The script splits texts into the same words as the index', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0x10ffff)), (codes) => {
      const any = String.fromCodePoint(...codes)
      expect(core.wordsIn(any)).toEqual(wordsOf(any))
    }),
  )
})

test('Numbers are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.boolean())), (steps) => {
      const written = Buffer.alloc(11 * steps.length)
      const end = steps.reduce(
        (at, [step, isTitle]) => writeNumber(step * 2 + (isTitle ? 1 : 0), written, at),
        0,
      )
      const read: [number, boolean][] = []
      let before = 0
      core.postingsOf(written.toString('latin1', 0, end), (thread, isTitle) => {
        read.push([thread - before, isTitle])
        before = thread
      })
      expect(read).toEqual(steps)
    }),
  )
})

test('No script of words is beyond 50 kB compressed, and nothing of them is lost', () => {
  const postings = fc.string({ unit: fc.constantFrom(...'ABCabcxyz019-_'), maxLength: 200 })
  const line = fc.tuple(
    fc.constantFrom(...'abc'),
    fc.string({ maxLength: 3 }),
    postings,
    fc.nat(250),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 40, maxLength: 60 }), (given) => {
      const lines = given
        .map(([first, rest, text, times]) => ({
          term: `a${first}${rest}`,
          postings: text.repeat(times).slice(0, 40_000),
        }))
        .sort((a, b) => (a.term < b.term ? -1 : 1))
      const shards = [...shardsOf(lines)]
      expect(shards.flat()).toEqual(lines)
      for (const shard of shards) {
        const script = JSON.stringify(
          shard.map(({ term, postings: all }) => `${term}\t${all}`).join('\n'),
        )
        expect(script.length).toBeLessThan(61_000)
        expect(gzipSync(script).length).toBeLessThan(50_000)
      }
    }),
    { numRuns: 20 },
  )
})

test('Of a long text the index has the words that are rare elsewhere, and few hashes', async () => {
  for (const word of RARE) expect(await find(`${word} `), word).toEqual(['901'])
  const hashes = await Promise.all(HASHES.map((word) => find(`${word} `)))
  expect(hashes.flat().length).toBeLessThan(10)
})

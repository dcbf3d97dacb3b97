import { runInThisContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { findTexts, type Load, textsOf } from '../../../src/pages/assets/find-texts.ts'
import type { Pages } from '../../../src/pages/open-pages.ts'
import { readPostings, type SiteIndex, writeNumber } from '../../../src/pages/site/search-format.ts'
import { searchIndexFiles, shardsOf } from '../../../src/pages/site/search-index.ts'
import { siteAddressOf } from '../../../src/pages/site/site-address.ts'
import { wordsOf } from '../../../src/search/grammar/words.ts'
import '../../../src/pages/site/text-terms.ts'
import { runs } from '../../support/property-runs.ts'
import {
  HOST,
  issue,
  KETTLE,
  pullRequest,
  repository,
  SECRET,
  user,
} from '../../support/rest-world.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { sharePages } from '../../support/web.ts'

/** What a site has as files, for a script that asks for them by name. */
async function indexOf(pages: Pages) {
  const files = new Map<string, Buffer>()
  for await (const [path, content] of searchIndexFiles(pages, siteAddressOf)) {
    files.set(path, content)
  }
  // Scripts are loaded once, as by a browser.
  const loads = new Map<string, unknown>()
  const load: Load = async <Data>(name: string) => {
    const script = `((marc) => ${files.get(`-/search/${name}.js`)})((data) => data)`
    if (!loads.has(name)) loads.set(name, runInThisContext(script))
    return loads.get(name) as Data
  }
  const index = await load<SiteIndex>('index')
  return {
    files,
    load,
    index,
    async find(words: string) {
      const found = await findTexts(index, words, load)
      return { ...found, texts: await textsOf(index, found.ids, load) }
    },
  }
}

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
  { length: 250 },
  (_, i) => `saffron${String.fromCharCode(97 + (i % 26))}${i}`,
)
const HASHES = Array.from({ length: 90 }, (_, i) => `${i}0123456789abcdef`)

const comment = {
  type: 'issue_comment',
  url: `${KETTLE}/issues/1#issuecomment-1`,
  issue: `${KETTLE}/issues/1`,
  user: null,
  body: 'Somebody said marzipan',
  formatter: 'markdown',
  reactions: [],
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

let site: Awaited<ReturnType<typeof indexOf>>
/** The numbers of threads with a text that fits. */
const find = async (words: string) => {
  const { texts, isBegun } = await site.find(words)
  return isBegun ? [] : texts.map(({ path = '' }) => /(\d+)\.html/.exec(path)?.[1])
}

beforeAll(async () => {
  site = await indexOf(samples.pages)
})

describe('The index of a site', () => {
  test('finds every text by every word of its title and body', async () => {
    for (const [i, { title, body }] of TEXTS.slice(0, runs(TEXTS.length)).entries()) {
      for (const word of new Set(wordsOf(`${title} ${body}`))) {
        expect(await find(`"${word}"`), word).toContain(String(i + 1))
      }
    }
  })

  test('finds words of comments, words of titles first, and by their beginning', async () => {
    expect(await find('marzipan')).toEqual(['900', '1'])
    expect(await find('MARZI*')).toEqual(['900', '1'])
    expect(await find('"marzi"')).toEqual([])
    expect(await find('marzipan somebody')).toEqual(['1'])
  })

  test('offers what begins with the last word where nothing has that word itself', async () => {
    const { isBegun, texts } = await site.find('somebody marzi')
    expect([isBegun, texts.map(({ kind }) => kind)]).toEqual([true, ['comment']])
    expect((await site.find('somebody marzipan')).isBegun).toBe(false)
    expect((await site.find('marzi somebody ')).ids).toEqual([])
  })

  test.each([
    ['is:pr', ['900']],
    ['is:open marzipan kind:comment', ['1']],
    ['author:bob', ['900']],
    ['repo:Forge/Kettle author:bob', ['900']],
    ['label:"Help Wanted" marzipan', ['1']],
    ['label:other', []],
  ])('finds what %s asks for', async (words, expected) => {
    expect(await find(words)).toEqual(expected)
  })

  test('says of each text what a result shows', async () => {
    const { texts } = await site.find('title:marzipan')
    expect(texts).toEqual([
      {
        path: 'forge/kettle/pull/900.html',
        kind: 'pull request',
        place: 'forge/kettle#900',
        author: 'bob',
        time: '2024-05-06T03:00:00Z',
        heading: 'Marzipan',
        title: 'Marzipan',
        body: 'x '.repeat(50),
      },
    ])
  })

  test('is the same bytes each time, and names its parts by their content', async () => {
    expect((await indexOf(samples.pages)).files).toEqual(site.files)
  })
})

describe('The index of a public site', () => {
  const hidden = 'moonshine'
  const release = (home: string, tag: string, state: string) => ({
    type: 'release',
    url: `${home}/releases/tag/${tag}`,
    repository: home,
    name: tag,
    user: `${HOST}/ada`,
    tag_name: tag,
    body: `${hidden} ${tag}`,
    state,
    prerelease: false,
    pending_tag: tag,
    target_commitish: 'main',
    release_assets: [],
    published_at: '2024-05-06T00:00:00Z',
    created_at: '2024-05-06T00:00:00Z',
  })
  const world = {
    users: [user('ada')],
    repositories: [repository(KETTLE), repository(SECRET, { private: true })],
    issues: [issue(`${SECRET}/issues/1`, { title: hidden, body: hidden })],
    issue_comments: [
      {
        ...comment,
        url: `${SECRET}/issues/1#issuecomment-2`,
        issue: `${SECRET}/issues/1`,
        body: hidden,
      },
    ],
    releases: [
      release(KETTLE, 'v1', 'published'),
      release(KETTLE, 'v2', 'draft'),
      release(SECRET, 'v3', 'published'),
    ],
  }
  const all = sharePages([world])
  const shared = sharePages([world], 'public')

  test('has nothing of private repositories and of drafts', async () => {
    const placesOf = async ({ pages }: { pages: Pages }) => {
      const { texts } = await (await indexOf(pages)).find(hidden)
      return texts.map(({ place }) => place).sort()
    }
    expect(await placesOf(shared)).toEqual(['forge/kettle@v1'])
    expect((await placesOf(all)).length).toBe(5)
    const files = [...(await indexOf(shared.pages)).files.values()].map(String).join('')
    expect(files).not.toMatch(/secret|v2/)
  })
})

const STEPS = fc.array(
  fc.tuple(fc.integer({ min: 1, max: 2 ** 40 }), fc.integer({ min: 1, max: 3 })),
)

test('Numbers are read as they were written', () => {
  fc.assert(
    fc.property(STEPS, (steps) => {
      const written = Buffer.alloc(11 * steps.length)
      const end = steps.reduce((at, [step, where]) => writeNumber(step * 4 + where, written, at), 0)
      const read: [number, number][] = []
      let before = 0
      readPostings(written.toString('latin1', 0, end), (id, where) => {
        read.push([id - before, where])
        before = id
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
    { numRuns: runs(20) },
  )
})

test('All words of a long text are in the index, numbers and hashes too', THOROUGH, async () => {
  for (const word of [...RARE, ...HASHES]) {
    expect(await find(`"${word}"`), word).toEqual(['901'])
  }
})

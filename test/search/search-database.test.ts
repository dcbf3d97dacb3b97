import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { describeDatabase } from '../../src/query/describe-database.ts'
import { type SearchOptions, searchDatabase } from '../../src/search/search-database.ts'
import { builtFiles } from '../support/build.ts'
import { updateIndexAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { BARE, columnOf, loaded, opened, recordFile, rowsOf, sourceOf } from '../support/load.ts'
import { runs } from '../support/property-runs.ts'
import { insertRecord } from '../support/tables.ts'
import { THOROUGH } from '../support/thorough.ts'

const HOST = 'https://host.example'
const TOOLS = `${HOST}/acme/tools`
const at = (day: number) => `2024-05-${String(day).padStart(2, '0')}T07:08:09Z`

const issue = (number: number, title: string, more: object = {}) => ({
  type: 'issue',
  url: `${TOOLS}/issues/${number}`,
  repository: TOOLS,
  user: `${HOST}/ada`,
  title,
  body: null,
  closed_at: null,
  created_at: at(number),
  ...more,
})

const comment = (id: number, number: number, body: string, more: object = {}) => ({
  type: 'issue_comment',
  url: `${TOOLS}/issues/${number}#issuecomment-${id}`,
  issue: `${TOOLS}/issues/${number}`,
  user: `${HOST}/grace`,
  body,
  created_at: at(20),
  ...more,
})

/** Databases with an index, by their archive: tests that ask about one archive get copies. */
const known = new Map<unknown, Buffer>()

async function indexed(archive: Parameters<typeof loaded>[0]) {
  const bytes = known.get(archive)
  if (bytes) {
    const path = join(await folderOf(), 'it.db')
    writeFileSync(path, bytes)
    return { path, database: opened(path) }
  }
  const { path, database } = await loaded(archive)
  await updateIndexAt(path)
  known.set(archive, readFileSync(path))
  return { path, database }
}

/** A database with an index and no texts. */
let empty: Buffer | undefined

/** A database with an index of these issues, written with SQL: to load and index an archive takes much longer. */
async function withIssues(...issues: ReturnType<typeof issue>[]) {
  empty ??= readFileSync((await indexed(BARE)).path)
  const path = join(await folderOf(), 'it.db')
  writeFileSync(path, empty)
  const database = opened(path)
  database.transaction(() => {
    for (const each of issues) insertRecord(database, 'issues', each)
  })()
  await updateIndexAt(path)
  return { path, database }
}

const find = (database: Database, words: string, options?: SearchOptions) => [
  ...searchDatabase(database, words, options),
]
const urls = (database: Database, words: string, options?: SearchOptions) =>
  find(database, words, options).map(({ url }) => url?.replace(`${TOOLS}/`, ''))
const marked = (pieces: readonly { text: string; matched: boolean }[]) =>
  pieces.map(({ text, matched }) => (matched ? `[${text}]` : text)).join('')

const pull = `${TOOLS}/pull/7`
const EVERYTHING = {
  ...recordFile('issues', issue(1, 'A kettle whistles')),
  ...recordFile('pull_requests', {
    type: 'pull_request',
    url: pull,
    repository: TOOLS,
    user: `${HOST}/ada`,
    title: 'Quieter',
    body: 'No kettle',
    merged_at: at(9),
    closed_at: at(9),
    created_at: at(7),
  }),
  ...recordFile('issue_comments', comment(2, 1, 'My kettle too')),
  ...recordFile('pull_request_reviews', {
    type: 'pull_request_review',
    url: `${pull}/files#pullrequestreview-3`,
    state: 40,
    pull_request: pull,
    user: `${HOST}/grace`,
    body: 'Good kettle',
    submitted_at: at(8),
  }),
  ...recordFile('pull_request_review_comments', {
    type: 'pull_request_review_comment',
    url: `${pull}/files#r4`,
    pull_request: pull,
    user: `${HOST}/grace`,
    body: 'This kettle?',
    created_at: at(8),
  }),
  ...recordFile('commit_comments', {
    type: 'commit_comment',
    url: `${TOOLS}/commit/${'c0ffee00'.repeat(5)}#commitcomment-5`,
    repository: TOOLS,
    user: `${HOST}/ada`,
    body: 'kettle!',
    created_at: at(8),
    commit_id: 'c0ffee00'.repeat(5),
  }),
  ...recordFile('releases', {
    type: 'release',
    url: `${TOOLS}/releases/tag/v1`,
    repository: TOOLS,
    name: 'One',
    user: `${HOST}/ada`,
    tag_name: 'v1',
    body: 'With a kettle',
    state: 'published',
    published_at: at(10),
  }),
  ...recordFile('discussions', {
    type: 'discussion',
    url: `${TOOLS}/discussions/8`,
    repository: TOOLS,
    title: 'kettle',
    user: `${HOST}/ada`,
    body: 'or pot?',
    created_at: at(8),
  }),
  ...recordFile('discussion_comments', {
    type: 'discussion_comment',
    url: `${TOOLS}/discussions/8#discussioncomment-1`,
    discussion: `${TOOLS}/discussions/8`,
    user: `${HOST}/bob`,
    body: 'No kettle',
    created_at: at(8),
  }),
}

describe('Without words', () => {
  const ARCHIVE = {
    ...recordFile(
      'issues',
      issue(1, 'Old'),
      issue(9, 'New', { labels: [`${TOOLS}/labels/bug`], body: 'A\n body' }),
      issue(5, '', { body: '' }),
    ),
    ...recordFile('issue_comments', comment(1, 1, 'By grace')),
  }
  const world = () => indexed(ARCHIVE)

  test('every text that matches the filters is listed, newest first', async () => {
    const { database } = await world()
    expect(urls(database, '', { since: new Date(0) })).toEqual([
      'issues/1#issuecomment-1',
      'issues/9',
      'issues/1',
    ])
    expect(urls(database, 'author:ada')).toEqual(['issues/9', 'issues/1'])
    expect(urls(database, ' ', { kinds: ['comment'] })).toEqual(['issues/1#issuecomment-1'])
    expect(urls(database, 'author:ada state:open', { limit: 1 })).toEqual(['issues/9'])
    expect(urls(database, 'author:nobody')).toEqual([])
  })

  test('a text is shown from its beginning, with nothing marked', async () => {
    const { database } = await world()
    const [found] = find(database, 'author:ada')
    expect(found).toMatchObject({
      title: [{ text: 'New', matched: false }],
      snippet: [{ text: 'A body', matched: false }],
      score: 0,
    })
  })

  test('and without filters there is nothing to search for', async () => {
    const { database } = await world()
    for (const options of [{}, { limit: 3 }, { author: undefined }]) {
      expect(() => find(database, '', options)).toThrow(
        expect.objectContaining({ code: 'search-invalid' }),
      )
    }
  })

  test('every text that words find is listed by its author', THOROUGH, async () => {
    const { database } = await world()
    const texts = find(database, 'old OR new OR grace')
    for (const { author, url } of texts) {
      expect(find(database, `author:${author}`).map((each) => each.url)).toContain(url)
    }
    expect(texts).toHaveLength(3)
  })
})

describe('A search finds', () => {
  test('texts of every kind, with their place, author, date and state', async () => {
    const { database } = await indexed(EVERYTHING)
    const found = find(database, 'kettle').map((text) => [
      text.kind,
      text.place,
      text.author,
      text.created_at,
      text.state,
      marked(text.title),
    ])
    const tools = 'acme/tools'
    expect(found.sort()).toEqual([
      ['comment', `${tools}#1`, 'grace', at(20), 'open', 'A [kettle] whistles'],
      ['comment', `${tools}#8`, 'bob', at(8), null, '[kettle]'],
      ['commit_comment', `${tools}@c0ffee00c0`, 'ada', at(8), null, ''],
      ['discussion', `${tools}#8`, 'ada', at(8), null, '[kettle]'],
      ['issue', `${tools}#1`, 'ada', at(1), 'open', 'A [kettle] whistles'],
      ['pull_request', `${tools}#7`, 'ada', at(7), 'merged', 'Quieter'],
      ['release', `${tools}@v1`, 'ada', at(10), 'published', 'One'],
      ['review', `${tools}#7`, 'grace', at(8), 'merged', 'Quieter'],
      ['review_comment', `${tools}#7`, 'grace', at(8), 'merged', 'Quieter'],
    ])
  })

  test('messages of commits, once these are in their table', THOROUGH, async () => {
    const { database, path } = await indexed(EVERYTHING)
    const columns = columnOf(database, "SELECT name FROM pragma_table_info('commits')") as string[]
    const known: Record<string, string> = {
      repository: 'acme/tools',
      oid: 'ab'.repeat(20),
      subject: 'Descale the boiler',
      message: 'Descale the boiler\n\nIt was chalky.\n',
      author_name: 'Ada L.',
      author_email: 'ada@host.example',
      authored_at: at(3),
    }
    const values = columns.map((column) => known[column] ?? '')
    database.prepare(`INSERT INTO commits VALUES (${columns.map(() => '?')})`).run(values)
    await updateIndexAt(path)
    expect(find(database, 'chalky', { author: 'ADA@host.example' })).toMatchObject([
      { kind: 'commit', place: 'acme/tools@ababababab', author: 'Ada L.', url: null },
    ])
    expect(find(database, 'boiler', { repository: 'acme/tools' })).toHaveLength(1)
    expect(find(database, 'boiler', { author: 'grace' })).toEqual([])
  })

  test('words in a title before words in a text', THOROUGH, async () => {
    const { database } = await withIssues(
      issue(1, 'Pot', { body: 'kettle' }),
      issue(2, 'kettle', { body: 'Pot' }),
    )
    expect(urls(database, 'kettle')).toEqual(['issues/2', 'issues/1'])
  })

  test('words in any case, with marks on their letters or without', THOROUGH, async () => {
    const { database } = await withIssues(issue(1, 'Café ÉTUDE'))
    for (const words of ['cafe', 'CAFÉ', 'etude']) expect(urls(database, words)).toHaveLength(1)
  })

  test('phrases, beginnings, and what OR and NOT ask for', THOROUGH, async () => {
    const { database } = await withIssues(
      issue(1, 'red kettle'),
      issue(2, 'kettle red hot'),
      issue(3, 'pot'),
    )
    const numbers = (words: string) => find(database, words).map(({ number }) => number)
    expect(numbers('"red kettle"')).toEqual([1])
    expect(numbers('ket*').sort()).toEqual([1, 2])
    expect(numbers('"kettle re"*')).toEqual([2])
    expect(numbers('hot OR pot').sort()).toEqual([2, 3])
    expect(numbers('kettle NOT hot')).toEqual([1])
    expect(numbers('title:pot')).toEqual([3])
    expect(numbers('body:pot')).toEqual([])
  })

  test('words of writings without spaces, and shows these as they are', THOROUGH, async () => {
    const { database } = await withIssues(issue(1, '潮汐時刻表が間違っている'), issue(2, 'นาฬิกาผิด'))
    expect(urls(database, '時刻')).toEqual(['issues/1'])
    expect(urls(database, '刻時')).toEqual([])
    expect(urls(database, 'นาฬิกา')).toEqual(['issues/2'])
    expect(marked(find(database, '時刻')[0]?.title ?? [])).toBe('潮汐[時刻]表が間違っている')
  })

  test('no more than the limit, which may be more than a page', THOROUGH, async () => {
    const issues = Array.from({ length: 130 }, (_, i) =>
      issue(i + 1, 'kettle', { created_at: at(1) }),
    )
    const { database } = await withIssues(...issues)
    expect(urls(database, 'kettle')).toHaveLength(130)
    expect(urls(database, 'kettle', { limit: 120 })).toHaveLength(120)
    expect(urls(database, 'kettle', { limit: 1 })).toHaveLength(1)
  })
})

describe('A filter leaves', () => {
  // Made once: each test only asks.
  const folder = mkdtempSync(join(tmpdir(), 'marc-search-'))
  let database: Database
  beforeAll(async () => {
    const path = join(folder, 'it.db')
    await loadArchive(sourceOf(EVERYTHING), path)
    await updateIndexAt(path)
    database = openDatabase(path)
  })
  afterAll(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  const kindsWith = (options: SearchOptions) =>
    find(database, 'kettle', options)
      .map(({ kind }) => kind)
      .sort()

  test('one repository, in any case', () => {
    expect(kindsWith({ repository: 'ACME/Tools' })).toHaveLength(9)
    for (const repository of ['acme/tool', 'cme/tools', 'tools/issues', 'a_me/tools', 'tools']) {
      expect(kindsWith({ repository })).toEqual([])
    }
  })

  test('one author, in any case', () => {
    expect(kindsWith({ author: 'GRACE' })).toEqual(['comment', 'review', 'review_comment'])
    expect(kindsWith({ author: 'race' })).toEqual([])
  })

  test('some kinds', () => {
    const kinds = ['issue', 'release']
    expect(kindsWith({ kinds })).toEqual(kinds)
    expect(kindsWith({ kinds: [] })).toEqual([])
  })

  test('a state, with the comments and reviews of what is in it', () => {
    expect(kindsWith({ state: 'open' })).toEqual(['comment', 'issue'])
    const merged = ['pull_request', 'review', 'review_comment']
    expect(kindsWith({ state: 'merged' })).toEqual(merged)
    expect(kindsWith({ state: 'published' })).toEqual(['release'])
  })

  test('a time, its ends included', () => {
    expect(kindsWith({ until: new Date(at(1)) })).toEqual(['issue'])
    expect(kindsWith({ since: new Date(at(20)) })).toEqual(['comment'])
    const [since, until] = [new Date(at(9)), new Date(at(19))]
    expect(kindsWith({ since, until })).toEqual(['release'])
  })

  test('the same of thousands as of few, whether the best meet it or the worst', {
    ...THOROUGH,
    timeout: 30_000,
  }, async () => {
    const long = 'kettle and many a word beside it, which ranks it behind all others'
    const crowd = Array.from({ length: 2_200 }, (_, i) => comment(i, 1, `kettle ${i % 7}`))
    const late = [comment(3_000, 1, long, { user: `${HOST}/bo` }), comment(3_001, 1, 'kettle')]
    const { database } = await indexed(recordFile('issue_comments', ...crowd, ...late))
    const ids = (options: SearchOptions) =>
      find(database, 'kettle', options).map(({ url }) => Number(url?.split('-').at(-1)))
    expect(ids({ author: 'bo', limit: 2 })).toEqual([3_000])
    expect(ids({ author: 'grace', limit: 3 })).toEqual([3_001, 0, 1])
  })

  test('what all of them leave', () => {
    expect(kindsWith({ author: 'ada', state: 'open' })).toEqual(['issue'])
  })
})

describe('A snippet', () => {
  const snippet = async (body: string, words: string) => {
    const { database } = await withIssues(issue(1, 'It', { body }))
    return marked(find(database, words)[0]?.snippet ?? [])
  }

  test('is the part of the text with most of the words, on one line', async () => {
    const filler = 'lorem ipsum '.repeat(100)
    const text = await snippet(
      `${filler}\r\nthe kettle\n\n\twhistles loudly ${filler}`,
      'kettle loudly',
    )
    expect(text).toContain(' the [kettle] whistles [loudly] lorem ')
    expect(text).toMatch(/^….*…$/)
    expect(text.length).toBeLessThan(300)
  })

  test('is the beginning where only the title has the words', THOROUGH, async () => {
    expect(await snippet('Nothing here', 'it')).toBe('Nothing here')
  })

  test('of a text with little but matches is fast, and has most of them', THOROUGH, async () => {
    const water = 'water '.repeat(9_000)
    const text = await snippet(`${water}and tea ${water}`, 'water tea')
    expect(text).toContain('[tea]')
    expect(text.split(' ').length).toBe(32)
    expect(text).toMatch(/^….*…$/)
  })

  test('marks nothing that only pretends to be marked', THOROUGH, async () => {
    expect(await snippet('a\u0002b\u0003 kettle', 'kettle')).toBe('ab [kettle]')
  })
})

describe('The index', () => {
  test('that is damaged is distinguished from an invalid search', async () => {
    const { database } = await indexed(EVERYTHING)
    database.unsafeMode() // SQLite protects what an index is made of
    database.exec('DELETE FROM search_index_data WHERE id > 10')
    expect(() => find(database, 'kettle')).toThrow(
      expect.objectContaining({ code: 'database-damaged' }),
    )
  })

  test('has to be made first', async () => {
    const { database } = await loaded(EVERYTHING)
    expect(() => find(database, 'kettle')).toThrow(
      expect.objectContaining({ code: 'search-index-missing' }),
    )
  })

  test('is left alone where nothing changed', async () => {
    const { path } = await loaded(EVERYTHING)
    expect(await updateIndexAt(path)).toBe(true)
    expect(await updateIndexAt(path)).toBe(false)
  })

  test('follows changes made with SQL', THOROUGH, async () => {
    const { database, path } = await withIssues(issue(1, 'red'), issue(2, 'green'))
    database.exec(`UPDATE issues SET title = 'blue' WHERE number = 1;
      DELETE FROM issues WHERE number = 2;
      INSERT INTO issues (url, title) VALUES ('${TOOLS}/issues/3', 'yellow')`)
    expect(await updateIndexAt(path)).toBe(true)
    const all = ['red', 'green', 'blue', 'yellow'].map((word) => urls(database, word))
    expect(all).toEqual([[], [], ['issues/1'], ['issues/3']])
    database.exec('UPDATE issues SET closed_at = created_at')
    expect(await updateIndexAt(path)).toBe(false)
  })

  test('reads only what changed', THOROUGH, async () => {
    const { database, path } = await withIssues(issue(1, 'red'), issue(2, 'green'))
    database.exec(`INSERT INTO issues (url, title) VALUES ('${TOOLS}/issues/3', 'yellow')`)
    const seen: { characters: number; total: number }[] = []
    await updateIndexAt(path, { progress: (done) => void seen.push(done) })
    expect(seen).toEqual([{ characters: 'yellow'.length, total: 'yellow'.length }])
  })

  test('shows no deleted text, even before an update', async () => {
    const { database } = await withIssues(issue(1, 'red'), issue(2, 'red'))
    database.exec('DELETE FROM issues WHERE number = 1')
    expect(urls(database, 'red')).toEqual(['issues/2'])
  })

  test('follows archives loaded later', THOROUGH, async () => {
    const { database, path } = await withIssues(issue(1, 'red'), issue(2, 'green'))
    await loadArchive(sourceOf(recordFile('issues', issue(1, 'blue'), issue(3, 'red'))), path)
    await updateIndexAt(path)
    expect(urls(database, 'red OR blue').sort()).toEqual(['issues/1', 'issues/3'])
    expect(urls(database, 'red')).toEqual(['issues/3'])
  })

  test('is made again where another program numbered the rows anew', THOROUGH, async () => {
    const { database, path } = await withIssues(
      issue(1, 'red'),
      issue(2, 'green'),
      issue(3, 'blue'),
    )
    database.exec("DELETE FROM issues WHERE title = 'red'")
    await updateIndexAt(path)
    // As .dump and .read of the sqlite3 shell do.
    database.exec(`CREATE TEMP TABLE kept AS SELECT url, title FROM issues;
      DELETE FROM issues; INSERT INTO issues (rowid, url, title) SELECT rowid, url, title FROM kept;
      DELETE FROM search_changes`)
    expect(await updateIndexAt(path)).toBe(true)
    expect(urls(database, 'green')).toEqual(['issues/2'])
    expect(urls(database, 'red')).toEqual([])
  })

  test('is nothing after a try that was stopped', async () => {
    const { database, path } = await loaded(EVERYTHING)
    const signal = AbortSignal.abort()
    await expect(updateIndexAt(path, { signal })).rejects.toMatchObject({ code: 'interrupted' })
    expect(columnOf(database, "SELECT name FROM sqlite_schema WHERE name LIKE 'search%'")).toEqual(
      [],
    )
  })

  test('reports progress', async () => {
    const { path } = await loaded(EVERYTHING)
    const seen: { characters: number; total: number }[] = []
    await updateIndexAt(path, { progress: (done) => void seen.push(done) })
    expect(seen.at(-1)?.characters).toBe(seen.at(-1)?.total)
  })

  test('is described like other tables, without what SQLite keeps for itself', async () => {
    const { database } = await indexed(EVERYTHING)
    const ours = describeDatabase(database).filter(({ name }) => name.startsWith('search_'))
    expect(ours.map(({ name }) => name)).toEqual([
      'search_index',
      'search_tables',
      'search_changes',
    ])
    for (const { name, columns } of ours) {
      const found = columnOf(database, `SELECT name FROM pragma_table_info('${name}')`)
      expect(columns.map((column) => column.name)).toEqual(found)
    }
  })

  test('can be joined to records in SQL', async () => {
    const { database } = await indexed(EVERYTHING)
    const rows = rowsOf(
      database,
      `SELECT t.name, i.number FROM search_index AS s
       JOIN search_tables AS t ON t.id = s.rowid % 16
       JOIN issues AS i ON t.name = 'issues' AND i.rowid = s.rowid / 16
       WHERE search_index MATCH 'whistles'`,
    )
    expect(rows).toEqual([['issues', 1]])
  })

  test('does not go into an archive', THOROUGH, async () => {
    const world = await loaded(EVERYTHING)
    const before = await builtFiles(world.database)
    await updateIndexAt(world.path)
    expect(await builtFiles(world.database)).toEqual(before)
  })
})

test('Any input is searched or refused, and never crashes', async () => {
  const { database } = await indexed(EVERYTHING)
  const part = fc.constantFrom(
    'kettle',
    'a*',
    '"',
    '(',
    ')',
    'AND',
    'OR',
    'NOT',
    '*',
    ':',
    '^',
    '+',
    '-',
  )
  const typed = fc.oneof(
    fc.string(),
    fc.array(part).map((parts) => parts.join(' ')),
  )
  fc.assert(
    fc.property(typed, (words) => {
      try {
        find(database, words, { limit: 1 })
      } catch (error) {
        expect(error).toMatchObject({ code: 'search-invalid' })
      }
    }),
    { numRuns: runs(100) },
  )
})

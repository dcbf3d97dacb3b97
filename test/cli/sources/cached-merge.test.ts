import { copyFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { openSources } from '../../../src/cli/sources/open-readable.ts'
import { user } from '../../support/archives.ts'
import { END, member } from '../../support/build-tar.ts'
import { runs } from '../../support/property-runs.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://host.example'

interface Contents {
  /** The day of 2024 on which it was exported. */
  readonly day: number
  /** The numbers of its issues. */
  readonly issues: readonly number[]
  readonly users?: readonly string[]
}

/** Writes an archive. Its time tells that it has changed, however short that was ago. */
let written = 0
function write(path: string, { day, issues, users = [] }: Contents): void {
  const mtime = Date.UTC(2024, 0, day) / 1000
  const issue = (number: number) => ({
    type: 'issue',
    url: `${HOST}/acme/tools/issues/${number}`,
    title: `${number} of day ${day}`,
  })
  const files = [
    ['issues_000001.json', issues.map(issue)],
    ['users_000001.json', users.map((login) => user(login, { name: `${login} of day ${day}` }))],
    ['attachments/1.txt', `day ${day}`],
  ] as const
  const entries = files.map(([name, content]) =>
    member(
      { name, mtime },
      typeof content === 'string' ? content : JSON.stringify(content, null, 2),
    ),
  )
  writeFileSync(path, gzipSync(Buffer.concat([...entries, END])))
  utimesSync(path, ++written, written)
}

const QUESTIONS = [
  'SELECT title, _source FROM issues ORDER BY 1, 2',
  'SELECT login, name, _source FROM users ORDER BY 1, 2',
  'SELECT path, size, _source FROM files ORDER BY 1, 2, 3',
  'SELECT name, exported_at, state, _source FROM archives ORDER BY 1',
  'SELECT path, records, _source FROM record_files ORDER BY 3, 1',
  'SELECT count(*) FROM entries',
  'SELECT title, _source FROM threads ORDER BY 1, 2',
]

/** The answers over a folder of archives, and when each archive was loaded. */
async function ask(cache: string) {
  const atEnd: (() => void)[] = []
  const io = {
    env: { XDG_CACHE_HOME: cache },
    stdin: process.stdin,
    stderr: process.stderr,
    atEnd: (work: () => void) => atEnd.push(work),
  }
  const { database, close } = await openSources(['all'], io as never)
  try {
    const loaded = database.prepare<[], [string, string]>('SELECT name, loaded_at FROM archives')
    return {
      answers: QUESTIONS.map((sql) => database.prepare(sql).raw().all()),
      loaded: new Map(loaded.raw().all() as [string, string][]),
    }
  } finally {
    close()
    for (const work of atEnd) work()
  }
}

async function inArchives(archives: Readonly<Record<string, Contents>>) {
  const folder = inFolder()
  mkdirSync('all')
  for (const [name, contents] of Object.entries(archives)) write(`all/${name}.tar.gz`, contents)
  const cache = join(folder, 'cache')
  const before = await ask(cache)
  return {
    /** Asks again after a change, and expects what a load of all gives. Returns the archives that were loaded. */
    async after(change: () => void): Promise<string[]> {
      change()
      const { answers, loaded } = await ask(cache)
      const whole = await ask(join(folder, `whole-${written}`))
      expect(answers).toEqual(whole.answers)
      return [...loaded].flatMap(([name, at]) => (before.loaded.get(name) === at ? [] : name))
    },
    cache,
  }
}

const ARCHIVES = {
  a: { day: 10, issues: [1, 2], users: ['ada'] },
  c: { day: 20, issues: [2, 3], users: ['ada', 'grace'] },
  d: { day: 5, issues: [4] },
}

test('only an archive that is new is loaded', THOROUGH, async () => {
  const { after } = await inArchives(ARCHIVES)
  const b = { day: 15, issues: [1, 2, 5], users: ['ada'] }
  expect(await after(() => write('all/b.tar.gz', b))).toEqual(['b.tar.gz'])
})

test('only an archive that is new is loaded, also if it is the oldest', THOROUGH, async () => {
  const { after } = await inArchives(ARCHIVES)
  const e = { day: 1, issues: [1, 4, 6], users: ['linus'] }
  expect(await after(() => write('all/e.tar.gz', e))).toEqual(['e.tar.gz'])
})

test('only an archive that is newer, and has what it had, is loaded', THOROUGH, async () => {
  const { after } = await inArchives(ARCHIVES)
  const now = { day: 30, issues: [1, 2, 3, 6], users: ['ada', 'grace'] }
  expect(await after(() => write('all/c.tar.gz', now))).toEqual(['c.tar.gz'])
})

test('an archive with two names counts under the last', THOROUGH, async () => {
  const { after } = await inArchives(ARCHIVES)
  const sourcesOf = async () => {
    const { stdout } = await run(['query', 'all', 'SELECT _source FROM archives ORDER BY 1'])
    return JSON.parse(stdout).map(({ _source }: { _source: string }) => _source)
  }
  await after(() => copyFileSync('all/c.tar.gz', 'all/e.tar.gz'))
  expect(await sourcesOf()).toEqual(['a', 'd', 'e'])
  await after(() => {
    copyFileSync('all/d.tar.gz', 'all/b.tar.gz')
    utimesSync('all/b.tar.gz', ++written, written)
  })
  expect(await sourcesOf()).toEqual(['a', 'd', 'e'])
})

test('nothing is loaded if only the time of a file has changed', THOROUGH, async () => {
  const { after } = await inArchives(ARCHIVES)
  expect(await after(() => utimesSync('all/c.tar.gz', 7, 7))).toEqual([])
})

test.each([
  ['an archive lost a record that an older one has', { c: { day: 30, issues: [3], users: [] } }],
  ['an archive is older than it was', { c: { day: 1, issues: [2, 3], users: ['ada', 'grace'] } }],
  ['an archive is as old as another', { b: { day: 20, issues: [2, 3] } }],
])('all are loaded if %s', THOROUGH, async (_, changed: Record<string, Contents>) => {
  const { after } = await inArchives(ARCHIVES)
  const loaded = await after(() => {
    for (const [name, contents] of Object.entries(changed)) write(`all/${name}.tar.gz`, contents)
  })
  expect(loaded.length).toBe(3 + Number('b' in changed))
})

test(
  'all are loaded if an archive is gone, and the cache keeps one database',
  THOROUGH,
  async () => {
    const { after, cache } = await inArchives(ARCHIVES)
    expect((await after(() => rmSync('all/c.tar.gz'))).sort()).toEqual(['a.tar.gz', 'd.tar.gz'])
    const kept = readdirSync(join(cache, 'migration-archive')).filter(
      (name) => !/compiled/.test(name),
    )
    expect(kept.map((name) => name.replace(/^[^.]+/, '')).sort()).toEqual([
      '.db',
      '.db.sources',
      '.db.used',
    ])
  },
)

const someContents = fc.record({
  day: fc.integer({ min: 1, max: 12 }),
  issues: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 4 }),
  users: fc.uniqueArray(fc.constantFrom('ada', 'grace', 'linus'), { maxLength: 3 }),
})

test('any changes of any archives give what a load of all gives', {
  ...THOROUGH,
  timeout: 300_000,
}, async () => {
  const someChanges = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.option(someContents)),
    { minLength: 1, maxLength: 3 },
  )
  await fc.assert(
    fc.asyncProperty(someContents, someContents, someChanges, async (a, z, changes) => {
      const { after } = await inArchives({ a, z })
      for (const [name, contents] of changes) {
        await after(() => {
          if (contents) write(`all/${name}.tar.gz`, contents)
          // A folder without archives is no source.
          else if (readdirSync('all').length > 1) rmSync(`all/${name}.tar.gz`, { force: true })
        })
      }
    }),
    { numRuns: runs(24), endOnFailure: true },
  )
})

test(
  'Databases that somebody changes are asked as they are, though a log has the changes still',
  THOROUGH,
  async () => {
    inFolder()
    for (const name of ['a', 'b']) {
      write(`${name}.tar.gz`, { day: 1, issues: [1, 2] })
      await run(['load', `${name}.tar.gz`, '-o', `${name}.db`])
    }
    const writer = new Sqlite('b.db')
    onTestFinished(() => void writer.close())
    writer.pragma('journal_mode = WAL')
    const ask = async () => {
      const { stdout } = await run(['query', 'a.db', 'b.db', 'SELECT title FROM issues', '--csv'])
      return stdout.split('\n').slice(1, -1).sort()
    }
    expect(await ask()).toEqual(['1 of day 1', '2 of day 1'])
    writer.exec("UPDATE issues SET url = url || '0' WHERE title LIKE '1%'")
    expect(await ask()).toEqual(['1 of day 1', '1 of day 1', '2 of day 1'])
  },
)

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import MarkdownIt from 'markdown-it'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { exportMarkdown } from '../../../src/exporters/markdown/export-markdown.ts'
import { foldName } from '../../../src/files/safe-name.ts'
import { NOWHERE } from '../../../src/pages/markdown/markdown-context.ts'
import { renderMarkdown } from '../../../src/pages/markdown/render-markdown.ts'
import { createMarkdownContext } from '../../../src/pages/text-context.ts'
import { Library } from '../../../src/reading/library.ts'
import { threadMarkdown } from '../../../src/reading/markdown/thread-markdown.ts'
import { isThreadTable, threadAt } from '../../../src/reading/threads/read-thread.ts'
import type { TimelineItem } from '../../../src/reading/threads/thread.ts'
import { timelinesOf } from '../../../src/reading/threads/timeline.ts'
import { folderOf } from '../../support/folder.ts'
import { HOSTILE_TEXTS } from '../../support/hostile-texts.ts'
import { hostileFiles } from '../../support/hostile-world.ts'
import { copyOf, loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import {
  comment,
  filesOf,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  NOTES,
  PULL,
  pullRequest,
  repository,
  user,
  worldRecords,
} from '../../support/rest-world.ts'
import { runProgram } from '../../support/run-program.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { everyDay } from '../../support/thorough.ts'
import { attachment, png } from '../../support/uploads.ts'
import { loadSamples } from '../../support/web.ts'

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .sort()

const readIn = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8')

const parser = new MarkdownIt({ html: true })

/** The document without its front matter, and that. */
function partsOf(text: string): { front: Record<string, unknown>; document: string } {
  if (!text.startsWith('---\n')) return { front: {}, document: text }
  const end = text.indexOf('\n---\n', 4)
  return { front: parse(text.slice(4, end + 1)), document: text.slice(end + 5) }
}

/** The relative links of a folder that lead nowhere. */
function deadLinks(folder: string): string[] {
  const files = filesIn(folder)
  const known = new Set(files)
  const dead: string[] = []
  for (const file of files.filter((name) => name.endsWith('.md'))) {
    const html = parser.render(partsOf(readIn(folder, file)).document)
    for (const [, , link = ''] of html.matchAll(/ (href|src)="([^"]*)"/g)) {
      const address = link.replaceAll('&amp;', '&')
      if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address)) continue
      const [path = '', fragment] = address.split('#')
      const target = path === '' ? file : posix.join(dirname(file), decodeURIComponent(path))
      const isThere = known.has(target)
      const isAnchor =
        fragment === undefined ||
        (isThere && readIn(folder, target).includes(`<a id="${fragment}">`))
      if (!isThere || !isAnchor) dead.push(`${file}: ${address}`)
    }
  }
  return dead
}

const world = worldRecords()
const HOME = {
  users: [user('ada'), user('bob'), user('con')],
  repositories: [repository(KETTLE), repository(NOTES)],
  issues: [
    issue(ISSUE, {
      title: 'It boils: “éternel” water?',
      body: `See #2, ada/notes#1, @bob and ${PULL}.\n\n\`#2\` [this](docs/a.md) [other](${NOTES}/issues/1#issuecomment-5)\n\n![a](https://H/user-attachments/assets/1)`,
    }),
    issue(`${KETTLE}/issues/3`, { title: '水', body: null }),
    issue(`${NOTES}/issues/1`, { title: 'Notes' }),
  ],
  issue_comments: [
    comment(`${NOTES}/issues/1`, 5),
    comment(ISSUE, 6, { body: `[up](${ISSUE}#issuecomment-6)` }),
  ],
  pull_requests: [pullRequest(PULL)],
  attachments: [attachment('1', { issue: ISSUE, user: `${HOST}/ada` })],
}
const shared = shareDatabases(
  { records: HOME, files: { 'attachments/1/a.png': png('x') } },
  world,
  { records: {}, files: hostileFiles(HOSTILE_TEXTS) },
)
const home = () => shared.paths.slice(0, 1)
const rich = () => shared.paths.slice(1, 2)
const hostile = () => shared.paths.slice(2)
let samples: string[]
beforeAll(async () => {
  samples = (await loadSamples()).paths
})

/** The databases whose folders are whole. */
const EACH = [
  ['the samples', () => samples],
  ['a world with all kinds of records', rich],
  ['a hostile world', hostile],
] as const
const folders = new Map<string, string>()
beforeAll(async () => {
  for (const [name, databases] of EACH) {
    const folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
    folders.set(name, folder)
    await exportMarkdown(databases(), folder)
  }
})
afterAll(() => {
  for (const folder of folders.values()) rmSync(folder, { recursive: true })
})
const folderFor = (name: string): string => folders.get(name) as string

async function exported(databases: readonly string[], options = {}): Promise<string> {
  const folder = await folderOf()
  await exportMarkdown(databases, folder, options)
  return folder
}

const worldOf = async (records: Readonly<Record<string, readonly object[]>>) => ({
  paths: [(await loaded(filesOf(records))).path],
})

/** Pictures are shown. */
const picture = () => ({ src: 'a.png' })

describe('exportMarkdown', () => {
  test('writes a file for each thread and person, named by number and title', async () => {
    expect(filesIn(await exported(home()))).toEqual([
      '.marc/files.ndjson',
      'README.md',
      'ada/notes/README.md',
      'ada/notes/issues.md',
      'ada/notes/issues/0001-notes.md',
      'forge/kettle/README.md',
      'forge/kettle/issues.md',
      'forge/kettle/issues/0001-it-boils-eternel-water.md',
      'forge/kettle/issues/0003.md',
      'forge/kettle/issues/1/a.png',
      'forge/kettle/pull.md',
      'forge/kettle/pull/0002-boil.md',
      'people.md',
      'people/_con.md',
      'people/ada.md',
      'people/bob.md',
    ])
  })

  test('links threads, people and uploads by relative addresses, but nothing in code', async () => {
    const text = readIn(
      await exported(home()),
      'forge/kettle/issues/0001-it-boils-eternel-water.md',
    )
    expect(text).toContain(
      '> See [#2](../pull/0002-boil.md), [ada/notes#1](../../../ada/notes/issues/0001-notes.md), [@bob](../../../people/bob.md) and [#2](../pull/0002-boil.md).',
    )
    expect(text).toContain(
      `> \`#2\` [this](${KETTLE}/issues/docs/a.md) [other](../../../ada/notes/issues/0001-notes.md#issuecomment-5)`,
    )
    expect(text).toContain('> ![a](1/a.png)')
    expect(text).toContain('[📎 a.png')
    expect(text).toContain('> [up](#issuecomment-6)')
  })

  test('begins each thread with its facts in YAML', async () => {
    const folder = await exported(home())
    const { front } = partsOf(readIn(folder, 'forge/kettle/pull/0002-boil.md'))
    expect(front).toMatchObject({ url: PULL, number: 2, kind: 'pull_request', state: 'open' })
    expect(front).toMatchObject({ created: '2024-05-06T03:00:00Z', merged: null, labels: [] })
  })

  test('keeps what a title says out of the other facts', async () => {
    const titles = [
      'a"\n---\nstate: merged',
      '- x\n? y: [',
      "' #\u0085\u2028\ufffe",
      '!!js/function x',
      'yes',
    ]
    const { paths } = await worldOf({
      repositories: [repository(KETTLE)],
      issues: titles.map((title, i) =>
        issue(`${KETTLE}/issues/${i + 1}`, {
          title,
          labels: [`${KETTLE}/labels/${encodeURIComponent(title)}`],
        }),
      ),
    })
    const folder = await exported(paths)
    const files = filesIn(folder).filter((name) => name.includes('/issues/'))
    expect(files).toHaveLength(titles.length)
    for (const file of files) {
      const { front } = partsOf(readIn(folder, file))
      expect(Object.keys(front)).toHaveLength(15)
      expect(front).toMatchObject({ state: 'open', title: expect.any(String) })
    }
  })

  test.each(EACH)('leaves no dead link in the folder of %s', (name) => {
    const folder = folderFor(name)
    expect(filesIn(folder).length).toBeGreaterThan(5)
    expect(deadLinks(folder)).toEqual([])
  })

  test.each(EACH)('has all that show prints of the threads of %s', (name, databases) => {
    const folder = folderFor(name)
    const byUrl = new Map<unknown, string>()
    for (const file of filesIn(folder).filter((name) => name.endsWith('.md'))) {
      const { front, document } = partsOf(readIn(folder, file))
      if (front.kind && 'number' in front) byUrl.set(front.url, document)
    }
    const library = Library.open(databases())
    try {
      for (const store of library.stores) {
        for (const table of ['issues', 'pull_requests', 'discussions'].filter(isThreadTable)) {
          for (const { url } of store.all<{ url: string }>(`SELECT url FROM ${table}`)) {
            const thread = threadAt(store, url)
            if (!thread || library.repository(thread.full_name ?? '')?.store !== store) continue
            const shown = [...threadMarkdown(thread, timelinesOf(store).each(url))]
            // Texts differ in their links; what marc says of them does not.
            const sayings = shown.flatMap((piece) =>
              piece.split('\n').filter((line) => /^(?:- )?\*\*/.test(line)),
            )
            const document = (byUrl.get(url) ?? '')
              .replaceAll(/<a id="[\w-]+"><\/a>/g, '')
              .split('\n')
            expect(sayings.filter((line) => !document.includes(line))).toEqual([])
          }
        }
      }
    } finally {
      library.close()
    }
  })

  test.each(EACH)('gives no two files of %s a name that some system takes for the same', (name) => {
    const names = filesIn(folderFor(name)).map(foldName)
    expect(new Set(names).size).toBe(names.length)
    expect(
      names.filter((each) => /[<>:"\\|?*\p{Cc}]|(?:^|\/)\.\.?(?:\/|$)|[. ](?:\/|$)/u.test(each)),
    ).toEqual([])
    expect(Math.max(...names.map((each) => (each.split('/').at(-1) ?? '').length))).toBeLessThan(
      256,
    )
  })

  test('gives threads and repositories with one name different files', async () => {
    const { paths } = await worldOf({
      users: [user('people'), user('x')],
      repositories: [
        repository(`${HOST}/people/x.md`),
        repository(`${HOST}/forge/con`),
        repository(`${HOST}/unlinked/files`),
      ],
      issues: [
        issue(`${HOST}/people/x.md/issues/1`, { title: '../../etc/passwd' }),
        issue(`${HOST}/forge/con/issues/1`, { title: 'CON' }),
        issue(`${HOST}/unlinked/files/issues/1`, { title: 'x'.repeat(1000) }),
      ],
    })
    const files = filesIn(await exported(paths)).filter((name) => name.includes('/issues/'))
    expect(files).toEqual([
      '_people/x.md/issues/0001-etc-passwd.md',
      `_unlinked/files/issues/0001-${'x'.repeat(75)}.md`,
      'forge/_con/issues/0001-con.md',
    ])
  })

  test('shows texts as pages do', async () => {
    for (const databases of [samples, home()]) {
      const folder = databases === samples ? folderFor(EACH[0][0]) : await exported(databases)
      const library = Library.open(databases, { git: false })
      try {
        let compared = 0
        for (const store of library.stores) {
          const sql = `SELECT url, full_name AS name, body FROM threads WHERE trim(body) <> '' ORDER BY url LIMIT ${runs(60)}`
          for (const { url, name, body } of store.all<Record<'url' | 'name' | 'body', string>>(
            sql,
          )) {
            const repository = library.repository(name)
            if (repository?.store !== store) continue
            const file = fileOf(folder, url)
            const quotes = quotesOf(partsOf(readIn(folder, file)).document)
            const context = { ...createMarkdownContext(library, repository), picture }
            const bodies = [body, ...writtenIn(timelinesOf(store).each(url))]
            expect(
              quotes.map((quote) =>
                wordsIn(renderMarkdown(quote, { ...NOWHERE, picture }).toString()),
              ),
            ).toEqual(bodies.map((each) => wordsIn(renderMarkdown(each, context).toString())))
            compared += bodies.length
          }
        }
        expect(compared).toBeGreaterThan(0)
      } finally {
        library.close()
      }
    }
  })

  test('writes nothing the second time, and only what changed after an edit', async () => {
    const database = await copyOf(home()[0] as string)
    const folder = await folderOf()
    const first = await exportMarkdown([database.name], folder)
    expect(await exportMarkdown([database.name], folder)).toEqual({ ...first, written: 0 })
    database.exec(`UPDATE issues SET title = 'Cold' WHERE url = '${ISSUE}'`)
    const again = await exportMarkdown([database.name], folder)
    // The thread has another name, and is named by a list, its author, its milestone and a comment.
    expect(again).toMatchObject({ files: first.files, removed: 1 })
    expect(again.written).toBeLessThan(8)
    expect(deadLinks(folder)).toEqual([])
    database.close()
  })

  everyDay(1)([4, 1, 9])(
    'completes what a run left that was killed after %i files',
    async (last) => {
      const folder = await folderOf()
      const program = `const { exportMarkdown } = await import(process.argv[1])
      const progress = ({ files }) => files >= ${last} && process.kill(process.pid, 'SIGKILL')
      await exportMarkdown([process.argv[2]], process.argv[3], { progress })`
      const { href } = new URL(
        '../../../src/exporters/markdown/export-markdown.ts',
        import.meta.url,
      )
      const words = ['--input-type=module', '-e', program, href, home()[0] as string, folder]
      const { signal, stderr } = runProgram(process.execPath, words)
      expect([signal, String(stderr)]).toEqual(['SIGKILL', ''])
      expect(filesIn(folder).length).toBeGreaterThan(last)
      await exportMarkdown(home(), folder)
      const whole = await exported(home())
      const contents = (at: string) => filesIn(at).map((file) => [file, readIn(at, file)])
      expect(contents(folder)).toEqual(contents(whole))
    },
  )

  test('refuses a folder with files of others, but not one with only those of Git', async () => {
    const foreign = await folderOf({ 'notes.md': 'mine' })
    await expect(exportMarkdown(home(), foreign)).rejects.toThrow(
      expect.objectContaining({ code: 'output-refused' }),
    )
    const repository = await folderOf({ '.git/HEAD': 'ref: refs/heads/main\n' })
    await exportMarkdown(home(), repository)
    expect(existsSync(join(repository, 'README.md'))).toBe(true)
    mkdirSync(join(repository, '.obsidian'))
    writeFileSync(join(repository, 'mine.md'), 'mine')
    await exportMarkdown(rich(), repository)
    expect(readIn(repository, 'mine.md')).toBe('mine')
  })

  test('refuses to replace a file of others among its own', async () => {
    const folder = await exported(home(), { selection: { repositories: ['ada/notes'] } })
    const whole = filesIn(await exported(home()))
    const theirs = whole.filter((file) => /\/issues\//.test(file)).at(-1) as string
    mkdirSync(dirname(join(folder, theirs)), { recursive: true })
    writeFileSync(join(folder, theirs), 'mine', { flag: 'wx' })
    await expect(exportMarkdown(home(), folder)).rejects.toThrow(`${theirs} is there`)
    expect(readIn(folder, theirs)).toBe('mine')
  })

  test('writes what is selected, and what that refers to', async () => {
    const folder = await exported(home(), { selection: { repositories: ['ada/notes'] } })
    const threads = filesIn(folder).filter((name) => /\/(?:issues|pull)\//.test(name))
    expect(threads).toEqual(['ada/notes/issues/0001-notes.md'])
    const bare = await exported(home(), { selection: { kinds: ['issues'], with: 'none' } })
    expect(readIn(bare, 'ada/notes/issues/0001-notes.md')).not.toContain('commented')
    expect(deadLinks(bare)).toEqual([])
    await expect(exported(home(), { selection: { repositories: ['no/such'] } })).rejects.toThrow(
      expect.objectContaining({ code: 'repository-not-found' }),
    )
  })

  test('reads a repository of two databases from the first one', async () => {
    const folder = await exported([...home(), ...rich()])
    expect(filesIn(folder)).toContain('forge/kettle/issues/0001-it-boils-eternel-water.md')
    expect(filesIn(folder).filter((name) => name.includes('kettle/issues/0001'))).toHaveLength(1)
    expect(deadLinks(folder)).toEqual([])
  })
})

/** The file of a thread, by its URL. */
function fileOf(folder: string, url: string): string {
  const found = filesIn(folder).find(
    (name) =>
      /\/(?:issues|pull|discussions)\//.test(name) &&
      readIn(folder, name).startsWith(`---\nurl: ${JSON.stringify(url)}\n`),
  )
  if (found === undefined) throw new Error(`no file has ${url}`)
  return found
}

/** The texts of a timeline that are shown, in their order. */
const writtenIn = (timeline: Iterable<TimelineItem>): string[] =>
  [...timeline]
    .flatMap((item) => {
      if (item.kind === 'event') return []
      const threads =
        item.kind === 'review' ? item.threads : item.kind === 'review_thread' ? [item] : []
      const own = item.kind === 'review_thread' ? [] : [item]
      return [...own, ...threads.flatMap(({ comments }) => comments)]
    })
    .flatMap(({ body }) => (body?.trim() ? body : []))

/** The quotes of a document, without their marks. */
const quotesOf = (document: string): string[] =>
  [...document.matchAll(/^>.*(?:\n>.*)*/gm)].map(([quote]) => quote.replace(/^> ?/gm, ''))

const wordsIn = (html: string): string[] =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+([.,:;!?)])/g, '$1')
    .split(/\s+/)
    .filter((word) => word !== '')

import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewriteLinks } from '../../../src/pages/site/rewrite-links.ts'
import { siteAddressOf } from '../../../src/pages/site/site-address.ts'
import type { SiteSummary } from '../../../src/pages/site/site-options.ts'
import { LIST as LIST_OF_FILES, writeSite } from '../../../src/pages/site/write-site.ts'
import { built as buildOf } from '../../support/build.ts'
import { folderOf } from '../../support/folder.ts'
import { copyOf, opened } from '../../support/load.ts'
import {
  event,
  HOST,
  ISSUE,
  issue,
  KETTLE,
  NOTES,
  PULL,
  pullRequest,
  repository,
  SECRET,
  SHA,
  user,
} from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { attachment } from '../../support/uploads.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const { path: LIST } = LIST_OF_FILES
const samples = sharePages()
const hello = () => samples.paths.slice(0, 1)

const { paths } = shareDatabases({
  users: [user('forge')],
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  issues: [
    issue(`${KETTLE}/issues/1`, { body: `See ${SECRET}/issues/1 and @ada` }),
    issue(`${SECRET}/issues/1`, { title: 'Hush' }),
  ],
})
const other = sharePages([
  {
    repositories: [repository(KETTLE), repository(NOTES)],
    issues: [issue(`${NOTES}/issues/1`)],
    pull_requests: [
      pullRequest(PULL, { close_issue_references: [{ issue: `${NOTES}/issues/1` }] }),
    ],
  },
])
const crowd = shareDatabases({
  users: [user('ada'), user('bob')],
  repositories: [repository(KETTLE)],
  issues: Array.from({ length: 150 }, (_, i) =>
    issue(`${KETTLE}/issues/${i + 1}`, { title: `Issue ${i}`, body: 'It boils. '.repeat(i) }),
  ),
})
const KETTLE_ONLY = { git: false, repositories: ['forge/kettle'] } as const

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .sort()

const sumOf = (folder: string): string => {
  const hash = createHash('sha256')
  for (const file of filesOf(folder)) hash.update(file).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

/** Most tests need no pages of Git data and no answers to questions, which take most of the time. */
const SMALL = { git: false, repositories: ['mona-lindqvist/tea-timer'] } as const

describe('A site', () => {
  let folder: string
  let whole: SiteSummary
  /** A whole site of one repository. */
  let kettle: { folder: string; summary: SiteSummary; sum: string }
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'migration-archive-')), 'site')
    const small = join(dirname(folder), 'kettle')
    const summary = await writeSite(paths, small, KETTLE_ONLY)
    kettle = { folder: small, summary, sum: sumOf(small) }
    whole = await writeSite(hello(), folder, { commits: 3 })
  })
  afterAll(() => rmSync(dirname(folder), { recursive: true }))

  test('has a file behind every link, and no request leads elsewhere', THOROUGH, () => {
    const { files, written } = whole
    expect(written).toBe(files)
    expect(filesOf(folder)).toHaveLength(files + 1)
    for (const file of filesOf(folder).filter((name) => name.endsWith('.html'))) {
      const html = readFileSync(join(folder, file), 'utf8')
      expect(html).toContain(
        '<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;',
      )
      const base = pathToFileURL(join(folder, file))
      // It is shown at any address.
      if (file === '404.html') continue
      for (const [, name, link = ''] of html.matchAll(
        /<[a-z][^>]*? (href|src|action)="([^"]*)"/g,
      )) {
        if (/^https?:/.test(link) && name === 'href') continue
        const target = fileURLToPath(new URL(link.split('#')[0] ?? '', base))
        expect(target.startsWith(normalize(folder)), `${file}: ${link}`).toBe(true)
        expect(existsSync(target), `${file}: ${link}`).toBe(true)
      }
    }
  })

  test('differs from the pages of the server in its links alone', async () => {
    const path = '/mona-lindqvist/tea-timer/issues/3'
    const served = await samples.ask(path)
    const text = (html: string) =>
      html
        .replace(/<header[\s\S]*?<\/header>/, '')
        .replace(/<head>[\s\S]*?<\/head>/, '')
        .replace(/ (?:href|src)="[^"]*"/g, '')
    const file = readFileSync(join(folder, `${path.slice(1)}.html`), 'utf8')
    expect(text(file)).toBe(text('html' in served ? served.html : ''))
  })

  test(
    'is written again only where it changed, and stale files are removed',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      const first = kettle.summary
      cpSync(kettle.folder, folder, { recursive: true })
      const before = kettle.sum
      expect(await writeSite(paths, folder, KETTLE_ONLY)).toEqual({ ...first, written: 0 })
      expect(sumOf(folder)).toBe(before)
      const { removed, files } = await writeSite([], folder, { public: true })
      expect(removed).toBeGreaterThan(10)
      expect(removed).toBe(first.files - files)
      expect(await writeSite(paths, folder, KETTLE_ONLY)).toMatchObject({ removed: 0 })
      expect(sumOf(folder)).toBe(before)
    },
  )

  test(
    'of a database that did not change is not made again, unless a file is missing',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      cpSync(kettle.folder, folder, { recursive: true })
      let pages = 0
      const again = () => writeSite(paths, folder, { ...KETTLE_ONLY, progress: () => pages++ })
      expect(await again()).toEqual({ ...kettle.summary, written: 0 })
      expect(pages).toBe(0)
      rmSync(join(folder, 'forge/kettle/issues/1.html'))
      expect(await again()).toEqual({ ...kettle.summary, written: 1 })
      expect(pages).toBeGreaterThan(0)
      expect(sumOf(folder)).toBe(kettle.sum)
    },
  )

  test('is made again when its database, an option or its list changed', THOROUGH, async () => {
    const folder = join(await folderOf(), 'site')
    const database = await copyOf(paths[0] as string)
    const copy = database.name
    const again = (options: object = {}) =>
      writeSite([copy], folder, { ...KETTLE_ONLY, ...options })
    await again()
    database.exec(`UPDATE issues SET title = 'It cools' WHERE url = '${ISSUE}'`)
    expect((await again()).written).toBeGreaterThan(1)
    expect(readFileSync(join(folder, 'forge/kettle/issues/1.html'), 'utf8')).toContain('It cools')
    expect((await again()).written).toBe(0)
    expect((await again({ base: 'https://a.example' })).written).toBeGreaterThan(1)
    appendFileSync(join(folder, LIST), '["none.html",""]\n')
    await again()
    expect(readFileSync(join(folder, LIST), 'utf8')).not.toContain('none.html')
  })

  test(
    'that was interrupted is finished by the next run, with the same bytes',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      const stop = new AbortController()
      const progress = ({ files }: { files: number }) => {
        if (files > 20) stop.abort(new Error('enough'))
      }
      const options = { ...KETTLE_ONLY, signal: stop.signal, progress }
      await expect(writeSite(paths, folder, options)).rejects.toMatchObject({
        code: 'interrupted',
        cause: { message: 'enough' },
      })
      await writeSite(paths, folder, KETTLE_ONLY)
      expect(sumOf(folder)).toBe(kettle.sum)
    },
  )

  test('has as many commits as it shall have, and links to no other', () => {
    const commits = filesOf(folder).filter((file) => file.includes('/commit/'))
    expect(commits).toHaveLength(3)
    const text = (file: string) => readFileSync(join(folder, file), 'utf8')
    const list = text('mona-lindqvist/tea-timer/commits/main.html')
    expect(new Set(list.match(/commit\/[0-9a-f]{40}\.html/g)).size).toBeLessThan(4)
    expect(list).toContain('Start with three teas')
  })

  test('is estimated without being written in a dry run', THOROUGH, async () => {
    const folder = join(await folderOf(), 'site')
    const planned = await writeSite(hello(), folder, { commits: 3, dryRun: true })
    expect(existsSync(folder)).toBe(false)
    const { files, bytes } = whole
    expect(planned).toMatchObject({ written: 0, removed: 0 })
    expect(Math.abs(planned.files - files)).toBeLessThan(files / 10)
    expect(Math.abs(planned.bytes - bytes)).toBeLessThan(bytes / 10)
  })

  test('of hundreds of threads is estimated from some of their pages', THOROUGH, async () => {
    const { paths: many } = crowd
    const folder = join(await folderOf(), 'site')
    const planned = await writeSite(many, folder, { public: true, dryRun: true })
    const made = await writeSite(many, folder, { public: true })
    expect(Math.abs(planned.files - made.files)).toBeLessThan(made.files / 20)
    expect(Math.abs(planned.bytes - made.bytes)).toBeLessThan(made.bytes / 10)
  })

  test('of one repository has nothing about others, nor about the whole', THOROUGH, async () => {
    const folder = join(await folderOf(), 'site')
    await writeSite([...paths, ...hello()], folder, KETTLE_ONLY)
    const files = filesOf(folder)
    expect(files).toContain('forge/kettle/issues.html')
    expect(files.filter((file) => /secret|tea-timer|^-\/(?:raw|questions)/.test(file))).toEqual([])
    await expect(writeSite(hello(), folder, { repositories: ['a/b'] })).rejects.toMatchObject({
      code: 'repository-not-found',
    })
  })

  test(
    'without Git data, a search and files has no page, form or index of them, but the names of files',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      await writeSite(hello(), folder, { ...SMALL, search: false, files: false })
      const files = filesOf(folder)
      expect(files.filter((file) => /\/tea-timer\/(?:commits|tree|blob)\//.test(file))).toEqual([])
      expect(files.filter((file) => /search|^-\/files/.test(file))).toEqual([])
      expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toContain('<form')
      const html = readFileSync(join(folder, 'mona-lindqvist/tea-timer/issues/3.html'), 'utf8')
      expect(html).not.toContain('<img')
    },
  )

  test(
    'has what web hosts look for; with its address also a map, and the one address of each page',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      await writeSite(paths, folder, { ...KETTLE_ONLY, base: 'https://tea.example/old' })
      const text = (file: string) => readFileSync(join(folder, file), 'utf8')
      expect(text('robots.txt')).toContain('Sitemap: https://tea.example/old/sitemap.xml')
      const mapped = [...text('sitemap.xml').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url)
      expect(mapped).toContain('https://tea.example/old/')
      expect(mapped).toContain('https://tea.example/old/forge/kettle/issues/1.html')
      expect(text('index.html')).toContain('<link rel="canonical" href="https://tea.example/old/">')
      expect(text('404.html')).toContain('href="https://tea.example/old/-/assets/style.')
      await expect(writeSite(hello(), folder, { base: 'ftp://x' })).rejects.toMatchObject({
        code: 'option-invalid',
      })
    },
  )

  test('is not written over files that are not of a site', THOROUGH, async () => {
    const folder = await folderOf({ 'mine.txt': 'mine' })
    await expect(writeSite(hello(), folder)).rejects.toMatchObject({ code: 'output-refused' })
    expect(filesOf(folder)).toEqual(['mine.txt'])
    const site = join(await folderOf(), 'site')
    await writeSite([], site)
    mkdirSync(join(site, 'mona-lindqvist'))
    writeFileSync(join(site, 'mona-lindqvist/tea-timer.html'), 'mine')
    await expect(writeSite(hello(), site, SMALL)).rejects.toMatchObject({ code: 'output-refused' })
    expect(readFileSync(join(site, 'mona-lindqvist/tea-timer.html'), 'utf8')).toBe('mine')
  })

  test('is refused in place of a file, and where nothing can be written', async () => {
    const folder = await folderOf({ 'mine.txt': 'mine', 'site/-/site.ndjson/x': 'x' })
    for (const name of ['mine.txt', 'mine.txt/site', 'site']) {
      const refused = writeSite(hello(), join(folder, name))
      await expect(refused, name).rejects.toMatchObject({ code: 'output-refused' })
    }
    expect(readFileSync(join(folder, 'mine.txt'), 'utf8')).toBe('mine')
  })

  test('never removes a file out of its folder, whatever its list says', async () => {
    const outside = await folderOf({ 'precious.txt': 'mine' })
    const folder = join(outside, 'site')
    await writeSite([], folder)
    const list = readFileSync(join(folder, LIST), 'utf8')
    writeFileSync(join(folder, LIST), `${list}["../precious.txt","x"]\nnot json\n`)
    await writeSite([], folder)
    expect(readFileSync(join(outside, 'precious.txt'), 'utf8')).toBe('mine')
    expect(dirname(folder)).toBe(outside)
  })
})

test(
  'M4: Links that were planted in a site are not followed, to write, read or remove',
  THOROUGH,
  async () => {
    const folder = await folderOf({ 'elsewhere/': '' })
    const [site, elsewhere] = [join(folder, 'site'), join(folder, 'elsewhere')]
    await writeSite(paths, site, KETTLE_ONLY)
    const plant = async (name: string) => {
      const path = join(site, name)
      rmSync(elsewhere, { recursive: true })
      cpSync(path, elsewhere, { recursive: true })
      rmSync(path, { recursive: true })
      symlinkSync(elsewhere, path)
      const look = () =>
        statSync(elsewhere).isFile() ? readFileSync(elsewhere, 'utf8') : sumOf(elsewhere)
      const before = look()
      return { path, isSame: () => before === look() }
    }
    for (const name of ['forge/kettle', '-', LIST]) {
      const planted = await plant(name)
      // Another selection changes, adds and removes files everywhere.
      await expect(writeSite(paths, site, { git: false }), name).rejects.toMatchObject({
        code: 'output-refused',
      })
      expect(planted.isSame(), name).toBe(true)
      rmSync(planted.path)
      cpSync(elsewhere, planted.path, { recursive: true })
    }
    // A page is written in place of a link, never through it.
    const planted = await plant('index.html')
    await writeSite(paths, site, KETTLE_ONLY)
    expect(planted.isSame()).toBe(true)
    expect(lstatSync(planted.path).isFile()).toBe(true)
  },
)

test('A public site has nothing of private repositories', THOROUGH, async () => {
  const folder = join(await folderOf(), 'site')
  await writeSite(paths, folder, { public: true })
  expect(filesOf(folder)).toContain('forge/kettle/issues/1.html')
  for (const file of filesOf(folder)) {
    expect(file).not.toContain('secret')
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Hush')
  }
})

describe('An archive in a site', () => {
  const WITH_ARCHIVE = { git: false, search: false, archive: true } as const
  const NAME = 'it.tar.gz'

  test(
    'has the bytes that a build has, stays while these are the same, and goes with its option',
    THOROUGH,
    async () => {
      const site = join(await folderOf(), 'site')
      const file = join(site, '-/archives', NAME)
      const database = await copyOf(paths[0] as string)
      const write = (options: object = {}) =>
        writeSite([database.name], site, { ...WITH_ARCHIVE, ...options })
      const { bytes, files } = await write()
      const built = await buildOf(database)
      expect(readFileSync(file).equals(built)).toBe(true)
      const list = readFileSync(join(site, '-/archives.html'), 'utf8')
      expect(list).toMatch(
        new RegExp(`href="archives/${NAME}" download="${NAME}">.*${NAME}</bdi> \\(\\d+ B\\)</a>`),
      )
      const { ino } = statSync(file)
      // All pages are made again, with other links.
      expect((await write({ base: 'https://tea.example' })).written).toBeGreaterThan(10)
      expect(statSync(file).ino).toBe(ino)
      database.exec(`UPDATE issues SET title = 'It cools' WHERE url = '${ISSUE}'`)
      await write()
      expect(readFileSync(file).equals(await buildOf(database))).toBe(true)
      expect(readFileSync(file).equals(built)).toBe(false)
      const without = await write({ archive: false })
      expect(without.files).toBe(files - 1)
      expect(without.bytes).toBeLessThan(bytes - built.length)
      expect(existsSync(file)).toBe(false)
    },
  )

  test('is counted in a dry run, with about its size', THOROUGH, async () => {
    const folder = join(await folderOf(), 'site')
    const planned = (archive: boolean) =>
      writeSite(hello(), folder, { ...WITH_ARCHIVE, archive, dryRun: true })
    const [without, withOne] = [await planned(false), await planned(true)]
    const { length } = await buildOf(opened(hello()[0] as string))
    expect(withOne.files - without.files).toBe(1)
    expect(Math.abs(withOne.bytes - without.bytes - length)).toBeLessThan(length / 2)
  })

  test(
    'of each of several databases has a name of its own, whatever the archives are named',
    THOROUGH,
    async () => {
      const site = join(await folderOf(), 'site')
      const databases = await Promise.all([0, 1, 2].map(() => copyOf(paths[0] as string)))
      const names = ['../\x1b[31m.tar.gz', 'It.tgz', 'it.tar.gz']
      for (const [i, database] of databases.entries())
        database.prepare('UPDATE archives SET name = ?').run(names[i])
      await writeSite(
        databases.map(({ name }) => name),
        site,
        WITH_ARCHIVE,
      )
      const archives = filesOf(join(site, '-/archives')).filter((file) => file.endsWith('.gz'))
      expect(archives).toEqual(['It.tar.gz', '___[31m.tar.gz', 'it-2.tar.gz'])
    },
  )

  test('is refused in a site of a part, because it has everything', async () => {
    const folder = join(await folderOf(), 'site')
    for (const part of [{ public: true }, { repositories: ['forge/kettle'] }]) {
      await expect(writeSite(paths, folder, { ...WITH_ARCHIVE, ...part })).rejects.toMatchObject({
        code: 'option-invalid',
      })
    }
    expect(existsSync(folder)).toBe(false)
  })

  test('whose records no importer takes ends the site before it has a page', async () => {
    const folder = join(await folderOf(), 'site')
    const database = await copyOf(paths[0] as string)
    database.exec("UPDATE issues SET created_at = 'soon'")
    await expect(writeSite([database.name], folder, WITH_ARCHIVE)).rejects.toMatchObject({
      code: 'date-form',
    })
    expect(existsSync(join(folder, 'index.html'))).toBe(false)
  })
})

describe('Files in a site', () => {
  const GIF = 'GIF89a<script>window.owned = 1</script>'
  const names = [
    'page.html',
    'cup.gif',
    'CUP.GIF',
    `${'n'.repeat(251)}.gif`,
    'ü'.repeat(127),
    '.htaccess',
  ]
  const world = shareDatabases({
    records: {
      repositories: [repository(KETTLE)],
      issues: [issue(ISSUE)],
      attachments: names.map((name, i) =>
        attachment(`${i}`, { issue: ISSUE, url: `${HOST}/user-attachments/assets/${i}` }, name),
      ),
    },
    files: Object.fromEntries(names.map((name, i) => [`attachments/${i}/${name}`, `${GIF}${i}`])),
  })

  test(
    'have names that every file system takes, with the ending of their content',
    THOROUGH,
    async () => {
      const folder = join(await folderOf(), 'site')
      await writeSite(world.paths, folder)
      const files = filesOf(join(folder, '-/files')).map((path) =>
        path.slice(path.indexOf('/') + 1),
      )
      expect(files).toHaveLength(names.length)
      for (const file of files) expect(file).toMatch(/^[\w~-][\w.~-]{0,220}\.gif$/i)
      expect(files).toContain('page.html.gif')
      expect(files).toContain('cup.gif')
      const html = readFileSync(join(folder, 'forge/kettle/issues/1.html'), 'utf8')
      for (const [, link = ''] of html.matchAll(/href="([^"]*-\/files\/[^"]*)"/g)) {
        expect(existsSync(join(folder, 'forge/kettle/issues', decodeURIComponent(link)))).toBe(true)
      }
    },
  )
})

describe('A public site of what refers to private repositories', () => {
  const world = shareDatabases({
    repositories: [repository(KETTLE), repository(SECRET, { private: true })],
    issues: [issue(ISSUE), issue(`${SECRET}/issues/1`, { title: 'Hush' })],
    pull_requests: [
      pullRequest(PULL, {
        head: { ref: 'topic', sha: SHA, user: `${HOST}/forge`, repo: SECRET },
        close_issue_references: [{ issue: `${SECRET}/issues/1` }],
      }),
      pullRequest(`${SECRET}/pull/2`, { title: 'Hush' }),
    ],
    issue_events: [
      event(ISSUE, 1, 'referenced', { commit_id: SHA, commit_repository: SECRET }),
      event(ISSUE, 2, 'referenced', { commit_id: SHA, commit_repository: `${HOST}/far/secret` }),
      event(ISSUE, 3, 'closed', { referencing_pull_request: `${SECRET}/pull/2` }),
      event(ISSUE, 4, 'transferred', { subject: `${SECRET}/issues/9` }),
      event(ISSUE, 5, 'connected', { subject: `${SECRET}/issues/1` }),
      event(PULL, 6, 'review_requested', { subject: `${HOST}/bob` }),
    ],
    projects: [
      {
        type: 'project',
        url: `${KETTLE}/projects/1`,
        creator: `${HOST}/ada`,
        name: 'Board',
        columns: [{ name: 'To do', cards: [{ issue: `${SECRET}/issues/1` }] }],
      },
    ],
  })
  let folder: string
  beforeAll(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'migration-archive-')), 'site')
    await writeSite(world.paths, folder, { public: true })
  })
  afterAll(() => rmSync(dirname(folder), { recursive: true }))
  const textOf = (file: string) =>
    readFileSync(join(folder, file), 'utf8')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')

  test('has their names nowhere, nor titles of what they hold', () => {
    for (const file of filesOf(folder)) {
      expect(readFileSync(join(folder, file), 'latin1'), file).not.toMatch(/secret|hush/i)
    }
  })

  test('says that there is something', () => {
    const thread = textOf('forge/kettle/issues/1.html')
    expect(thread).toContain('mentioned this in commit 0123456 of another repository')
    expect(thread).toContain('closed this with a thread of another repository')
    expect(thread).toContain('transferred this here from a thread of another repository')
    const pull = textOf('forge/kettle/pull/2.html')
    expect(pull).toContain('wants to merge another repository:topic into main')
    expect(pull).toContain('requested a review from bob')
  })
})

test('A pull request leads to an issue of another repository that it closes', async () => {
  const { ask } = other
  expect(htmlOf(await ask('/forge/kettle/pull/2'))).toMatch(
    /href="\/ada\/notes\/issues\/1"><bdi dir="auto">It boils<\/bdi> #1/,
  )
})

test.each([
  ['/', 'index.html'],
  ['/?page=1', 'index.html'],
  ['/forge/kettle', 'forge/kettle.html'],
  ['/Forge/Kettle', 'Forge/Kettle.html'],
  ['/forge/kettle/issues?page=2&state=closed', 'forge/kettle/issues/-/state-closed.page-2.html'],
  ['/forge/kettle/issues?sort=oldest', 'forge/kettle/issues.html'],
  ['/forge/kettle/-/labels.css', 'forge/kettle/-/labels.css'],
  ['/search?q=x', 'search.html'],
  ['/-/sql?sql=x', undefined],
  ['/a/../b', undefined],
])('The address %s is the file %s', (address, file) => {
  expect(siteAddressOf(address)?.file).toBe(file)
})

test.each(['Con', 'x.html', '.git', '..%2f..', 'bug%20fix', 'Bug', 'a%5Cb', 'x'.repeat(300)])(
  'A label named %s is a file that every file system takes, of its own',
  (name) => {
    const { file = '' } = siteAddressOf(`/forge/kettle/labels/${name}`) ?? {}
    expect(file).toMatch(/^forge\/kettle\/labels\/[\w-]{0,60}~[0-9a-f]{10}\.html$/)
  },
)

test.each(['con.txt', 'AUX', 'nul.tar.gz', 'com1.png', 'end.', 'lpt9'])(
  'A file that people download as %s has a name that Windows takes',
  (name) => {
    const sha = 'a'.repeat(64)
    const { file = '' } = siteAddressOf(`/-/files/${sha}/${name}`) ?? {}
    expect(file).toMatch(/^-\/files\/a{64}\/[\w-]+~[0-9a-f]{10}$/)
    expect(siteAddressOf(`/-/files/${sha}/plain.txt`)?.file).toBe(`-/files/${sha}/plain.txt`)
  },
)

test('A link of a file leads to the file that was meant', () => {
  const part = fc.stringMatching(/^[\w@+~-][\w.@+ %&-]{0,3}$/)
  const file = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  fc.assert(
    fc.property(file, file, (from, to) => {
      const html = rewriteLinks('<a href="/x">x</a>', from, () => ({ file: to }))
      const link = /href="([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''
      const base = `https://a.example/${from.split('/').map(encodeURIComponent).join('/')}`
      expect(decodeURIComponent(new URL(link, base).pathname)).toBe(`/${to}`)
    }),
  )
})

test('Text that looks like a link stays text', () => {
  const html = '<p>href=&quot;/x&quot; href="/x"</p><a class="y" href="/x#z">x</a>'
  expect(rewriteLinks(html, 'a/b.html', () => ({ file: 'x.html' }))).toBe(
    '<p>href=&quot;/x&quot; href="/x"</p><a class="y" href="../x.html#z">x</a>',
  )
  expect(rewriteLinks(html, 'a/b.html', () => undefined)).toContain('<a class="y">x</a>')
})

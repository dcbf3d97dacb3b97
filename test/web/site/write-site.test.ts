import { createHash } from 'node:crypto'
import {
  cpSync,
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
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rewriteLinks } from '../../../src/web/site/rewrite-links.ts'
import { siteAddressOf } from '../../../src/web/site/site-address.ts'
import { LIST } from '../../../src/web/site/site-list.ts'
import type { SiteSummary } from '../../../src/web/site/site-options.ts'
import { writeSite } from '../../../src/web/site/write-site.ts'
import { folderOf } from '../../support/folder.ts'
import { issue, KETTLE, repository, SECRET, user } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { sharePages } from '../../support/web.ts'

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

  test('has a file behind every link, and no request leads elsewhere', () => {
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

  test('is written again only where it changed, and stale files are removed', async () => {
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
  })

  test('that was interrupted is finished by the next run, with the same bytes', async () => {
    const folder = join(await folderOf(), 'site')
    const stop = new AbortController()
    const progress = (files: number) => {
      if (files > 20) stop.abort(new Error('enough'))
    }
    const options = { ...KETTLE_ONLY, signal: stop.signal, progress }
    await expect(writeSite(paths, folder, options)).rejects.toMatchObject({
      ...{ code: 'interrupted', cause: { message: 'enough' } },
    })
    await writeSite(paths, folder, KETTLE_ONLY)
    expect(sumOf(folder)).toBe(kettle.sum)
  })

  test('has as many commits as it shall have, and links to no other', () => {
    const commits = filesOf(folder).filter((file) => file.includes('/commit/'))
    expect(commits).toHaveLength(3)
    const text = (file: string) => readFileSync(join(folder, file), 'utf8')
    const list = text('mona-lindqvist/tea-timer/commits/main.html')
    expect(new Set(list.match(/commit\/[0-9a-f]{40}\.html/g)).size).toBeLessThan(4)
    expect(list).toContain('Start with three teas')
  })

  test('counts what it would have, and writes nothing, in a dry run', async () => {
    const folder = join(await folderOf(), 'site')
    const planned = await writeSite(paths, folder, { ...KETTLE_ONLY, dryRun: true })
    expect(existsSync(folder)).toBe(false)
    const { files, bytes } = kettle.summary
    expect(files).toBeGreaterThan(20)
    expect(planned).toEqual({ files, bytes, written: 0, removed: 0 })
  })

  test('of one repository has nothing about others, nor about the whole', async () => {
    const folder = join(await folderOf(), 'site')
    await writeSite([...paths, ...hello()], folder, KETTLE_ONLY)
    const files = filesOf(folder)
    expect(files).toContain('forge/kettle/issues.html')
    expect(files.filter((file) => /secret|tea-timer|^-\/(?:raw|questions)/.test(file))).toEqual([])
    await expect(writeSite(hello(), folder, { repositories: ['a/b'] })).rejects.toMatchObject({
      code: 'repository-not-found',
    })
  })

  test('without Git data, a search and files has no page, form or index of them, but the names of files', async () => {
    const folder = join(await folderOf(), 'site')
    await writeSite(hello(), folder, { ...SMALL, search: false, files: false })
    const files = filesOf(folder)
    expect(files.filter((file) => /\/tea-timer\/(?:commits|tree|blob)\//.test(file))).toEqual([])
    expect(files.filter((file) => /search|^-\/files/.test(file))).toEqual([])
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).not.toContain('<form')
    const html = readFileSync(join(folder, 'mona-lindqvist/tea-timer/issues/3.html'), 'utf8')
    expect(html).not.toContain('<img')
  })

  test('has what web hosts look for; with its address also a map, and the one address of each page', async () => {
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
  })

  test('is not written over files that are not of a site', async () => {
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

test('A public site has nothing of private repositories', async () => {
  const folder = join(await folderOf(), 'site')
  await writeSite(paths, folder, { public: true })
  expect(filesOf(folder)).toContain('forge/kettle/issues/1.html')
  for (const file of filesOf(folder)) {
    expect(file).not.toContain('secret')
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('Hush')
  }
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

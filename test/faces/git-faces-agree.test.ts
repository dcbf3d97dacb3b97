import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tarOf } from '../support/build-tar.ts'
import { loadOnce } from '../support/load-once.ts'
import { filesOf } from '../support/rest-world.ts'
import { run } from '../support/run-command.ts'
import { everyDay } from '../support/thorough.ts'
import { htmlOf, loadSamples } from '../support/web.ts'
import { COMMITS, ODD_FILES, ODD_RECORDS } from './odd-repository.ts'
import { type Faces, type Json, openFaces } from './open-faces.ts'

let faces: Faces
let path: string
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migration-archive-'))
  path = join(folder, 'it.db')
  await loadOnce([tarOf({ ...filesOf(ODD_RECORDS), ...ODD_FILES })], path, {})
  faces = await openFaces([path])
})
afterAll(async () => {
  await faces.close()
  await rm(folder, { recursive: true })
})

const page = async (address: string) => {
  const [at = '', query = ''] = address.split('?')
  return htmlOf(await faces.pages.render(at, new URLSearchParams(query)))
}
const rest = <Body = Json>(rest: string, name = 'forge/kettle') => faces.rest<Body>(name, rest)
/** The rows that a command prints. */
const rows = async (command: string, ...more: string[]): Promise<Json[]> => {
  const { stdout, code } = await run([...command.split(' '), path, ...more, '--json'])
  return code === 0 ? (JSON.parse(stdout) as Json[]) : []
}
const found = (html: string, pattern: RegExp): string[] =>
  [...html.matchAll(pattern)].map(
    (match) => match.slice(1).find((part) => part !== undefined) ?? '',
  )
const each = <Item = Json>(more: string, name = 'forge/kettle') => faces.restList<Item>(name, more)
const sha = ({ sha }: Json) => String(sha)

/** The commits that a list on a page has, in its order. */
const commitsIn = (html: string) =>
  found(html, /<p class="oid"><a href="[^"]*\/commit\/([0-9a-f]{40})"/g)
/** The latest commit above a folder. */
const latestIn = (html: string) =>
  found(html, /class="subject" href="[^"]*\/commit\/([0-9a-f]{40})"/g)[0]

describe('Of the repository', () => {
  everyDay(1)(['forge/kettle', 'ada/notes'])(
    'pages and the interface begin %s with the same commit',
    async (name) => {
      const [newest] = await each('/commits', name)
      expect(newest).toBeDefined()
      expect(latestIn(await page(`/${name}`))).toBe(newest?.sha)
    },
  )

  test('no face has a commit of a repository that is empty', async () => {
    expect(await each('/commits', 'ada/empty')).toEqual([])
    expect(await each('/branches', 'ada/empty')).toEqual([])
    expect(latestIn(await page('/ada/empty'))).toBeUndefined()
    expect(await rows('repo log', 'ada/empty')).toEqual([])
  })

  test('pages, the interface and marc repo refs have the same branches and tags', async () => {
    const namesIn = (html: string) => found(html, /<h2><a href="[^"]*">.*?<bdi>([^<]*)</g).sort()
    const named = await rows('repo refs', 'old/teapot')
    for (const [word, prefix] of [
      ['branches', 'refs/heads/'],
      ['tags', 'refs/tags/'],
    ] as const) {
      const names = (await each(`/${word}`)).map(({ name }) => name).sort()
      expect(names.length).toBeGreaterThan(1)
      expect(namesIn(await page(`/forge/kettle/${word}`))).toEqual(names)
      const inGit = named.filter(({ name, oid }) => String(name).startsWith(prefix) && oid !== null)
      expect(inGit.map(({ name }) => String(name).slice(prefix.length)).sort()).toEqual(names)
      const [count] = found(await page('/forge/kettle'), new RegExp(`${word}">(\\d+) `, 'g'))
      expect(Number(count)).toBe(names.length)
      const listed = await rows('repo list')
      const row = listed.find(({ repository }) => repository === 'old/teapot')
      expect(row?.[word]).toBe(names.length)
    }
  })

  test('pages and the interface count the same languages', async () => {
    const html = await page('/forge/kettle')
    const names = Object.keys((await rest('/languages')) ?? {})
    expect(names).toEqual(['C', 'Python'])
    expect(found(html, /<\/svg> (\w+) <span class="muted">/g)).toEqual(names)
  })

  test('pages and the interface show the same README', async () => {
    const [shown] = found(await page('/forge/kettle'), /<h2 id="readme">.*?<bdi>([^<]*)</g)
    expect(shown).toBe((await rest('/readme'))?.path)
  })
})

const { first, second, topic, merge, last, orphan } = COMMITS

describe('Of a name', () => {
  everyDay(4)([
    'main',
    'topic',
    'both',
    'v1',
    'HEAD',
    'heads/both',
    'tags/both',
    'refs/tags/both',
    'refs/pull/2/head',
    topic.slice(0, 7),
    topic.slice(0, 5),
    topic,
    'lost',
    'nothing',
    'main~1',
    '3'.repeat(40),
  ])('pages and the interface take %s for the same commit', async (name) => {
    const shown = latestIn(await page(`/forge/kettle/tree/${name}`))
    expect(shown).toBe((await rest(`/commits/${name}`))?.sha)
    const [newest] = (await rest<Json[]>(`/commits?sha=${name}`)) ?? []
    expect(shown).toBe(newest?.sha)
  })

  test('a branch comes before a tag', async () => {
    expect((await rest('/commits/both'))?.sha).toBe(second)
    expect(first).not.toBe(second)
  })
})

describe('Of a path', () => {
  test('pages, the interface and marc repo show have the same entries', async () => {
    const [html, entries] = [await page('/forge/kettle/tree/main'), await each('/contents')]
    const names = entries.map(({ name }) => name).sort()
    const listed = found(html, /<td class="name [^>]*>.*?<bdi>([^<]*)</g)
    expect(listed.sort()).toEqual(names)
    const printed = await rows('repo show', 'old/teapot', 'main:')
    expect(printed.map(({ name }) => name).sort()).toEqual(names)
  })

  test.each(['src/cook.c', 'crlf.txt', 'all.bin', 'link', 'caf\ufffd.txt', 'nothing'])(
    'pages and the interface find the same file at %s',
    async (file) => {
      const at = file.split('/').map(encodeURIComponent).join('/')
      const entry = await rest(`/contents/${at}`)
      const rendered = await faces.pages.render(
        `/forge/kettle/blob/main/${at}`,
        new URLSearchParams(),
      )
      expect('html' in rendered && rendered.status === 200).toBe(entry !== undefined)
    },
  )

  everyDay(1)(['', 'src', 'src/cook.c', 'link', 'caf\ufffd.txt'])(
    'pages, the interface and marc repo log have the same history of "%s"',
    async (file) => {
      const at = file.split('/').map(encodeURIComponent).join('/')
      const listed = (await each(`/commits?sha=main&path=${at}`)).map(sha)
      expect(listed.length).toBeGreaterThan(0)
      expect(commitsIn(await page(`/forge/kettle/commits/main${at && `/${at}`}`))).toEqual(listed)
      const paths = file === '' ? [] : ['--path', file]
      const logged = await rows('repo log', 'old/teapot', 'main', ...paths)
      if (!file.includes('\ufffd')) expect(logged.map(({ oid }) => oid)).toEqual(listed)
    },
  )
})

interface Changed {
  readonly files: string
  readonly inserted: number
  readonly deleted: number
}

/** What the bar above a diff says. */
function changedIn(html: string): Changed | undefined {
  const [bar = ''] = found(html, /<div class="change-bar">(.*?)<\/div>/gs)
  const count = (pattern: RegExp) => Number(pattern.exec(bar)?.[1] ?? 0)
  return bar === ''
    ? undefined
    : {
        files: String(count(/(\d+) changed/)),
        inserted: count(/(\d+) lines? added/),
        deleted: count(/(\d+) lines? removed/),
      }
}

function changedInRest(files: readonly Json[] | undefined): Changed | undefined {
  if (files === undefined || files.length === 0) return undefined
  const sum = (name: string) => files.reduce((all, file) => all + Number(file[name]), 0)
  const [inserted, deleted] = [sum('additions'), sum('deletions')]
  return { files: String(files.length), inserted, deleted }
}

/** What `--stat` says in its last line. */
function changedInStat(text: string): Changed | undefined {
  const line = text.trimEnd().split('\n').at(-1) ?? ''
  const count = (pattern: RegExp) => Number(pattern.exec(line)?.[1] ?? 0)
  const [files, inserted] = [count(/(\d+) files? changed/), count(/(\d+) insertion/)]
  return files === 0 ? undefined : { files: `${files}`, inserted, deleted: count(/(\d+) deletion/) }
}

describe('Of a commit', () => {
  everyDay(1)(Object.entries(COMMITS))(
    'pages, the interface and marc repo show count the same changes (%s)',
    async (_, oid) => {
      const commit = await rest<{ sha: string; files: Json[] }>(`/commits/${oid}`)
      const changed = changedInRest(commit?.files)
      expect(changedIn(await page(`/forge/kettle/commit/${oid}`))).toEqual(changed)
      const shown = await run(['repo', 'show', path, 'old/teapot', oid, '--stat'])
      expect(changedInStat(shown.stdout)).toEqual(changed)
      expect(commit?.sha).toBe(oid)
    },
  )

  test('the changes since a parent that is not there are unknown on all faces', async () => {
    const commit = await rest<{ files: Json[] }>(`/commits/${orphan}`)
    expect(commit?.files).toEqual([])
    expect(await page(`/forge/kettle/commit/${orphan}`)).toContain('Alone')
  })

  everyDay(2)([first, second, topic, merge, last])(
    'pages and the interface know the same author (%s)',
    async (oid) => {
      const author = (await rest(`/commits/${oid}`))?.author as Json | null
      const html = await page(`/forge/kettle/commit/${oid}`)
      const [person] = found(html, /<a class="person" href="\/([^"]*)"/g)
      expect(person ?? null).toBe(author?.login ?? null)
    },
  )
})

describe('Of two commits', () => {
  test('pages and the interface list the same commits and changes', async () => {
    const compared = await rest<{ commits: Json[]; files: Json[] }>('/compare/both...topic')
    const html = await page('/forge/kettle/compare/both...topic')
    expect(compared?.commits.length).toBe(1)
    expect(commitsIn(html).toReversed()).toEqual(compared?.commits.map(sha))
    expect(changedIn(html)).toEqual(changedInRest(compared?.files))
  })
})

describe('Of a pull request', () => {
  everyDay(1)([2, 3, 4, 5])(
    'pages, the interface and marc show have the same commits and changes (%i)',
    async (number) => {
      const commits = (await each(`/pulls/${number}/commits`)).map(sha)
      const files = await rest<Json[]>(`/pulls/${number}/files`)
      const changed = changedInRest(files)
      const html = await page(`/forge/kettle/pull/${number}/commits`)
      expect(commitsIn(html)).toEqual(commits)
      const counted = (word: string) =>
        found(html, new RegExp(`${word} <span class="counter">([^<]*)`, 'g'))[0]
      expect(counted('Commits')).toBe(commits.length > 0 ? `${commits.length}` : undefined)
      expect(counted('Files changed')).toBe(changed?.files)
      expect(changedIn(await page(`/forge/kettle/pull/${number}/files`))).toEqual(changed)
      const shown = await run(['show', path, `forge/kettle#${number}`, '--diff', '--stat'])
      expect(changedInStat(shown.stdout)).toEqual(changed)
    },
  )
})

describe('Of the samples', () => {
  let samples: Faces
  let home: string
  let paths: string[] = []
  beforeAll(async () => {
    ;({ folder: home, paths } = await loadSamples())
    samples = await openFaces(paths)
  })
  afterAll(async () => {
    await samples.close()
    await rm(home, { recursive: true })
  })
  const shown = async (address: string) =>
    htmlOf(await samples.pages.render(address, new URLSearchParams()))

  everyDay(1)(['mona-lindqvist/tea-timer', 'harbour-lights/tidewatch'])(
    'pages, the interface and marc repo have the same branches, tags and commits of %s',
    async (name) => {
      const list = (more: string) => samples.restList<Json>(name, more)
      const names = async (word: string) => (await list(`/${word}`)).map(({ name }) => name).sort()
      const onPage = async (word: string) =>
        found(await shown(`/${name}/${word}`), /<h2><a href="[^"]*">.*?<bdi>([^<]*)</g).sort()
      for (const word of ['branches', 'tags']) expect(await onPage(word)).toEqual(await names(word))
      const commits = (await list('/commits')).map(sha)
      expect(commits.length).toBeGreaterThan(0)
      const inPage = commitsIn(await shown(`/${name}/commits/main`))
      expect(inPage).toEqual(commits.slice(0, inPage.length))
      const database = paths[name === 'mona-lindqvist/tea-timer' ? 0 : 1] ?? ''
      const { stdout } = await run(['repo', 'log', database, name, 'main', '--json'])
      expect((JSON.parse(stdout) as Json[]).map(({ oid }) => oid)).toEqual(commits)
      for (const { number } of await list('/pulls?state=all')) {
        const ofPull = (await list(`/pulls/${number}/commits`)).map(sha)
        expect(commitsIn(await shown(`/${name}/pull/${number}/commits`))).toEqual(ofPull)
      }
    },
  )
})

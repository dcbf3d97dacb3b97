import { beforeAll, expect, test } from 'vitest'
import { parseLink } from '../../src/interface/link-header.ts'
import { crawledWorld } from '../support/crawled-world.ts'
import { HOST } from '../support/rest-world.ts'
import { THOROUGH } from '../support/thorough.ts'
import { CODE, GIT, PASSWORD, serveWorld, TOKENS } from './clients/served-world.ts'

/** Follows every address in every answer, from the index at `/`, as the owner and as a stranger. */

const BASE = 'http://localhost'
const world = serveWorld({}, crawledWorld())

/** Addresses of the host: its pages, pictures and documentation, and Git. */
const OF_THE_HOST = new RegExp(
  `^(?:${HOST}/|git://|git@|https://(?:avatars\\.example|developer\\.github\\.com|ci\\.example)/)`,
)

/** For the host, 404 means no here: the caller does not watch the repository. */
const MEANS_NO = /\/repos\/[^/]+\/[^/]+\/subscription$/

/** What the variables of templates may be in this world. */
const VALUES: Readonly<Record<string, string>> = {
  owner: 'forge',
  org: 'forge',
  repo: 'kettle',
  username: 'ada',
  user: 'bob',
  path: 'README.md',
  base: 'main',
  head: 'v1',
  ref: 'main',
  archive_format: 'tarball',
}

const oidBelow = (path: string) =>
  ({ blobs: GIT.blob, trees: GIT.tree, tags: GIT.tag })[path.split('/').at(-1) ?? ''] ?? GIT.commit

/** The addresses that a template may stand for: without its optional parts, and with them. */
function* expand(template: string): Generator<string> {
  const fill = (text: string, pattern: RegExp) =>
    text.replace(pattern, (_, slash: string, name: string, at: number) => {
      const value = name === 'sha' ? oidBelow(text.slice(0, at).replace(/\/$/, '')) : VALUES[name]
      return value === undefined ? '' : `${slash}${value}`
    })
  const needed = fill(template.replace(/\{\?[^}]*\}/g, ''), /\{(\+?)(\w+)\}/g).replace('+', '')
  yield needed.replace(/\{\/[^}]*\}/g, '')
  if (needed.includes('{/')) yield fill(needed, /\{(\/)(\w+)\}/g)
}

/** The addresses in an answer: members whose name says so. */
function* addressesIn(value: unknown, name = ''): Generator<string> {
  if (typeof value === 'string' && /url$|^href$/.test(name)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const isLinks = name === '_links' && !Array.isArray(value)
    yield* addressesIn(member, isLinks ? 'href' : Array.isArray(value) ? name : key)
  }
}

const basic = Buffer.from(`ada:${PASSWORD}`).toString('base64')

/** Asks as the owner, who has a token, and a password where one is needed. */
const byOwner = (url: string): Record<string, string> =>
  url.includes('/authorizations')
    ? { Authorization: `Basic ${basic}`, 'X-GitHub-OTP': CODE }
    : { Authorization: `token ${TOKENS.owner}` }

async function ask(url: string, headers: Record<string, string>) {
  const address = url.endsWith('.git') ? `${url}/info/refs?service=git-upload-pack` : url
  const accept =
    'application/vnd.github.starfox-preview, application/vnd.github.machine-man-preview, application/vnd.github.sailor-v-preview, application/vnd.github.wyandotte-preview+json'
  const request = new Request(address, {
    redirect: 'manual',
    headers: { Accept: accept, ...headers },
  })
  const response = await world.server.fetch(request)
  const { status } = response
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const text = await response.text()
  const found = isJson && status < 300 ? [...addressesIn(JSON.parse(text))] : []
  found.push(...Object.values(parseLink(response.headers.get('link'))))
  const location = response.headers.get('location')
  if (location !== null) found.push(location)
  // An address that takes writes says so.
  const isServed = status < 400 || (status === 405 && response.headers.get('allow') === 'POST')
  return { status, text, found, isServed }
}

/**
 * Follows addresses from some on.
 *
 * @param most how many to follow; the others are only seen. Default: all
 */
async function crawl(
  first: readonly string[],
  headers: (url: string) => Record<string, string>,
  most = Number.POSITIVE_INFINITY,
) {
  const seen = new Set(first)
  const texts = new Map<string, string>()
  const dead: string[] = []
  for (const address of seen) {
    if (texts.size >= most) break
    if (OF_THE_HOST.test(address)) continue
    let last = ''
    for (const url of expand(address)) {
      const { status, text, found, isServed } = await ask(url, headers(url))
      texts.set(url, text)
      for (const each of found) seen.add(each)
      last = isServed ? '' : `${status} ${url}`
      if (isServed) break
    }
    if (last !== '') dead.push(last)
  }
  return { seen, texts, dead }
}

let ofOwner: ReturnType<typeof crawl> | undefined
/** All addresses that the owner finds, followed once for both tests. */
const crawlOfOwner = () => {
  ofOwner ??= crawl([`${BASE}/`], byOwner)
  return ofOwner
}

beforeAll(async () => {
  const body = { repositories: ['ada/notes'], exclude_git_data: true, exclude_attachments: true }
  await world.server.fetch(
    new Request(`${BASE}/user/migrations`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { ...byOwner(''), Accept: 'application/vnd.github.wyandotte-preview+json' },
    }),
  )
  await world.server.idle()
})

test('The first addresses that the owner finds are served', async () => {
  const { texts, dead } = await crawl([`${BASE}/`], byOwner, 40)
  expect(texts.size).toBe(40)
  expect(dead.filter((each) => !MEANS_NO.test(each))).toEqual([])
})

test(
  'Every address in an answer is served, is the host’s, or says no where the host does',
  THOROUGH,
  async () => {
    const ofOwner = await crawlOfOwner()
    expect(ofOwner.dead.filter((each) => !MEANS_NO.test(each))).toEqual([])
    expect(ofOwner.dead).toHaveLength(3)
    expect(ofOwner.texts.size).toBeGreaterThan(300)
  },
)

test(
  'A stranger who asks for all of them, and follows what is answered, sees nothing private',
  THOROUGH,
  async () => {
    const ofOwner = await crawlOfOwner()
    const { texts } = await crawl([...ofOwner.seen], () => ({}))
    expect(texts.size).toBeGreaterThanOrEqual(ofOwner.texts.size)
    const PRIVATE = /forge\/secret|\bdave\b|ci\.example|ssh-ed25519|bills@forge/
    const telling = [...texts].filter(([, text]) => PRIVATE.test(text)).map(([url]) => url)
    expect(telling).toEqual([])
  },
)

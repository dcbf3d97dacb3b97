import { expect, test } from 'vitest'
import { parseLink } from '../../../src/interface/link-header.ts'
import { BYTES, crawledWorld } from '../../support/crawled-world.ts'
import { serveWorld, TOKENS } from './served-world.ts'

/** Copies everything that an account can reach, as python-github-backup does with `--all`: an error ends it. */

const world = serveWorld({}, crawledWorld())

type Item = Readonly<Record<string, unknown>>

const headers = { Authorization: `token ${TOKENS.owner}`, Accept: 'application/vnd.github.v3+json' }

/** What the program asks for, and how often it was answered with something. */
const found = new Map<string, number>()

/** All pages of a list, or one object. Programs of this kind end at any answer but 200. */
async function copy(path: string, query: Readonly<Record<string, string>> = {}): Promise<Item[]> {
  const search = new URLSearchParams({ per_page: '100', page: '1', ...query })
  const all: Item[] = []
  let next: string | undefined = `${world.url}${path}?${search}`
  while (next !== undefined) {
    const response: Response = await fetch(next, { headers })
    if (response.status !== 200) throw new Error(`${response.status} ${next}`)
    const body = (await response.json()) as Item | Item[]
    all.push(...[body].flat())
    next = parseLink(response.headers.get('link')).next
  }
  const kind = path.replace(/\/repos\/[^/]+\/[^/]+/, '').replace(/\d+/g, ':n')
  found.set(kind, (found.get(kind) ?? 0) + all.length)
  return all
}

/** The same where the program takes 404 for none. */
const copyIfAny = (path: string): Promise<Item[]> =>
  copy(path).catch((error: Error) => {
    if (error.message.startsWith('404 ')) return []
    throw error
  })

const numbers = (items: readonly Item[]) => items.map(({ number }) => Number(number))

async function copyRepository({ full_name }: Item): Promise<void> {
  const home = `/repos/${full_name}`
  await copy(home)
  for (const state of ['open', 'closed']) {
    for (const number of numbers(await copy(`${home}/issues`, { filter: 'all', state }))) {
      for (const part of ['comments', 'events', 'timeline']) {
        await copy(`${home}/issues/${number}/${part}`)
      }
    }
    const query = { filter: 'all', state, sort: 'updated', direction: 'desc' }
    for (const number of numbers(await copy(`${home}/pulls`, query))) {
      await copy(`${home}/pulls/${number}`)
      await copy(`${home}/issues/${number}/comments`)
      for (const part of ['comments', 'reviews', 'commits'])
        await copy(`${home}/pulls/${number}/${part}`)
    }
  }
  await copy(`${home}/milestones`, { state: 'all' })
  await copy(`${home}/labels`)
  await copyIfAny(`${home}/hooks`)
  await copyIfAny(`${home}/security-advisories`)
  for (const { assets_url } of await copy(`${home}/releases`)) {
    for (const { url } of await copy(new URL(String(assets_url)).pathname)) {
      const accept = { ...headers, Accept: 'application/octet-stream' }
      expect(await (await fetch(String(url), { headers: accept })).text()).toBe(BYTES)
    }
  }
}

test('A program that copies all of an account gets to its end, with everything there is', async () => {
  const [{ login } = {}] = await copy('/user')
  for (const part of ['starred', 'subscriptions', 'followers', 'following', 'gists']) {
    expect(await copy(`/users/${login}/${part}`)).toEqual([])
  }
  for (const path of ['/user/subscriptions', '/gists/starred']) expect(await copy(path)).toEqual([])
  const repositories = new Map<unknown, Item>()
  for (const path of ['/user/repos', `/users/${login}/repos`, '/orgs/forge/repos']) {
    for (const each of await copy(path)) repositories.set(each.full_name, each)
  }
  expect([...repositories.keys()].sort()).toEqual(['ada/notes', 'forge/kettle', 'forge/secret'])
  for (const repository of repositories.values()) await copyRepository(repository)
  const without = [...found].filter(([kind, count]) => kind.startsWith('/') && count === 0)
  expect(without.map(([kind]) => kind).sort()).toEqual([
    '/gists/starred',
    '/security-advisories',
    '/user/subscriptions',
    '/users/ada/followers',
    '/users/ada/following',
    '/users/ada/gists',
    '/users/ada/starred',
    '/users/ada/subscriptions',
  ])
})

test('A question in GraphQL is an error that says where to ask instead', async () => {
  const body = JSON.stringify({ query: '{ repository { discussions { totalCount } } }' })
  for (const path of ['/graphql', '/api/graphql']) {
    const response = await fetch(`${world.url}${path}`, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toMatchObject([
      404,
      { message: expect.stringContaining('GraphQL is not offered here') },
    ])
  }
})

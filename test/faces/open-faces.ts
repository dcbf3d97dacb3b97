/** The same databases behind every face: SQL and `show` a database each, pages and the REST interface all of them as one. */

import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { openPages, type Pages } from '../../src/pages/open-pages.ts'
import type { Library, Repository } from '../../src/reading/library.ts'
import { placeOf } from '../../src/reading/names.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { accountsOf, as } from '../support/serve-world.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Faces {
  readonly databases: readonly Database[]
  readonly library: Library
  readonly pages: Pages
  /** Seconds since 1970 at which the interface is asked: feeds are those of that instant. */
  readonly now: number
  /** Asks the REST interface for anything but a repository; undefined for any status but 200. */
  ask(path: string): Promise<Json | undefined>
  /** Asks the REST interface as somebody who may see the repository; undefined for any status but 200. */
  rest<Body = Json>(repository: string, rest: string): Promise<Body | undefined>
  /** The same for all pages of a list. */
  restList<Item = Json>(repository: string, rest: string): Promise<Item[]>
  /** Whether the REST interface has the bytes of an upload with a url. */
  hasBytes(url: string): Promise<boolean>
  /** Whether pages and the interface show a repository to people without credentials. */
  showsStrangers(repository: Repository): Promise<{ page: boolean; rest: boolean }>
  /** The repository with a url, unless another one with its name, or of another database, comes first. */
  repositoryAt(database: Database, url: string): Repository | undefined
  /** Remembers what is made once for a repository. */
  once<Value>(key: string, make: () => Value): Value
  close(): Promise<void>
}

/** Who belongs to every organization: the accounts file says so. */
const ONLOOKER = 'the-onlooker'

/** Whether an answer is about the person whom the accounts file adds. */
export const isOnlooker = (answer: string): boolean => answer.startsWith(`${ONLOOKER} `)

/**
 * Opens databases behind every face.
 *
 * @param state the folder in which the server keeps its index; in memory without it
 */
export async function openFaces(paths: readonly string[], state = ':memory:'): Promise<Faces> {
  const databases = paths.map((path) => openDatabase(path))
  const pages = openPages(paths)
  const { library } = pages
  const strangers = openPages(paths, { audience: 'public' })
  const logins = databases.flatMap((database) =>
    database
      .prepare<[], string>('SELECT login FROM organizations WHERE login IS NOT NULL')
      .pluck()
      .all(),
  )
  const owners = [...new Set([...library.repositories().map(({ owner }) => owner), ...logins])]
  const scopes = { [ONLOOKER]: ['repo'], ...Object.fromEntries(owners.map((o) => [o, ['repo']])) }
  const organizations = owners.map((login) => ({
    login,
    members: [{ login: ONLOOKER, role: 'admin' as const }],
  }))
  const accounts = accountsOf(scopes, organizations)
  const server = await serveArchive(paths, { state, accounts, allEvents: true, now: 'newest' })
  const known = new Map<string, unknown>()
  const once = <Value>(key: string, make: () => Value): Value => {
    if (!known.has(key)) known.set(key, make())
    return known.get(key) as Value
  }
  const ask = async (path: string, login: string) => {
    const address = `http://localhost/${path}`
    const response = await server.fetch(new Request(address, { headers: as(login) }))
    const body: unknown = await response.json()
    return response.status === 200 ? body : undefined
  }
  const callerOf = (path: string, owner: string) =>
    once(`caller ${path}`, async () => ((await ask(path, owner)) ? owner : ONLOOKER))
  const rest = async <Body>(repository: string, more: string): Promise<Body | undefined> => {
    const path = `repos/${repository.split('/').map(encodeURIComponent).join('/')}`
    const [owner = ''] = repository.split('/')
    return (await ask(path + more, await callerOf(path, owner))) as Body | undefined
  }
  return {
    databases,
    library,
    pages,
    now: Math.floor((server.contents.newestEvent?.getTime() ?? 0) / 1000),
    rest,
    once,
    ask: async (path) => (await ask(path, ONLOOKER)) as Json | undefined,
    async restList<Item>(repository: string, more: string) {
      const all: Item[] = []
      for (let page = 1; ; page++) {
        const mark = more.includes('?') ? '&' : '?'
        const items = await rest<Item[]>(repository, `${more}${mark}per_page=100&page=${page}`)
        all.push(...(items ?? []))
        if (items === undefined || items.length < 100) return all
      }
    },
    hasBytes: (url) =>
      once(`bytes ${url}`, async () => {
        const address = `http://localhost${new URL(url).pathname}`
        const response = await server.fetch(new Request(address, { headers: as(ONLOOKER) }))
        await response.bytes()
        return response.status === 200
      }),
    async showsStrangers({ fullName }) {
      const path = `repos/${fullName.split('/').map(encodeURIComponent).join('/')}`
      const response = await server.fetch(new Request(`http://localhost/${path}`))
      await response.text()
      const page = strangers.library.repository(fullName) !== undefined
      return { page, rest: response.status === 200 }
    },
    repositoryAt(database, url) {
      const repository = library.repository(placeOf(url) ?? '')
      const isHere = repository?.store.database.name === database.name && repository.url === url
      return isHere ? repository : undefined
    },
    async close() {
      await server.close()
      pages.close()
      strangers.close()
      for (const database of databases) database.close()
    },
  }
}

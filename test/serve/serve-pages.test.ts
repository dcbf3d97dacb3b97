import { describe, expect, test } from 'vitest'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { servePages } from '../../src/serve/serve-pages.ts'
import { ISSUE, issue, KETTLE, repository, SECRET } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const { paths } = shareDatabases({
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  issues: [issue(ISSUE)],
})
const get = (path: string, init: RequestInit = {}) => new Request(`http://localhost${path}`, init)

describe('A server of pages', () => {
  test('answers requests without a port, and has no interface', async () => {
    const pages = await servePages(paths)
    expect(pages.url).toBeUndefined()
    const headers = { accept: 'application/json' }
    for (const path of ['/forge/kettle/issues/1', '/forge/secret', '/']) {
      const response = await pages.fetch(get(path, { headers }))
      expect(response.headers.get('content-type')).toContain('text/html')
    }
    expect((await pages.fetch(get('/repos/forge/kettle'))).status).toBe(404)
    await pages.close()
  })

  test('listens on loopback, and says where the page of a record is', THOROUGH, async () => {
    const pages = await servePages(paths, { port: 0 })
    const path = pages.pathOf(ISSUE)
    expect(path).toBe('/forge/kettle/issues/1')
    expect(await (await fetch(`${pages.url}${path}`)).text()).toContain('It boils')
    expect(pages.pathOf(`${KETTLE}/issues/99`)).toBeUndefined()
    await pages.close()
  })

  test('shows only public repositories on request, and answers to the names that it was given', async () => {
    const pages = await servePages(paths, { public: true, hostNames: ['tea.example'] })
    expect((await pages.fetch(get('/forge/secret'))).status).toBe(404)
    expect((await pages.fetch(new Request('http://tea.example/'))).status).toBe(200)
    expect((await pages.fetch(new Request('http://evil.example/'))).status).toBe(421)
    await pages.close()
  })

  test(
    'leads from an address with a slash at the end to the page, and only browsers',
    THOROUGH,
    async () => {
      const server = await serveArchive(paths, { state: ':memory:', pages: 'all' })
      const leadsTo = async (path: string, accept = 'text/html') => {
        const { status, headers } = await server.fetch(get(path, { headers: { accept } }))
        return [status, headers.get('location')]
      }
      const page = '/forge/kettle/issues'
      expect(await leadsTo(`${page}/`)).toEqual([301, page])
      expect(await leadsTo(`${page}/?state=closed&x=/`)).toEqual([301, `${page}?state=closed&x=/`])
      expect(await leadsTo(`${page}/`, 'application/json')).toEqual([404, null])
      for (const path of ['/repos/forge/kettle/', '/api/v3/forge/kettle/']) {
        expect(await leadsTo(path)).toEqual([404, null])
      }
      for (const path of [`${page}//`, '//evil.example/', '/forge//']) {
        expect((await leadsTo(path))[0]).not.toBe(301)
      }
      await server.close()
    },
  )

  test('answers browsers where the interface answers programs', THOROUGH, async () => {
    const server = await serveArchive(paths, { state: ':memory:', pages: 'all' })
    const typeOf = async (accept: string) => {
      const response = await server.fetch(get('/', { headers: { accept } }))
      return response.headers.get('content-type')
    }
    expect(await typeOf('text/html')).toContain('text/html')
    expect(await typeOf('application/json')).toContain('application/json')
    await server.close()
  })

  test('is only read', async () => {
    const pages = await servePages(paths)
    const response = await pages.fetch(get('/', { method: 'POST', body: 'x' }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    await pages.close()
  })
})

import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/interface/endpoints.ts'
import { HANDLERS } from '../../../src/rest/handlers/handlers.ts'
import { serveArchive } from '../../../src/serve/serve-archive.ts'

test('Every handler answers an endpoint of the table', () => {
  const names = ENDPOINTS.map(({ handler }) => handler as string)
  expect(Object.keys(HANDLERS).filter((name) => !names.includes(name))).toEqual([])
})

test('The rate limit counts answers, but not the question how many are left', async () => {
  const server = await serveArchive([])
  const ask = async (path: string) => server.fetch(new Request(`http://localhost${path}`))
  const quota = async () => (await (await ask('/rate_limit')).json()) as { rate: { used: number } }
  await ask('/')
  await ask('/nothing')
  await ask('/_ready')
  const { rate } = await quota()
  expect(rate).toMatchObject({ limit: 60, used: 2, remaining: 58 })
  expect(await quota()).toEqual({ resources: { core: rate }, rate })
  await server.close()
})

test.each(['/graphql', '/api/graphql'])(
  'Who asks for GraphQL at %s is told that there is none',
  async (path) => {
    const server = await serveArchive([])
    const body = JSON.stringify({ query: '{ viewer { login } }' })
    const answer = await server.fetch(
      new Request(`http://localhost${path}`, { method: 'POST', body }),
    )
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { message: expect.stringMatching(/^GraphQL is not offered here\. Use the REST interface/) },
    ])
    await server.close()
  },
)

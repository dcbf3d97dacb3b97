import { describe, expect, it, onTestFinished, test } from 'vitest'
import { sha256Of } from '../../src/http/access/accounts.ts'
import type { AccountsFile } from '../../src/http/access/accounts-file.ts'
import { serveArchive } from '../../src/serve/serve-archive.ts'
import { loaded } from '../support/load.ts'
import { MIGRATION_WORLD } from '../support/migrations.ts'
import { type Send, sendTo, shareMigrations } from '../support/share-migrations.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

const token = (login: string, text: string, more: object = {}) => ({
  login,
  sha256: sha256Of(text),
  scopes: ['repo'],
  ...more,
})

const accounts: AccountsFile = {
  version: 1,
  accounts: [{ login: 'ada' }, { login: 'bob' }, { login: 'eve' }],
  applications: [{ client_id: 'kettle', name: 'Kettle' }],
  organizations: [
    { login: 'forge', id: 70, sso: true },
    { login: 'other', id: 8, sso: true },
  ],
  tokens: [
    token('ada', 'personal-token'),
    token('ada', 'authorized-token', { sso: ['FORGE'] }),
    token('ada', 'issued-token', { client_id: 'kettle' }),
    token('eve', 'stranger-token'),
  ],
}

let now = Date.parse('2024-02-03T04:05:06Z')

const clock = () => new Date(now)

async function serve(): Promise<Send> {
  const { path } = await loaded(MIGRATION_WORLD)
  const server = await serveArchive([path], { accounts, clock, state: ':memory:' })
  onTestFinished(() => server.close())
  return sendTo(() => server)
}

/** A server that tests share which change nothing. */
const { send: ask } = shareMigrations({ accounts, clock })

const PROTECTED = ['/repos/forge/anvil', '/repos/Forge/kettle', '/orgs/forge', '/orgs/forge/events']

describe('A path of an organization with single sign-on', () => {
  it.each(PROTECTED)(
    '%s is refused to a token that is not authorized, with the address of the page',
    async (path) => {
      const { status, headers, body } = await ask('GET', path, { as: 'personal-token' })
      expect(status).toBe(403)
      expect(body).toEqual({
        message:
          'Resource protected by organization SAML enforcement. You must grant your personal token access to this organization.',
        documentation_url: expect.stringContaining('saml-sso'),
      })
      expect(headers.get('x-github-sso')).toMatch(
        /^required; url=http:\/\/localhost:8730\/orgs\/forge\/sso\?authorization_request=[\w.-]+$/,
      )
      expect(headers.get('x-service-sso')).toBe(headers.get('x-github-sso'))
    },
  )

  it.each(['authorized-token', 'issued-token'])('is open to %s', async (as) => {
    expect((await ask('GET', '/repos/forge/anvil', { as })).status).toBe(200)
    expect((await ask('GET', '/orgs/forge', { as })).headers.has('x-github-sso')).toBe(false)
  })

  it('is as it ever was for strangers and people who do not belong to it', async () => {
    for (const as of [undefined, 'stranger-token']) {
      expect((await ask('GET', '/repos/forge/kettle', { ...(as && { as }) })).status).toBe(200)
      expect((await ask('GET', '/repos/forge/anvil', { ...(as && { as }) })).status).toBe(404)
    }
  })
})

describe('A list over several organizations', () => {
  it.each([
    ['/user/repos', 'personal-token'],
    ['/user/issues', 'personal-token'],
    ['/user/migrations', 'personal-token'],
    ['/users/ada/events', 'personal-token'],
    ['/users/ADA/received_events', 'personal-token'],
  ])('%s names those that need an authorization', async (path, as) => {
    const { status, headers } = await ask('GET', path, { as })
    expect(status).toBe(200)
    expect(headers.get('x-github-sso')).toBe('partial-results; organizations=70')
    expect(headers.get('x-service-sso')).toBe('partial-results; organizations=70')
  })

  it('leaves out private items there', async () => {
    const namesFor = async (as: string) => {
      const { body } = await ask('GET', '/user/repos', { as })
      return (body as unknown as { full_name: string }[]).map((one) => one.full_name)
    }
    expect(await namesFor('personal-token')).toEqual([
      'ada/kettle',
      'ada/secret',
      'ada/teapot',
      'forge/kettle',
    ])
    expect(await namesFor('authorized-token')).toContain('forge/anvil')
  })

  it('of another person has no such header', async () => {
    const { headers } = await ask('GET', '/users/bob/events', { as: 'personal-token' })
    expect(headers.has('x-github-sso')).toBe(false)
  })
})

test('A migration of a protected repository is refused, and nothing is written', async () => {
  const send = await serve()
  const body = { repositories: ['ada/kettle', 'forge/kettle'] }
  const told = await send('POST', '/user/migrations', { as: 'personal-token', body })
  expect([told.status, told.headers.has('x-github-sso')]).toEqual([403, true])
  expect((await send('GET', '/user/migrations', { as: 'personal-token' })).body).toEqual([])
})

describe('The page of an organization', () => {
  const pageOf = async (send: Send) => {
    const { headers } = await send('GET', '/orgs/forge', { as: 'personal-token' })
    return new URL(headers.get('x-github-sso')?.replace('required; url=', '') ?? '')
  }

  it('shows the token by its end and one button, without script', async () => {
    const send = await serve()
    const { status, headers, body } = await send('GET', (await pageOf(send)).href)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(body.text).toContain('<code>al-token</code>')
    expect(body.text).toContain('forge')
    expect(body.text).not.toMatch(/<script|personal-token/)
  })

  it('authorizes the token when its button is pressed', THOROUGH, async () => {
    const send = await serve()
    const page = await pageOf(send)
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: page.origin }
    const pressed = await send('POST', page.href, { body: page.search.slice(1), headers })
    expect(pressed.status).toBe(200)
    expect((await send('GET', '/repos/forge/anvil', { as: 'personal-token' })).status).toBe(200)
  })

  it('does nothing for a form of another origin', async () => {
    const send = await serve()
    const page = await pageOf(send)
    const headers = { Origin: 'https://evil.example' }
    const pressed = await send('POST', page.href, { body: page.search.slice(1), headers })
    expect(pressed.status).toBe(403)
    expect((await send('GET', '/repos/forge/anvil', { as: 'personal-token' })).status).toBe(403)
  })

  everyDay(1)([
    ['of another organization', (page: URL) => page.href.replace('/orgs/forge/', '/orgs/other/')],
    ['without a request', (page: URL) => page.href.replace(/\?.*/, '')],
    ['with a request of nobody', (page: URL) => page.href.replace(/=.*/, '=e30.AAAA')],
  ])('is refused %s', async (_, change) => {
    const send = await serve()
    const url = change(await pageOf(send))
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? new URL(url).search.slice(1) : undefined
      expect((await send(method, url, { ...(body && { body }) })).status).toBe(403)
    }
  })

  it('is refused after an hour', async () => {
    const send = await serve()
    const page = await pageOf(send)
    now += 3_600_000
    expect((await send('GET', page.href)).status).toBe(403)
  })
})

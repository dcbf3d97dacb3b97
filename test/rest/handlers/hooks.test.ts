import { describe, expect, test } from 'vitest'
import { at, repository, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { expectShape, hookShape, keyShape } from '../../support/shapes.ts'

const webhooks = [
  {
    payload_url: 'https://ada:pw@ci.example:8443/run/1?token=t0ps3cret&a=b#x',
    content_type: 'json',
    event_types: ['push', 7],
    enable_ssl_verification: true,
    active: true,
    secret: 's3cr3t',
  },
  { payload_url: 'javascript:alert(1)', enable_ssl_verification: false },
  null,
]
const public_keys = [
  {
    title: 'deploy',
    key: 'ssh-ed25519 AAAA',
    read_only: true,
    fingerprint: 'SHA256:x',
    created_at: at('01:00:00'),
  },
  { title: 'writes', key: 'ssh-rsa AAAA', read_only: false },
]
const { repositories, organizations, ...others } = worldRecords()
const ask = shareServer(
  [
    {
      ...others,
      organizations: organizations.map((each) => ({ ...each, webhooks })),
      repositories: repositories.map(({ url, ...more }) =>
        repository(url, { ...more, webhooks, public_keys }),
      ),
    },
  ],
  { accounts: accountsOf({ ada: ['repo'], carol: ['repo'] }) },
)

interface Setting {
  readonly id: number
  readonly url: string
}

const pathOf = ({ url }: Setting) => url.replace(/^http:\/\/[^/]+/, '')

describe('Webhooks', () => {
  test('are those of the record, without what may be a secret', async () => {
    const { body } = await ask<Setting[]>('/repos/forge/kettle/hooks', as('ada'))
    for (const each of body) expectShape(each, hookShape)
    expect(body).toMatchObject([
      {
        active: true,
        events: ['push'],
        config: {
          url: 'https://ci.example:8443/run/1?token=********&a=********',
          content_type: 'json',
          insecure_ssl: '0',
        },
      },
      { active: false, config: { url: '', insecure_ssl: '1' } },
      { config: { url: '' } },
    ])
    expect(JSON.stringify(body)).not.toMatch(/pw|t0ps3cret|s3cr3t/)
    expect(new Set(body.map(({ id }) => id)).size).toBe(3)
  })

  test('are found one by one', async () => {
    for (const list of ['/repos/forge/kettle/hooks', '/orgs/forge/hooks']) {
      const { body } = await ask<Setting[]>(list, as('ada'))
      expect(body).toHaveLength(3)
      for (const each of body) expect((await ask(pathOf(each), as('ada'))).body).toEqual(each)
      expect((await ask(`${list}/1`, as('ada'))).status).toBe(404)
      expect((await ask(`${list}?per_page=2&page=2`, as('ada'))).body).toEqual(body.slice(2))
    }
  })

  test.each(['hooks', 'keys'])('and deploy keys are for administrators: %s', async (list) => {
    for (const headers of [{}, as('carol')]) {
      expect((await ask(`/repos/forge/kettle/${list}`, headers)).status).toBe(404)
    }
    expect((await ask('/orgs/forge/hooks', as('carol'))).status).toBe(404)
  })
})

test('Deploy keys are those of the record', async () => {
  const { body } = await ask<Setting[]>('/repos/forge/kettle/keys', as('ada'))
  for (const each of body) expectShape(each, keyShape)
  expect(body).toMatchObject([
    { title: 'deploy', key: 'ssh-ed25519 AAAA', read_only: true, created_at: at('01:00:00') },
    { title: 'writes', read_only: false },
  ])
  for (const each of body) expect((await ask(pathOf(each), as('ada'))).body).toEqual(each)
})

import { describe, expect, it } from 'vitest'
import { PREVIEW, shareMigrations } from '../../support/share-migrations.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const { send, idle, time } = shareMigrations({ fail: ['ada/teapot'] })
const DAY = 86_400_000

const ada = 'ada-token'
const start = (body: unknown, as = ada, path = '/user/migrations') =>
  send('POST', path, { as, body })

/** The address of a migration that is built. */
async function exported(body: object): Promise<string> {
  const started = await start(body)
  await idle()
  return new URL(started.body.url as string).pathname
}

const kettle = { repositories: ['ada/kettle'] }
/** It fails, so that nothing is built. */
const teapot = { repositories: ['ada/teapot'] }

describe('A migration that is started', () => {
  it('is pending, with all members in their order', THOROUGH, async () => {
    const { status, headers, body } = await start({ ...kettle, lock_repositories: true })
    expect(status).toBe(201)
    expect(Object.keys(body)).toEqual([
      'id',
      'node_id',
      'owner',
      'guid',
      'state',
      'lock_repositories',
      'exclude_attachments',
      'exclude_metadata',
      'exclude_git_data',
      'exclude_releases',
      'exclude_owner_projects',
      'org_metadata_only',
      'repositories',
      'url',
      'created_at',
      'updated_at',
    ])
    expect(body).toMatchObject({
      state: 'pending',
      lock_repositories: true,
      exclude_attachments: false,
      owner: { login: 'ada', id: 17 },
      created_at: '2024-02-03T04:05:06+00:00',
      repositories: [{ full_name: 'ada/kettle', permissions: { admin: true } }],
      url: `http://localhost:8730/user/migrations/${body.id}`,
    })
    expect(headers.get('location')).toBe(body.url)
    expect(headers.get('x-github-media-type')).toBe('github.wyandotte-preview; format=json')
    expect(Buffer.from(body.node_id as string, 'base64').toString()).toBe(`09:Migration${body.id}`)
    await idle()
  })

  it(
    'takes bare names and repeated ones, and keeps the order and the spelling of the record',
    THOROUGH,
    async () => {
      const { body } = await start({
        repositories: ['secret', 'ADA/Kettle', 'ada/secret', 'kettle'],
      })
      expect(body.repositories).toMatchObject([
        { full_name: 'ada/secret' },
        { full_name: 'ada/kettle' },
      ])
      await idle()
    },
  )

  it('has its options', async () => {
    const { body } = await start({
      ...teapot,
      exclude_attachments: true,
      exclude_releases: true,
      exclude_metadata: null,
      exclude_owner_projects: true,
    })
    expect(body).toMatchObject({
      exclude_attachments: true,
      exclude_releases: true,
      exclude_metadata: false,
      exclude_owner_projects: true,
    })
    await idle()
  })

  it('leaves its repositories out of answers on request, and says so', async () => {
    const short = { repositories: [], exclude: ['repositories'] }
    const { status, body } = await start({ ...teapot, exclude: ['repositories'] })
    expect([status, body]).toMatchObject([201, short])
    const path = `/user/migrations/${body.id}`
    for (const query of [
      'exclude=repositories',
      'exclude[]=repositories',
      'exclude=x,repositories',
    ]) {
      expect((await send('GET', `${path}?${query}`, { as: ada })).body).toMatchObject(short)
      const { body: all } = await send('GET', `/user/migrations?${query}`, { as: ada })
      expect((all as unknown as object[])[0]).toMatchObject(short)
    }
    const { body: whole } = await send('GET', path, { as: ada })
    expect(whole).toMatchObject({ repositories: [{ full_name: 'ada/teapot' }] })
    expect(whole).not.toHaveProperty('exclude')
    await idle()
  })

  it('is served below /api/v3 with addresses of there', async () => {
    const { body } = await start(teapot, ada, '/api/v3/user/migrations')
    expect(body.url).toBe(`http://localhost:8730/api/v3/user/migrations/${body.id}`)
    await idle()
  })
})

describe('All faults of the values are reported together', () => {
  const missing = (index: number, value: string) => ({
    resource: 'Migration',
    field: 'repositories',
    code: 'missing',
    value,
    index,
  })
  const invalid = (field: string, index?: number) => ({
    resource: 'Migration',
    field,
    code: 'invalid',
    ...(index !== undefined && { index }),
  })

  everyDay(6)([
    ['no repositories', {}, [{ ...invalid('repositories'), code: 'missing_field' }]],
    ['null', { repositories: null }, [{ ...invalid('repositories'), code: 'missing_field' }]],
    ['a text', { repositories: 'ada/kettle' }, [invalid('repositories')]],
    ['an empty list', { repositories: [] }, [invalid('repositories')]],
    [
      'names that are none, and unknown, hidden or foreign ones',
      { repositories: ['ada/kettle', 7, 'a/b/c', 'ada/none', 'bob/cup', ''] },
      [
        invalid('repositories', 1),
        invalid('repositories', 2),
        missing(3, 'ada/none'),
        missing(4, 'bob/cup'),
        invalid('repositories', 5),
      ],
    ],
    [
      'flags of other types',
      { ...kettle, lock_repositories: 'yes', exclude_attachments: 1, exclude_git_data: {} },
      [invalid('lock_repositories'), invalid('exclude_attachments'), invalid('exclude_git_data')],
    ],
    [
      'exclusions from the answer that are none',
      { ...kettle, exclude: ['owner'] },
      [invalid('exclude')],
    ],
    ['a text to exclude', { ...kettle, exclude: 'repositories' }, [invalid('exclude')]],
    [
      'repositories beside the metadata of organizations',
      { ...kettle, org_metadata_only: true },
      [{ ...invalid('repositories'), code: 'custom', message: expect.any(String) }],
    ],
    [
      'nothing left to export',
      { ...kettle, exclude_metadata: true, exclude_git_data: true },
      [{ ...invalid('exclude_git_data'), code: 'custom', message: expect.any(String) }],
    ],
    [
      'too many repositories',
      { repositories: Array.from({ length: 1001 }, () => 'ada/kettle') },
      [{ ...invalid('repositories'), code: 'custom', message: expect.any(String) }],
    ],
  ])('%s', async (_, body, errors) => {
    const before = await send('GET', '/user/migrations', { as: ada })
    const told = await start(body)
    expect(told).toMatchObject({ status: 422, body: { message: 'Validation Failed', errors } })
    expect((await send('GET', '/user/migrations', { as: ada })).body).toEqual(before.body)
  })

  it('a token without scope repo has no private repositories', async () => {
    const { body } = await start({ repositories: ['ada/secret'] }, 'ada-public')
    expect(body.errors).toEqual([missing(0, 'ada/secret')])
  })
})

describe('A migration is seen', () => {
  it(
    'while it is built, and when it is exported with the address of its archive',
    THOROUGH,
    async () => {
      const { body } = await start(kettle)
      const path = `/user/migrations/${body.id}`
      expect(await send('GET', `${path}/archive`, { as: ada })).toMatchObject({ status: 404 })
      time.now += 5000
      await idle()
      const told = await send('GET', path, { as: ada })
      expect(told.headers.get('cache-control')).toBe('no-cache')
      expect(told.body).toEqual({
        ...body,
        state: 'exported',
        archive_url: `${body.url}/archive`,
        updated_at: new Date(time.now).toISOString().replace('.789Z', '+00:00'),
      })
    },
  )

  it('by its owner alone, the newest first', THOROUGH, async () => {
    const path = await exported(kettle)
    const id = Number(path.split('/').at(-1))
    const { body } = await send('GET', '/user/migrations?per_page=2', { as: ada })
    expect((body as unknown as { id: number }[]).map((one) => one.id)).toEqual([id, id - 1])
    expect(await send('GET', path, { as: 'bob-token' })).toMatchObject({ status: 404 })
    expect(await send('GET', path)).toMatchObject({ status: 404 })
    expect((await send('GET', '/user/migrations', { as: 'bob-token' })).body).toEqual([])
  })

  it.each(['0', '999999', '1x', '-1', '1234567890123456'])('not with the id %s', async (id) => {
    expect(await send('GET', `/user/migrations/${id}`, { as: ada })).toMatchObject({ status: 404 })
  })

  it('with its repositories as a list', THOROUGH, async () => {
    const path = await exported({ repositories: ['kettle', 'secret'] })
    const { body } = await send('GET', `${path}/repositories?per_page=1&page=2`, { as: ada })
    expect(body).toMatchObject([{ full_name: 'ada/secret' }])
    expect((await send('GET', `${path}/repositories`, { as: 'ada-public' })).body).toMatchObject([
      { full_name: 'ada/kettle' },
    ])
  })
})

describe('The media type of the preview', () => {
  it.each([
    [PREVIEW, 200],
    ['application/vnd.service.wyandotte-preview+json', 200],
    ['application/vnd.github.v3+json', 200],
    ['application/vnd.github+json', 200],
    ['application/json', 415],
    ['*/*', 415],
    ['application/vnd.github.starfox-preview+json', 415],
  ])('%s is answered with %i', async (Accept, status) => {
    const told = await send('GET', '/user/migrations', { as: ada, headers: { Accept } })
    expect(told.status).toBe(status)
  })
})

describe('An archive', () => {
  it('is at an address that the redirect has twice, and holds what was asked for', async () => {
    const path = await exported(kettle)
    const { status, headers, body } = await send('GET', `${path}/archive`, { as: ada })
    expect(status).toBe(302)
    expect(body.text).toBe(headers.get('location'))
    expect(headers.get('content-type')).toBe('text/html;charset=utf-8')
    const expires = Math.floor(time.now / 1000) + 300
    expect(body.text).toMatch(
      new RegExp(
        `^http://localhost:8730/_archives/[0-9a-f-]{36}\\.tar\\.gz\\?expires=${expires}&signature=[0-9a-f]{64}$`,
      ),
    )
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it(
    'is gone once it is deleted, for every address, and the migration stays',
    THOROUGH,
    async () => {
      const path = await exported(kettle)
      const { text } = (await send('GET', `${path}/archive`, { as: ada })).body as { text: string }
      expect(await send('HEAD', text)).toMatchObject({ status: 200 })
      expect((await send('DELETE', `${path}/archive`, { as: 'bob-token' })).status).toBe(404)
      expect(await send('DELETE', `${path}/archive`, { as: ada, body: {} })).toMatchObject({
        status: 204,
        body: { text: '' },
      })
      expect((await send('DELETE', `${path}/archive`, { as: ada })).status).toBe(404)
      expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(404)
      expect((await send('GET', text)).status).toBe(404)
      const { body } = await send('GET', path, { as: ada })
      expect(body).toMatchObject({ state: 'exported' })
      expect(body).not.toHaveProperty('archive_url')
    },
  )

  it('goes by itself after seven days', THOROUGH, async () => {
    const path = await exported(kettle)
    time.now += 7 * DAY - 1000
    expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(302)
    time.now += 1000
    expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(404)
    expect((await send('GET', path, { as: ada })).body).not.toHaveProperty('archive_url')
  })

  it('of a migration that failed is not there', async () => {
    const path = await exported({ repositories: ['ada/teapot'], lock_repositories: true })
    expect((await send('GET', path, { as: ada })).body).toMatchObject({ state: 'failed' })
    expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(404)
    expect((await send('DELETE', `${path}/archive`, { as: ada })).status).toBe(404)
    expect((await send('DELETE', `${path}/repos/teapot/lock`, { as: ada })).status).toBe(204)
  })
})

describe('A lock', () => {
  it('is released once the migration is exported, by either name', async () => {
    const { body } = await start({ repositories: ['kettle', 'secret'], lock_repositories: true })
    const path = `/user/migrations/${body.id}/repos`
    expect((await send('DELETE', `${path}/kettle/lock`, { as: ada })).status).toBe(404)
    await idle()
    expect((await send('DELETE', `${path}/none/lock`, { as: ada })).status).toBe(404)
    expect((await send('DELETE', `${path}/kettle/lock`, { as: 'bob-token' })).status).toBe(404)
    expect((await send('DELETE', `${path}/Kettle/lock`, { as: ada })).status).toBe(204)
    expect((await send('DELETE', `${path}/kettle/lock`, { as: ada })).status).toBe(404)
    expect((await send('DELETE', `${path}/ada%2Fsecret/lock`, { as: ada })).status).toBe(204)
  })

  it('was never set without the option', THOROUGH, async () => {
    const path = await exported(kettle)
    expect((await send('DELETE', `${path}/repos/kettle/lock`, { as: ada })).status).toBe(404)
  })

  it("with a name that several repositories have means the caller's own", THOROUGH, async () => {
    const path = await exported({
      repositories: ['forge/kettle', 'ada/kettle'],
      lock_repositories: true,
    })
    expect((await send('DELETE', `${path}/repos/kettle/lock`, { as: ada })).status).toBe(204)
    expect((await send('DELETE', `${path}/repos/ada%2Fkettle/lock`, { as: ada })).status).toBe(404)
    expect((await send('DELETE', `${path}/repos/forge%2Fkettle/lock`, { as: ada })).status).toBe(
      204,
    )
  })
})

describe('The metadata of organizations alone', () => {
  const metadata = { org_metadata_only: true, exclude_metadata: true, exclude_git_data: true }

  everyDay(1)(['/user/migrations', '/orgs/forge/migrations'])('come from %s', async (list) => {
    const { status, body } = await start({ ...metadata, repositories: [] }, ada, list)
    expect([status, body]).toMatchObject([201, { org_metadata_only: true, repositories: [] }])
    await idle()
    const path = `${list}/${body.id}`
    expect((await send('GET', path, { as: ada })).body).toMatchObject({ state: 'exported' })
    expect((await send('GET', `${path}/repositories`, { as: ada })).body).toEqual([])
    expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(302)
  })

  it.each([
    ['somebody who administers none', 'bob-token', '/user/migrations'],
    ['a token that sees nothing private', 'ada-public', '/user/migrations'],
    ['such a token of an administrator', 'ada-public', '/orgs/forge/migrations'],
  ])('are not for %s', async (_who, as, list) => {
    const { status, body } = await start(metadata, as, list)
    expect([status, body.errors]).toMatchObject([
      422,
      [{ resource: 'Migration', field: 'org_metadata_only', code: 'custom' }],
    ])
  })
})

describe('Migrations of an organization', () => {
  it('belong to it, for those who administer it', async () => {
    const { status, body } = await start({ repositories: ['anvil'] }, ada, '/orgs/Forge/migrations')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      owner: { login: 'forge', type: 'Organization' },
      url: `http://localhost:8730/orgs/forge/migrations/${body.id}`,
      repositories: [{ full_name: 'forge/anvil' }],
    })
    await idle()
    const path = `/orgs/forge/migrations/${body.id}`
    expect((await send('GET', `${path}/archive`, { as: ada })).status).toBe(302)
    const { body: all } = await send('GET', '/orgs/forge/migrations', { as: ada })
    expect(all).toMatchObject({ 0: { id: body.id } })
    expect((await send('GET', `/user/migrations/${body.id}`, { as: ada })).status).toBe(404)
    for (const as of ['bob-token', undefined]) {
      expect((await send('GET', path, { ...(as && { as }) })).status).toBe(404)
      expect((await send('GET', '/orgs/forge/migrations', { ...(as && { as }) })).status).toBe(404)
    }
    expect((await send('GET', '/orgs/none/migrations', { as: ada })).status).toBe(404)
  })
})

import { describe, expect, test } from 'vitest'
import { at, HOST, KETTLE, SECRET, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'
import { assetShape, expectShape, releaseWithAssetsShape } from '../../support/shapes.ts'

const [first] = worldRecords().releases
const [given] = first?.release_assets ?? []
const release = (tag: string, more: object = {}) => ({
  ...first,
  url: `${KETTLE}/releases/tag/${tag}`,
  tag_name: tag,
  ...more,
})
const asset = (name: string, more: object = {}) => ({
  ...given,
  url: `${HOST}/assets/${name}`,
  asset_name: name,
  asset_url: `tarball://root/releases/1/${name}`,
  ...more,
})
const BYTES = 'It boils.'
const ask = shareServer(
  [
    {
      ...worldRecords(),
      releases: [
        release('v1', {
          release_assets: [
            asset('kettle.zip'),
            asset('gone.zip', { user: null, created_at: null }),
            asset('<b>.html', { asset_content_type: 'text/html\r\nX: y' }),
            asset('kettle.zip'),
            { asset_name: 'no url' },
            null,
            7,
          ],
        }),
        release('v2', { published_at: at('08:00:00'), release_assets: [], name: null, user: null }),
        release('v3-rc', { published_at: at('08:30:00'), prerelease: true, release_assets: [] }),
        release('untagged-1', { state: 'draft', published_at: null, created_at: at('09:00:00') }),
        { ...release('v1'), url: `${SECRET}/releases/tag/v1`, repository: SECRET },
        { ...release('v3'), url: `${KETTLE}/wiki` },
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'], carol: ['repo'] }) },
  { 'releases/1/kettle.zip': BYTES, 'releases/1/<b>.html': BYTES },
)
const UNKNOWN = '1970-01-01T00:00:00Z'
const LIST = '/repos/forge/kettle/releases'

interface Release {
  readonly id: number
  readonly url: string
  readonly tag_name: string
  readonly assets: readonly { id: number; url: string; name: string; size: number }[]
}

const tags = async (path: string, headers = {}) =>
  (await ask<Release[]>(path, headers)).body.map(({ tag_name }) => tag_name)
const pathOf = (url: string) => new URL(url).pathname
const v1 = async () => (await ask<Release>(`${LIST}/tags/v1`)).body

describe('Releases of a repository', () => {
  test('come newest first, in pages, and drafts for those who may write', async () => {
    const { body } = await ask<Release[]>(LIST)
    for (const each of body) expectShape(each, releaseWithAssetsShape)
    expect(await tags(LIST)).toEqual(['v3-rc', 'v2', 'v1'])
    expect(await tags(LIST, as('carol'))).toEqual(['v3-rc', 'v2', 'v1'])
    expect(await tags(LIST, as('ada'))).toEqual(['untagged-1', 'v3-rc', 'v2', 'v1'])
    expect(await tags(`${LIST}?per_page=1&page=2`)).toEqual(['v2'])
    expect(await tags(`${LIST}?page=3`)).toEqual([])
  })

  test('of a private repository are for its members only', async () => {
    expect((await ask('/repos/forge/secret/releases')).status).toBe(404)
    expect(await tags('/repos/forge/secret/releases', as('ada'))).toEqual(['v1'])
  })

  test('are found by their address and tag', async () => {
    const { body } = await ask<Release[]>(LIST, as('ada'))
    for (const each of body) {
      expect((await ask(pathOf(each.url), as('ada'))).body).toEqual(each)
    }
    const [draft] = body
    expect((await ask(pathOf(draft?.url ?? ''))).status).toBe(404)
    expect((await ask(`${LIST}/tags/untagged-1`, as('ada'))).status).toBe(404)
    expect((await ask(`${LIST}/latest`, as('ada'))).body).toMatchObject({ tag_name: 'v2' })
    expect((await ask('/repos/ada/notes/releases/latest')).status).toBe(404)
    for (const path of [`${LIST}/tags/v9`, `${LIST}/1`, `${LIST}/x`]) {
      expect([path, (await ask(path, as('ada'))).status]).toEqual([path, 404])
    }
  })
})

describe('A file of a release', () => {
  test('has its size, times and uploader; anything that is not a file is left out', async () => {
    const release = await v1()
    const { body } = await ask<object[]>(`${pathOf(release.url)}/assets`)
    for (const each of body) expectShape(each, assetShape)
    expect(body).toEqual(release.assets)
    expect(body).toMatchObject([
      { name: 'kettle.zip', size: BYTES.length, created_at: at('06:20:00') },
      { name: 'gone.zip', size: 0, uploader: { login: 'ghost' }, updated_at: UNKNOWN },
      { name: '<b>.html' },
    ])
  })

  test('is JSON, or bytes for those who ask for them', async () => {
    const [kettle] = (await v1()).assets
    const path = pathOf(kettle?.url ?? '')
    expect((await ask(path)).body).toEqual(kettle)
    const accept = 'application/octet-stream'
    const { status, headers, body } = await ask<string>(path, { accept })
    expect([status, body]).toEqual([200, BYTES])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(BYTES.length),
      'content-disposition': "attachment; filename*=UTF-8''kettle.zip",
      'x-content-type-options': 'nosniff',
    })
    const etag = headers.get('etag') ?? ''
    expect((await ask(path, { accept, 'if-none-match': etag })).status).toBe(304)
  })

  test('never says more of itself than a header can hold', async () => {
    const [, , page] = (await v1()).assets
    const { headers } = await ask(pathOf(page?.url ?? ''), { accept: 'application/octet-stream' })
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toContain('%3Cb%3E.html')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('x')).toBe(null)
  })

  test('is 404 without its content, in another repository and for other numbers', async () => {
    const [kettle, gone] = (await v1()).assets
    const accept = 'application/octet-stream'
    expect((await ask(pathOf(gone?.url ?? ''), { accept })).status).toBe(404)
    for (const path of [`/repos/ada/notes/releases/assets/${kettle?.id}`, `${LIST}/assets/1`]) {
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    }
  })
})

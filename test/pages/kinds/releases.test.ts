import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { localPathOf } from '../../../src/pages/link.ts'
import '../../../src/pages/kinds/releases.ts'
import { at, HOST, KETTLE, repository, SECRET, user } from '../../support/rest-world.ts'
import { htmlOf, sharePages } from '../../support/web.ts'

const BYTES = Buffer.from('PK\x03\x04 a zip')
const SHA256 = createHash('sha256').update(BYTES).digest('hex')
const DOWNLOAD = `${KETTLE}/releases/download/v1/kettle.zip`
const asset = (name: string, more: object = {}) => ({
  url: `${KETTLE}/releases/download/v1/${name}`,
  user: `${HOST}/ada`,
  asset_name: name,
  asset_content_type: 'application/zip',
  asset_url: `tarball://root/releases/1/${name}`,
  created_at: at('06:20:00'),
  ...more,
})
const release = (home: string, tag: string, release_assets: unknown[], more: object = {}) => ({
  type: 'release',
  url: `${home}/releases/tag/${tag}`,
  repository: home,
  user: `${HOST}/ada`,
  name: tag,
  tag_name: tag,
  body: `Get ${DOWNLOAD}`,
  state: 'published',
  pending_tag: tag,
  prerelease: false,
  target_commitish: 'main',
  published_at: at('06:20:00'),
  created_at: at('06:19:00'),
  release_assets,
  ...more,
})
const world = {
  users: [user('ada')],
  repositories: [repository(KETTLE), repository(SECRET, { private: true })],
  releases: [
    release(KETTLE, 'v1', [
      asset('kettle.zip'),
      asset('gone.zip'),
      asset('<b>.zip', { asset_url: 'https://evil.example/x', created_at: 'never' }),
      { url: 7 },
    ]),
    release(KETTLE, 'v2', [asset('draft.zip')], { state: 'draft' }),
    release(SECRET, 'v3', [asset('secret.zip')]),
  ],
}
const files = {
  'releases/1/kettle.zip': BYTES,
  'releases/1/draft.zip': 'a draft',
  'releases/1/secret.zip': 'a secret',
}
const all = sharePages([world], 'all', files)
const shared = sharePages([world], 'public', files)
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('A release', () => {
  test('leads to its files, with their sizes and SHA-256, and says which are not there', async () => {
    const html = htmlOf(await all.ask('/forge/kettle/releases/tag/v1'))
    expect(html).toContain(`href="/-/files/${SHA256}/kettle.zip"`)
    expect(html).toContain(`${BYTES.length} B`)
    expect(html).toContain(`SHA-256 <code>${SHA256}</code>`)
    expect(html.match(/not in the archive/g)).toHaveLength(2)
    expect(html).not.toMatch(/evil\.example|<b>\.zip/)
    const sent = await all.ask(`/-/files/${SHA256}/kettle.zip`)
    expect('file' in sent && sent.file.size).toBe(BYTES.length)
  })

  test('is the latest if it is the newest that is published', async () => {
    const html = htmlOf(await all.ask('/forge/kettle/releases'))
    const heads = html.match(/<article[\s\S]*?<\/header>/g) ?? []
    expect(heads.map((head) => [/>(v\d)</.exec(head)?.[1], head.includes('Latest')])).toEqual([
      ['v2', false],
      ['v1', true],
    ])
  })

  test('is where links to its files lead', () => {
    const { library } = all.pages
    expect(localPathOf(library, DOWNLOAD)).toBe(`/-/files/${SHA256}/kettle.zip`)
    expect(localPathOf(library, `${KETTLE}/releases/download/v1/gone.zip`)).toBeUndefined()
    expect(localPathOf(library, `${KETTLE}/releases/download`)).toBeUndefined()
  })

  test('gives strangers only the files of published, public releases', async () => {
    const status = async (text: string | Buffer) =>
      (await shared.ask(`/-/files/${sha256(String(text))}/x`)).status
    expect(await status(BYTES)).toBe(200)
    expect(await status('a draft')).toBe(404)
    expect(await status('a secret')).toBe(404)
    expect((await all.ask(`/-/files/${sha256('a secret')}/x`)).status).toBe(200)
  })
})

import { gunzipSync } from 'node:zlib'
import { Octokit } from '@octokit/rest'
import { expect, test } from 'vitest'
import { THOROUGH } from '../../../support/thorough.ts'
import { GIT, serveWorld, TOKENS } from '../../clients/served-world.ts'

const shared = serveWorld()
const OF = { owner: 'forge', repo: 'kettle' }
const octokit = () => new Octokit({ baseUrl: shared.url, auth: TOKENS.other })

/** The text of a header of a tar without its padding. */
const textAt = (tar: Buffer, start: number, end: number) =>
  tar.toString('latin1', start, end).replace(/\0.*$/s, '')

test(
  'The files of a tag come as a tar.gz, in a folder that names the repository and the commit',
  THOROUGH,
  async () => {
    const { data } = await octokit().rest.repos.downloadTarballArchive({ ...OF, ref: 'v1' })
    const tar = gunzipSync(Buffer.from(data as ArrayBuffer))
    const folder = `forge-kettle-${GIT.commit.slice(0, 7)}/`
    // After the header that names the commit, and its content.
    expect([1024, 1536].map((at) => textAt(tar, at, at + 100))).toEqual([
      folder,
      `${folder}README.md`,
    ])
    expect(tar.toString('latin1', 512, 1024)).toContain(GIT.commit)
    expect(textAt(tar, 2048, 2560)).toBe('# Kettle\n')
  },
)

test('The same files come as a zip', async () => {
  const { data } = await octokit().rest.repos.downloadZipballArchive({ ...OF, ref: 'main' })
  const zip = Buffer.from(data as ArrayBuffer).toString('latin1')
  expect(zip.startsWith('PK')).toBe(true)
  expect(zip).toContain('/README.md')
  expect(zip.endsWith(GIT.commit)).toBe(true)
})

test('Releases and tags say where their files are', THOROUGH, async () => {
  const { rest } = octokit()
  const { data: release } = await rest.repos.getReleaseByTag({ ...OF, tag: 'v1' })
  const { data: tags } = await rest.repos.listTags(OF)
  for (const address of [release.tarball_url, release.zipball_url, tags[0]?.tarball_url]) {
    const { status, url, headers } = await fetch(address ?? '')
    expect([status, new URL(url).pathname.split('.')[0]]).toEqual([
      200,
      `/_sources/forge/kettle/${GIT.commit}`,
    ])
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename=forge-kettle-/)
  }
})

test('The address of the files is good for one commit, repository and format, and for five minutes', async () => {
  const { headers } = await shared.server.fetch(
    new Request('http://localhost/repos/forge/kettle/tarball', { redirect: 'manual' }),
  )
  const address = headers.get('location') ?? ''
  const statusOf = async (url: string, sent?: Record<string, string>) =>
    (await shared.server.fetch(new Request(url, { headers: sent ?? {} }))).status
  expect(await statusOf(address)).toBe(200)
  expect(await statusOf(address, { 'if-none-match': `"${GIT.commit}"` })).toBe(304)
  for (const other of [
    address.replace('.tar.gz', '.zip'),
    address.replace('/kettle/', '/secret/'),
    address.replace(GIT.commit, GIT.tag),
    address.replace(/expires=\d+/, (found) => `${found}0`),
  ]) {
    expect(await statusOf(other)).toBe(403)
  }
})

test('A browser that follows the address gets the files, not a page', THOROUGH, async () => {
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const answer = await fetch(`${shared.url}/repos/forge/kettle/zipball/v1`, { headers })
  expect(answer.headers.get('content-type')).toBe('application/zip')
  await answer.arrayBuffer()
})

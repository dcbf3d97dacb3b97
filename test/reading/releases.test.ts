import { expect, onTestFinished, test } from 'vitest'
import { Library } from '../../src/reading/library.ts'
import { listReleases } from '../../src/reading/releases.ts'
import { at, KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const release = (tag: string, more: object = {}) => ({
  type: 'release',
  url: `${KETTLE}/releases/tag/${tag}`,
  repository: KETTLE,
  user: null,
  name: tag,
  tag_name: tag,
  body: '',
  state: 'published',
  pending_tag: tag,
  prerelease: false,
  target_commitish: 'main',
  release_assets: [],
  published_at: at('06:00:00'),
  created_at: at('05:00:00'),
  ...more,
})
const databases = shareDatabases({
  repositories: [repository(KETTLE)],
  releases: [
    release('v1'),
    release('v2'),
    release('v3', { published_at: at('07:00:00'), prerelease: true }),
    release('v4', { published_at: null, created_at: at('08:00:00'), state: 'draft' }),
  ],
})

test('Releases are listed by when they were published; in one second by their URLs', () => {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  const kettle = library.repository('forge/kettle')
  const found = kettle && listReleases(kettle)
  expect(found?.map(({ tag }) => tag)).toEqual(['v4', 'v3', 'v2', 'v1'])
  expect(found?.filter(({ isLatest }) => isLatest).map(({ tag }) => tag)).toEqual(['v2'])
  expect(found?.filter(({ isDraft }) => isDraft).map(({ tag }) => tag)).toEqual(['v4'])
})

import { describe, expect, test } from 'vitest'
import { checkDatabase } from '../../../src/conformance/checks/check-database.ts'
import type { Files } from '../../support/build-tar.ts'
import { loaded } from '../../support/load.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const A = 'a'.repeat(40)
const URL = 'https://github.com/a/b'
const GIT = 'repositories/a/b.git'

/** The findings of a check in an archive with these refs and files. */
async function messagesOf(only: string, refs: readonly string[], more: Files = {}) {
  const repository = {
    type: 'repository',
    url: URL,
    default_branch: 'main',
    git_url: `tarball://root/${GIT}`,
  }
  const { database } = await loaded({
    'repositories_000001.json': [repository],
    [`${GIT}/packed-refs`]: refs.map((name) => `${A} ${name}\n`).join(''),
    ...more,
  })
  const { findings } = await checkDatabase(database, { only: [only] })
  const [finding] = findings
  return finding?.places.map(({ message }) => message) ?? []
}

const rules = (...names: string[]): Files => ({
  'protected_branches_000001.json': names.map((name) => ({
    type: 'protected_branch',
    url: `${URL}/settings/branches/${name}`,
    name,
    repository_url: URL,
  })),
})

const releases = (...tags: [name: string, state: string][]): Files => ({
  'releases_000001.json': tags.map(([tag_name, state]) => ({
    type: 'release',
    url: `${URL}/releases/tag/${tag_name}`,
    repository: URL,
    tag_name,
    state,
  })),
})

describe('Names of refs in packed-refs are held against the rules, as those in files are', () => {
  everyDay(1)([
    ['ref-like-commit', `refs/heads/${A}`],
    ['ref-length', `refs/tags/${'x'.repeat(250)}`],
  ])('%s', async (code, name) => {
    expect((await messagesOf(code, [name])).length).toBe(1)
    expect(await messagesOf(code, ['refs/heads/main', 'refs/tags/v1'])).toEqual([])
  })

  test('git-ref-invalid, for what Git does not take at all', async () => {
    expect(await messagesOf('git-ref-invalid', ['refs/heads/a..b'])).toEqual([
      '"refs/heads/a..b" is not a valid name of a ref',
    ])
  })
})

test('A rule for branches fits a branch by name or pattern', async () => {
  const refs = ['refs/heads/main', 'refs/heads/release/1']
  const fitting = rules('main', 'release/*', '*', 'rel?ase/[0-9]')
  expect(await messagesOf('protected-branch-unmatched', refs, fitting)).toEqual([])
  expect(
    await messagesOf('protected-branch-unmatched', refs, rules('mai', 'release', 'hotfix/*')),
  ).toEqual([
    'no branch matches "mai"',
    'no branch matches "release"',
    'no branch matches "hotfix/*"',
  ])
})

test('A release needs its tag, a draft does not', async () => {
  const refs = ['refs/heads/main', 'refs/tags/v1']
  expect(
    await messagesOf(
      'release-tag',
      refs,
      releases(['v1', 'published'], ['v2', 'published'], ['untagged-1', 'draft']),
    ),
  ).toEqual(['Git has no tag "v2"'])
})

test('A repository without branches is not reported once per record', THOROUGH, async () => {
  const more = { ...rules('main'), ...releases(['v1', 'published']) }
  for (const code of ['protected-branch-unmatched', 'release-tag', 'default-branch-missing']) {
    expect(await messagesOf(code, [], more)).toEqual([])
  }
})

test('The default branch is held against the branches, and against HEAD', THOROUGH, async () => {
  const head = (target: string) => ({ [`${GIT}/HEAD`]: target })
  const both = ['refs/heads/main', 'refs/heads/other']
  expect(await messagesOf('default-branch-missing', ['refs/heads/other'])).toEqual([
    'Git has no branch "main"',
  ])
  expect(await messagesOf('default-branch-missing', both)).toEqual([])
  expect(await messagesOf('default-branch-head', both, head('ref: refs/heads/other\n'))).toEqual([
    'default_branch is main, HEAD names refs/heads/other',
  ])
  expect(await messagesOf('default-branch-head', both, head('ref: refs/heads/main\n'))).toEqual([])
  expect(await messagesOf('default-branch-head', both, head(`${A}\n`))).toEqual([])
})

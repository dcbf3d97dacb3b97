import { describe, expect, test } from 'vitest'
import { URL_SHAPES, urlPattern } from '../../src/rules/url-shapes.ts'

const r = 'https://github.com/o/r'
const sha = '0123456789abcdef0123456789abcdef01234567'

/** Urls as the host writes them, and others that are near. */
const URLS: { readonly [Kind in keyof typeof URL_SHAPES]: readonly [string[], string[]] } = {
  users: [
    ['https://github.com/ada', 'http://h:8080/ada'],
    ['https://github.com/', r, 'ada'],
  ],
  bots: [['https://github.com/steam[bot]', 'https://github.com/Copilot'], ['steam[bot]']],
  organizations: [['https://github.com/o'], [`${r}?x`, 'https://github.com/o ']],
  repositories: [[r], ['https://github.com/o', `${r}/`, `${r}#x`]],
  teams: [['https://github.com/orgs/o/teams/t'], ['https://github.com/o/teams/t']],
  protected_branches: [[`${r}/settings/branches/release/1`], [`${r}/branches/main`]],
  milestones: [[`${r}/milestones/1`], [`${r}/milestone/1`, `${r}/milestones/1.0`]],
  issues: [[`${r}/issues/12`], [`${r}/issues/x`, `${r}/pull/12`, `${r}/issues/12#`]],
  pull_requests: [[`${r}/pull/12`], [`${r}/pulls/12`]],
  projects: [[`${r}/projects/1`, 'https://github.com/orgs/o/projects/2'], [`${r}/project/1`]],
  pull_request_reviews: [[`${r}/pull/1/files#pullrequestreview-2`], [`${r}/pull/1#r2`]],
  pull_request_review_threads: [
    [`${r}/pull/1/files#pullrequestreviewthread-2`],
    [`${r}/pull/1/files#pullrequestreview-2`],
  ],
  pull_request_review_comments: [[`${r}/pull/1/files#r2`], [`${r}/pull/1/files#r`]],
  commit_comments: [[`${r}/commit/${sha}#commitcomment-1`], [`${r}/commit/0123#commitcomment-1`]],
  issue_comments: [
    [`${r}/issues/1#issuecomment-2`, `${r}/pull/1#issuecomment-2`],
    [`${r}/issues/1`, `${r}/discussions/1#issuecomment-2`],
  ],
  issue_events: [[`${r}/issues/1#event-2`, `${r}/pull/1#event-2`], [`${r}/issues/1#event-x`]],
  attachments: [
    ['https://github.com/user-attachments/assets/5d1c', 'https://h/1/2-5d1c.png'],
    ['tarball://root/attachments/5d1c', '5d1c'],
  ],
  releases: [[`${r}/releases/tag/v1`, `${r}/releases/tag/a/b`], [`${r}/releases/v1`]],
  repository_files: [[`${r}/files/1/a%20b.txt`], [`${r}/files/1/a b.txt`]],
  discussion_categories: [[`${r}/discussion_categories/Q%26A`], [`${r}/discussion_categories/`]],
  discussions: [[`${r}/discussions/1`], [`${r}/discussions/one`]],
  discussion_comments: [
    [`${r}/discussions/1#discussioncomment-2`],
    [`${r}/issues/1#discussioncomment-2`, `${r}/discussions/1`],
  ],
  labels: [[`${r}/labels/good%20first%20issue`], [`${r}/labels/good first issue`]],
}

describe.each(Object.entries(URLS))('The shape of the urls of %s', (kind, [right, wrong]) => {
  const pattern = urlPattern(URL_SHAPES[kind as keyof typeof URL_SHAPES])

  test.each(right)('fits %s', (url) => {
    expect(url).toMatch(pattern)
  })

  test.each(wrong)('does not fit %s', (url) => {
    expect(url).not.toMatch(pattern)
  })
})

test('Segments and fragments are parts of other templates', () => {
  const pattern = urlPattern('{scheme}://{+host}{/segments*}/{user}{#rest}')
  expect('https://h/a/b/ada#here').toMatch(pattern)
  expect('https://h/ada#').not.toMatch(pattern)
})

import { expect, test } from 'vitest'
import { BACKUP, backupFiles } from '../../../samples/make/github-backup.ts'
import { builtSource } from '../../support/built-source.ts'
import { folderOf } from '../../support/folder.ts'
import { run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const HOME = 'https://github.com/harbour/kettle'

/** A backup whose files have these members as well. */
const withMembers = (more: Record<string, object>) =>
  folderOf(
    backupFiles({
      ...BACKUP,
      ...Object.fromEntries(
        Object.entries(more).map(([name, members]) => {
          const path = `repositories/kettle/${name}.json`
          return [path, { ...(BACKUP[path] as object), ...members }]
        }),
      ),
    }),
  )

test(
  'After a rename, threads that mention each other still do, and those of the old name are counted',
  THOROUGH,
  async () => {
    const old = `${HOME.replace('kettle', 'pot')}`
    const { records, problems } = await builtSource(
      await withMembers({
        'issues/1': {
          html_url: `${old}/issues/1`,
          timeline_data: [
            {
              event: 'cross-referenced',
              created_at: '2025-01-06T10:00:00Z',
              source: { issue: { html_url: `${old}/pull/2` } },
            },
          ],
        },
        'pulls/2': { head: { ref: 'hinge', sha: 'b'.repeat(40), repo: { html_url: old } } },
      }),
    )
    expect(records.pull_requests).toMatchObject([{ head: { repo: HOME } }])
    expect(records.issue_events).toContainEqual(
      expect.objectContaining({ event: 'cross-referenced', subject: `${HOME}/pull/2` }),
    )
    expect(problems).toContainEqual(
      expect.objectContaining({
        code: 'source-made',
        message:
          'harbour/kettle: addresses with a former name of it got the new one: repositories/kettle/issues/1.json',
      }),
    )
  },
)

test('A review was requested of a team when the last event says so', THOROUGH, async () => {
  const asked = (created_at: string) => ({
    event: 'review_requested',
    created_at,
    requested_team: { slug: 'brass' },
  })
  const { records } = await builtSource(
    await withMembers({
      'pulls/2': {
        event_data: [asked('2025-02-01T11:00:00Z'), asked('2025-02-01T13:00:00+01:00')],
      },
    }),
  )
  const [pull] = records.pull_requests ?? []
  expect(pull).toMatchObject({
    review_requests: expect.arrayContaining([
      expect.objectContaining({ reviewer_type: 'Team', created_at: '2025-02-01T12:00:00Z' }),
    ]),
  })
})

test('Counts of reactions are shown, though nobody knows whose they are', async () => {
  const reactions = { url: 'x', total_count: 3, '+1': 2, '-1': 0, laugh: 0, heart: 1 }
  const comment = {
    id: 7,
    body: 'Same here',
    created_at: '2025-01-06T10:00:00Z',
    reactions: { ...reactions, heart: 0, total_count: 2 },
  }
  const folder = await withMembers({ 'issues/1': { reactions, comment_data: [comment] } })
  const { stdout } = await run(['show', folder, '1'])
  expect(stdout).toContain('👍 2 💜 1\n')
  expect(stdout).toContain('👍 2\n')
})

test('A thread is locked if a backup without events says so', THOROUGH, async () => {
  const locked = await withMembers({ 'issues/1': { locked: true, event_data: [] } })
  expect((await run(['show', locked, '1'])).stdout).toMatch(/^locked/m)
  const open = await withMembers({ 'issues/1': { locked: false, event_data: [] } })
  expect((await run(['show', open, '1'])).stdout).not.toMatch(/^locked/m)
})

test('A comment on a commit in the timelines of two threads is one record', THOROUGH, async () => {
  const commit_id = 'd'.repeat(40)
  const comment = {
    id: 501,
    user: { login: 'ada', type: 'User' },
    body: 'Why?',
    path: 'lid.txt',
    position: 3,
    line: 4,
    commit_id,
    created_at: '2025-02-02T10:00:00Z',
  }
  const timeline_data = [{ event: 'commit-commented', commit_id, comments: [comment] }]
  const { records, errors } = await builtSource(
    await withMembers({ 'issues/1': { timeline_data }, 'pulls/2': { timeline_data } }),
  )
  expect(records.commit_comments).toEqual([
    {
      type: 'commit_comment',
      url: `${HOME}/commit/${commit_id}#commitcomment-501`,
      repository: HOME,
      user: 'https://github.com/ada',
      body: 'Why?',
      formatter: 'markdown',
      path: 'lid.txt',
      position: 3,
      commit_id,
      reactions: [],
      created_at: '2025-02-02T10:00:00Z',
      id: 501,
      line: 4,
    },
  ])
  expect(errors).toEqual([])
})

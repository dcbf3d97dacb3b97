import { expect, test } from 'vitest'
import { BACKUP, backupFiles } from '../../../samples/make/github-backup.ts'
import { builtSource } from '../../support/built-source.ts'
import { folderOf } from '../../support/folder.ts'

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

test('A comment on a commit in the timelines of two threads is one record', async () => {
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

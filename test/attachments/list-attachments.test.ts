import { describe, expect, test } from 'vitest'
import { listAttachments } from '../../src/attachments/list-attachments.ts'
import { loaded, recordFile } from '../support/load.ts'
import { THOROUGH } from '../support/thorough.ts'
import { attachment, png, REPOSITORY, repositoryFile } from '../support/uploads.ts'

const issue = (number: number, body: string) => ({
  type: 'issue',
  url: `${REPOSITORY}/issues/${number}`,
  repository: REPOSITORY,
  body,
})

describe('listAttachments', () => {
  test('says of each upload what it belongs to, and whether the archive has it', async () => {
    const { database } = await loaded({
      ...recordFile('attachments', attachment('2'), attachment('1')),
      'attachments/1/a.png': png(),
      'attachments/3/b.png': png('b'),
    })
    const listed = [...listAttachments(database)].map(({ path, state, number }) => [
      path,
      state,
      number,
    ])
    expect(listed).toEqual([
      ['attachments/1/a.png', 'present', 1],
      ['attachments/2/a.png', 'missing', 1],
      ['attachments/3/b.png', 'orphaned', null],
    ])
  })

  test(
    'finds the first text that links to a file if no record says where it belongs',
    THOROUGH,
    async () => {
      const { url } = repositoryFile(5)
      const { database } = await loaded({
        ...recordFile('repository_files', repositoryFile(5), repositoryFile(6)),
        ...recordFile('issues', issue(3, 'nothing'), issue(4, `See [a](${url}).`)),
        ...recordFile('issue_comments', {
          type: 'issue_comment',
          url: `${REPOSITORY}/issues/9#issuecomment-1`,
          issue: `${REPOSITORY}/issues/9`,
          body: `Again ${url}`,
        }),
      })
      const listed = [...listAttachments(database)].map((upload) => [
        upload.url,
        upload.parent_kind,
        upload.parent,
        upload.full_name,
        upload.number,
      ])
      expect(listed).toEqual([
        [repositoryFile(6).url, null, null, 'o/r', null],
        [url, 'issue', `${REPOSITORY}/issues/4`, 'o/r', 4],
      ])
    },
  )

  test('A6: counts the copies of one content', THOROUGH, async () => {
    const ids = Array.from({ length: 100 }, (_, i) => String(i).padStart(4, '0'))
    const { database } = await loaded({
      'attachments_000001.json': ids.map((id) => attachment(id)),
      ...Object.fromEntries(
        ids.map((id) => [`attachments/${id}/a.png`, png(id === '0007' ? 7 : 0)]),
      ),
    })
    const listed = [...listAttachments(database)]
    expect(listed).toHaveLength(100)
    expect(listed.filter(({ copies }) => copies === 99)).toHaveLength(99)
    expect(listed[7]).toMatchObject({ copies: 1 })
  })

  test('has every upload once, however many pages there are', THOROUGH, async () => {
    const ids = Array.from({ length: 1_203 }, (_, i) => String(i).padStart(4, '0'))
    const { database } = await loaded({
      'attachments_000001.json': ids.map((id) => attachment(id)),
    })
    const listed = [...listAttachments(database)].map(({ path }) => path?.split('/')[1])
    expect(listed).toEqual(ids)
  })

  test('lets go of the database when nobody asks for more', async () => {
    const { database } = await loaded(recordFile('attachments', attachment('1'), attachment('2')))
    for (const _ of listAttachments(database)) break
    expect(() => database.exec('DELETE FROM attachments')).not.toThrow()
  })
})

import { describe, expect, test } from 'vitest'
import { loaded, recordFile, rowsOf } from '../../support/load.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { attachment, png, REPOSITORY, releaseWith, repositoryFile } from '../../support/uploads.ts'

const issue = `${REPOSITORY}/issues/1`

describe('The view uploads', () => {
  test('joins each upload to what it belongs to', async () => {
    const pull = `${REPOSITORY}/pull/2`
    const parents = {
      issue,
      issue_comment: `${pull}#issuecomment-5`,
      pull_request: pull,
      pull_request_review: `${pull}/files#pullrequestreview-6`,
      pull_request_review_comment: `${pull}/files#r7`,
      commit_comment: `${REPOSITORY}/commit/${'ab'.repeat(20)}#commitcomment-8`,
    }
    const records = Object.entries(parents).map(([member, url]) => {
      const { issue, ...others } = attachment(member)
      return { ...others, [member]: url }
    })
    const { database } = await loaded({
      ...recordFile('attachments', ...records),
      ...recordFile('repository_files', repositoryFile(3)),
      ...recordFile('releases', releaseWith('4', 'r.zip')),
    })
    const sql = 'SELECT kind, parent_kind, parent, full_name, number, name FROM uploads'
    expect(rowsOf(database, sql)).toEqual([
      ['attachment', 'issue', parents.issue, 'o/r', 1, 'a.png'],
      ['attachment', 'issue_comment', parents.issue_comment, 'o/r', 2, 'a.png'],
      ['attachment', 'pull_request', parents.pull_request, 'o/r', 2, 'a.png'],
      ['attachment', 'pull_request_review', parents.pull_request_review, 'o/r', 2, 'a.png'],
      [
        'attachment',
        'pull_request_review_comment',
        parents.pull_request_review_comment,
        'o/r',
        2,
        'a.png',
      ],
      ['attachment', 'commit_comment', parents.commit_comment, 'o/r', null, 'a.png'],
      ['repository_file', null, null, 'o/r', null, 'a.txt'],
      ['release_asset', 'release', `${REPOSITORY}/releases/tag/v1`, 'o/r', null, 'r.zip'],
    ])
  })

  test(
    'joins each to its file, and shows which are missing and which no record names',
    THOROUGH,
    async () => {
      const { database } = await loaded({
        ...recordFile('attachments', attachment('1'), attachment('2')),
        ...recordFile('releases', releaseWith('4', 'r.zip')),
        'attachments/1/a.png': png(),
        'attachments/3/b.png': png('b'),
        'releases/4/r.zip': 'zip',
      })
      const sql = 'SELECT kind, path, size, length(sha256), present, stored FROM uploads'
      expect(rowsOf(database, sql)).toEqual([
        ['attachment', 'attachments/1/a.png', 8, 64, 1, 1],
        ['attachment', 'attachments/2/a.png', null, null, 0, 0],
        ['release_asset', 'releases/4/r.zip', 3, 64, 1, 1],
        ['file', 'attachments/3/b.png', 9, 64, 1, 1],
      ])
    },
  )

  test('distinguishes contents that were not stored from missing files', THOROUGH, async () => {
    const files = { ...recordFile('attachments', attachment('1')), 'attachments/1/a.png': png() }
    const { database } = await loaded(files, { files: false })
    expect(rowsOf(database, 'SELECT present, stored FROM uploads')).toEqual([[1, 0]])
  })

  test('has the size in a record of another program', THOROUGH, async () => {
    const release = releaseWith('4', 'r.zip')
    const asset = { ...release.release_assets[0], size: 9 }
    const { database } = await loaded({
      ...recordFile('attachments', attachment('1', { size: 7 }), attachment('2')),
      ...recordFile('releases', { ...release, release_assets: [asset] }),
    })
    const sql = 'SELECT record_size FROM uploads'
    expect(rowsOf(database, sql)).toEqual([[7], [null], [9]])
  })

  test('names the uploader of a release asset, whose record may have another login', async () => {
    const release = releaseWith('4', 'r.zip')
    const [asset] = release.release_assets
    const users = ['https://H/ada', 'https://H/app', null].map((user) => ({ ...asset, user }))
    const { database } = await loaded({
      ...recordFile('bots', { type: 'user', url: 'https://H/app', login: 'app[bot]' }),
      ...recordFile('releases', { ...release, release_assets: users }),
    })
    expect(rowsOf(database, 'SELECT user_login FROM uploads')).toEqual([
      ['ada'],
      ['app[bot]'],
      [null],
    ])
  })

  test('never takes Git data for an upload', THOROUGH, async () => {
    const asset_url = 'tarball://root/repositories/o/r.git/config'
    const { database } = await loaded({
      ...recordFile('attachments', attachment('1', { asset_url })),
      'repositories/o/r.git/config': '[core]',
    })
    expect(rowsOf(database, 'SELECT present, file FROM uploads')).toEqual([[0, null]])
  })

  test('bears what SQL or another program put in place of lists and addresses', async () => {
    const { database } = await loaded({
      ...recordFile('attachments', attachment('1', { asset_url: 'https://H/x' }), attachment('2')),
      ...recordFile('releases', {
        ...releaseWith('4', 'r.zip'),
        release_assets: [7, null, 'x', []],
      }),
    })
    database.exec("UPDATE attachments SET _extra = '[1]', asset_url = NULL WHERE rowid = 2")
    database.exec(
      "INSERT INTO releases (url, release_assets) VALUES ('a', 'no JSON'), ('b', '{}'), ('c', NULL)",
    )
    const sql = 'SELECT kind, path, present FROM uploads'
    expect(rowsOf(database, sql)).toEqual([
      ['attachment', null, 0],
      ['attachment', null, 0],
      ...Array.from({ length: 4 }, () => ['release_asset', null, 0]),
    ])
  })
})

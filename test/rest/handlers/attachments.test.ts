import { describe, expect, test } from 'vitest'
import { at, HOST, ISSUE, KETTLE, SECRET, worldRecords } from '../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../support/serve-world.ts'

const attachment = (path: string, file: string, more: object = {}) => ({
  type: 'attachment',
  url: `${HOST}${path}`,
  issue: ISSUE,
  user: `${HOST}/ada`,
  asset_name: file,
  asset_content_type: 'image/png',
  created_at: at('04:00:00'),
  asset_url: `tarball://root/attachments/${file}`,
  ...more,
})
const uploaded = (path: string, file: string, repository = KETTLE) => ({
  type: 'repository_file',
  url: `${HOST}${path}`,
  repository,
  user: `${HOST}/ada`,
  file_name: file,
  file_content_type: 'text/html',
  created_at: at('04:00:00'),
  file_url: `tarball://root/repository_files/${file}`,
})
const ask = shareServer(
  [
    {
      ...worldRecords(),
      attachments: [
        attachment('/user-attachments/assets/a1', 'kettle.png'),
        attachment('/user-attachments/assets/a2', 'gone.png'),
        attachment('/user-attachments/assets/a3', 'secret.png', { issue: `${SECRET}/issues/1` }),
        attachment('/forge/kettle/assets/7/a4', 'kettle.png'),
        attachment('/user-attachments/assets/a5', '../repositories/forge/kettle.git/HEAD', {
          asset_url: 'tarball://root/repositories/forge/kettle.git/HEAD',
        }),
      ],
      repository_files: [
        uploaded('/user-attachments/files/1/a%20log.html', 'log.html'),
        uploaded('/forge/kettle/files/2/log.html', 'log.html'),
        uploaded('/forge/kettle/files/3/log.html', 'log.html', `${HOST}/forge/nothing`),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'], bob: ['repo'], twin: ['repo'] }) },
  {
    'attachments/kettle.png': 'PNG',
    'attachments/secret.png': 'hush',
    'repository_files/log.html': '<b>log</b>',
    'repositories/forge/kettle.git/HEAD': 'ref: refs/heads/main\n',
  },
)

describe('An attachment', () => {
  test.each([
    ['/user-attachments/assets/a1', 'PNG', 'image/png'],
    ['/forge/kettle/assets/7/a4', 'PNG', 'image/png'],
    ['/user-attachments/files/1/a%20log.html', '<b>log</b>', 'text/html'],
    ['/forge/kettle/files/2/log.html', '<b>log</b>', 'text/html'],
  ])('is where its text says: %s', async (path, bytes, type) => {
    const { status, body, headers } = await ask<string>(path, { accept: 'image/*' })
    expect([status, body]).toEqual([200, bytes])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': type,
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^attachment; filename/),
    })
    const etag = headers.get('etag') ?? ''
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(304)
  })

  test('of a private repository is there for those who may read it', async () => {
    const path = '/user-attachments/assets/a3'
    for (const login of ['ada', 'bob']) expect((await ask(path, as(login))).body).toBe('hush')
    for (const headers of [{}, as('twin')]) expect((await ask(path, headers)).status).toBe(404)
  })

  test.each([
    '/user-attachments/assets/a2',
    '/user-attachments/assets/a5',
    '/user-attachments/assets/none',
    '/user-attachments/assets/..%2Fassets%2Fa1',
    '/forge/kettle/files/3/log.html',
    '/forge/kettle/files/x/log.html',
  ])('is not there without its content, in Git data, or at another address: %s', async (path) => {
    expect((await ask(path, as('ada'))).status).toBe(404)
  })
})

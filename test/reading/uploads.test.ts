import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import '../../src/reading/uploads.ts'
import { HOST, issue, KETTLE, repository, user } from '../support/rest-world.ts'
import { png } from '../support/uploads.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const ISSUE = `${KETTLE}/issues/1`
const PICTURE = png('tea')
const AUDIT_LOG = 'action,actor_ip\nrepo.create,192.0.2.1\n'
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const at = (name: string) => `${HOST}/user-attachments/assets/${name}`
const upload = (id: string, name: string, more: object = {}) => ({
  type: 'attachment',
  url: at(id),
  issue: ISSUE,
  user: `${HOST}/ada`,
  asset_name: name,
  asset_content_type: 'image/png',
  asset_url: `tarball://root/attachments/${id}/${name}`,
  created_at: '2024-05-06T00:00:00Z',
  ...more,
})
const body = `![cup](${at('11111111-0000-4000-8000-000000000001')}) and ![gone](${at('11111111-0000-4000-8000-000000000002')})`
const { ask } = sharePages(
  [
    {
      users: [user('ada')],
      repositories: [repository(KETTLE)],
      issues: [issue(ISSUE, { body })],
      attachments: [
        upload('11111111-0000-4000-8000-000000000001', 'cup.png'),
        upload('11111111-0000-4000-8000-000000000002', 'gone.png'),
        upload('11111111-0000-4000-8000-000000000003', 'page.html', {
          asset_content_type: 'text/html',
        }),
        upload('11111111-0000-4000-8000-000000000004', 'lost.pdf'),
        upload('11111111-0000-4000-8000-000000000005', 'log.csv', {
          asset_url: 'tarball://root/audit_log.csv',
        }),
      ],
    },
  ],
  'all',
  {
    'attachments/11111111-0000-4000-8000-000000000001/cup.png': PICTURE,
    'attachments/11111111-0000-4000-8000-000000000003/page.html': '<script>alert(1)</script>',
    'audit_log.csv': AUDIT_LOG,
  },
)

describe('Uploads of a thread', () => {
  test('are shown from the archive; missing ones are shown by name, and nothing is loaded', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/1'))
    expect(html).toContain(`src="/-/files/${sha256(PICTURE)}/cup.png"`)
    expect(html).toContain(
      'class="missing" title="This is not in the archive. The link leads to where it was.">picture: gone (not in the archive)</a>',
    )
    expect(html).not.toMatch(/<img[^>]*(?:gone|user-attachments)/)
  })

  test('that the text does not name are listed below it', async () => {
    const html = htmlOf(await ask('/forge/kettle/issues/1'))
    expect(html).toContain(`href="/-/files/${sha256('<script>alert(1)</script>')}/page.html"`)
    expect(html).toMatch(/lost\.pdf<\/bdi> <span class="muted">not in the archive/)
  })

  test('are not the audit log, although a record names it', async () => {
    expect(htmlOf(await ask('/forge/kettle/issues/1'))).toMatch(
      /log\.csv<\/bdi> <span class="muted">not in the archive/,
    )
    expect(await ask(`/-/files/${sha256(AUDIT_LOG)}/log.csv`)).toMatchObject({ status: 404 })
  })

  test('are never pages of ours, whatever they say they are', async () => {
    const found = await ask(`/-/files/${sha256('<script>alert(1)</script>')}/page.html`)
    if (!('file' in found)) throw new Error('there is no file')
    expect(found.file.type).not.toContain('html')
    expect(found.file.headers).toMatchObject({
      'Content-Disposition': expect.stringContaining('attachment'),
      'Content-Security-Policy': expect.stringContaining('sandbox'),
    })
  })
})

import { ZipFile } from 'yazl'
import { makePicture } from './picture.ts'

/** A file of an export by its path: text, or bytes. */
export type Files = { readonly [path: string]: string | Uint8Array }

const day = (n: number, time = '10:00:00.250000') =>
  `2013-03-${String(n).padStart(2, '0')}T${time}+00:00`

/**
 * Issues as Bitbucket Cloud gave them before it deleted all issues in August 2026. Nobody in them exists.
 *
 * @param version `1.0`, in which people are logins, or `2.0`, in which they have names and ids
 */
export function bitbucketIssues(version: '1.0' | '2.0'): Files {
  const person = (login: string) =>
    version === '1.0'
      ? login
      : {
          display_name: login === 'ada' ? 'Ada Örn' : 'Ben Kettle',
          account_id: `557058:${login}`,
        }
  const [ada, ben] = [person('ada'), person('ben')]
  const mention = version === '1.0' ? '@ada' : '@{557058:ada}'
  const change = (n: number, comment: number, field: string, from: string, to: string) => ({
    comment,
    issue: 1,
    user: ben,
    field,
    changed_from: from,
    changed_to: to,
    created_on: day(n),
  })
  const database = {
    meta: { default_kind: 'bug', default_milestone: null },
    milestones: [{ name: 'Spring' }],
    versions: [{ name: '1.0' }],
    components: [{ name: 'lid' }],
    issues: [
      {
        id: 7,
        title: 'Boil at night',
        content: '',
        status: 'on hold',
        priority: 'major',
        kind: 'task',
        reporter: null,
        assignee: null,
        component: null,
        milestone: null,
        version: null,
        created_on: day(3),
        updated_on: day(5),
        edited_on: null,
        content_updated_on: null,
        watchers: [],
        voters: [ben],
      },
      {
        id: 1,
        title: 'Lid jams',
        content: `See ${mention}:\n\n{{{\n#!python\nboil(lid=None)\n}}}\n\nThen {{{open()}}} fails.`,
        status: 'resolved',
        priority: 'blocker',
        kind: 'bug',
        reporter: ada,
        assignee: ben,
        component: 'lid',
        milestone: 'Spring',
        version: '1.0',
        created_on: day(1),
        updated_on: day(9),
        edited_on: null,
        content_updated_on: day(2),
        watchers: [ben],
        voters: [],
      },
    ],
    comments: [
      { id: 33, issue: 7, user: null, content: '', created_on: day(4), updated_on: day(5) },
      {
        id: 31,
        issue: 1,
        user: ben,
        content: 'Done, see #7.',
        created_on: day(8),
        updated_on: null,
      },
      { id: 32, issue: 1, user: ben, content: null, created_on: day(7), updated_on: null },
    ],
    logs: [
      change(8, 31, 'status', 'on hold', 'resolved'),
      change(7, 32, 'responsible', '', version === '1.0' ? 'ben' : '557058:ben'),
      change(7, 32, 'title', 'Lid', 'Lid jams'),
      change(6, 32, 'status', 'new', 'on hold'),
      change(6, 32, 'content', 'It jams.', `See ${mention}`),
      change(2, 30, 'attachment', '/harbour/kettle/issue-attachment/1/x', 'lid.png'),
    ],
    attachments: [
      { path: 'attachments/1_lid.png', filename: 'lid.png', issue: 1, user: ada },
      {
        path: 'attachments/0123456789abcdef0123456789abcdef',
        filename: 'größe.log',
        issue: 7,
        user: null,
      },
    ],
  }
  return {
    [`db-${version}.json`]: JSON.stringify(database),
    'attachments/1_lid.png': makePicture(
      [
        [255, 255, 255],
        [184, 115, 51],
      ],
      (x, y) => Number(y > 12 && y < 18 && x > 3 && x < 28),
    ),
    'attachments/0123456789abcdef0123456789abcdef': 'lid 60 mm, spout 12 mm\n',
  }
}

/** A zip of files, always with the same bytes. */
export async function zipOf(files: Files): Promise<Buffer> {
  const zip = new ZipFile()
  const mtime = new Date('2026-08-01T12:00:00Z')
  for (const [path, content] of Object.entries(files)) {
    // Not compressed, so that every version of zlib makes the same bytes.
    zip.addBuffer(Buffer.from(content), path, { mtime, mode: 0o100644, compress: false })
  }
  zip.end()
  const pieces: Uint8Array[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Uint8Array)
  return Buffer.concat(pieces)
}

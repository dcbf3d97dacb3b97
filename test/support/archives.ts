/** Small archives for tests of the commands. */

import { type Files, tarGzOf } from './build-tar.ts'

const HOST = 'https://host.example'

export const user = (login: string, more: object = {}) => ({
  type: 'user',
  url: `${HOST}/${login}`,
  login,
  name: null,
  created_at: '2020-01-02T03:04:05Z',
  ...more,
})

export const issue = (number: number, title: string, more: object = {}) => ({
  type: 'issue',
  url: `${HOST}/acme/tools/issues/${number}`,
  repository: `${HOST}/acme/tools`,
  user: `${HOST}/ada`,
  title,
  body: null,
  created_at: `2021-0${number}-01T00:00:00Z`,
  ...more,
})

export const SMALL: Files = {
  'schema.json': { version: '1.0.1', github_sha: 'c0ffee' },
  'users_000001.json': [user('ada'), user('grace')],
  'issues_000001.json': [issue(1, 'First'), issue(2, 'Second'), issue(3, 'Third')],
  'attachments/a1/picture.txt': 'a picture',
}

/** Two users, three issues, an attachment; with other files instead of some, or more. */
export const smallArchive = (more: Files = {}): Buffer => tarGzOf({ ...SMALL, ...more })

/** Sequences that change the colour, title or reading direction of a terminal. */
export const EVIL = '\x1b[31m\x9b2J\x1b]0;owned\x07\u202eevil\r\x00'

const EVIL_NAME = EVIL.replace('\x00', '')

/** An archive with control characters wherever an archive has text. */
export const evilArchive = (): Buffer =>
  tarGzOf(
    {
      'schema.json': { version: `1${EVIL}`, github_sha: EVIL },
      'users_000001.json': [user(`ada${EVIL}`, { name: EVIL, [`member${EVIL}`]: 1 })],
      'issues_000001.json': [issue(1, `Title ${EVIL}`, { body: EVIL, labels: [EVIL] })],
      'gadgets_000001.json': [{ type: `gadget${EVIL}`, url: `${HOST}/${EVIL}` }],
      'repositories_000001.json': [
        { type: 'repository', url: `${HOST}/a/${EVIL}`, name: EVIL, slug: EVIL },
      ],
      [`attachments/a1/${EVIL_NAME}.txt`]: EVIL,
      [`repositories/a/${EVIL_NAME}.git/HEAD`]: 'ref: refs/heads/main\n',
      [`${EVIL_NAME}`]: 'of no known use',
    },
    { dialect: 'pax' },
  )

/** A world for the eye: a repository in Git with every kind of file and change, and threads with every kind of text. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadArchive } from '../../src/load/load-archive.ts'
import { git } from '../support/bare-repository.ts'
import { makeBare } from '../support/git-world.ts'
import {
  comment,
  HOST,
  issue,
  KETTLE,
  pullRequest,
  repository,
  user,
  worldRecords,
} from '../support/rest-world.ts'

const PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABaCAIAAACwpMoFAAAA9UlEQVR42u3csQkAIBAEwe/LtizaLrQHhQveEfODnVSs/XDWHNfXbma3hAYsNGChAQMGbBewXcB2AQMWGrDQgIUGbBewXcB2AQMWGrDQgIUGDDgKLFbvXcCAhQYsNGDAgO0CtgvYLmDAQgMWGrDQgO0CtgvYLmDAQgMWGrDQgAFngcXqvQsYsNCAhQYMGLBdwHYB2wUMWGjAQgMWGrBdwHYB2wUMWGjAQgMWGjDgLLBYXlUKDVhowIAB2wVsF7BdwICFBiw0YKEB2wVsF7BdwICFBiw0YKEBAwZs1z9Zdr2qtAsYsNCAhQYsNGC7gO0Ctgv4s90D+PnKAdVfjXgAAAAASUVORK5CYII='

const OTHER_PIXELS =
  'iVBORw0KGgoAAAANSUhEUgAAAKAAAABaCAIAAACwpMoFAAAA9klEQVR42u3csQkAIBAEwe/ExuzB/iPtQeGCd8T8YCcVaz+cseb1tZvZLaEBCw1YaMCAAdsFbBewXcCAhQYsNGChAdsFbBewXcCAhQYsNGChAQOOAovVexcwYKEBCw0YMGC7gO0CtgsYsNCAhQYsNGC7gO0CtgsYsNCAhQYsNGDAWWCxeu8CBiw0YKEBAwZsF7BdwHYBAxYasNCAhQZsF7BdwHYBAxYasNCAhQYMOAsslleVQgMWGjBgwHYB2wVsFzBgoQELDVhowHYB2wVsFzBgoQELDVhowIAB2/VPll2vKu0CBiw0YKEBCw3YLmC7gO0C/mz3AA0Rx0SzMy9zAAAAAElFTkSuQmCC'

const README = `# Kettle

[![build](https://ci.example/badge.svg)](https://ci.example) Boils water. See [the manual](docs/manual.md), #1 and @ada.

![The kettle](docs/kettle.png)

| Model | Litres | Watts | What people say of it after a winter in the mountains |
|:--|--:|--:|:--|
| Small | 0.8 | 1200 | Enough for two |
| Large | 1.7 | 2400 | **Fast**, but \`loud\` |

## Use

\`\`\`sh
npm install kettle
kettle boil --temperature 96 --until "the whistle is heard by everybody in the house" --then tea
\`\`\`

- [x] boils
- [ ] whistles
  1. softly
  2. loudly

> [!WARNING]
> It is hot.

<details><summary>More</summary>

Steam.[^1]

</details>

[^1]: Water, as a gas.
`

const EVERYTHING = `# A heading of the first level

Plain text with **bold**, *italic*, ~~struck~~, \`code\`, <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O, x<sup>2</sup> and :tada:.
An_unbroken_word_${'that_does_not_end_'.repeat(9)} and https://example.org/${'a/long/address/'.repeat(8)}

## Lists

1. First
2. Second
   - with a point
   - and another
     - deeper
- [x] done
- [ ] not done, and long enough to need a second line on a narrow screen, where the box should stand alone

> A quote
>
> > in a quote

| Left | Right | Centre |
|:--|--:|:-:|
| a | 1 | x |
| ${'much '.repeat(12)} | 22222 | y |

\`\`\`ts
export const boil = async (water: Water): Promise<Steam> => (await heat(water, { to: 100, unit: 'celsius', reason: 'tea' })).steam
// A comment
\`\`\`

\`\`\`diff
- cold
+ hot
\`\`\`

> [!NOTE]
> Alerts come in five kinds.

> [!TIP]
> This is a tip.

> [!IMPORTANT]
> This is important.

> [!WARNING]
> This is a warning.

> [!CAUTION]
> And this is a caution.

<details><summary>Folded</summary>

Inside, with a list:

- one

</details>

---

![A picture elsewhere](https://pictures.example/kettle.png) and a footnote.[^a] See #2, ada/notes#7, @bob and ${'0123456789abcdef'.slice(0, 10)}.

[^a]: The footnote.
`

const FOREIGN = `# שלום עולם

זהו טקסט בעברית עם **הדגשה** ועם \`code\`.

- ראשון
- שני

日本語の長い文章は空白がないので、狭い画面でも正しく折り返されなければなりません。ภาษาไทยก็เช่นกัน

\u202eevil\u202c and a zero\u200bwidth.`

const data = (text: string | Buffer) => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')])
}

const commit = (mark: number, ref: string, message: string, changes: Buffer[], from = '') =>
  Buffer.concat([
    Buffer.from(
      `commit ${ref}\nmark :${mark}\nauthor Ada Kettle <ada@forge.example> ${1_714_564_800 + mark * 86_400} +0200\ncommitter Bo <bo@forge.example> ${1_714_564_800 + mark * 86_400} +0000\n`,
    ),
    data(message),
    Buffer.from(from),
    ...changes,
  ])
const file = (path: string, text: string | Buffer) =>
  Buffer.concat([Buffer.from(`M 100644 inline ${path}\n`), data(text)])
const order = (text: string) => Buffer.from(`${text}\n`)

const CODE = Array.from(
  { length: 90 },
  (_, i) =>
    `  /** Line ${i} */\n  step${i}(water: Water): number { return ${i} * water.celsius } // ${i % 9 === 0 ? 'a comment that goes on for longer than any screen is wide, as comments sometimes do, and then some more of it' : 'ok'}`,
).join('\n')

const history = () =>
  Buffer.concat([
    commit(1, 'refs/heads/main', 'Begin', [
      file('README.md', README),
      file('docs/manual.md', '# Manual\n\nSee [the front](../README.md).\n'),
      file('docs/kettle.png', Buffer.from(PIXELS, 'base64')),
      file('src/kettle.ts', `export class Kettle {\n${CODE}\n}\n`),
      file('src/old-name.py', 'def boil(water):\n    return water + 100\n'.repeat(6)),
      file('data/table.csv', 'a,b\n1,2\n'),
      file('data/blob.bin', Buffer.from([0, 1, 2, 255, 0, 9])),
      file('LICENSE', 'MIT\n'),
      file(`src/${'a-very-long-name-'.repeat(6)}.ts`, 'export {}\n'),
    ]),
    commit(
      2,
      'refs/heads/main',
      'Change many files at once, with a subject that is much longer than fifty characters and does not end soon\n\nThe body of the message has\nseveral lines, and names #1.\n\nCo-authored-by: Bob <bob@forge.example>',
      [
        file(
          'src/kettle.ts',
          `export class Kettle {\n${CODE.replace('Line 3 ', 'Line three ').replace('Line 60 ', 'Line sixty ')}\n}\n`,
        ),
        order('R src/old-name.py src/new_name.py'),
        file('data/blob.bin', Buffer.from([0, 3, 2, 255, 0, 9, 9])),
        file('docs/kettle.png', Buffer.from(OTHER_PIXELS, 'base64')),
        order('D LICENSE'),
        file('package-lock.json', `{\n${'  "a": 1,\n'.repeat(30)}}\n`),
        file('docs/new.md', '# New\n'),
      ],
    ),
    commit(3, 'refs/heads/topic/boil', 'Boil sooner', [
      file('src/boil.ts', 'export const boil = 99\n'),
    ]),
    commit(4, 'refs/heads/main', 'Mend the picture', [
      file('docs/kettle.png', Buffer.from(PIXELS, 'base64')),
    ]),
    order('reset refs/tags/v1\nfrom :1\n'),
  ])

const LABELS: readonly [string, string][] = [
  ['bug', 'd73a4a'],
  ['enhancement', 'a2eeef'],
  ['white', 'ffffff'],
  ['black', '000000'],
  ['yellow', 'ffff00'],
  ['good first issue', '7057ff'],
  ['area: everything that has to do with water, steam and ice', '0e8a16'],
]
const labels = LABELS.map(([name, color]) => ({
  url: `${KETTLE}/labels/${encodeURIComponent(name)}`,
  name,
  color,
  description: `About ${name}`,
  created_at: '2024-05-06T00:00:00Z',
}))

const REACTIONS = ['+1', '-1', 'smile', 'tada', 'thinking_face', 'heart', 'rocket', 'eyes'].map(
  (content) => ({
    user: `${HOST}/bob`,
    content,
    subject_type: 'Issue',
    created_at: '2024-05-06T09:00:00Z',
  }),
)

const LONG_TITLE = `A title that is about as long as the host allows: ${'and it goes on and on '.repeat(9)}`

/** Texts written from right to left, with words and code that are not. */
const RIGHT_TO_LEFT = `مرحبا، هذا نصّ طويل يُكتب من اليمين إلى اليسار مع \`code\` و @ada و #1.

- عنصر
- [x] منجز

> اقتباس

| عمود | رقم |
|:--|--:|
| قيمة | 12 |

\`\`\`sh
echo "left to right"
\`\`\``

/** As many labels as a long-lived project puts on one thread. */
const MANY_LABELS = Array.from({ length: 40 }, (_, i) => ({
  url: `${KETTLE}/labels/area-${i}`,
  name: `area/${['steam', 'water', 'whistle-and-valve', 'lid'][i % 4]}-${i}`,
  color: ((i * 2_654_435) % 0xffffff).toString(16).padStart(6, '0'),
  description: i % 5 === 0 ? 'A description that goes on '.repeat(6) : null,
  created_at: '2024-05-06T00:00:00Z',
}))

const EMPTY = `${HOST}/forge/empty`
const BARE_NAME = `${HOST}/forge/a-repository-with-${'a-very-'.repeat(10)}long-name`

/** The records; those of the world that is served, and more. */
const records = () => {
  const world = worldRecords()
  return {
    ...world,
    users: [...world.users, user('a-person-with-quite-a-long-login-in-lower', { name: 'مها' })],
    repositories: [
      repository(KETTLE, {
        labels: [...labels, ...MANY_LABELS],
        description: 'Boils water, and says so',
        website: 'https://kettle.example',
        repository_topics: ['tea', 'steam', 'kitchen'].map((name) => ({
          topic_name: name,
          state: 'created',
        })),
        git_url: 'tarball://root/repositories/forge/kettle.git',
      }),
      ...world.repositories.slice(1, 3),
      repository(EMPTY),
      repository(BARE_NAME, { git_url: null, description: 'word'.repeat(60) }),
    ],
    issues: [
      ...world.issues,
      issue(`${KETTLE}/issues/10`, {
        title: LONG_TITLE,
        body: EVERYTHING,
        labels: labels.map(({ url }) => url),
        reactions: REACTIONS,
        assignees: [`${HOST}/bob`, `${HOST}/ada`],
        assignee: `${HOST}/bob`,
        milestone: `${KETTLE}/milestones/1`,
      }),
      issue(`${KETTLE}/issues/11`, { title: 'שלום עולם 日本語 <b>\u202e', body: FOREIGN }),
      issue(`${KETTLE}/issues/13`, {
        title: `${'Unbroken'.repeat(30)} \`code\` in a title`,
        body: RIGHT_TO_LEFT,
        labels: MANY_LABELS.map(({ url }) => url),
      }),
      ...Array.from({ length: 60 }, (_, i) =>
        issue(`${KETTLE}/issues/${100 + i}`, {
          title: `Kettle ${i} does not whistle`,
          labels: i % 3 === 0 ? [labels[i % 7]?.url] : [],
          user: `${HOST}/${i % 2 ? 'bob' : 'ada'}`,
          created_at: `2024-04-${String((i % 28) + 1).padStart(2, '0')}T10:00:00Z`,
        }),
      ),
    ],
    pull_requests: [
      pullRequest(`${KETTLE}/pull/2`, { body: 'Fixes #1', work_in_progress: true }),
      pullRequest(`${KETTLE}/pull/12`, { closed_at: '2024-05-07T00:00:00Z', title: 'Refused' }),
    ],
    issue_comments: [
      ...world.issue_comments,
      comment(`${KETTLE}/issues/13`, 900, { body: RIGHT_TO_LEFT }),
      comment(`${KETTLE}/issues/13`, 901, { body: `\`${'unbroken_code_'.repeat(30)}\`` }),
      ...Array.from({ length: 90 }, (_, i) =>
        comment(`${KETTLE}/issues/10`, 1000 + i, {
          body: i % 10 === 0 ? '> Is it hot?\n\nYes.' : `Comment ${i}`,
          user: [
            `${HOST}/ada`,
            `${HOST}/steam[bot]`,
            null,
            `${HOST}/a-person-with-quite-a-long-login-in-lower`,
          ][i % 4],
          reactions: i % 7 === 0 ? REACTIONS.slice(0, 2) : [],
          created_at: `2024-05-07T${String(i % 24).padStart(2, '0')}:00:00Z`,
        }),
      ),
    ],
  }
}

/** Writes the world into a folder and loads it; the address of its repository is `/forge/kettle`. */
export async function loadRichWorld(folder: string): Promise<string> {
  const archive = join(folder, 'rich')
  const repositoryFolder = join(archive, 'repositories/forge/kettle.git')
  mkdirSync(archive, { recursive: true })
  makeBare(repositoryFolder)
  git(repositoryFolder, ['fast-import', '--quiet'], history())
  const emptyFolder = join(archive, 'repositories/forge/empty.git')
  makeBare(emptyFolder)
  writeFileSync(join(archive, 'schema.json'), '{"version":"1.0.1"}')
  for (const [kind, all] of Object.entries(records())) {
    writeFileSync(join(archive, `${kind}_000001.json`), JSON.stringify(all))
  }
  const database = join(folder, 'rich.db')
  await loadArchive(archive, database)
  return database
}

import { describe, expect, test } from 'vitest'
import type { PageFile } from '../../../src/pages/page.ts'
import {
  commitOf,
  oidOf,
  type PackedObject,
  packOf,
  repositoryOf,
  treeOf,
} from '../../support/build-pack.ts'
import '../../../src/pages/pages.ts'
import '../../../src/pages/kinds/git/folder.ts'
import { KETTLE, pullRequest, repository, user } from '../../support/rest-world.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../../support/web.ts'

const objects: PackedObject[] = []
const add = (type: 'blob' | 'tree' | 'commit', content: string | Uint8Array): string => {
  objects.push({ type, content })
  return oidOf(type, content)
}

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000300000002', 'hex')
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const README = `# Kettle

[src](src), [boil](./src/boil.js#L2), [gone](src/gone.js), [root](/src/boil.js), ![logo](img/logo.png)
![elsewhere](https://elsewhere.example/x.png) <script>alert(1)</script>
`
const LONG = Array.from({ length: 12_000 }, (_, i) => `line ${i + 1}`).join('\n')
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`

const boil = (degrees: number) =>
  `/* Boils\n water */\nexport const boil = () => ${degrees}\n${'// and waits\n'.repeat(5)}`
const treeWith = (degrees: number, ...more: [string, string, string][]) => {
  const src = add('tree', treeOf(['100644', 'boil.js', add('blob', boil(degrees))]))
  const img = add('tree', treeOf(['100644', 'logo.png', add('blob', PNG)]))
  return add(
    'tree',
    treeOf(
      ['100644', 'README.md', add('blob', README)],
      ...more,
      ['40000', 'img', img],
      ['40000', 'src', src],
    ),
  )
}

const empty = add('blob', '')
const odd: [string, string, string][] = [
  ['40000', '..', add('tree', treeOf(['100644', 'x', empty]))],
  ['100644', 'a/b', empty],
  ['100644', 'bytes.bin', add('blob', Buffer.from([1, 0, 2]))],
  ['100644', 'caf\xe9.txt', add('blob', 'latin name\n')],
  ['100644', 'crlf.txt', add('blob', 'one\r\ntwo\r\n')],
  ['100644', 'empty.txt', empty],
  ['100644', 'latin1.txt', add('blob', Buffer.from('caf\xe9\n', 'latin1'))],
  ['100644', 'lfs.bin', add('blob', POINTER)],
  ['120000', 'link', add('blob', 'src/boil.js')],
  ['120000', 'link-out', add('blob', '../../etc/passwd')],
  ['100644', 'logo.svg', add('blob', SVG)],
  ['100644', 'long.txt', add('blob', LONG)],
  ['100644', 'missing.txt', '1'.repeat(40)],
  ['100644', 'page.html', add('blob', '<script>alert(1)</script>')],
  ['160000', 'spout', '2'.repeat(40)],
  ['100644', 'utf16.txt', add('blob', Buffer.from('\ufeffhé\n', 'utf16le'))],
  ['100644', 'was.gif', add('blob', Buffer.concat([PNG, Buffer.from('x')]))],
  ['100644', 'wide.js', add('blob', `x = '${'y'.repeat(5_000)}'\n`)],
]

const first = add('commit', commitOf(treeWith(100), 'Boil at a hundred\n'))
const second = add(
  'commit',
  commitOf(treeWith(99, ...odd), 'Boil sooner, see #2\n\n<b>Why</b>\n', first),
)
const topic = add('commit', commitOf(treeWith(98), `Cooler, after ${first}\n`, first))
const wikiTree = treeOf(
  ['100644', 'Home.md', add('blob', 'See [[How to boil]] and [[this|Tea (green)]], `[[code]]`\n')],
  ['100644', 'How-to-boil.md', add('blob', '# Fill it\n')],
  ['100644', 'Tea-(green).md', add('blob', 'Cooler.\n')],
  ['100644', '_Sidebar.md', add('blob', '[Home](Home)\n')],
)
const wiki = add('commit', commitOf(add('tree', wikiTree), 'Write\n'))

const reviewed = {
  pull_request: `${KETTLE}/pull/2`,
  user: 'https://forge.example/ada',
  formatter: 'markdown',
  created_at: '2024-05-06T04:00:00Z',
  reactions: [],
}
const review = {
  type: 'pull_request_review',
  url: `${KETTLE}/pull/2/files#pullrequestreview-7`,
  ...reviewed,
  body: '',
  head_sha: topic,
  state: 1,
  submitted_at: '2024-05-06T04:00:00Z',
}
const thread = (number: number, position: number | null) => ({
  type: 'pull_request_review_thread',
  pull_request: `${KETTLE}/pull/2`,
  url: `${KETTLE}/pull/2/files#pullrequestreviewthread-${number}`,
  pull_request_review: review.url,
  path: 'src/boil.js',
  position,
  original_position: 4,
  diff_hunk: '@@ -1,3 +1,3 @@\n /* Boils\n  water */\n-old\n+new',
  commit_id: topic,
  original_commit_id: topic,
  created_at: '2024-05-06T04:00:00Z',
  resolved_at: null,
  resolver: null,
})
const remark = (number: number, position: number | null, body: string) => ({
  type: 'pull_request_review_comment',
  url: `${KETTLE}/pull/2/files#r${number}`,
  ...reviewed,
  pull_request_review: review.url,
  body,
  path: 'src/boil.js',
  position,
  original_position: 4,
  pull_request_review_thread: `${KETTLE}/pull/2/files#pullrequestreviewthread-${number}`,
  diff_hunk: '@@ -1,3 +1,3 @@\n /* Boils\n  water */\n-old\n+new',
  state: 1,
  commit_id: topic,
  original_commit_id: topic,
  in_reply_to: null,
})
const end = (sha: string, ref: string) => ({
  ref,
  sha,
  user: 'https://forge.example/forge',
  repo: KETTLE,
})
const WORLD = {
  users: [
    user('ada', { emails: [{ address: 'ada@forge.example', primary: true, verified: true }] }),
    user('forge'),
  ],
  repositories: [repository(KETTLE), repository('https://forge.example/forge/pot')],
  pull_requests: [
    pullRequest(`${KETTLE}/pull/2`, {
      base: end(second, 'main'),
      head: end(topic, 'topic'),
      merge_commit_sha: null,
    }),
    pullRequest(`${KETTLE}/pull/3`),
  ],
  pull_request_reviews: [review],
  pull_request_review_threads: [thread(8, 4), thread(9, null)],
  pull_request_review_comments: [
    remark(8, 4, 'On the line'),
    remark(9, null, 'On a line of before'),
  ],
  commit_comments: [
    {
      url: `${KETTLE}/commit/${second}#commitcomment-5`,
      path: 'src/boil.js',
      position: 4,
      commit_id: second,
    },
    {
      url: `${KETTLE}/commit/${second}#commitcomment-6`,
      path: null,
      position: null,
      commit_id: second,
    },
    {
      url: `${KETTLE}/commit/${'3'.repeat(40)}#commitcomment-7`,
      path: null,
      position: null,
      commit_id: '3'.repeat(40),
    },
  ].map((one) => ({
    type: 'commit_comment',
    repository: KETTLE,
    user: 'https://forge.example/ada',
    body: 'Said',
    formatter: 'markdown',
    reactions: [],
    created_at: '2024-05-06T03:00:00Z',
    ...one,
  })),
}

const refs = {
  'refs/heads/main': `${second}\n`,
  'refs/heads/topic/cooler': `${topic}\n`,
  'refs/heads/v1': `${topic}\n`,
  'refs/tags/v1': `${first}\n`,
  'refs/tags/to-a-tree': `${oidOf('tree', wikiTree)}\n`,
}
const files = {
  ...repositoryOf('forge/kettle', { ...refs, ...packOf(objects) }),
  ...repositoryOf('forge/kettle.wiki', { 'refs/heads/main': `${wiki}\n`, ...packOf(objects) }),
}
const K = '/forge/kettle'
const { ask } = sharePages([WORLD], 'all', files)
const textOf = (html: string) =>
  (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '').replace(/<[^>]*>/g, '')
const fileOf = async (address: string): Promise<PageFile> => {
  const page = await ask(address)
  if (!('file' in page)) throw new Error(`${address} is no file`)
  return page.file
}

describe('A folder', () => {
  test('shows folders first, what changed each entry last, and the README below', async () => {
    const html = htmlOf(await ask(`${K}/tree/main`))
    const names = [...html.matchAll(/<td class="name[^"]*">[\s\S]*?<bdi>(.*?)<\/bdi>/g)].map(
      ([, name]) => name,
    )
    expect(names.slice(0, 4).toSorted()).toEqual(['..', 'img', 'spout', 'src'])
    expect(html).toMatch(/<bdi>src<\/bdi>[\s\S]*?Boil sooner/)
    expect(html).toMatch(/<bdi>img<\/bdi>[\s\S]*?Boil at a hundred/)
    expect(html).toContain('<h3 id="user-content-kettle">Kettle</h3>')
  })

  test('links nothing whose name an address cannot hold', async () => {
    const links = addressesOf(htmlOf(await ask(`${K}/tree/main`)))
    expect(links.filter((link) => /%2F|\.\.|a\/b/.test(link))).toEqual([])
    expect(links).toContain(`${K}/blob/main/caf%EF%BF%BD.txt`)
    expect(textOf(htmlOf(await ask(`${K}/blob/main/caf%EF%BF%BD.txt`)))).toContain('latin name')
  })

  test('is the front page of its repository, with branches, tags and languages', async () => {
    const html = htmlOf(await ask(K))
    expect(textOf(html)).toContain('3 branches 2 tags')
    expect(textOf(html)).toMatch(/JavaScript 99\.5 % HTML 0\.5 %/)
  })

  test.each([
    [`${K}/tree/main/README.md`, `${K}/blob/main/README.md`],
    [`${K}/blob/main/src`, `${K}/tree/main/src`],
  ])('%s leads to %s', async (address, location) => {
    expect(await ask(address)).toMatchObject({ status: 302, location })
  })
})

describe('A text in a repository', () => {
  test('leads to what is there, shows pictures of the repository, and loads nothing else', async () => {
    const html = htmlOf(await ask(`${K}/blob/main/README.md`))
    const links = addressesOf(html)
    expect(links).toContain(`${K}/tree/main/src`)
    expect(links.filter((link) => link === `${K}/blob/main/src/boil.js#L2`)).toHaveLength(1)
    expect(links).toContain(`${K}/blob/main/src/boil.js`)
    expect(html).toMatch(
      /<img src="\/forge\/kettle\/raw\/main\/img\/logo\.png"[^>]* width="3" height="2"/,
    )
    expect(html).not.toContain('gone.js')
    expect(html).not.toContain('src="https:')
    expect(html).not.toContain('<script>alert')
  })
})

describe('A file', () => {
  test('has numbered lines with anchors, and colors that begin anew on each line', async () => {
    const html = htmlOf(await ask(`${K}/blob/main/src/boil.js`))
    expect(html).toContain('<tr id="L2"><th scope="row"><a href="#L2">2</a></th>')
    expect(html).toContain('<td><span class="hl-comment">/* Boils</span></td>')
    expect(html).toContain('<td><span class="hl-comment"> water */</span></td>')
    expect(html).toContain(`href="${K}/blob/${second}/src/boil.js" data-permanent`)
  })

  everyDay(5)([
    ['bytes.bin', 'This file is not text'],
    ['crlf.txt', '2 lines · 10 B'],
    ['empty.txt', 'This file is empty'],
    ['latin1.txt', '1 line · 5 B · Windows-1252'],
    ['latin1.txt', 'café'],
    ['lfs.bin', 'Stored with Git LFS: 12 B'],
    ['link', 'It leads to src/boil.js.'],
    ['link-out', 'It leads to ../../etc/passwd, which is not in the repository.'],
    ['long.txt', 'Only the first 10,000 lines are shown.'],
    ['missing.txt', 'there is no object'],
    ['page.html', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['utf16.txt', 'hé'],
  ])('%s says %s', async (name, text) => {
    const page = await ask(`${K}/blob/main/${name}`)
    expect(page.status).toBe(200)
    expect(textOf(htmlOf(page))).toContain(text)
  })

  test('with a line of thousands of characters shows its beginning', async () => {
    const html = htmlOf(await ask(`${K}/blob/main/wide.js`))
    expect(html).toContain('yyy …')
    expect(html.length).toBeLessThan(12_000)
  })

  test('that is Markdown or SVG shows its source on request', async () => {
    expect(textOf(htmlOf(await ask(`${K}/blob/main/README.md?plain=1`)))).toContain('# Kettle')
    expect(htmlOf(await ask(`${K}/blob/main/logo.svg?plain=1`))).toContain('&lt;')
    expect(htmlOf(await ask(`${K}/blob/main/logo.svg`))).toContain(
      `<img src="${K}/raw/main/logo.svg"`,
    )
  })
})

describe('The bytes of a file', () => {
  test.each([
    ['src/boil.js', 'text/plain; charset=utf-8', false],
    ['img/logo.png', 'image/png', false],
    ['logo.svg', 'image/svg+xml', true],
    ['page.html', 'application/octet-stream', true],
    ['bytes.bin', 'application/octet-stream', true],
  ])('%s are %s', async (path, type, isSaved) => {
    const { type: given, headers = {} } = await fileOf(`${K}/raw/main/${path}`)
    expect(given).toBe(type)
    expect('Content-Disposition' in headers).toBe(isSaved)
    expect(headers['Content-Security-Policy']).toBe(
      isSaved ? "sandbox; default-src 'none'" : undefined,
    )
  })

  test('are those of the archive', async () => {
    const { bytes } = await fileOf(`${K}/raw/v1/img/logo.png`)
    const parts: Uint8Array[] = []
    for await (const part of bytes as AsyncIterable<Uint8Array>) parts.push(part)
    expect(Buffer.concat(parts).equals(PNG)).toBe(true)
  })
})

describe('A commit', () => {
  test('shows its message, its lines, and comments at their lines', async () => {
    const html = htmlOf(await ask(`${K}/commit/${second}`))
    expect(html).toContain(`see <a href="${K}/pull/2">#2</a>`)
    expect(html).toContain('<pre>&lt;b&gt;Why&lt;/b&gt;</pre>')
    expect(html).toMatch(/<tr class="add" id="diff-[0-9a-f]{64}R3">[\s\S]*?99/)
    expect(html).toMatch(/<tr class="del" id="diff-[0-9a-f]{64}L3">[\s\S]*?100/)
    const at = html.indexOf('id="commitcomment-5"')
    expect(at).toBeGreaterThan(html.indexOf('R3"'))
    expect(html.indexOf('R4"')).toBeGreaterThan(at)
    expect(html).toContain('id="commitcomment-6"')
    expect(html).toContain('<a class="person" href="/ada">')
  })

  test('is found by the beginning of its id', async () => {
    expect(await ask(`${K}/commit/${second.slice(0, 8)}`)).toMatchObject({
      location: `${K}/commit/${second}`,
    })
  })

  test('that is not there shows the comments on it', async () => {
    const html = htmlOf(await ask(`${K}/commit/${'3'.repeat(40)}`))
    expect(html).toContain('id="commitcomment-7"')
    expect((await ask(`${K}/commit/${'4'.repeat(40)}`)).status).toBe(404)
  })

  test('with a large file shows its lines on a page of their own', THOROUGH, async () => {
    const html = htmlOf(await ask(`${K}/commit/${second}`))
    const link = addressesOf(html).find((address) => address.includes('?file=')) ?? ''
    expect(textOf(html)).toContain('A large change: 12,000 lines. Show them')
    expect(textOf(html)).toContain('Its content is not in the archive, or damaged.')
    expect(html).not.toContain('line 7000')
    expect(htmlOf(await ask(link))).toContain('line 7000')
    expect((await ask(`${K}/commit/${second}?file=99`)).status).toBe(404)
  })
})

describe('A changed picture', () => {
  const K = '/forge/kettle'
  const picturesOf = async (address: string) =>
    [...htmlOf(await ask(address)).matchAll(/<img src="([^"]*)" alt="([^"]*)"/g)].map((one) =>
      one.slice(1),
    )

  test('is shown before and after', async () => {
    expect(await picturesOf(`${K}/commit/${first}`)).toEqual([
      [`${K}/raw/${first}/img/logo.png`, 'After: img/logo.png'],
    ])
    expect(await picturesOf(`${K}/compare/${second}..${topic}`)).toEqual([
      [`${K}/raw/${second}/was.gif`, 'Before: was.gif'],
    ])
    const [[address = ''] = []] = await picturesOf(`${K}/commit/${first}`)
    expect(await ask(address)).toMatchObject({ status: 200, file: { type: 'image/png' } })
  })
})

describe('A history', () => {
  test('lists the commits of a ref, or those that changed a path', async () => {
    expect(textOf(htmlOf(await ask(`${K}/commits/main`)))).toMatch(
      /Boil sooner[\s\S]*Boil at a hundred/,
    )
    const text = textOf(htmlOf(await ask(`${K}/commits/main/img/logo.png`)))
    expect(text).toContain('Boil at a hundred')
    expect(text).not.toContain('Boil sooner')
    expect((await ask(`${K}/commits/main/gone`)).status).toBe(404)
    expect((await ask(`${K}/commits/main?page=2`)).status).toBe(404)
  })

  test('of two refs is compared', async () => {
    const text = textOf(htmlOf(await ask(`${K}/compare/main...topic/cooler`)))
    expect(text).toContain('1 commit')
    expect(text).toMatch(/Cooler, after/)
    expect(text).toMatch(/1 changed file/)
    expect((await ask(`${K}/compare/main`)).status).toBe(404)
    expect((await ask(`${K}/compare/main...gone`)).status).toBe(404)
  })
})

describe('Refs', () => {
  test('are listed with their commits; a tag that has the name of a branch is named in full', async () => {
    expect(textOf(htmlOf(await ask(`${K}/branches`)))).toMatch(/main Default[\s\S]*topic\/cooler/)
    const tags = htmlOf(await ask(`${K}/tags`))
    expect(addressesOf(tags)).toContain(`${K}/tree/refs/tags/v1`)
    expect(textOf(tags)).toContain('Its commit is not in the archive.')
    expect(htmlOf(await ask(`${K}/tree/refs/tags/v1/src`))).toContain('boil.js')
    expect(htmlOf(await ask(`${K}/tree/topic/cooler/src`))).toContain('boil.js')
  })
})

test('Where nothing is below a repository, its head shows the way back', async () => {
  for (const address of [`${K}/tree/gone`, `${K}/actions`, '/forge/gone/actions']) {
    const page = await ask(address)
    expect(page.status).toBe(404)
    expect(addressesOf(htmlOf(page)).includes(K)).toBe(address.startsWith(K))
  }
})

describe('Branches with odd names', () => {
  const refs = {
    'refs/heads/main': `${second}\n`,
    'refs/heads/-': `${topic}\n`,
    [`refs/heads/${first}`]: `${topic}\n`,
  }
  const odd = sharePages(
    [{ repositories: [repository(KETTLE)] }],
    'all',
    repositoryOf('forge/kettle', { ...refs, ...packOf(objects) }),
  )
  const isTopic = async (address: string) =>
    textOf(htmlOf(await odd.ask(`${K}/commits/${address}`))).includes('Cooler, after')

  test('lead to their commits; one with the id of a commit is named in full', async () => {
    const names = ['-', `refs/heads/${first}`]
    expect(addressesOf(htmlOf(await odd.ask(`${K}/branches`)))).toEqual(
      expect.arrayContaining(
        names.flatMap((name) => [`${K}/tree/${name}`, `${K}/compare/main...${name}`]),
      ),
    )
    for (const name of names) expect(await isTopic(name)).toBe(true)
    expect(await isTopic(first)).toBe(false)
    expect((await odd.ask(`${K}/compare/main...-`)).status).toBe(200)
  })
})

describe('A wiki', () => {
  test('shows its first page, links between pages, and the list of all', async () => {
    const html = htmlOf(await ask(`${K}/wiki`))
    expect(addressesOf(html)).toEqual(
      expect.arrayContaining([`${K}/wiki/How-to-boil`, `${K}/wiki/Tea-(green)`, `${K}/wiki/Home`]),
    )
    expect(textOf(html)).toContain('3 pages')
    expect(html).toContain('<code>[[code]]</code>')
  })

  test('finds a page by its name in other capitals', async () => {
    expect(await ask(`${K}/wiki/how-to-BOIL`)).toMatchObject({ location: `${K}/wiki/How-to-boil` })
    expect((await ask(`${K}/wiki/none`)).status).toBe(404)
  })
})

describe('A pull request', () => {
  test('shows its files with comments at their lines, and the outdated ones below', async () => {
    const html = htmlOf(await ask(`${K}/pull/2/files`))
    const [line, next, on, below] = ['R3"', 'R4"', 'id="r8"', 'id="r9"'].map((text) =>
      html.indexOf(text),
    )
    expect([line, on, next, below]).toEqual(
      [line, on, next, below].toSorted((a = 0, b = 0) => a - b),
    )
    expect(line).toBeGreaterThan(0)
    expect(textOf(html)).toContain('Comments on lines that are not in this diff')
  })

  test('shows its commits, and counts them', async () => {
    const html = htmlOf(await ask(`${K}/pull/2/commits`))
    expect(textOf(html)).toContain('Cooler, after')
    expect(textOf(html)).toMatch(/Commits 1\s+Files changed 1/)
    expect(await ask(`${K}/pull/2/commits/${topic}`)).toMatchObject({
      location: `${K}/commit/${topic}`,
    })
  })

  test('whose commits are not there says so', async () => {
    for (const part of ['files', 'commits']) {
      const page = await ask(`${K}/pull/3/${part}`)
      expect(textOf(htmlOf(page))).toContain(
        'The commits of this pull request are not in the archive',
      )
    }
    expect((await ask('/forge/pot/tree/main')).status).toBe(404)
    expect((await ask('/forge/pot/wiki')).status).toBe(404)
  })
})

test.each([
  `${K}/tree/gone`,
  `${K}/tree/main/gone`,
  `${K}/tree/main/README.md/x`,
  `${K}/tree/main%2Fsrc/..%2f`,
  `${K}/blob/main`,
  `${K}/blob/main/spout`,
  `${K}/raw/main/src`,
  `${K}/blob/HEAD~1/README.md`,
  `${K}/tree/${'5'.repeat(40)}`,
  `${K}/tree/refs/__gh__/x`,
])('There is nothing at %s', async (address) => {
  expect((await ask(address)).status).toBe(404)
})

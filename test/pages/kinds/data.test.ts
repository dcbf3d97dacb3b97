import { describe, expect, test } from 'vitest'
import { openPages } from '../../../src/pages/open-pages.ts'
import type { Ask } from '../../../src/pages/page.ts'
import '../../../src/pages/pages.ts'
import { savedQuestions } from '../../../src/pages/kinds/data/questions.ts'
import { KETTLE, repository, user } from '../../support/rest-world.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { addressesOf, htmlOf, sharePages } from '../../support/web.ts'

const samples = sharePages()
const { ask } = samples
const textOf = (html: string) =>
  (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '').replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
const bytesOf = async (address: string): Promise<string> => {
  const page = await ask(address)
  return 'file' in page ? String(page.file.bytes) : ''
}

describe('A saved question', () => {
  test('is answered with a chart, a table, CSV and JSON', async () => {
    const html = htmlOf(await ask('/-/questions/reviewers'))
    expect(html).toContain('<rect width="100.00" height="14"><title>')
    expect(textOf(html)).toContain('1 row in')
    expect(html).toContain('<td><span dir="auto">mona-lindqvist</span></td>')
    expect(await bytesOf('/-/questions/reviewers?format=csv')).toMatch(
      /^reviewer,reviews,.*\nmona-lindqvist,4,/,
    )
    expect(JSON.parse(await bytesOf('/-/questions/reviewers?format=json'))).toMatchObject([
      { reviewer: 'mona-lindqvist', reviews: 4 },
    ])
  })

  test('is asked once for its page, its CSV and its JSON', async () => {
    let asked = 0
    const ask: Ask = async () => {
      asked++
      return { columns: ['reviewer'], rows: [['ada']], isCut: false, milliseconds: 1 }
    }
    const pages = openPages(samples.paths, { ask })
    for (const format of ['', 'format=csv', 'format=json']) {
      const query = new URLSearchParams(format)
      expect((await pages.render('/-/questions/reviewers', query)).status).toBe(200)
    }
    expect(asked).toBe(1)
    await pages.render('/-/questions/reviewers', new URLSearchParams('repo=tea-timer'))
    expect(asked).toBe(2)
    pages.close()
  })

  test('has room for long texts next to many columns', async () => {
    const html = htmlOf(await ask('/-/schema/issues'))
    expect(html).toMatch(/<th scope="col" class="much"><a [^>]*><bdi>body</)
    expect(html).toMatch(/<th scope="col" class="some"><a [^>]*><bdi>url</)
    expect(html).toMatch(/<th scope="col"><a [^>]*><bdi>state</)
  })

  test('takes values for its parameters from the address', async () => {
    const html = htmlOf(await ask('/-/questions/reviewers?repo=Tea-Timer'))
    expect(textOf(html)).toContain('1 row in')
    expect(html).toContain('<input type="text" name="repo" value="Tea-Timer"')
  })

  test.each([
    ['reviewers?repo=nobody%2Fnothing', 'no such repository: nobody/nothing'],
    ['reviewers?repo=tea-timr', 'did you mean mona-lindqvist/tea-timer?'],
    ['stale-pull-requests?days=abc', 'the parameter days takes a number, not "abc"'],
    ['timeline-of-a-thread?full_name=tea-timer&number=x', 'takes a number, not "x"'],
    ['timeline-of-a-thread?full_name=tea-timer&number=99999', 'has no issue or pull request 99999'],
  ])('with wrong values says so: %s', async (address, message) => {
    const page = await ask(`/-/questions/${address}`)
    expect(page).toMatchObject({ status: 422 })
    expect(textOf(htmlOf(page)).replaceAll('&quot;', '"')).toContain(message)
  })

  test('that needs a value asks for it', async () => {
    const html = htmlOf(await ask('/-/questions/timeline-of-a-thread'))
    expect(textOf(html)).toContain('Give the values above')
    const full = '/-/questions/timeline-of-a-thread?full_name=mona-lindqvist%2Ftea-timer&number=5'
    expect(textOf(htmlOf(await ask(full)))).toContain('10 rows')
  })

  test('of all that there are is answered, or says what it needs', THOROUGH, async () => {
    for (const { name } of savedQuestions()) {
      const text = textOf(htmlOf(await ask(`/-/questions/${name}`)))
      expect(text, name).toMatch(/rows? in|Give the values|Run this first/)
    }
  })
})

describe('A statement', () => {
  test('is answered, and its urls lead to pages', async () => {
    const html = htmlOf(await ask('/-/sql?sql=SELECT+url%2C+title+FROM+issues+WHERE+number+%3D+3'))
    expect(addressesOf(html)).toContain('/mona-lindqvist/tea-timer/issues/3')
    expect(textOf(html)).toContain('The bell rings twice')
  })

  test.each([
    ['DELETE FROM issues', 'this statement writes'],
    ["ATTACH '/etc/passwd' AS x", 'could not be answered'],
    ['SELECT', 'could not be answered'],
    ['SELECT 1; SELECT 2', 'could not be answered'],
  ])('%s is refused', async (sql, why) => {
    expect(textOf(htmlOf(await ask(`/-/sql?sql=${encodeURIComponent(sql)}`)))).toContain(why)
  })

  test('that returns hostile text shows it as text', async () => {
    const sql = encodeURIComponent("SELECT '<img src=x onerror=alert(1)>' AS \"<b>\", x'00'")
    const html = htmlOf(await ask(`/-/sql?sql=${sql}`))
    expect(html).not.toMatch(/<img|<b>/)
    expect(html).toContain('1 bytes')
  })

  test('with a formula in a cell is no formula in a spreadsheet', async () => {
    const sql = encodeURIComponent("SELECT '=1+1' AS a, 'b,c' AS d")
    expect(await bytesOf(`/-/sql?sql=${sql}&format=csv`)).toBe('a,d\n\'=1+1,"b,c"\n')
  })

  test('with many rows shows the first thousand, and long texts in part', async () => {
    const sql = encodeURIComponent(
      'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 20000) SELECT i FROM r',
    )
    const text = textOf(htmlOf(await ask(`/-/sql?sql=${sql}`)))
    expect(text).toContain('10,000 rows and more')
    expect(text).toContain('The first 1,000 rows of 10,000 are shown.')
  })

  test('is asked of the database that the address names', async () => {
    const sql = encodeURIComponent('SELECT count(*) AS n FROM repositories')
    const answer = async (db: string) =>
      JSON.parse(await bytesOf(`/-/sql?sql=${sql}${db}&format=json`))
    expect(await answer('')).toEqual([{ n: 1 }])
    expect(await answer('&db=organization')).toEqual([{ n: 2 }])
    expect((await ask('/-/sql?db=none')).status).toBe(404)
  })
})

test('A chart is of the columns that a person chooses, and names each value', async () => {
  const sql =
    "SELECT 'ada' AS login, 3 AS user_id, 7 AS opened, 2 AS closed UNION ALL SELECT 'bob', 4, 5, 1"
  const at = (more: string) => ask(`/-/sql?${new URLSearchParams({ sql })}${more}`)
  const bars = async (more: string) =>
    [...htmlOf(await at(more)).matchAll(/<rect[^>]*><title>([^<]*)</g)].map(([, title]) => title)
  expect(await bars('')).toEqual(['ada 3: 7', 'bob 4: 5'])
  expect(await bars('&y=closed')).toEqual(['ada 3: 2', 'bob 4: 1'])
  expect(await bars('&x=user_id&y=closed')).toEqual(['3: 2', '4: 1'])
  expect(await bars('&x=none&y=none')).toEqual(['ada 3: 7', 'bob 4: 5'])
  const html = htmlOf(await at('&x=login&y=closed'))
  expect(html).toContain('<option value="closed" selected>')
})

test('Tables say what they hold, and show their first rows', async () => {
  const html = htmlOf(await ask('/-/schema/issues'))
  expect(textOf(html)).toContain('Who opened it; null for a deleted account.')
  expect(addressesOf(html)).toContain('/mona-lindqvist/tea-timer/issues/3')
  expect((await ask('/-/schema/sqlite_schema')).status).toBe(404)
})

test('A check runs on request and says what it found', THOROUGH, async () => {
  expect(textOf(htmlOf(await ask('/-/check')))).toContain('Check the archives')
  const text = textOf(htmlOf(await ask('/-/check?run=1')))
  expect(text).toContain('An importer would accept this')
  expect(text).toContain('protected-branch')
})

test(
  'A check says of each kind how much an importer takes, as the command does',
  THOROUGH,
  async () => {
    const html = htmlOf(await ask('/-/check?run=1'))
    const cells = (row: string) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)].map(([, cell]) =>
        String(cell).replace(/<[^>]*>/g, ''),
      )
    const rows =
      html.split('aria-label="What an importer takes"')[1]?.split('<tr>').slice(1).map(cells) ?? []
    expect(rows[0]).toEqual([
      'kind',
      'records',
      'taken',
      'changed',
      'not taken',
      'why',
      'known',
      'source',
    ])
    expect(rows).toContainEqual([
      'users',
      '4',
      '',
      '4',
      '',
      expect.stringContaining('mannequins'),
      'documented',
      expect.any(String),
    ])
    expect(rows).toContainEqual([
      'packages',
      '',
      '',
      '',
      '',
      'Publish them again',
      'documented',
      expect.any(String),
    ])
  },
)

test('Attachments lead to their bytes and to where they are shown', async () => {
  const links = addressesOf(htmlOf(await ask('/-/attachments')))
  expect(links).toContainEqual(expect.stringMatching(/^\/-\/files\/[0-9a-f]{64}\/two-rings\.png$/))
  expect(links).toContain('/mona-lindqvist/tea-timer/issues/3')
})

test('A team shows its members and rights, and a text that names it leads to it', async () => {
  const html = htmlOf(await ask('/orgs/harbour-lights/teams/keepers'))
  expect(textOf(html)).toMatch(/harbour-lights\/tidewatch ?admin/)
  expect(addressesOf(html)).toContain('/sanna-brook')
  expect(addressesOf(htmlOf(await ask('/harbour-lights')))).toContain('/orgs/harbour-lights/teams')
  expect((await ask('/orgs/harbour-lights/teams/none')).status).toBe(404)
  expect((await ask('/orgs/mona-lindqvist/teams')).status).toBe(404)
})

test('Charts of a repository say what its months were like', async () => {
  const html = htmlOf(await ask('/mona-lindqvist/tea-timer/pulse'))
  expect(html).toMatch(/<svg[^>]*viewBox="0 0 640 64"[^>]*><rect/)
  expect(html).toContain('<span>2024-01</span><span>2026-01</span>')
  expect(htmlOf(await ask('/'))).toContain('<h2>Activity</h2>')
})

describe('A project', () => {
  const board = {
    type: 'project',
    url: `${KETTLE}/projects/1`,
    name: 'Boiling',
    body: '*Soon*',
    columns: [
      {
        name: 'To do',
        cards: [
          { note: 'Buy <b>tea</b>' },
          { content_url: 'https://forge.example/forge/kettle/issues/1' },
        ],
      },
      'odd',
    ],
  }
  const world = sharePages([
    {
      users: [user('forge')],
      repositories: [repository(KETTLE)],
      projects: [board, { ...board, url: `${KETTLE}/projects/2`, columns: null }],
    },
  ])

  test('is a board with columns of cards', async () => {
    const html = htmlOf(await world.ask('/forge/kettle/projects/1'))
    expect(textOf(html)).toContain('To do 2')
    expect(html).toContain('<b>tea</b>')
    expect(textOf(htmlOf(await world.ask('/forge/kettle/projects/2')))).toContain('no columns')
    expect((await world.ask('/forge/kettle/projects/3')).status).toBe(404)
    expect(addressesOf(htmlOf(await world.ask('/forge/kettle')))).toContain(
      '/forge/kettle/projects',
    )
  })
})

describe('Strangers', () => {
  const strangers = sharePages(undefined, 'public')
  test.each([
    '/-/sql',
    '/-/questions',
    '/-/schema',
    '/-/check',
    '/-/attachments',
    '/orgs/harbour-lights/teams',
  ])('do not see %s', async (address) => {
    expect((await strangers.ask(address)).status).toBe(404)
  })

  test('do not see of which databases the pages are', async () => {
    const page = await strangers.ask('/')
    expect(page).toMatchObject({ html: expect.stringMatching(/"brand"[^\n]*<bdi>Repositories</) })
  })
})

describe('The page of an archive', () => {
  test('names what it holds, entry by entry, of the database that was asked for', async () => {
    const list = htmlOf(await ask('/-/archives'))
    const [first, second] = addressesOf(list).filter((path) => path.startsWith('/-/archives/'))
    expect(first).toBe('/-/archives/1')
    expect(second).toBe('/-/archives/1?db=organization')
    const page = textOf(htmlOf(await ask('/-/archives/1')))
    expect(page).toMatch(/issues_000001\.json *records *[\d,]+/)
    expect(page).toMatch(/exported 1 Feb 2026 · schema 1\.\d\.\d · host [0-9a-f]{7}/)
    expect(textOf(htmlOf(await ask(second as string)))).toContain('harbour-lights')
  })

  test.each(['/-/archives/2', '/-/archives/0', '/-/archives/x', '/-/archives/1?page=99'])(
    'is not there for what was not loaded: %s',
    async (path) => {
      expect((await ask(path)).status).toBe(404)
    },
  )
})

test('The keys have a page of their own, to which each page leads', async () => {
  expect(addressesOf(htmlOf(await ask('/')))).toContain('/-/keys')
  expect(textOf(htmlOf(await ask('/-/keys')))).toContain('permanent link of a file or folder')
})

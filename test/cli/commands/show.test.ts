import { describe, expect, test } from 'vitest'
import { main } from '../../../src/cli/main.ts'
import { displayWidth } from '../../../src/cli/output/display-width.ts'
import { issue, smallArchive, user } from '../../support/archives.ts'
import { collector, inFolder, run, shareFolder } from '../../support/run-command.ts'
import { everyDay, THOROUGH } from '../../support/thorough.ts'

const HOST = 'https://host.example'
const ISSUE = `${HOST}/acme/tools/issues/1`
const PULL = `${HOST}/acme/tools/pull/4`

const at = (day: number) => `2021-05-0${day}T07:08:09Z`
const end = (ref: string) => ({ ref, sha: 'c0ffee', user: HOST, repo: `${HOST}/acme/tools` })

const archive = smallArchive({
  'users_000001.json': [user('ada', { name: 'Ada L.', bio: 'Makes *tea*' })],
  'issues_000001.json': [
    issue(1, 'It boils 時計', {
      user: null,
      body: 'It **boils** over.\r\n\r\n- always',
      closed_at: at(4),
      labels: [`${HOST}/acme/tools/labels/bug`],
      reactions: [{ content: '+1' }],
    }),
  ],
  'issue_comments_000001.json': [
    {
      type: 'issue_comment',
      url: `${ISSUE}#issuecomment-2`,
      issue: ISSUE,
      user: `${HOST}/ada`,
      body: '```\nWhy\n',
      created_at: at(2),
    },
  ],
  'issue_events_000001.json': [
    {
      type: 'issue_event',
      url: `${ISSUE}#event-3`,
      issue: ISSUE,
      actor: `${HOST}/ada`,
      event: 'labeled',
      label_name: 'bug',
      created_at: at(3),
    },
    {
      type: 'issue_event',
      url: `${ISSUE}#event-4`,
      issue: ISSUE,
      actor: `${HOST}/ada`,
      event: 'closed',
      created_at: at(4),
    },
  ],
  'pull_requests_000001.json': [
    {
      type: 'pull_request',
      url: PULL,
      repository: `${HOST}/acme/tools`,
      user: `${HOST}/ada`,
      title: 'Cool it',
      body: null,
      base: end('main'),
      head: end('cool'),
      closed_at: null,
      merged_at: null,
      work_in_progress: true,
      created_at: at(1),
    },
  ],
  'pull_request_reviews_000001.json': [
    {
      type: 'pull_request_review',
      url: `${PULL}/files#pullrequestreview-5`,
      state: 30,
      pull_request: PULL,
      user: `${HOST}/eve`,
      body: 'Hm.',
      submitted_at: at(2),
    },
  ],
  'pull_request_review_comments_000001.json': [
    {
      type: 'pull_request_review_comment',
      url: `${PULL}/files#r6`,
      pull_request: PULL,
      pull_request_review: `${PULL}/files#pullrequestreview-5`,
      user: `${HOST}/eve`,
      body: 'Hot?',
      path: 'tea.ts',
      position: 2,
      created_at: at(2),
      diff_hunk: `@@ -1,3 +1,3 @@\n a\n-b\n+${'c'.repeat(120)}`,
    },
  ],
})

shareFolder({ 'it.tar.gz': archive })

const show = (named: string, ...options: string[]) => run(['show', 'it.tar.gz', named, ...options])

describe('marc show', () => {
  test('shows an issue with its timeline', async () => {
    expect(await show('acme/tools#1')).toEqual({
      code: 0,
      stderr: '',
      stdout: `It boils 時計 acme/tools#1
closed issue · opened by a deleted account, 1 January 2021
labels  bug

It boils over.

• always

👍 1

ada commented, 2 May 2021
      Why

• ada labeled this bug, 3 May 2021
• ada closed this, 4 May 2021
`,
    })
  })

  test('shows reviews with the code they are about', async () => {
    const { stdout } = await show('acme/tools#4')
    expect(stdout).toBe(`Cool it acme/tools#4
open draft pull request · opened by ada, 1 May 2021
branch  cool → main

eve requested changes, 2 May 2021
  Hm.

  tea.ts, line 2
    │ @@ -1,3 +1,3 @@
    │  a
    │ -b
    │ +${'c'.repeat(120)}
    eve, 2 May 2021
      Hot?
`)
  })

  everyDay(1)([80, 200])('keeps to %i columns of a terminal', async (columns) => {
    for (const named of ['acme/tools#1', 'acme/tools#4', 'ada']) {
      const options = { tty: true, columns, env: { NO_COLOR: '1' } }
      const { stdout } = await run(['show', 'it.tar.gz', named], options)
      const widths = stdout.split('\n').map(displayWidth)
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    }
  })

  test('has colours on a terminal, unless they are off', THOROUGH, async () => {
    const coloured = await run(['show', 'it.tar.gz', 'acme/tools#4'], { tty: true })
    expect(coloured.stdout).toContain('\x1b[31m-b\x1b[39m')
    const plain = await run(['show', 'it.tar.gz', 'acme/tools#4'], {
      tty: true,
      env: { NO_COLOR: '1' },
    })
    expect(plain.stdout).not.toContain('\x1b')
    expect(plain.stdout).toContain('eve requested changes')
  })

  test('writes Markdown in which no text changes the structure', THOROUGH, async () => {
    const { stdout } = await show('acme/tools#1', '--format', 'markdown')
    expect(stdout).toBe(`# It boils 時計 (acme/tools#1)

closed issue, opened by **a deleted account**, 1 January 2021: <${ISSUE}>

- labels: bug

> It **boils** over.
>
> - always

- 👍 1

**ada** commented, 2 May 2021:

> \`\`\`
> Why

- **ada** labeled this bug, 3 May 2021
- **ada** closed this, 4 May 2021
`)
    expect((await show('acme/tools#4', '--format', 'markdown')).stdout).toContain(
      '\ntea.ts, line 2:\n\n```diff\n@@ -1,3 +1,3 @@\n a\n-b\n',
    )
  })

  test('writes JSON for programs', THOROUGH, async () => {
    const issue = JSON.parse((await show('acme/tools#1', '--format', 'json')).stdout)
    expect(issue).toMatchObject({
      kind: 'issue',
      url: ISSUE,
      number: 1,
      author: null,
      labels: ['bug'],
      timeline: [
        { kind: 'comment', author: 'ada', created_at: at(2) },
        { kind: 'event', event: 'labeled', sentence: 'labeled this bug' },
        { kind: 'event', event: 'closed' },
      ],
    })
    expect(
      JSON.parse((await show('acme/tools#4', '--format', 'json')).stdout).timeline,
    ).toHaveLength(1)
    expect(JSON.parse((await show('ada', '--format', 'json')).stdout)).toEqual(
      user('ada', { name: 'Ada L.', bio: 'Makes *tea*' }),
    )
  })

  test('shows any other record as a list of members, also by its URL', THOROUGH, async () => {
    const stdout = `Ada L. user
url         ${HOST}/ada
login       ada
name        Ada L.
created_at  2020-01-02T03:04:05Z

Makes tea
`
    for (const named of ['ada', `${HOST}/ada`]) {
      expect(await show(named)).toEqual({ code: 0, stdout, stderr: '' })
    }
    const comment = await show(`${ISSUE}#issuecomment-2`)
    expect(comment.stdout).toMatch(/^\S+#issuecomment-2 issue comment\n/)
    const document = await show('ada', '--format', 'markdown')
    expect(document.stdout).toMatch(/^# Ada L\. \(user\)\n\n- url: /)
    expect(document.stdout).toContain('\n> Makes *tea*\n')
  })

  test('finds a thread by its number if only one repository has it', THOROUGH, async () => {
    const { stdout } = await show('acme/tools#4')
    for (const named of ['#4', 'TOOLS#4']) {
      expect(await show(named), named).toEqual({ code: 0, stdout, stderr: '' })
    }
    for (const named of ['5', 'kettles#4']) {
      expect((await show(named)).code, named).toBe(1)
    }
  })

  test('names the threads that match a number', THOROUGH, async () => {
    const of = (repository: string) => ({
      ...issue(4, 'Another'),
      url: `${HOST}/${repository}/issues/4`,
      repository: `${HOST}/${repository}`,
    })
    const repository = (name: string) => ({ type: 'repository', url: `${HOST}/${name}` })
    inFolder({
      'several.tar.gz': smallArchive({
        'issues_000001.json': [of('acme/tools'), of('acme/tea'), of('ada/tea')],
        'repositories_000001.json': ['acme/tools', 'acme/tea', 'ada/tea'].map(repository),
      }),
      'loose.tar.gz': smallArchive({
        'issues_000001.json': [of('acme/tea'), of('ada/tea')],
        'repositories_000001.json': [],
      }),
    })
    const stderr = async (source: string, named: string) =>
      (await run(['show', source, named])).stderr
    expect(await run(['show', 'several.tar.gz', '#4'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'marc: several.tar.gz: "#4" matches acme/tea#4, acme/tools#4, ada/tea#4\nName it in full: owner/name, or owner/name#12.\n',
    })
    expect(await stderr('several.tar.gz', 'tea#4')).toContain('matches acme/tea#4, ada/tea#4\n')
    expect(await stderr('several.tar.gz', 'tools#4')).toBe('')
    expect(await stderr('loose.tar.gz', '4')).toContain('matches acme/tea#4, ada/tea#4\n')
  })

  test('does not wrap lines in a pipe, or URLs on a terminal', THOROUGH, async () => {
    const url = `https://host.example/${'path/'.repeat(30)}`
    const body = `${'words and more words '.repeat(10)}${url}\n\n    code ${url}`
    inFolder({ 'a.tar.gz': smallArchive({ 'issues_000001.json': [issue(1, 'Long', { body })] }) })
    const piped = await run(['show', 'a.tar.gz', '1'])
    expect(piped.stdout.split('\n').find((line) => line.startsWith('words'))).toContain(url)
    const shown = await run(['show', 'a.tar.gz', '1'], { tty: true, env: { NO_COLOR: '1' } })
    expect(shown.stdout.split('\n').filter((line) => line.includes(url))).toHaveLength(2)
    expect(shown.stdout.split('\n').filter((line) => line.startsWith('words'))).toHaveLength(2)
  })

  test('ends with code 1 if there is no such record', async () => {
    expect(await show('acme/tools#9')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'marc: it.tar.gz: no record matches "acme/tools#9"\nFind it with: marc search it.tar.gz <words>\n',
    })
  })

  test('says how to see a commit', async () => {
    const { code, stderr } = await show('acme/tools@c0ffee00c0')
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'marc: acme/tools@c0ffee00c0 is a commit\nSee it with: marc repo show it.tar.gz acme/tools c0ffee00c0\n',
    })
  })

  test('F6: says what else a number matches', THOROUGH, async () => {
    const url = `${HOST}/acme/tools/issues/4`
    inFolder({
      'it.tar.gz': smallArchive({
        'issues_000001.json': [issue(4, 'Fourth')],
        'pull_requests_000001.json': [
          { type: 'pull_request', url: PULL, repository: `${HOST}/acme/tools`, title: 'Other' },
        ],
      }),
    })
    const { code, stdout, stderr } = await show('acme/tools#4')
    expect(code).toBe(0)
    expect(stdout).toContain('Fourth')
    expect(stderr).toBe(`acme/tools#4 may also mean ${PULL}\n`)
    expect((await show(url)).stderr).toBe('')
  })
})

describe('--web', () => {
  /** Runs the command until its page was read in the browser. */
  async function inBrowser(record: string, isThere = true) {
    const interrupt = new AbortController()
    const [stdout, stderr] = [collector(), collector()]
    let html = ''
    const code = await main(['show', 'it.tar.gz', record, '--web'], {
      stdin: Object.assign(process.stdin, { isTTY: false }),
      stdout: stdout.stream,
      stderr: stderr.stream,
      env: { HOME: '.', XDG_CACHE_HOME: '.cache' },
      signal: interrupt.signal,
      async openBrowser(url) {
        html = await (await fetch(url)).text()
        interrupt.abort()
        return isThere
      },
    })
    return { code, html, stdout: stdout.text(), stderr: stderr.text() }
  }

  test('opens the page of a thread in the browser, until it is interrupted', async () => {
    inFolder({ 'it.tar.gz': archive })
    const { code, html, stdout } = await inBrowser('acme/tools#1')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/acme\/tools\/issues\/1\n$/)
    expect(html).toContain('<strong>boils</strong>')
  })

  test('shows the raw record of what has no page', THOROUGH, async () => {
    const host = 'https://host.example/acme/tools/labels/none'
    inFolder({
      'it.tar.gz': smallArchive({ 'attachments_000001.json': [{ type: 'attachment', url: host }] }),
    })
    const { html, stdout } = await inBrowser(host)
    expect(stdout).toContain('/-/raw?url=')
    expect(html).toContain(host)
  })

  test('says so if no browser can be started', THOROUGH, async () => {
    inFolder({ 'it.tar.gz': archive })
    const { stderr } = await inBrowser('acme/tools#1', false)
    expect(stderr).toContain('no browser could be started: open this address yourself\n')
  })

  test('is a form of its own', async () => {
    inFolder({ 'it.tar.gz': archive })
    const { code, stderr } = await run(['show', 'it.tar.gz', '1', '--web', '--format', 'json'])
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('--web') })
  })
})

import { expect, test } from 'vitest'
import { HOST, issue, KETTLE, SECRET, worldRecords } from '../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../support/serve-world.ts'

const BODY = `# Steam

**Hot** & <b onclick="x()">bold</b> <script>x()</script>, see #2, @ada and forge/secret#1.

![whistle](https://elsewhere.example/whistle.png)`

const ask = shareServer(
  [
    {
      ...worldRecords(),
      issues: [
        issue(`${KETTLE}/issues/1`, { body: BODY }),
        issue(`${KETTLE}/issues/3`, { body: null }),
        issue(`${SECRET}/issues/1`),
      ],
    },
  ],
  { accounts: accountsOf({ ada: ['repo'] }) },
)

const HTML = (secret: string) => `<h1 id="user-content-steam">Steam</h1>
<p><strong>Hot</strong> &amp; <b>bold</b> &lt;script&gt;x()&lt;/script&gt;, see <a class="reference" href="${KETTLE}/pull/2">#2</a>, <a class="mention" href="${HOST}/ada">@ada</a> and ${secret}.</p>
<p><a href="https://elsewhere.example/whistle.png" rel="noreferrer nofollow ugc" class="outward" title="This link leaves the archive.">picture: whistle (elsewhere.example)</a></p>
`
const STRANGER = HTML('forge/secret#1')
const TEXT = `Steam
Hot & bold <script>x()</script>, see #2, @ada and forge/secret#1.
picture: whistle (elsewhere.example)`

interface Forms {
  readonly body?: unknown
  readonly body_html?: unknown
  readonly body_text?: unknown
}

const formsOf = ({ body, body_html, body_text }: Forms): Forms => ({ body, body_html, body_text })
const accept = (form: string) => ({ accept: `application/vnd.github.${form}+json` })
const ISSUE = '/repos/forge/kettle/issues/1'

test.each([
  ['raw', { body: BODY }],
  ['v3', { body: BODY }],
  ['text', { body_text: TEXT }],
  ['html', { body_html: STRANGER }],
  ['v3.html', { body_html: STRANGER }],
  ['full', { body: BODY, body_html: STRANGER, body_text: TEXT }],
])('A text is sent in the form that is asked for: %s', async (form, expected) => {
  expect(formsOf((await ask<Forms>(ISSUE, accept(form))).body)).toEqual(expected)
})

test('A text links what the caller may see, and nothing else', async () => {
  const { body } = await ask<Forms>(ISSUE, { ...accept('html'), ...as('ada') })
  const link = `<a class="reference" href="${SECRET}/issues/1">forge/secret#1</a>`
  expect(body.body_html).toBe(HTML(link))
})

test('Texts of a list have the form, and where there is no text there is none', async () => {
  const { body } = await ask<Forms[]>('/repos/forge/kettle/issues?sort=created', accept('full'))
  expect(body.map(formsOf)).toContainEqual({ body: BODY, body_html: STRANGER, body_text: TEXT })
  expect(body.map(formsOf)).toContainEqual({ body: null, body_html: null, body_text: null })
})

test('Each form has an ETag of its own', async () => {
  const tags = new Set<string | null>()
  for (const form of ['v3', 'text', 'html', 'full']) {
    tags.add((await ask(ISSUE, accept(form))).headers.get('etag'))
  }
  expect(tags.size).toBe(4)
})

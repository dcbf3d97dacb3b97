/** Every form of secrets in many surroundings, and texts that only look like one. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDetector } from '../../../../src/transform/redact/detect.ts'
import { createHintFinder } from '../../../../src/transform/redact/hints.ts'
import { SECRETS } from '../../../../src/transform/redact/secret-forms/secret-forms.ts'
import { runs } from '../../../support/property-runs.ts'
import { everyDay, THOROUGH } from '../../../support/thorough.ts'
import { token } from '../corpus.ts'
import { secretsByContext, tokensOf } from '../tokens.ts'

const HEX = '0123456789abcdef'
const UUID = '0b7e9d3c-51f2-4c8a-9e06-d3a4b5c6f7e8'

const TOKENS = tokensOf(token)

const SURROUNDINGS: Readonly<Record<string, (token: string) => string>> = {
  alone: (token) => token,
  'in a sentence': (token) => `The token is ${token}, so revoke it.`,
  'in quotes': (token) => `const key = "${token}";`,
  'in code': (token) => `run \`deploy ${token}\` now`,
  'behind a line break of JSON in a text': (token) => `{"log":"line\\n${token}"}`,
  'behind an escape of JSON': (token) => `a\\u0026${token}\\u0026b`,
  'percent-encoded': (token) => `token%3A${token}%26b`,
  'behind an entity of HTML': (token) => `a=1&amp;b=&#64;${token}<br>`,
  'in quoted-printable': (token) => `token=3D${token.replaceAll('=', '=3D')}`,
  'in an assignment': (token) => `export MY_TOKEN=${token}\n`,
}

const isFound = (text: string, token: string): boolean => {
  const start = text.indexOf(token)
  return detect(text).some(
    ({ value, ...found }) =>
      value.includes(token) || (found.start <= start && found.end >= start + token.length),
  )
}
const what = new Set(['secrets'] as const)
const detect = createDetector({ what, keep: new Set() })
const findHints = createHintFinder({ what })

describe.each(Object.entries(SURROUNDINGS))('%s,', (_, surround) => {
  everyDay(129)(TOKENS)('a token of %s is found', (_provider, token) => {
    expect(isFound(surround(token), token)).toBe(true)
    expect(findHints?.(Buffer.from(JSON.stringify(surround(token))))).not.toEqual([])
  })
})

test.each(secretsByContext(token))('Of %s, what is secret is found', (_name, text) => {
  expect(detect(text).map(({ type, doubtful }) => [type, doubtful])).toEqual([
    ['secret', undefined],
  ])
})

test('The private lines of a file of PuTTY are found', () => {
  const lines = `${token('', 64)}\n${token('', 47)}=`
  const text = `Public-Lines: 1\nAAAA\nPrivate-Lines: 2\n${lines}\nPrivate-MAC: 0`
  expect(detect(text).map(({ value }) => value)).toEqual([lines])
})

test('A login of .netrc ends where code does, and a mark in its place stays', () => {
  const login = (password: string) => `machine host.example login ci password ${password}`
  expect(detect(`\`${login('IgxEgYkWhuJu')}\``).map(({ value }) => value)).toEqual(['IgxEgYkWhuJu'])
  expect(detect(login('[secret password 41ff2391]'))).toEqual([])
})

test('A random user of a URL is a token, also before a password', () => {
  const user = token('', 32, HEX)
  expect(detect(`https://${user}:Zx81kqP0vT@host.example/1`).map(({ value }) => value)).toEqual([
    user,
    'Zx81kqP0vT',
  ])
})

test('Any token of any form is found in any of these surroundings', THOROUGH, () => {
  const tokens = fc
    .constantFrom(...SECRETS)
    .chain(({ prefix, body }) =>
      fc
        .stringMatching(new RegExp(`^(?:${body})$`), { size: 'small' })
        .map((rest) => [prefix, rest]),
    )
  const surroundings = fc.constantFrom(...Object.values(SURROUNDINGS))
  fc.assert(
    fc.property(tokens, surroundings, ([prefix = '', rest = ''], surround) => {
      // One character again and again stands for a token, and what an escape of URLs or mail stands for is another.
      fc.pre(!/^(.)\1*$|EXAMPLE$|[%=][0-9a-f]{2}|=$/i.test(rest))
      return isFound(surround(prefix + rest), prefix + rest)
    }),
    { numRuns: runs(600) },
  )
})

test.each(['ghp_', 'glpat-', 'sk_live_', 'xoxb-', 'whsec_', 'npm_'])(
  'A token with the prefix %s is found within a longer word',
  (prefix) => {
    const secret = token(prefix, 36)
    for (const text of [`foo_${secret}`, `foo${secret}_`, `FOO_${secret}_bar`]) {
      expect(isFound(text, secret), text).toBe(true)
    }
  },
)

test.each([
  'a commit 4831b6e612e85101831e662a74e33955652290ce of the branch',
  `the digest sha256:${token('', 64, HEX)}`,
  `the id ${UUID}`,
  'precio de la suscripcion mensualidadextraordinaria1234',
  'monkey-see-monkey-do',
  `monkey-${token('', 32, HEX)}`,
  `cache_key-${token('', 32, HEX)} and row-key-${token('', 32, HEX)}`,
  'api-gateway, sdk-tools and pat-a-cake',
  'sk_buff and sk_alloc in the kernel',
  're_compile and re_search of a library',
  'bot: please 123456:AA and 12345:BB',
  'sl.wikipedia.org and dp.pt.example',
  'node-us1.example and db-us12',
  'a secret_sauce_that_is_not_a_token',
  'perm-denied.because.reasons',
  'discord.gg/kettle and discord.js v14.0.0',
  'ya29 and GOCSPX are prefixes',
  'Telegram 12:30:AA',
  'cio@example',
  'AKIDS and LTAIR',
  'hosts in eu01xx and the word NRAL',
  'clip_internationalization and version_1234567890',
  'sk-learn, fc-cache, fw_update and cu_stream_create',
  'API-DOCUMENTATION and API-F9QC',
  'st.substring(1) and st.connect.foo',
  'tk-us-layout, tr_dev_tools and rnd_generator_of_numbers',
  'hvs.example.org and hvs.toString',
  'api_key = config.keys.api2 and apiKey: process_env_key_2',
  'auth_token = generate_token_v2(user1)',
  'client_secret: projects/kettle/secrets/v1',
  'API_KEY=your-api-key-0123456789',
  '{"auth": "required", "basic": {"auth": "username"}}',
  'https://www.make.com/en/help/apps1/webhooks',
  'https://git.example/owner/hooks/pre-commit-hooks',
  '.git/hooks/commit-message-of-kettle1',
  'it costs $2b$ or $6$ or $1$2$3 in a shell',
  'a hash begins with $2b$12$ or {SSHA} or $argon2id$v=19$m=65536,t=3,p=4$',
  '$argon2id$v=19$m=65536,t=3,p=4$salt$hash',
  '`echo $1$separator$anotherVariable` in $5$directory$file',
  `$2b$99$${token('', 53)}`,
  `{SHA}${token('', 40, HEX)}`,
  '{MD5}, {SHA} and {SSHA512} are schemes',
  'src/parse.c:5432:17:error:undefined_name1 but src/parse.c:31:17:error:undefined_name1',
  'hostname:port:database:username:password and localhost:5432:db:user:password',
  'com.example:*:jar:tests:provided and arn:aws:iam::123456789012:role',
  'listening on 127.0.0.1:5432: done',
  'https://kettle.example/hooks/use-kettle-1',
  '-----BEGIN PUBLIC KEY----- and -----BEGIN CERTIFICATE-----',
  'Private-Lines: 2 are in a file of PuTTY',
])('Nothing is found in %s', (text) => {
  expect(detect(text)).toEqual([])
})

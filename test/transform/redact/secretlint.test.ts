/** Each form of secrets beside the rules of secretlint, which are the reference. */

import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import { expect, test } from 'vitest'
import { SECRETS } from '../../../src/transform/redact/secret-forms/secret-forms.ts'
import { findSecrets } from '../../../src/transform/redact/secrets.ts'
import { FOUND, NOTHING, token } from './corpus.ts'

const DIGITS = '3814927506'
const HEX = '0123456789abcdef'
const UPPER = 'Q2W3E4R5T6YUIOPASDFGHJKLZXCVBNM7'
const LETTERS = 'aBcDeFgHiJkLmNoPqRsTuVwXyZ'
const key = (length: number) => token('MII', length)

/** What a token of 1Password has in it: 3n + 1 bytes, so that its base64 ends in fQ==. */
const ACCOUNT = JSON.stringify({
  email: 'a@b.example',
  muk: { k: key(63) },
  secretKey: 'A3',
  srpX: '8',
  signInAddress: 'x',
  userAuth: {},
})

/** A text for each rule, and for each of its forms. */
const SAMPLES: readonly (readonly [rule: string, text: string])[] = [
  ['aws', token('AKIA', 16, UPPER)],
  ['aws', token('ASIA', 16, UPPER)],
  ['aws', `AWS_SECRET_ACCESS_KEY=${token('', 40)}`],
  ['aws', `aws_secret_access_key: ${token('', 40)}`],
  ['npm', token('npm_', 36)],
  ['npm', `//registry.example/:_authToken=${token('', 40)}`],
  ...['xoxb', 'xoxp', 'xoxa', 'xoxo', 'xoxr'].map(
    (prefix) => ['slack', `${prefix}-${token('', 12)}-${token('', 24)}`] as const,
  ),
  ['slack', `xapp-1-${token('A', 10)}-${token('', 30)}`],
  ['slack', `https://hooks.slack.com/services/${token('T', 8)}/${token('B', 8)}/${token('', 24)}`],
  ['basicauth', `https://ada:${token('', 12)}@host.example.org`],
  ['openai', `${token('sk-proj-', 74)}T3BlbkFJ${token('', 74)}`],
  ['openai', `${token('sk-svcacct-', 58)}T3BlbkFJ${token('', 58)}`],
  ['openai', `${token('sk-', 20)}T3BlbkFJ${token('', 20)}`],
  ['anthropic', `${token('sk-ant-api03-', 93)}AA`],
  ['groq', token('gsk_', 52)],
  ['huggingface', token('hf_', 34, LETTERS)],
  ['linear', token('lin_api_', 40)],
  ['notion', token('ntn_', 11, DIGITS) + token('', 35)],
  [
    'privatekey',
    `-----BEGIN RSA ${'PRIVATE KEY-----'}\n${key(300)}\n-----END RSA ${'PRIVATE KEY-----'}`,
  ],
  ['sendgrid', token('SG.', 22) + token('.', 43)],
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map(
    (prefix) => ['shopify', token(prefix, 32, HEX)] as const,
  ),
  ...['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'].map(
    (prefix) => ['stripe', token(prefix, 24)] as const,
  ),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map(
    (prefix) => ['github', token(prefix, 36)] as const,
  ),
  ['github', token('github_pat_', 22) + token('_', 59)],
  ['github', `ghs_1234_${token('eyJ', 20)}${token('.', 30)}${token('.', 30)}`],
  ['gitlab', token('glpat-', 20)],
  ['grafana', token('glc_', 60)],
  ['grafana', `${token('glsa_', 32)}_${token('', 8, HEX)}`],
  ['1password', `ops_${Buffer.from(ACCOUNT).toString('base64')}`],
  ['database-connection-string', `postgres://ada:${token('', 12)}@db.internal:5432/x`],
  ['database-connection-string', `mongodb+srv://ada:${token('', 12)}@db.internal/x`],
  ['database-connection-string', `jdbc:mysql://ada:${token('', 12)}@db.internal/x`],
  ['hashicorp-vault', token('hvs.', 95)],
  ['hashicorp-vault', token('hvb.', 150)],
  ['hashicorp-vault', token('hvr.', 95)],
  ...['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'].map(
    (prefix) => ['vercel', token(prefix, 24)] as const,
  ),
  ['databricks', token('dapi', 32, HEX)],
  ['docker', token('dckr_pat_', 27)],
  ['figma', token('figd_', 44)],
  ...['cfk_', 'cfut_', 'cfat_'].map(
    (prefix) => ['cloudflare', token(prefix, 40) + token('', 8, HEX)] as const,
  ),
  ['tailscale', `tskey-auth-${token('', 16)}-${token('', 32)}`],
]

/** Rules of secretlint that are about something else: a file of Google with the same key, and comments that turn it off. */
const OTHER_RULES = ['gcp', 'filter-comments']

interface Found {
  rule: string
  start: number
  end: number
}

/** Everything that secretlint finds: one call for all texts, since its profiler keeps what it measured in every call. */
async function findByReference(texts: readonly string[]): Promise<Found[][]> {
  const content = texts.join('\n\n')
  const { messages } = await lintSource({
    // Some rules look only into such a file, or are off by default.
    source: { filePath: '.npmrc', content, contentType: 'text', ext: '' },
    options: {
      config: {
        rules: [
          {
            id: '@secretlint/secretlint-rule-preset-recommend',
            rule: creator,
            rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }],
          },
        ],
      },
      noPhysicFilePath: true,
    },
  })
  let start = 0
  return texts.map((text) => {
    const [from, to] = [start, start + text.length]
    start = to + 2
    return messages
      .filter(({ range }) => range[0] < to && range[1] > from)
      .map(({ ruleId, range }) => ({
        rule: ruleId.replace('@secretlint/secretlint-rule-', ''),
        start: Math.max(0, range[0] - from),
        end: Math.min(range[1], to) - from,
      }))
  })
}

const reference = await findByReference([
  ...SAMPLES.map(([, text]) => text),
  ...FOUND.map(([text]) => text),
  ...NOTHING,
])
const foundIn = (at: number, count: number) => reference.slice(at, at + count)

test('Every rule of secretlint has a sample that it finds', () => {
  const rules = foundIn(0, SAMPLES.length).map((found) => found.map(({ rule }) => rule))
  for (const [i, [rule, text]] of SAMPLES.entries()) expect(rules[i], text).toContain(rule)
  const known = new Set(creator.rules.map((each) => each.meta.id.replace(/^.*-rule-/, '')))
  expect(new Set([...SAMPLES.map(([rule]) => rule), ...OTHER_RULES])).toEqual(known)
})

test.each(SAMPLES)('A secret of the rule %s is found in %s', (_, text) => {
  const [ours] = findSecrets(text)
  const [theirs] = reference[SAMPLES.findIndex((each) => each[1] === text)] as [Found]
  // In a URL and behind a name, only the secret is taken out.
  expect(ours && ours.start < theirs.end && ours.end > theirs.start).toBe(true)
  const left = text.slice(0, ours?.start) + text.slice(ours?.end)
  expect(left).not.toMatch(/[A-Za-z0-9]{20}/)
})

test('A token in the place of a user is found, and not the word behind it', () => {
  const secret = token('', 40)
  const found = [...findSecrets(`https://${secret}:x-oauth-basic@github.com/acme/tools.git`)]
  expect(found.map(({ value }) => value)).toEqual([secret])
})

test('What secretlint finds in the corpus is found, and nothing where there is nothing, but for one placeholder', () => {
  foundIn(SAMPLES.length, FOUND.length).forEach((found, i) => {
    const [text] = FOUND[i] as readonly [string]
    for (const { start, end } of found) {
      const isFound = [...findSecrets(text)].some((ours) => ours.start < end && ours.end > start)
      expect(isFound, text).toBe(true)
    }
  })
  const placeholders = foundIn(SAMPLES.length + FOUND.length, NOTHING.length).flatMap((found, i) =>
    found.length > 0 ? [NOTHING[i]] : [],
  )
  expect(placeholders).toEqual([expect.stringMatching(/^\W*ghp_x+\W*$/)])
})

test('Each form has a source, and is found by its prefix', () => {
  for (const { prefix, source } of SECRETS) {
    expect(source).toMatch(/^https:\/\//)
    expect(prefix.length).toBeGreaterThan(1)
  }
  expect(new Set(SECRETS.map(({ prefix }) => prefix)).size).toBe(SECRETS.length)
})

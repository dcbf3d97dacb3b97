import type { Finding } from './finding.ts'

/** A form of secrets that a host has published. */
export interface SecretForm {
  /** Its name in marks and reports. */
  readonly name: string
  /** Its first characters. */
  readonly prefix: string
  /** The characters that follow, as a pattern of bounded length. */
  readonly body: string
  /** Where the form is documented. */
  readonly source: string
}

const GITHUB =
  'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/'
const GITLAB = 'https://docs.gitlab.com/security/tokens/'
const SLACK = 'https://docs.slack.dev/authentication/tokens/'
const AWS = 'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html'

/** Forms of tokens that begin alike always. Entropy is not guessed. */
export const SECRETS: readonly SecretForm[] = [
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({
    ...{ name: 'github-token', prefix, body: '[A-Za-z0-9]{36,255}', source: GITHUB },
  })),
  {
    name: 'github-token',
    prefix: 'github_pat_',
    body: '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}',
    source: GITHUB,
  },
  ...['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-', 'glsoat-', 'glft-', 'glagent-'].map(
    (prefix) => ({
      ...{ name: 'gitlab-token', prefix, body: '[A-Za-z0-9_.-]{20,300}', source: GITLAB },
    }),
  ),
  ...['xoxa-', 'xoxb-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'].map((prefix) => ({
    ...{ name: 'slack-token', prefix, body: '[A-Za-z0-9-]{10,250}', source: SLACK },
  })),
  ...['AKIA', 'ASIA'].map((prefix) => ({
    ...{ name: 'aws-key', prefix, body: '[A-Z2-7]{16}', source: AWS },
  })),
  {
    name: 'google-key',
    prefix: 'AIza',
    body: '[A-Za-z0-9_-]{35}',
    source: 'https://cloud.google.com/docs/authentication/api-keys',
  },
  {
    name: 'npm-token',
    prefix: 'npm_',
    body: '[A-Za-z0-9]{36}',
    source: 'https://docs.npmjs.com/about-access-tokens',
  },
  ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'].map((prefix) => ({
    ...{
      name: 'stripe-key',
      prefix,
      body: '[A-Za-z0-9]{16,247}',
      source: 'https://docs.stripe.com/keys',
    },
  })),
  {
    name: 'sendgrid-key',
    prefix: 'SG.',
    body: '[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16,64}',
    source: 'https://www.twilio.com/docs/sendgrid',
  },
  ...['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => ({
    ...{
      name: 'digitalocean-token',
      prefix,
      body: '[0-9a-f]{64}',
      source: 'https://docs.digitalocean.com/reference/api/create-personal-access-token/',
    },
  })),
  {
    name: 'hugging-face-token',
    prefix: 'hf_',
    body: '[A-Za-z0-9]{34,40}',
    source: 'https://huggingface.co/docs/hub/security-tokens',
  },
  {
    name: 'pypi-token',
    prefix: 'pypi-',
    body: 'AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,1000}',
    source: 'https://pypi.org/help/#apitoken',
  },
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => ({
    ...{
      name: 'shopify-token',
      prefix,
      body: '[0-9a-fA-F]{32}',
      source: 'https://shopify.dev/docs/apps/build/authentication-authorization',
    },
  })),
  {
    name: 'openai-key',
    prefix: 'sk-proj-',
    body: '[A-Za-z0-9_-]{40,200}',
    source: 'https://platform.openai.com/docs/api-reference/authentication',
  },
  {
    name: 'anthropic-key',
    prefix: 'sk-ant-',
    body: '[A-Za-z0-9_-]{40,200}',
    source: 'https://docs.anthropic.com/en/api/getting-started',
  },
  {
    name: 'linear-key',
    prefix: 'lin_api_',
    body: '[A-Za-z0-9]{40}',
    source: 'https://linear.app/developers',
  },
  {
    name: 'telegram-token',
    prefix: 'bot',
    body: '\\d{8,10}:[A-Za-z0-9_-]{35}',
    source: 'https://core.telegram.org/bots/api',
  },
]

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const PREFIXES = new RegExp(SECRETS.map(({ prefix }) => escapePattern(prefix)).join('|'), 'g')
const BODIES = new Map(
  SECRETS.map((form) => [form.prefix, { form, body: new RegExp(form.body, 'y') }]),
)

/** Names of parameters of URLs. */
const PARAMETERS = [
  ...['access_token', 'auth_token', 'token', 'apikey', 'api_key', 'client_secret', 'secret'],
  ...['password', 'sig', 'signature', 'x-amz-signature'],
]

/** Secrets that stand between others: the value is the first group. Every match has one of the signs, in any case. */
const CONTEXTS = [
  {
    name: 'password',
    signs: ['://'],
    pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>[\]]{0,64}:([^\s@/?#"'<>[\]]{1,128})@/gi,
  },
  {
    name: 'url-token',
    signs: PARAMETERS.flatMap((name) => [`?${name}=`, `&${name}=`]),
    pattern: new RegExp(`[?&](?:${PARAMETERS.join('|')})=([A-Za-z0-9._~%+/-]{8,500})`, 'gi'),
  },
  {
    name: 'authorization',
    signs: ['authorization'],
    pattern:
      /\bauthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3}([A-Za-z0-9._~+/=-]{8,2000})/gi,
  },
  {
    name: 'slack-webhook',
    signs: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9/]{20,100})/g,
  },
  {
    name: 'discord-webhook',
    signs: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/(\d{10,22}\/[A-Za-z0-9_-]{20,100})/g,
  },
  {
    name: 'json-web-token',
    signs: ['.eyJ'],
    pattern: /\b(eyJ[A-Za-z0-9_-]{10,2000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,1000})/g,
  },
  {
    name: 'private-key',
    signs: ['-----BEGIN '],
    pattern:
      /(-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){20,16000}-----END [A-Z ]{3,40}-----)/g,
  },
].map((context) => ({
  ...context,
  sign: new RegExp(context.signs.map(escapePattern).join('|'), 'i'),
}))

/** A pattern of the bytes around a password, as characters of Latin-1. */
export const PASSWORD_HINT = /:\/\/[^\s:@/?#"'<>[\]]{0,256}:[^\s@/?#"'<>[\]]{1,512}@/g

/** Texts in any case of which every other secret has one. */
export const SECRET_SIGNS: readonly string[] = CONTEXTS.flatMap(({ name, signs }) =>
  name === 'password' ? [] : signs,
)

/** Finds secrets of published forms, in time linear in the text. */
export function* findSecrets(text: string): Generator<Finding> {
  // To search a text is much faster than to iterate over its matches, of which most texts have none.
  if (text.search(PREFIXES) >= 0) yield* findTokens(text)
  for (const { name, sign, pattern } of CONTEXTS) {
    if (!sign.test(text)) continue
    for (const match of text.matchAll(pattern)) {
      const value = match[1] as string
      if (isPlaceholder(value)) continue
      const start = match.index + match[0].lastIndexOf(value)
      yield { type: 'secret', name, start, end: start + value.length, value }
    }
  }
}

/** Tokens that begin alike always. */
function* findTokens(text: string): Generator<Finding> {
  for (const { 0: prefix, index } of text.matchAll(PREFIXES)) {
    if (/\w/.test(text[index - 1] ?? ' ')) continue
    const { form, body } = BODIES.get(prefix) as { form: SecretForm; body: RegExp }
    body.lastIndex = index + prefix.length
    const rest = body.exec(text)?.[0]
    if (rest === undefined || isPlaceholder(rest)) continue
    const end = index + prefix.length + rest.length
    // A longer word is something else.
    if (/[A-Za-z0-9]/.test(text[end] ?? ' ')) continue
    yield { type: 'secret', name: form.name, start: index, end, value: text.slice(index, end) }
  }
}

/** One character again and again, a variable, or a word that says that something goes here. */
const isPlaceholder = (value: string): boolean =>
  /^(.)\1*$/s.test(value) ||
  /^(?:\$|\{|%7B|%24|<|\*{3}|x{4,}|your|example|redacted|changeme|placeholder|password$|pass$|secret$|token$)/i.test(
    value,
  ) ||
  /EXAMPLE$/.test(value)

import type { Finding } from './finding.ts'
import { SECRETS, type SecretForm } from './secret-forms.ts'

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

/**
 * Secrets that are found by the text around them: the value is the first group. Every match contains one of the signs,
 * in upper or lower case.
 */
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
    name: 'npm-token',
    signs: ['_authToken='],
    pattern: /_authToken=["']?([A-Za-z0-9._~+/=-]{8,500})/g,
  },
  {
    name: 'aws-secret',
    signs: ['secret_access_key', 'secretaccesskey'],
    pattern:
      /secret_?access_?key["']?\s{0,3}(?:=>|=|:)\s{0,3}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])/gi,
  },
  {
    name: 'openai-key',
    signs: ['T3BlbkFJ'],
    pattern: /(?<![\w-])(sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  },
  {
    name: 'github-token',
    signs: [':x-oauth-basic@'],
    pattern: /:\/\/([A-Za-z0-9_-]{8,255}):x-oauth-basic@/gi,
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

const SIGNS = new RegExp(CONTEXTS.flatMap(({ signs }) => signs.map(escapePattern)).join('|'), 'i')

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
  if (text.search(SIGNS) < 0) return
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

/** Finds tokens by their prefixes. */
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
  /^(?:\$|\{|%7B|%24|<|\*{3}|x{4,}|your|example|redacted|changeme|placeholder|password$|pass$|secret$|token$|x-oauth-basic$)/i.test(
    value,
  ) ||
  /EXAMPLE$/.test(value)

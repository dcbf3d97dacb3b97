import type { Finding } from './finding.ts'
import type { SecretForm } from './secret-forms/form.ts'
import { SECRETS } from './secret-forms/secret-forms.ts'

export const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
/** Longer prefixes first: some begin with another. */
const FORMS = SECRETS.toSorted((a, b) => b.prefix.length - a.prefix.length).map((form) => ({
  form,
  body: new RegExp(form.body, 'y'),
}))
const PREFIXES = new RegExp(FORMS.map(({ form }) => escapePattern(form.prefix)).join('|'), 'g')
const BY_PREFIX = new Map(
  FORMS.map(({ form: { prefix } }) => [
    prefix,
    FORMS.filter(({ form }) => prefix.startsWith(form.prefix)),
  ]),
)

/** Names of parameters of URLs. */
const PARAMETERS = [
  'access_token',
  'auth_token',
  'token',
  'apikey',
  'api_key',
  'client_secret',
  'secret',
  'password',
  'sig',
  'signature',
  'x-amz-signature',
]

/** What a setting or variable with a password ends in. */
const PASSWORD_NAMES = ['password', 'passwd', 'pwd']

/**
 * Secrets that are found by the text around them: the value is the first group. Every match contains one of the signs,
 * in upper or lower case.
 */
const CONTEXTS = [
  {
    name: 'password',
    signs: ['://'],
    pattern:
      /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/?#"'<>[\]]{0,64}:([^\s@/?#"'<>[\]]{1,128})@/gi,
  },
  {
    // A token as the only user: one that is random, unlike a login.
    name: 'password',
    signs: ['://'],
    pattern:
      /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/((?=[^\s@]{0,127}\d)(?=[^\s@]{0,127}[a-z])(?:(?=[^\s@]{0,127}[A-Z])|(?=[0-9a-f]{32}))[A-Za-z0-9_~.+%=-]{16,255}):?@/g,
  },
  {
    name: 'password',
    signs: PASSWORD_NAMES.flatMap((name) =>
      ['=', ':', ' =', ' :', '"', "'"].map((sign) => name + sign),
    ),
    // Letters and digits, and no name of a variable or folder: a word may say that one goes here.
    pattern: new RegExp(
      `(?:${PASSWORD_NAMES.join('|')})["']?\\s{0,3}(?:=>|[=:])\\s{0,3}["']?(?![a-z_]\\w*(?:\\.[a-z_]\\w*)+|/(?:app|builds|etc|home|mnt|opt|root|srv|tmp|usr|users|var)/)(?=[^\\s"']{0,127}\\d)(?=[^\\s"']{0,127}[a-z])([^\\s"'\`;,&<>(){}[\\]$\\\\]{8,128})(?=["'\`;,&\\s\\\\]|$)`,
      'gi',
    ),
  },
  {
    name: 'password',
    signs: ['machine '],
    pattern:
      /\bmachine\s{1,9}\S{1,200}\s{1,9}login\s{1,9}\S{1,200}\s{1,9}password\s{1,9}(\S{4,200})/g,
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
      /authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:bearer|basic|token)\s{1,3}([A-Za-z0-9._~+/=-]{8,2000})/gi,
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
      /secret_?access_?key["']?\s{0,3}(?:=>|=|:)\s{0,3}["']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9+=])/gi,
  },
  {
    name: 'openai-key',
    signs: ['T3BlbkFJ'],
    pattern: /(sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})(?![A-Za-z0-9])/g,
  },
  {
    name: 'azure-key',
    signs: ['AccountKey=', 'SharedAccessKey='],
    pattern: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,86}={1,2})/gi,
  },
  {
    name: 'azure-secret',
    signs: ['Q~'],
    pattern: /([A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9])/g,
  },
  {
    name: 'azure-devops-token',
    signs: ['AZDO'],
    pattern: /([A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4})(?![A-Za-z0-9])/g,
  },
  {
    name: 'cloudflare-key',
    signs: ['v1.0-'],
    pattern: /(v1\.0-[0-9a-f]{24}-[0-9a-f]{146})(?![0-9a-z])/g,
  },
  {
    name: 'discord-token',
    signs: ['discord', 'bot m', 'bot n', 'bot o'],
    pattern:
      /(?:discord[^\n]{0,60}?|\bbot\s)([MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})(?![A-Za-z0-9])/gi,
  },
  {
    name: 'firebase-key',
    signs: [':APA91b'],
    pattern: /([A-Za-z0-9_-]{7,22}:APA91b[A-Za-z0-9_-]{100,180})/g,
  },
  {
    name: 'mailchimp-key',
    signs: Array.from('123456789', (digit) => `-us${digit}`),
    pattern: /([0-9a-f]{32}-us\d{1,2})(?![A-Za-z0-9])/g,
  },
  {
    name: 'new-relic-key',
    signs: ['NRAL'],
    pattern: /((?:[a-z]{2}\d{2}xx[0-9a-f]{30}|[0-9a-f]{36})NRAL)(?![A-Za-z0-9])/g,
  },
  {
    name: 'telegram-token',
    signs: [':AA'],
    pattern: /(?<![A-Za-z0-9])(\d{8,10}:AA[A-Za-z0-9_-]{33})(?![A-Za-z0-9])/g,
  },
  {
    name: 'terraform-token',
    signs: ['.atlasv1.'],
    pattern: /([A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70})(?![A-Za-z0-9])/gi,
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
    // Only from the beginning of a run: each start looks at thousands of characters.
    pattern:
      /(?<![\w-])[\w-]{0,64}?(?<![A-Za-z0-9])(eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000})/g,
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
export const PASSWORD_HINT =
  /:\/\/(?:[^\s:@/?#"'<>[\]]{0,256}:[^\s@/?#"'<>[\]]{1,512}|[\w~.+%=-]{16,255}:?)@/

/** Texts in any case of which every other secret has one. */
export const SECRET_SIGNS: readonly string[] = CONTEXTS.flatMap(({ signs }) =>
  signs.filter((sign) => sign !== '://'),
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
  for (let at = 0; ; ) {
    PREFIXES.lastIndex = at
    const match = PREFIXES.exec(text)
    if (!match) return
    const token = tokenAt(text, match.index, match[0])
    if (token) yield token
    // Where there is no token, another may begin within the prefix, such as behind the n of an escape.
    at = token?.end ?? match.index + 1
  }
}

/** The token that begins with a prefix at a place. */
function tokenAt(text: string, index: number, prefix: string): Finding | undefined {
  const before = text[index - 1] ?? ' '
  for (const { form, body } of BY_PREFIX.get(prefix) ?? []) {
    if (/[A-Za-z0-9]/.test(before) && !isUnmistakable(form)) continue
    if (form.prefix === 'key-' && KEY_OF.test(text.slice(Math.max(0, index - 12), index))) continue
    body.lastIndex = index + form.prefix.length
    const rest = body.exec(text)?.[0]
    if (rest === undefined) {
      const broken = isUnmistakable(form) ? brokenToken(text, index, form) : undefined
      if (broken) return broken
      continue
    }
    if (isPlaceholder(rest)) continue
    const end = index + form.prefix.length + rest.length
    // A longer word is something else.
    if (/[A-Za-z0-9]/.test(text[end] ?? ' ')) continue
    return { type: 'secret', name: form.name, start: index, end, value: text.slice(index, end) }
  }
  return undefined
}

/** The break of a line within a token: also a soft one, and in a quote or comment. */
const LINE_BREAK = /[=\\]?\r?\n[ \t]{0,16}(?:(?:>|\/\/|\*|#)[ \t]{0,4}){0,2}/y
/** No word has a digit, or a capital letter behind another. */
const RANDOM = /\d|[a-z][A-Z]/
const ON_LINE = /[\w.~+/=-]{0,300}[\w.~+/-]/y
/** Characters of a token before and behind a break, at least: what follows a prefix alone is another text. */
const SHORTEST_LINE = 6
const LONGEST_BROKEN = 600

/** A token whose line was broken, by a terminal or a mail: it has the form of a whole one, and no line is a word. */
function brokenToken(text: string, index: number, form: SecretForm): Finding | undefined {
  /** The token so far, and where its lines begin in it and in the text. */
  let joined = ''
  const starts: [length: number, at: number][] = []
  for (let at = index; joined.length < LONGEST_BROKEN; ) {
    ON_LINE.lastIndex = at
    const [line = ''] = ON_LINE.exec(text) ?? []
    const body = at === index ? line.slice(form.prefix.length) : line
    if (body.length < SHORTEST_LINE || !RANDOM.test(body)) break
    starts.push([joined.length, at])
    joined += line
    LINE_BREAK.lastIndex = at + line.length
    const [lineBreak] = LINE_BREAK.exec(text) ?? []
    if (lineBreak === undefined) break
    at += line.length + lineBreak.length
  }
  if (starts.length < 2) return undefined
  const [value] = new RegExp(`^${escapePattern(form.prefix)}(?:${form.body})`).exec(joined) ?? []
  if (value === undefined || isPlaceholder(value.slice(form.prefix.length))) return undefined
  const last = starts.findLast(([length]) => length < value.length)
  if (!last || value.length - last[0] < SHORTEST_LINE) return undefined
  const end = last[1] + value.length - last[0]
  if (/[A-Za-z0-9]/.test(text[end] ?? ' ')) return undefined
  return { type: 'secret', name: form.name, start: index, end, value }
}

/** Whether no word ends in a prefix by chance: such tokens are found within longer words, too, as in `foo_ghp_…`. */
export const isUnmistakable = ({ prefix }: SecretForm): boolean =>
  prefix.length >= 4 && /[_.-]./.test(`${prefix}x`) && !COMMON_WORDS.has(prefix.slice(0, -1))

/** Words before a key that is a hash, as in cache_key-…. */
const KEY_OF = /(?:cache|row|sort|partition|primary|foreign|index|storage|object|lookup)[_-]$/i

/** Words before an underscore or hyphen that names of programs end in. */
const COMMON_WORDS = new Set(['api', 'key', 'pat', 'sdk', 'secret', 'perm', 'api_org'])

/** Words in the place of a value: of programs that have none, and of documentation. */
const NO_VALUE =
  /^(?:undefined|null|nil|none|true|false|required|optional|string|missing|invalid|disabled|enabled|hidden|deprecated|unknown|value|\[object(?:%20|\+)object\])$/i

/** One character again and again, but for the last, a variable, its name, or a word that says that something goes here. */
const isPlaceholder = (value: string): boolean =>
  /^(?:(.)\1*|(.)\2{7,}.)$/s.test(value) ||
  NO_VALUE.test(value) ||
  /^(?:\$|\{|%7B|%24|<|\*{3}|x{4,}|your|example|redacted|changeme|placeholder|password$|pass$|secret$|token$|x-oauth-basic$)/i.test(
    value,
  ) ||
  /EXAMPLE(?:KEY)?$|^[A-Z]{2,30}(?:_[A-Z]{2,30}){1,9}$/.test(value)

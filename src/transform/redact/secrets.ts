import { escapePattern } from '../../base/text.ts'
import type { Finding } from './finding.ts'
import type { SecretForm } from './secret-forms/form.ts'
import { SECRET_CONTEXTS } from './secret-forms/secret-contexts.ts'
import { SECRETS } from './secret-forms/secret-forms.ts'

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

const CONTEXTS = SECRET_CONTEXTS.map((context) => ({
  ...context,
  sign: new RegExp(context.signs.map(escapePattern).join('|'), 'i'),
}))

const SIGNS = new RegExp(CONTEXTS.flatMap(({ signs }) => signs.map(escapePattern)).join('|'), 'i')

/** The sign behind a password in a URL, in bytes as characters of Latin-1: most URLs have none. */
export const PASSWORD_HINT =
  /(?<=:\/\/(?:[^\s:@/?#"'<>[\]]{0,256}(?:@[^\s:@/?#"'<>[\]]{1,256})?:[^\s@/"<>[\]]{1,512}|[\w~.+%=-]{16,255}:?))@/

/** Texts in any case of which every other secret has one, each with how a text goes on from it. */
export const SECRET_SIGNS = CONTEXTS.flatMap(({ signs, hint = /(?:)/y }) =>
  signs.flatMap((sign) => (sign === '://' ? [] : [{ sign, hint }])),
)

/** Finds secrets of published forms, in time linear in the text. */
export function* findSecrets(text: string): Generator<Finding> {
  // To search a text is much faster than to iterate over its matches, of which most texts have none.
  if (text.search(PREFIXES) >= 0) yield* findTokens(text)
  if (text.search(SIGNS) < 0) return
  for (const { name, sign, pattern } of CONTEXTS) {
    if (!sign.test(text)) continue
    for (const match of text.matchAll(pattern)) {
      const found = match[1] as string
      const start = match.index + match[0].lastIndexOf(found)
      const value = withoutEndOfComment(found, text[start + found.length])
      if (isPlaceholder(value)) continue
      yield { type: 'secret', name, start, end: start + value.length, value }
    }
  }
}

/** A value without the hyphens that end a comment of HTML behind it. */
const withoutEndOfComment = (value: string, next = ''): string =>
  next === '>' ? value.replace(/--$/, '') : value

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
    const all = body.exec(text)?.[0]
    const rest = all && withoutEndOfComment(all, text[body.lastIndex])
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
    const isAddress = text[at + line.length] === '@'
    if (body.length < SHORTEST_LINE || !RANDOM.test(body) || isAddress) break
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
const COMMON_WORDS = new Set([
  'api',
  'api_org',
  'ion',
  'key',
  'lip',
  'pat',
  'perm',
  'rnd',
  'rpa',
  'sdk',
  'secret',
])

/** Words in the place of a value: of programs that have none, and of documentation. */
const NO_VALUE =
  /^(?:undefined|null|nil|none|true|false|required|optional|string|missing|invalid|disabled|enabled|hidden|deprecated|unknown|value|\[object(?:%20|\+)object\])$/i

/** One character again and again, but for the last, a variable, its name, or a word that says that something goes here. */
const isPlaceholder = (value: string): boolean =>
  /^(?:(.)\1*|(.)\2{7,}.)$/s.test(value) ||
  NO_VALUE.test(value) ||
  /^(?:\$|\{|%7B|%24|<|\*{3}|x{4,}|your|example|redacted|required\||nullable\||changeme|placeholder|password$|pass$|secret$|token$|x-oauth-basic$)/i.test(
    value,
  ) ||
  /EXAMPLE(?:KEY)?$|^[A-Z]{2,30}(?:_[A-Z]{2,30}){1,9}$/.test(value)

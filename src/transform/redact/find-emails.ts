import type { Finding } from './finding.ts'

const LOCAL = /[\p{L}\p{M}\p{N}._%+'&~-]/u
const DOMAIN = /[\p{L}\p{M}\p{N}.-]/u
/** A name in quotes, as in `"Ada L"@example.org`, but not what is between two strings: `"ada" + "@example.org"`. */
const QUOTED = /"[\p{L}\p{N}_][^"\\\n]{0,61}"$/u
/** An IP address in the place of a domain. */
const LITERAL = /^\[(?:IPv6:)?[0-9a-f.:]{2,45}\]/i
const LONGEST_LITERAL = 54
/** A comment beside the at sign, as in `ada(home)@example.org`. */
const COMMENT = String.raw`\([^()\r\n@]{0,60}\)`
const COMMENT_BEFORE = new RegExp(`${COMMENT}$`)
const COMMENT_BEHIND = new RegExp(`^${COMMENT}`)
const LONGEST_COMMENT = 62
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 255

/** Endings of files, which are no top-level domains: `icon@2x.png`, `report-ada@example.org.txt`. */
const FILE_ENDINGS = new Set([
  'png',
  'jpg',
  'jpeg',
  'gif',
  'svg',
  'webp',
  'avif',
  'ico',
  'bmp',
  'pdf',
  'txt',
  'log',
  'csv',
  'json',
  'xml',
  'yml',
  'yaml',
  'toml',
  'lock',
  'js',
  'map',
  'mjs',
  'cjs',
  'ts',
  'tsx',
  'jsx',
  'css',
  'scss',
  'woff',
  'woff2',
  'ttf',
  'html',
  'htm',
  'gz',
  'tgz',
  'tar',
  'eml',
  'patch',
  'diff',
  'docx',
  'xlsx',
  'mp4',
  'webm',
  'md5',
  'sha256',
])

/** Finds e-mail addresses around each `@`, also written as `%40`, `@@` or `(at)`, in time linear in the text. */
export function* findEmails(text: string): Generator<Finding> {
  if (/@|%40/.test(text)) yield* aroundSigns(text)
  if (IN_WORDS.test(text)) yield* inWords(text)
}

function* aroundSigns(text: string): Generator<Finding> {
  let last = 0
  // Texinfo writes @@.
  for (const sign of ['@', '%40', '@@']) {
    last = 0
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) {
      const found = emailAt(text, at, sign.length)
      if (!found || found.start < last) continue
      yield found
      last = found.end
    }
  }
}

/** An at sign as people write it for others than programs; as a word alone, the full stop is one as well. */
const AT = / {0,2}[([{<](?:at|At|AT|@)[)\]}>] {0,2}| {1,2}(?:at|At|AT) {1,2}/g
const DOT = String.raw` {0,2}[([{<](?:dot|Dot|DOT|\.)[)\]}>] {0,2}| {1,2}(?:dot|Dot|DOT) {1,2}`
const DOTS = new RegExp(DOT, 'g')
/** What every address in words has, and few other texts. */
const IN_WORDS = /[([{<](?:at|At|AT|@)[)\]}>]|[ ([{<](?:dot|Dot|DOT)[ )\]}>]/
const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`
const DOMAIN_IN_WORDS = new RegExp(`${LABEL}(?:(?:\\.|${DOT})${LABEL}){1,8}`, 'uy')
const LOCAL_IN_WORDS = new RegExp(`[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_+-]|\\.|${DOT}){0,63}$`, 'u')
const LONGEST_IN_WORDS = 100
/** Top-level domains of most addresses. In a program, what follows a full stop is any word: `array[at] value.length`. */
const COMMON_TOPS =
  /\.(?:com|org|net|edu|gov|mil|info|biz|io|dev|app|cloud|tech|example|local|[a-z]{2,3}\.[a-z]{2}|at|au|be|br|ca|ch|cn|cz|de|dk|es|eu|fi|fr|gr|hu|ie|il|it|jp|kr|nl|no|nz|pl|pt|ro|ru|se|sk|tr|tw|ua|uk|us|za|рф)$/i
/** No name of a domain, as in `look at the dot net code`. */
const ARTICLE = /^(?:an?|the|this|that|my|your|our|their|its|each|every)\./i

function* inWords(text: string): Generator<Finding> {
  let last = 0
  for (const { 0: sign, index } of text.matchAll(AT)) {
    DOMAIN_IN_WORDS.lastIndex = index + sign.length
    const written = withoutEnding(DOMAIN_IN_WORDS.exec(text)?.[0] ?? '')
    if (!/[^\p{L}\p{N}-]/u.test(written)) continue
    const domain = inSigns(written)
    const hasDot = domain !== written
    const isWord = /^ /.test(sign) && /^\w+$/.test(sign.trim())
    if (isWord && (!hasDot || ARTICLE.test(domain))) continue
    if (!COMMON_TOPS.test(domain) && (isWord || !hasDot)) continue
    const end = index + sign.length + written.length
    // The call of a function.
    if (text[end] === '(') continue
    const before = text.slice(Math.max(last, index - LONGEST_IN_WORDS), index)
    const [local] = LOCAL_IN_WORDS.exec(before) ?? []
    if (local === undefined) continue
    const start = index - local.length
    yield { type: 'email', start, end, value: `${inSigns(local)}@${domain}` }
    last = end
  }
}

const inSigns = (written: string): string => written.replace(DOTS, '.')

/** A domain in words without what follows it in the name of a file, as in `mail dot example-1.txt`. */
function withoutEnding(written: string): string {
  const [name, last = ''] = /^(.*)\.([^.]*)$/.exec(written)?.slice(1) ?? []
  const isEnding =
    FILE_ENDINGS.has(last.toLowerCase()) ||
    last.length === 1 ||
    (!COMMON_TOPS.test(inSigns(written)) && COMMON_TOPS.test(inSigns(name ?? '')))
  if (name !== undefined && isEnding) return withoutEnding(name)
  return /xn--[a-z0-9-]{1,59}$/i.test(written)
    ? written
    : written.replace(/-[\p{L}\p{N}-]{0,63}$/u, '')
}

/** Where the text around the sign of an address begins and ends: there may be a comment on one side. */
function aroundComments(text: string, at: number, length: number): [from: number, to: number] {
  const to = at + length
  const before = text[at - 1] === ')' && text.slice(Math.max(0, at - LONGEST_COMMENT), at)
  const behind = text[to] === '(' && text.slice(to, to + LONGEST_COMMENT)
  const lengthOf = (pattern: RegExp, part: string | false) =>
    (part && pattern.exec(part)?.[0].length) || 0
  return [at - lengthOf(COMMENT_BEFORE, before), to + lengthOf(COMMENT_BEHIND, behind)]
}

function emailAt(text: string, sign: number, length: number): Finding | undefined {
  const [at, to] = aroundComments(text, sign, length)
  const left = Math.max(0, at - LONGEST_LOCAL)
  let start = at
  while (start > left) {
    const before = characterBefore(text, start)
    if (!LOCAL.test(before)) break
    start -= before.length
  }
  const quoted = length === 1 && start === at ? QUOTED.exec(text.slice(left, at))?.[0] : undefined
  if (quoted !== undefined) start -= quoted.length
  // Half of a percent-encoded character before the address, as in %3Aada%40example.org.
  if (quoted === undefined) start = afterEncoded(text, start, at)
  while (quoted === undefined && start < at && /[.'&~%\p{M}-]/u.test(text[start] as string)) start++
  if (start === at || /\.$/.test(text.slice(start, at))) return undefined
  const right = Math.min(text.length, to + LONGEST_DOMAIN)
  let end = to
  while (end < right) {
    const next = String.fromCodePoint(text.codePointAt(end) ?? 0)
    if (!DOMAIN.test(next)) break
    end += next.length
  }
  const literal = LITERAL.exec(text.slice(to, to + LONGEST_LITERAL))?.[0]
  end = literal ? to + literal.length : endOfDomain(text, to, end)
  if (end < 0) return undefined
  const [local, domain] = [text.slice(start, at), text.slice(to, end)]
  // A program may call a function there. The ending of a file may be behind the domain.
  const isCommon = COMMON_TOPS.test(domain) || COMMON_TOPS.test(domain.replace(/\.\w{1,4}$/, ''))
  if (to - at > length && !isCommon) return undefined
  // A handle such as @ada@social.example, which is as public as a login.
  if (text[start - 1] === '@') return undefined
  // The letter of an escape, as in the JSON of "a" and "@b.example" on two lines.
  if (text[start - 1] === '\\' && /^[nrt]$/.test(local)) return undefined
  // A login on a server of Git, and the user in a URL, whose password is a secret.
  if (/^x-oauth-basic$/i.test(local)) return undefined
  if (/^git$/i.test(local) && /^(?:$|[:/]|%3A|%2F)/i.test(text.slice(end, end + 3)))
    return undefined
  if (
    length === 1 &&
    text[end] !== '@' &&
    /:\/\/(?:[^\s/@]{0,80}:\$?)?$/.test(text.slice(Math.max(0, start - 100), start))
  )
    return undefined
  return { type: 'email', start, end, value: `${local}@${domain}` }
}

const characterBefore = (text: string, at: number): string =>
  /[\udc00-\udfff]/.test(text[at - 1] as string) ? text.slice(at - 2, at) : (text[at - 1] as string)

function afterEncoded(text: string, start: number, at: number): number {
  const match = /^.*%(?:3A|3C|20|22|27|2F|3D|26)/i.exec(text.slice(start, at))
  return start + (match?.[0].length ?? 0)
}

/** Where the domain ends, without punctuation and endings of files; -1 if it is none. */
function endOfDomain(text: string, start: number, end: number): number {
  let domain = text.slice(start, end).replace(/(?<![.-])[.-]+$/, '')
  for (let labels = domain.split('.'); ; labels = domain.split('.')) {
    const last = labels.at(-1) ?? ''
    if (labels.length < 2) return -1
    if (labels.includes('') || labels.some((label) => /^-|-$/.test(label))) {
      // An address that is followed by a line of dots ends before them.
      const good = labels.findIndex((label) => label === '' || /^-|-$/.test(label))
      if (good < 2) return -1
      domain = labels.slice(0, good).join('.')
      continue
    }
    // No top-level domain has one letter, but the names of many sources end in one.
    if (FILE_ENDINGS.has(last.toLowerCase()) || last.length === 1) {
      domain = labels.slice(0, -1).join('.')
      continue
    }
    // A version, as in kettle@2.0.beta.
    if (labels.length > 2 && labels.slice(0, -1).every((label) => /^\d+$/.test(label))) return -1
    // A hyphen behind a domain is of a longer name, as in ada@forge.example-1.txt.
    const [top] = /^xn--[a-z0-9-]{1,59}$|^[\p{L}\p{M}]{2,63}(?=-|$)/iu.exec(last) ?? []
    return top === undefined ? -1 : start + domain.length - last.length + top.length
  }
}

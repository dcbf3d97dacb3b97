import type { Finding } from './finding.ts'

const LOCAL = /[\p{L}\p{N}._%+'&~-]/u
const DOMAIN = /[\p{L}\p{N}.-]/u
const LONGEST_LOCAL = 64
const LONGEST_DOMAIN = 255

/** Endings of files, which are no top-level domains: `icon@2x.png`, `report-ada@example.org.txt`. */
const FILE_ENDINGS = new Set([
  ...[
    'png',
    'jpg',
    'jpeg',
    'gif',
    'svg',
    'webp',
    'ico',
    'bmp',
    'pdf',
    'txt',
    'log',
    'csv',
    'json',
    'xml',
  ],
  ...[
    'yml',
    'yaml',
    'toml',
    'lock',
    'js',
    'mjs',
    'cjs',
    'ts',
    'tsx',
    'jsx',
    'css',
    'scss',
    'html',
    'htm',
  ],
  ...['gz', 'tgz', 'tar', 'eml', 'patch', 'diff', 'docx', 'xlsx', 'md5', 'sha256'],
])

/** Finds e-mail addresses around each `@`, also written as `%40`, in time linear in the text. */
export function* findEmails(text: string): Generator<Finding> {
  let last = 0
  for (const sign of ['@', '%40']) {
    last = 0
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) {
      const found = emailAt(text, at, sign.length)
      if (!found || found.start < last) continue
      yield found
      last = found.end
    }
  }
}

function emailAt(text: string, at: number, length: number): Finding | undefined {
  const left = Math.max(0, at - LONGEST_LOCAL)
  let start = at
  while (start > left) {
    const before = characterBefore(text, start)
    if (!LOCAL.test(before)) break
    start -= before.length
  }
  // Half of a percent-encoded character before the address, as in %3Aada%40example.org.
  if (length > 1) start = afterEncoded(text, start, at)
  while (start < at && /[.'&~%-]/.test(text[start] as string)) start++
  if (start === at || /\.$/.test(text.slice(start, at))) return undefined
  const right = Math.min(text.length, at + length + LONGEST_DOMAIN)
  let end = at + length
  while (end < right) {
    const next = String.fromCodePoint(text.codePointAt(end) ?? 0)
    if (!DOMAIN.test(next)) break
    end += next.length
  }
  end = endOfDomain(text, at + length, end)
  if (end < 0) return undefined
  const local = text.slice(start, at)
  // A login on a server of Git, and the user in a URL, whose password is a secret.
  if (/^git$/i.test(local) && /[:/]/.test(text[end] ?? ':')) return undefined
  if (/:\/\/(?:[^\s/@]{0,80}:\$?)?$/.test(text.slice(Math.max(0, start - 100), start)))
    return undefined
  return { type: 'email', start, end, value: `${local}@${text.slice(at + length, end)}` }
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
    if (FILE_ENDINGS.has(last.toLowerCase())) {
      domain = labels.slice(0, -1).join('.')
      continue
    }
    const isTop = /^(?:\p{L}{2,63}|xn--[a-z0-9-]{1,59})$/iu.test(last)
    return isTop ? start + domain.length : -1
  }
}

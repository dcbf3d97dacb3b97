import type { NeedleFinder } from '../find-needles.ts'
import { encodedTexts } from './encoded-texts.ts'
import { findEmails } from './find-emails.ts'
import { findIPv4, findIPv6 } from './find-ips.ts'
import { createLoginFinder } from './find-logins.ts'
import { createNameFinder } from './find-names.ts'
import type { Finding } from './finding.ts'
import type { OwnPatterns } from './own-patterns.ts'
import { peelEscapes } from './peel-escapes.ts'
import { isPseudonym, pseudonymsIn } from './pseudonyms.ts'
import type { KnownSecrets } from './removed-values.ts'
import { createKnownSecretFinder } from './secret-forms/known-secrets.ts'
import { findSecrets } from './secrets.ts'

/** The values to look for. */
export const WHAT = ['emails', 'names', 'logins', 'ips', 'secrets'] as const
export type What = (typeof WHAT)[number]

export interface DetectOptions {
  what: ReadonlySet<What>
  /** Values that stay, in lower case: addresses, domains, IPs. */
  keep: ReadonlySet<string>
  /** Full names of people. */
  names?: Iterable<string> | undefined
  /** Finds the places where there may be a name, so that most texts need not be taken apart. */
  nameHints?: NeedleFinder<unknown> | undefined
  /** Logins of people. */
  logins?: readonly string[] | undefined
  /** Hosts, in lower case, whose URLs have logins. */
  hosts?: ReadonlySet<string> | undefined
  /** Words and patterns of the user. */
  own?: OwnPatterns | undefined
  /** Secrets that were found before. */
  secrets?: KnownSecrets | undefined
}

export type Detector = (text: string) => Finding[]

/**
 * Creates a function that finds all values in a text, in their order; of two that overlap, the longer one. A value that is
 * written with escapes, or follows one, is found without them: it begins and ends between escapes, never within one. A text in
 * base64 or hexadecimal digits that has values is found as a whole.
 */
export const createDetector = (options: DetectOptions): Detector =>
  createDetectors(options)(options.secrets)

/** Creates detectors that know other secrets, but share what finds everything else: there may be very many names. */
export function createDetectors({
  what,
  keep,
  names = [],
  nameHints,
  logins = [],
  hosts,
  own,
}: Omit<DetectOptions, 'secrets'>): (secrets?: KnownSecrets) => Detector {
  const others = {
    findNames: what.has('names') ? createNameFinder(names, nameHints) : undefined,
    findLogins: logins.length > 0 ? createLoginFinder(logins, hosts) : undefined,
  }
  return (secrets = new Map()) => {
    const findKnown = secrets.size > 0 ? createKnownSecretFinder(secrets) : undefined
    return detectorOf({ what, keep, own, ...others, findKnown })
  }
}

type FindAll = (text: string) => Iterable<Finding>

interface Finders extends Pick<DetectOptions, 'what' | 'keep' | 'own'> {
  findNames: FindAll | undefined
  findLogins: FindAll | undefined
  findKnown: FindAll | undefined
}

function detectorOf({ what, keep, own, findNames, findLogins, findKnown }: Finders): Detector {
  const detectPlain = (text: string): Detected => {
    const found: Finding[] = []
    const passed: Finding[] = []
    const take = (findings: Iterable<Finding>) => {
      for (const finding of findings) {
        const stays = isPseudonym(finding.type, finding.value) || isKept(finding, keep)
        ;(stays ? passed : found).push(finding)
      }
    }
    if (what.has('secrets')) take(findSecrets(text))
    if (findKnown) take(findKnown(text))
    if (what.has('emails')) take(findEmails(text))
    if (what.has('ips')) {
      if (/[.-]\d|:\/\/\S/.test(text)) take(findIPv4(text))
      if (text.includes(':')) take(findIPv6(text))
    }
    if (findNames) take(findNames(text))
    if (findLogins && /[@/]|\.io/i.test(text)) take(findLogins(text))
    if (own) take(outsidePseudonyms(own.find(text), text))
    return { found: found.length < 2 ? found : withoutOverlaps(found), passed }
  }
  /** The texts that are encoded in a text and have values. */
  function* detectEncoded(text: string, depth: number): Generator<Finding> {
    for (const { start, end, ...inner } of encodedTexts(text)) {
      const findings = detect(inner.text, depth + 1).filter(({ doubtful }) => !doubtful)
      if (inner.isPicture && findings.length === 0) findings.push(METADATA)
      const [first] = findings
      if (first) yield { ...first, start, end, within: { ...inner, findings } }
    }
  }
  const detect = (text: string, depth: number): Finding[] => {
    const isDeepest = depth === DEEPEST_ENCODED
    let { found, passed } = detectPlain(text)
    if (!isDeepest) found = withEncoded(found, [...detectEncoded(text, depth)])
    /** What is found only where strings are joined. */
    let joined: Finding[] = []
    for (const { text: plain, startOf, endOf, isJoined } of peelEscapes(text)) {
      const outside = (finding: Finding): Finding => ({
        ...finding,
        start: startOf(finding.start),
        end: endOf(finding.end),
      })
      const inner = detectPlain(plain)
      if (isJoined) {
        joined = withInner(joined, inner.found.map(outside), inner.passed.map(outside))
        continue
      }
      const innerPassed = inner.passed.map(outside)
      found = withInner(found, inner.found.map(outside), innerPassed)
      passed = [...passed, ...innerPassed]
      if (isDeepest) continue
      const encoded = detectEncoded(plain, depth).map(outside).map(inOneLine)
      found = withEncoded(found, [...encoded])
    }
    // A pseudonym stays one where another string follows.
    const certain = withoutThose(joined, [...found, ...passed]).filter(({ doubtful }) => !doubtful)
    return certain.length === 0 ? found : [...found, ...certain].sort(byStart)
  }
  return (text) => detect(text, 0)
}

/** What a picture loses in any case. */
const METADATA: Finding = { type: 'own', start: 0, end: 0, value: '' }

/** Encodings within each other that are undone. */
const DEEPEST_ENCODED = 2

/** Behind escapes a line break would be none. */
const inOneLine = (finding: Finding): Finding => {
  const { within } = finding
  if (!within) return finding
  return {
    ...finding,
    within: { ...within, encode: (text) => within.encode(text).replace(/\s+/g, '') },
  }
}

/** Adds encoded texts. They hide what overlaps, but for others, and what is longer, such as a token or a key in base64. */
function withEncoded(found: readonly Finding[], encoded: readonly Finding[]): Finding[] {
  let next = 0
  const others = found.filter(({ within }) => within !== undefined)
  const added = withoutThose(encoded, others).filter(({ start, end }) => {
    while (found[next] && (found[next] as Finding).end < end) next++
    const over = found[next]
    return over === undefined || over.doubtful === true || over.start > start
  })
  if (added.length === 0) return [...found]
  return [...added, ...withoutThose(found, added)].sort(byStart)
}

interface Detected {
  found: Finding[]
  /** Values that stay: pseudonyms, and those that are to be kept. */
  passed: Finding[]
}

/**
 * Adds findings of the text without escapes. They hide what overlaps, which may begin within an escape, unless they are a part of an
 * encoded text that was found; what stays hides values of its type.
 */
function withInner(
  outer: readonly Finding[],
  inner: readonly Finding[],
  passed: readonly Finding[],
): Finding[] {
  const certain = withoutEndsOf(
    outer.filter(({ name }) => name === 'password'),
    withoutPartsOf(
      outer.filter(({ within }) => within !== undefined),
      inner.filter(({ doubtful }) => !doubtful),
    ),
  )
  let kept = withoutThose(outer, certain)
  for (const type of new Set(passed.map(({ type }) => type))) {
    const ofType = (finding: Finding) => finding.type === type
    const others = kept.filter((finding) => !ofType(finding))
    kept = [...others, ...withoutThose(kept.filter(ofType), passed.filter(ofType))].sort(byStart)
  }
  return [...certain, ...kept, ...withoutThose(inner, [...certain, ...kept])].sort(byStart)
}

/** The findings that are no parts of longer ones. */
function withoutPartsOf(longer: readonly Finding[], found: readonly Finding[]): Finding[] {
  let next = 0
  return found.filter(({ start, end }) => {
    while (longer[next] && (longer[next] as Finding).end < end) next++
    const over = longer[next]
    return over === undefined || over.start > start || over.end - over.start === end - start
  })
}

/** The findings that are no addresses which begin in a password: without its escapes, its end may look like one. */
function withoutEndsOf(passwords: readonly Finding[], found: readonly Finding[]): Finding[] {
  let next = 0
  return found.filter(({ type, start }) => {
    while (passwords[next] && (passwords[next] as Finding).end <= start) next++
    return type !== 'email' || (passwords[next]?.start ?? start) >= start
  })
}

const byStart = (a: Finding, b: Finding) => a.start - b.start

/** The findings that overlap none of the others. */
function withoutThose(found: readonly Finding[], others: readonly Finding[]): Finding[] {
  const sorted = others.toSorted(byStart)
  let next = 0
  return found.filter(({ start, end }) => {
    while (sorted[next] && (sorted[next] as Finding).end <= start) next++
    return sorted[next] === undefined || (sorted[next] as Finding).start >= end
  })
}

/** The findings outside pseudonyms: a pattern such as `/\d+/` matches part of many pseudonyms. */
function* outsidePseudonyms(findings: Iterable<Finding>, text: string): Generator<Finding> {
  let spans: readonly (readonly [start: number, end: number])[] | undefined
  for (const finding of findings) {
    spans ??= pseudonymsIn(text)
    const { start, end } = finding
    if (!spans.some(([from, to]) => from <= start && end <= to)) yield finding
  }
}

/** Whether a value is to stay, itself or by the domain of its address. */
export function isKept(
  { type, value }: Pick<Finding, 'type' | 'value'>,
  keep: ReadonlySet<string>,
): boolean {
  const lower = value.toLowerCase()
  if (keep.has(lower)) return true
  return type === 'email' && keep.has(lower.slice(lower.lastIndexOf('@') + 1))
}

function withoutOverlaps(found: Finding[]): Finding[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end)
  const kept: Finding[] = []
  for (const finding of found) {
    const last = kept.at(-1)
    if (!last || finding.start >= last.end) kept.push(finding)
    // A doubtful one never hides one that is certain.
    else if (last.doubtful && !finding.doubtful) kept[kept.length - 1] = finding
    else if (finding.end > last.end && !finding.doubtful) {
      // A password may seem to end in the local part of an address.
      if (last.type === 'secret' && finding.type === 'email' && finding.start > last.start) continue
      if (finding.end - finding.start > last.end - last.start) kept[kept.length - 1] = finding
    }
  }
  return kept
}

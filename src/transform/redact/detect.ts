import { findEmails } from './find-emails.ts'
import { findIPv4, findIPv6 } from './find-ips.ts'
import { createLoginFinder } from './find-logins.ts'
import { createNameFinder } from './find-names.ts'
import type { Finding } from './finding.ts'
import type { OwnPatterns } from './own-patterns.ts'
import { isPseudonym, pseudonymsIn } from './pseudonyms.ts'
import { findSecrets } from './secrets.ts'

/** The values to look for. */
export const WHAT = ['emails', 'names', 'logins', 'ips', 'secrets'] as const
export type What = (typeof WHAT)[number]

export interface DetectOptions {
  what: ReadonlySet<What>
  /** Values that stay, in lower case: addresses, domains, IPs. */
  keep: ReadonlySet<string>
  /** Full names of people. */
  names?: readonly string[] | undefined
  /** Logins of people. */
  logins?: readonly string[] | undefined
  /** Words and patterns of the user. */
  own?: OwnPatterns | undefined
}

export type Detector = (text: string) => Finding[]

/** Creates a function that finds all values in a text, in their order; of two that overlap, the longer one. */
export function createDetector({
  what,
  keep,
  names = [],
  logins = [],
  own,
}: DetectOptions): Detector {
  const findNames = what.has('names') ? createNameFinder(names) : undefined
  const findLogins = logins.length > 0 ? createLoginFinder(logins) : undefined
  return (text) => {
    const found: Finding[] = []
    const take = (findings: Iterable<Finding>) => {
      for (const finding of findings) {
        if (!isPseudonym(finding.type, finding.value) && !isKept(finding, keep)) found.push(finding)
      }
    }
    if (what.has('secrets')) take(findSecrets(text))
    if (what.has('emails') && (text.includes('@') || text.includes('%40'))) take(findEmails(text))
    if (what.has('ips')) {
      if (text.includes('.')) take(findIPv4(text))
      if (text.includes(':')) take(findIPv6(text))
    }
    if (findNames) take(findNames(text))
    if (findLogins && text.includes('@')) take(findLogins(text))
    if (own) take(outsidePseudonyms(own.find(text), text))
    return found.length < 2 ? found : withoutOverlaps(found)
  }
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
      if (finding.end - finding.start > last.end - last.start) kept[kept.length - 1] = finding
    }
  }
  return kept
}

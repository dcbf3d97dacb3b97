import type { Database } from '../../database/open-database.ts'
import { quoteName } from '../../database/quote.ts'
import { editRecords } from '../edit-records.ts'
import type { EditedRows } from '../edited-rows.ts'
import type { Window } from '../windows.ts'
import { type Detector, isKept, type What } from './detect.ts'
import { lineBreakIn, signIn } from './find-names.ts'
import type { Finding, ValueType, Within } from './finding.ts'
import type { GitValues } from './git-parts.ts'
import { createContextFinder, type HintFinder } from './hints.ts'
import { jsonNumberAround } from './json-number.ts'
import { tagsIn } from './peel-escapes.ts'
import { isPseudonym, MASKS, type Mode, type Pseudonyms } from './pseudonyms.ts'
import type { RedactedPlace, RedactReport } from './redact-options.ts'
import { createRemovedValues, type KnownSecrets, type RemovedValues } from './removed-values.ts'

/** Members that hold one value as a whole, by table and path, and what to take them out for. */
const MEMBERS: Readonly<Record<string, { type: ValueType; what: What }>> = {
  ...Object.fromEntries(
    ['users', 'bots'].flatMap((table) => [
      [`${table}.name`, { type: 'name', what: 'names' }],
      [`${table}.company`, { type: 'own', what: 'names' }],
      [`${table}.location`, { type: 'own', what: 'names' }],
      [`${table}.website`, { type: 'own', what: 'names' }],
      [`${table}.social_accounts[].url`, { type: 'own', what: 'names' }],
      [`${table}.emails[].address`, { type: 'email', what: 'emails' }],
    ]),
  ),
  'organizations.email': { type: 'email', what: 'emails' },
}

const TABLES_WITH_RULES = new Set(Object.keys(MEMBERS).map((path) => path.split('.')[0]))

/** Members that may be null. */
const NULLABLE = new Set(['name', 'company', 'location', 'website', 'email'])

/** Most places of a report. */
export const MOST_PLACES = 1000

export interface Redaction {
  detect: Detector
  /** Finds where there may be something to detect. */
  findHints: HintFinder | undefined
  pseudonyms: Pseudonyms
  mode: Mode
  what: ReadonlySet<What>
  keep: ReadonlySet<string>
  report: RedactReport
  /** The values that were taken out, to be looked for in the end. */
  removed: RemovedValues
  /** The rows that changed. */
  edited: EditedRows
  /** The names and addresses that were taken out of commits and tags. */
  authors: Set<string>
  /** The values that were found in Git data. */
  gitValues: GitValues
}

/** Takes all values out of a text. `note` receives each finding. */
export const redactText = (
  text: string,
  redaction: Redaction,
  note: (finding: Finding) => void,
): string => redactPart({ text, from: 0, until: text.length, offset: 0 }, redaction, note).text

/**
 * Takes all values out of a part of a text. The part ends where the last value ends that begins in it.
 *
 * @returns the new text of the part, and its end in the old one
 */
export function redactPart(
  { text, from, until, offset }: Window,
  { detect, pseudonyms, mode, removed }: Redaction,
  note: (finding: Finding) => void,
): { text: string; end: number } {
  let redacted = ''
  let at = from
  let end = until
  for (const finding of detect(text)) {
    if (finding.end <= from) continue
    if (finding.start >= until) break
    if (finding.end === text.length && until < text.length && finding.start > from) {
      // It may go on behind the window.
      end = finding.start
      break
    }
    for (const found of finding.within?.findings ?? [finding]) {
      note({ ...found, start: finding.start + offset })
      removed.add(found, finding.within?.text ?? text)
    }
    const number = finding.type === 'own' ? jsonNumberAround(text, finding) : undefined
    const span = number ?? finding
    end = Math.max(end, span.end)
    if (finding.doubtful || span.end <= at) continue
    const now = number ? 'null' : replacementOf(finding, text, { pseudonyms, mode })
    redacted += text.slice(at, Math.max(at, span.start)) + now
    at = span.end
  }
  return { text: redacted + text.slice(at, end), end }
}

/** What takes the place of a value in a text. */
export function replacementOf(
  { type, value, name, start, end, within }: Finding,
  text: string,
  how: Pick<Redaction, 'pseudonyms' | 'mode'>,
): string {
  if (within) return within.encode(replaceWithin(within, how))
  const { pseudonyms, mode } = how
  // A name in a URL or path stays one: otherwise two would become the same. So does a login, as in all URLs.
  const isIdentity =
    type === 'login' || /^(?:https?|tarball):\/\//i.test(text) || mode === 'pseudonym'
  // Two colons that meet would look like an IPv6 address.
  const isBetween =
    type === 'ip' &&
    /(?::|%3A)$/i.test(text.slice(Math.max(0, start - 3), start)) &&
    /^(?::|%3A)/i.test(text.slice(end, end + 3))
  const isMasked =
    mode === 'mask' || isBetween || (type === 'secret' && isBeforeAnother(text.slice(end), name))
  const now = isIdentity ? pseudonyms.of(type, value, name) : isMasked ? MASKS[type] : ''
  if (type === 'own') return now
  const written = text.slice(start, end)
  // In the name of a host there are hyphens.
  if (type === 'ip' && /^\d+-/.test(written)) return now.replaceAll('.', '-')
  // A name may go on in the next line or cell, which stays one: it may be a row of CSV, or a quote. So do tags within a value.
  const between = type === 'name' ? signIn(written) + lineBreakIn(written) : ''
  return now + between + tagsIn(written)
}

/**
 * Whether what follows a secret would be taken for it, were it not there: behind `password: `, and in a line of .netrc also on the
 * next line.
 */
const isBeforeAnother = (behind: string, name = ''): boolean =>
  name === 'netrc-password' ||
  (BEHIND_A_SIGN.has(name) && !/^(?:$|["'`]|\r?\n(?!\s{0,20}["'`]))/.test(behind))

/** Secrets that any word with digits is taken for, where it follows their sign. */
const BEHIND_A_SIGN: ReadonlySet<string> = new Set([
  'authorization',
  'key',
  'npm-token',
  'password',
])

function replaceWithin(
  { text, findings }: Within,
  how: Pick<Redaction, 'pseudonyms' | 'mode'>,
): string {
  const parts: string[] = []
  let at = 0
  for (const finding of findings) {
    parts.push(text.slice(at, finding.start), replacementOf(finding, text, how))
    at = finding.end
  }
  return parts.join('') + text.slice(at)
}

/**
 * The secrets of all records that the text around them tells, such as `password=…`. They may also stand for themselves, where
 * nothing else tells them: in a record that comes before, too.
 */
export function collectSecrets(database: Database, detect: Detector): KnownSecrets {
  const found = createRemovedValues()
  const hints = createContextFinder()
  const collect = (text: string): string => {
    for (const finding of detect(text)) {
      for (const each of finding.within?.findings ?? [finding]) {
        if (each.type === 'secret') found.add(each, finding.within?.text ?? text)
      }
    }
    return text
  }
  editRecords(database, collect, { names: true, hints: () => hints })
  return found.secrets
}

/** Takes all values out of the records of a database, whichever member they are in. */
export function redactRecords(database: Database, redaction: Redaction): void {
  const { report, what, mode, keep, pseudonyms, removed, findHints, edited } = redaction
  const placeOf = openPlaces(database)
  report.records = editRecords(
    database,
    (value, place) => {
      const { table, path, name } = place
      const note = (finding: Finding) => {
        const { rowid } = place
        const member = redactName(path.replace(/\{\}$/, ''), redaction)
        noteFinding(report, finding, { kind: table, member }, () => placeOf(table, rowid))
      }
      const rule = MEMBERS[`${table}.${path}`]
      if (rule && what.has(rule.what)) {
        const { type } = rule
        if (value === '' || isKept({ type, value }, keep) || isOwn(type, value)) return value
        note({ type: rule.type, start: 0, end: value.length, value })
        removed.addWhole(type, value)
        if (mode === 'remove' && NULLABLE.has(name)) return null
        return mode === 'pseudonym' ? pseudonyms.of(rule.type, value) : MASKS[rule.type]
      }
      const isName = name === '{}' || path === '_member_order'
      return redactText(value, isName ? { ...redaction, mode: 'pseudonym' } : redaction, note)
    },
    {
      names: true,
      edited,
      hints: (table) => (TABLES_WITH_RULES.has(table) ? undefined : findHints),
    },
  )
}

/** Whether a value is one that this program wrote. */
const isOwn = (type: ValueType, value: string): boolean =>
  value === MASKS[type] || isPseudonym(type, value)

type PlaceOf = (table: string, rowid: bigint) => { entry: string | null; record: number | null }

function openPlaces(database: Database): PlaceOf {
  const statements = new Map<string, ReturnType<typeof database.prepare>>()
  return (table, rowid) => {
    const statement =
      statements.get(table) ??
      database.prepare(
        `SELECT _entry AS entry, _record_number AS record FROM ${quoteName(table)} WHERE rowid = ?`,
      )
    statements.set(table, statement)
    return (statement.get(rowid) ?? { entry: null, record: null }) as ReturnType<PlaceOf>
  }
}

/** A name of a member or path of a file as it is in the output: a report has no values. */
export const redactName = (name: string, redaction: Redaction): string =>
  redactText(name, { ...redaction, mode: 'pseudonym' }, () => {})

/** Counts a finding, and keeps its place if there are not too many. */
export function noteFinding(
  report: RedactReport,
  { type, name, start, doubtful }: Finding,
  { kind, member }: Pick<RedactedPlace, 'kind' | 'member'>,
  placeOf: () => Pick<RedactedPlace, 'entry' | 'record'>,
): void {
  if (doubtful) report.doubtful.count++
  else {
    const key = `${kind}.${member}`
    // For logins, the people are counted instead.
    if (type !== 'login') report.counts[type] = (report.counts[type] ?? 0) + 1
    report.members[key] = (report.members[key] ?? 0) + 1
  }
  const { places } = doubtful ? report.doubtful : report
  if (places.length >= MOST_PLACES) return
  const form = name === undefined ? {} : { name }
  places.push({ type, ...form, kind, member, ...placeOf(), offset: start })
}

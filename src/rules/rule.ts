import type { Database } from '../database/open-database.ts'
import type { Place } from '../errors.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import type { RuleCode } from '../rule-codes.ts'
import type { RecordSelect } from './sql/select-records.ts'

/** An error stops an import or loses something, a warning may, a note is worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** For whom an archive is checked. */
export const PROFILES = {
  gei: 'the GitHub Enterprise Importer',
  'ghe-migrator': 'the ghe-migrator of an enterprise server',
  strict: 'any importer',
} as const

export type Profile = keyof typeof PROFILES

export const isProfile = (name: string): name is Profile => Object.hasOwn(PROFILES, name)

/**
 * How a rule is known: documented by an importer, by those who wrote for one, or by a standard; or only seen, in so many
 * records or archives. Only a documented rule may be an error.
 */
export type Evidence = 'documented' | { readonly seenIn: string }

export const describeEvidence = (evidence: Evidence): string =>
  evidence === 'documented' ? evidence : `seen in ${evidence.seenIn}`

/** One thing to look at in a database: list, documentation, report and tests follow from it. */
export interface Check {
  readonly code: string
  /** How bad it is, for all alike or by profile; `off` where a profile does not look. */
  readonly severity: Severity | Readonly<Record<Profile, Severity | 'off'>>
  /** Why it matters, in one line. */
  readonly summary: string
  readonly evidence: Evidence
  /** Where the rule is from. */
  readonly source: string
  /** Contents of files without which it cannot look at everything. */
  readonly needs?: NeededContents
  run(database: Database, faults: Faults): void
}

/** A rule for archives: `run` asks a database whether it is kept, `test` a single record that is to be written. */
export interface Rule extends Check {
  readonly code: RuleCode
  /** Where a record breaks the rule. Absent where what is written is judged as a whole, not record by record. */
  readonly test?: (subject: Subject) => readonly Breach[]
}

/** The member that breaks a rule, and how. */
export interface Breach {
  readonly member: string
  readonly message: string
}

/** A record and what surrounds it. */
export interface Subject {
  /** Name of the kind, such as `issues`. */
  readonly name: string
  readonly kind: Kind
  readonly record: JsonObject
  readonly place: Place
  /** The forms of URLs by kind. */
  readonly patterns: ReadonlyMap<string, RegExp>
  readonly world: World
}

/** What is known of other records while one is tested. */
export interface World {
  /** Notes a record, or a label; false if another one has its URL. */
  add(table: string, url: string): boolean
  has(table: string, url: string): boolean
  /** Whether there is any record of the kind that can be referred to. */
  hasAny(table: string): boolean
  /** False if no record of these tables has the URL. An exporter decides that when it has seen all records. */
  resolve(url: string, tables: readonly string[], waiting: () => Waiting): boolean
  /** Notes that a record names a file; false if another one does. */
  name(path: string, waiting: Waiting, date: string | undefined): boolean
}

/** A breach that counts unless a record or file is found. */
export interface Waiting {
  code: RuleCode
  place: Place
  message: string
}

/** Contents of files that a check reads: of packs and objects, of the indexes of packs, or of uploads. */
export type NeededContents = 'objects' | 'pack-indexes' | 'uploads'

/** Where a fault is, as far as that can be said, and what it is. */
export interface Fault {
  /** The table of the record. */
  kind: string | null
  url: string | null
  entry: string | null
  /** Place of the record in that entry, from 1. */
  record: number | null
  message: string
}

/** A fault as a check reports it: what is left out is not known. */
export type GivenFault = Partial<Fault> & Pick<Fault, 'message'>

/** Takes the faults that a check finds. */
export interface Faults {
  add(fault: GivenFault): void
  /** Every fault that such a generator yields. It runs once to count, and again to list the places. */
  addEach(read: () => Iterable<GivenFault>): void
  /**
   * Every row of a SELECT with the columns kind, url, entry, record, message; or such records of a table, which
   * are looked for together with those of other checks, in one pass.
   */
  addAll(select: string | RecordSelect, ...values: unknown[]): void
}

/** How bad a check is for a profile. */
export const severityOf = ({ severity }: Pick<Check, 'severity'>, profile: Profile) =>
  typeof severity === 'string' ? severity : severity[profile]

/** Says what is wrong with which record. */
export function describeBreach(
  { name, record }: Pick<Subject, 'name' | 'record'>,
  { member, message }: Breach,
): string {
  const { url } = record
  return `${name}${typeof url === 'string' ? ` ${url}` : ''}: ${member} ${message}`
}

/** A value as a message shows it. */
export function shownValue(value: JsonValue): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

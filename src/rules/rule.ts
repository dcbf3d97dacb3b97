import type { Place } from '../base/errors.ts'
import type { RuleCode } from '../base/rule-codes.ts'
import type { Database } from '../database/open-database.ts'
import type { JsonObject, JsonValue } from '../records/json/json.ts'
import type { Kind } from '../records/kinds/kind.ts'
import type { RecordSelect } from './sql/record-select.ts'

/** An error stops an import or loses data, a warning may, a note is worth knowing. */
export type Severity = 'error' | 'warning' | 'note'

/** Importers that an archive can be checked for. */
export const PROFILES = {
  gei: 'the GitHub Enterprise Importer',
  'ghe-migrator': 'the ghe-migrator of an enterprise server',
  strict: 'any importer',
} as const

/** The importer to check for: a key of `PROFILES`. */
export type Profile = keyof typeof PROFILES

/**
 * How a rule is known: documented by an importer, an exporter or a standard, or only observed in a number of records or
 * archives. Only a documented rule may be an error.
 */
export type Evidence = 'documented' | { readonly seenIn: string }

export const describeEvidence = (evidence: Evidence): string =>
  evidence === 'documented' ? evidence : `seen in ${evidence.seenIn}`

/** One thing to examine in a database. The list, documentation, report and tests follow from it. */
export interface Check {
  /** Identifies the check, and its findings. */
  readonly code: string
  /** The severity, for all profiles or by profile; `off` if a profile skips the check. */
  readonly severity: Severity | Readonly<Record<Profile, Severity | 'off'>>
  /** Why it matters, in one line. */
  readonly summary: string
  /** How the rule is known. */
  readonly evidence: Evidence
  /** Where the rule comes from. */
  readonly source: string
  /** Contents of files that it needs to examine everything. */
  readonly needs?: NeededContents
  /** Adds to `faults` all faults in a database. */
  run(database: Database, faults: Faults): void
}

/** A rule for archives: `run` tests the records of a database, `test` a single record that is to be written. */
export interface Rule extends Check {
  /** Identifies the rule, and its breaches. */
  readonly code: RuleCode
  /** The breaches of the rule by a record. Absent if a rule is about the archive as a whole. */
  readonly test?: (subject: Subject) => readonly Breach[]
}

/** A member that breaks a rule. */
export interface Breach {
  readonly member: string
  readonly message: string
}

/** A record to test, with its context. */
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

/** The other records, while one is tested. */
export interface World {
  /** Adds a record or label; false if another one has its URL. */
  add(table: string, url: string): boolean
  has(table: string, url: string): boolean
  /** Whether the kind has any record with a URL. */
  hasAny(table: string): boolean
  /** False if no record of these tables has the URL. An exporter answers true and decides when it has seen all records. */
  resolve(url: string, tables: readonly string[], waiting: () => Waiting): boolean
  /** Adds the path of a file that a record names; false if another record names it. */
  name(path: string, waiting: Waiting, date: string | undefined): boolean
}

/** A breach, unless the missing record or file is found later. */
export interface Waiting {
  code: RuleCode
  place: Place
  message: string
}

/** The contents of files that a check reads. */
export type NeededContents = 'objects' | 'pack-indexes' | 'uploads'

/** A fault and its place, as far as known. */
export interface Fault {
  /** The name of the archive, if there are several and it is known. */
  archive: string | null
  /** The table of the record. */
  kind: string | null
  /** URL of the record. */
  url: string | null
  /** Path of the entry in the archive. */
  entry: string | null
  /** Number of the record in that entry, from 1. */
  record: number | null
  /** The description of the breach. */
  message: string
}

/** A fault as a check reports it: omitted fields are unknown, and the archive is its `archives.id`. */
export type GivenFault = Partial<Omit<Fault, 'archive'>> &
  Pick<Fault, 'message'> & { archive?: number | null }

/** Receives the faults that a check finds. */
export interface Faults {
  /** Adds a fault. */
  add(fault: GivenFault): void
  /** Adds every fault that the generator yields. It runs once to count, and again to list the places. */
  addEach(read: () => Iterable<GivenFault>): void
  /**
   * Adds every row of a SELECT with the columns kind, url, entry, record, message, and maybe archive; or records of a table, which are found
   * together with those of other checks in one pass.
   */
  addAll(select: string | RecordSelect, ...values: unknown[]): void
}

/** The severity of a check in a profile. */
export const severityOf = ({ severity }: Pick<Check, 'severity'>, profile: Profile) =>
  typeof severity === 'string' ? severity : severity[profile]

/** A breach in words, with the record. */
export function describeBreach(
  { name, record }: Pick<Subject, 'name' | 'record'>,
  { member, message }: Breach,
): string {
  const { url } = record
  return `${name}${typeof url === 'string' ? ` ${url}` : ''}: ${member} ${message}`
}

/** A value as messages show it. */
export function shownValue(value: JsonValue): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

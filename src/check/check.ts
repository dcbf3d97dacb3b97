import type { Database } from '../database/open-database.ts'
import type { RecordSelect } from './select-records.ts'

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

/** One thing to look at: the entry from which list, documentation, report and tests follow. */
export interface Check {
  readonly code: string
  /** How bad it is, for all alike or by profile; `off` where a profile does not look. */
  readonly severity: Severity | Readonly<Record<Profile, Severity | 'off'>>
  /** Why it matters, in one line. */
  readonly summary: string
  /** Where the rule is from. */
  readonly source: string
  /** Contents of files without which it cannot look at everything. */
  readonly needs?: NeededContents
  run(database: Database, faults: Faults): void
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
export const severityOf = ({ severity }: Check, profile: Profile): Severity | 'off' =>
  typeof severity === 'string' ? severity : severity[profile]

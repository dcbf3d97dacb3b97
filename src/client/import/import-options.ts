import {
  aFlag,
  aFunction,
  anOpenDatabase,
  aPath,
  integerFrom,
  oneOf,
  type Shapes,
} from '../../base/check-arguments.ts'
import type { Database } from '../../database/open-database.ts'
import type { ClientOptions } from '../client-options.ts'
import type { ImportState } from './importer.ts'
import type { ImportLog } from './read-log.ts'

const MIB = 2 ** 20
const VISIBILITIES = ['private', 'internal', 'public'] as const
/** The smallest and the largest part that hosts take. */
export const PART_SIZES = { least: 5 * MIB, most: 1024 * MIB, usual: 100 * MIB } as const

/** How far the work on one repository is. */
export interface ImportProgress {
  /** The repository in the archive. */
  from: string
  /** The step that is under way: `building` an archive for the repository, or `uploading` one. */
  step: 'building' | 'uploading'
  /** Bytes so far. */
  bytes: number
  /** Bytes of the archive; undefined while it is built. */
  total: number | undefined
}

/** Options for all imports of one archive. */
export interface ImportSetup extends ClientOptions {
  /** The organization that shall own the repository. */
  organization: string
  /** Base address of the host that takes uploads. Default: that of the public hosts, or the server itself. */
  uploads?: string | undefined
  /** An open database that the archives were loaded into, with their files. Default: a temporary one is made. */
  database?: Database | undefined
  /** Import even if the check finds errors. */
  allowInvalid?: boolean | undefined
  /** Bytes of a part, from 5 MiB to 1 GiB. Default 100 MiB. */
  partSize?: number | undefined
  /** Only say what would be done: nothing is uploaded. */
  dryRun?: boolean | undefined
  /** Wait until the import has ended, and read its log. */
  wait?: boolean | undefined
  /** Milliseconds after which to give up the wait. Default 24 hours. */
  timeout?: number | undefined
  /** Milliseconds between polls. Default: 2 seconds at first, and up to a minute later. */
  interval?: number | undefined
  /** Who may see the repository. Default `private`. */
  visibility?: (typeof VISIBILITIES)[number] | undefined
  /** Leave out releases. */
  skipReleases?: boolean | undefined
  /** Called with the bytes of each step. */
  progress?: ((done: ImportProgress) => void) | undefined
  /** Called whenever the state of an import has changed. */
  onState?: ((from: string, state: ImportState, milliseconds: number) => void) | undefined
}

/** Options for one repository. */
export interface ImportTarget {
  /** The name of the repository in the organization. */
  repository: string
  /** The repository in the archive, as owner/name. Default: the only one, that with `sourceUrl`, or that of the same name. */
  from?: string | undefined
  /** The address that the repository had. Default: as in its record. */
  sourceUrl?: string | undefined
  /** File to write the log of the import to, which is overwritten. Needs `wait`. */
  log?: string | undefined
}

/** Options for the import of one repository of an archive. */
export interface ImportOptions extends ImportSetup, ImportTarget {}

/** The shapes of these options, for a check of arguments. */
export const IMPORT_SHAPES: Shapes<Omit<ImportOptions, keyof ClientOptions>> = {
  repository: aPath,
  from: aPath,
  sourceUrl: aPath,
  log: aPath,
  uploads: aPath,
  database: anOpenDatabase,
  allowInvalid: aFlag,
  partSize: integerFrom(PART_SIZES.least, PART_SIZES.most),
  dryRun: aFlag,
  wait: aFlag,
  timeout: integerFrom(0, 2 ** 31 - 1),
  interval: integerFrom(0, 2 ** 31 - 1),
  visibility: oneOf(...VISIBILITIES),
  skipReleases: aFlag,
  progress: aFunction,
  onState: aFunction,
}

/** The import of one repository. */
export interface ImportedRepository {
  /** The repository in the archive, as owner/name. */
  from: string
  /** The repository on the server, as owner/name. */
  repository: string
  /** The archives that were uploaded: one, or Git data and then records. */
  archives: { path: string; bytes: number }[]
  /**
   * Whether the server had imported a repository of this name from the same address before, so that nothing was done now. It does not
   * tell from which archive: `validateArchive` compares them.
   */
  importedBefore: boolean
  /** The id of the import on the server; null with `dryRun`. */
  migration: string | null
  /** Its state; null with `dryRun`. */
  state: ImportState | null
  /** Why it failed, in the words of the server. */
  failureReason: string | null
  /** Its log; null without `wait`, or if the server has none. */
  log: ImportLog | null
}

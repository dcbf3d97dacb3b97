import {
  aFlag,
  aFunction,
  aSignal,
  aText,
  is,
  listOf,
  oneOf,
  type Shapes,
} from '../../check-arguments.ts'
import { SELECTION_SHAPES, type Selection } from '../../database/rows/selection.ts'
import type { OutputOptions } from '../write-output.ts'
import { WHAT, type What } from './detect.ts'
import type { ValueType } from './finding.ts'
import { MODES, type Mode } from './pseudonyms.ts'

export const ATTACHMENTS = ['keep', 'scan', 'drop'] as const
export const GIT = ['keep', 'drop', 'authors'] as const

/** The values to remove, their replacements, and the records to write. */
export interface RedactOptions extends Selection, OutputOptions {
  /** The values to take out. Default emails, names, ips and secrets. */
  what?: readonly What[] | undefined
  /** The replacement. Default `pseudonym`. */
  mode?: Mode | undefined
  /** 32 bytes or more: the same key gives the same pseudonyms. Default: a random one, kept nowhere. */
  key?: Uint8Array | undefined
  /** Keep the domains of addresses. */
  keepDomain?: boolean | undefined
  /** Values that stay: addresses, domains, logins, names, IPs. */
  keep?: readonly string[] | undefined
  /** Words and /patterns/ to take out as well. */
  also?: readonly string[] | undefined
  /** `scan` looks into text files and strips pictures of metadata; `drop` replaces the contents of all files. */
  attachments?: (typeof ATTACHMENTS)[number] | undefined
  /** Git data: `keep` it as it is, `drop` it, or rewrite the `authors` of commits and tags, which get new ids. Default `keep`. */
  git?: (typeof GIT)[number] | undefined
}

export const REDACT_SHAPES: Shapes<RedactOptions> = {
  ...SELECTION_SHAPES,
  what: listOf(oneOf(...WHAT)),
  mode: oneOf(...MODES),
  key: is('a Uint8Array', (value) => value instanceof Uint8Array),
  ...{ keepDomain: aFlag, keep: listOf(aText), also: listOf(aText) },
  ...{ attachments: oneOf(...ATTACHMENTS), git: oneOf(...GIT) },
  ...{ force: aFlag, report: aFunction, signal: aSignal },
}

/** Where a value was, without the value. */
export interface RedactedPlace {
  /** The type of the value. */
  type: ValueType
  /** The form of a secret. */
  name?: string
  /** The kind of a record, or `files`. */
  kind: string
  /** The member that held it, such as `body` or `emails[].address`. */
  member: string
  /** Path of the entry in the archive; null if the record was not loaded from one. */
  entry: string | null
  /** Number of the record in the entry, from 1. */
  record: number | null
  /** Characters before it in the string. */
  offset: number
}

/** Counts and places of the values that were removed, and the files that were not scanned. It holds no value. */
export interface RedactReport {
  /** By type of value. */
  counts: Partial<Record<ValueType, number>>
  /** By kind and member, such as `users.emails[].address`. */
  members: Record<string, number>
  /** Changed records by table. */
  records: Record<string, number>
  /** The first thousand. */
  places: RedactedPlace[]
  /** Values that may be something else, such as versions: they stayed. */
  doubtful: { count: number; places: RedactedPlace[] }
  /** Files except Git data. */
  files: {
    /** How contents were treated. */
    state: (typeof ATTACHMENTS)[number]
    changed: number
    dropped: number
    /** Contents that were not looked into: the first thousand paths. */
    unread: { count: number; paths: string[] }
    /** Contents that the database does not have. */
    missing: number
  }
  /** Git data. */
  git: {
    state: 'kept' | 'dropped' | 'rewritten' | 'none'
    /** Addresses of authors, if commits are indexed. */
    authors: number | null
    inRecords: number | null
    /** Commits and tags with a new id. */
    rewritten: number
  }
  /** IPv4 addresses that share their pseudonym with another. */
  collisions: number
  /** Whether the output, except Git objects, was searched for everything that was removed. */
  proved: boolean
}

import {
  aFlag,
  aFunction,
  aSignal,
  aText,
  is,
  listOf,
  oneOf,
  type Shapes,
} from '../../base/check-arguments.ts'
import { SELECTION_SHAPES, type Selection } from '../../database/rows/selection.ts'
import type { OutputOptions } from '../write-output.ts'
import { WHAT, type What } from './detect.ts'
import type { ValueType } from './finding.ts'
import type { GitPart } from './git-parts.ts'
import { MODES, type Mode } from './pseudonyms.ts'

export const ATTACHMENTS = ['keep', 'scan', 'drop'] as const
export const GIT = ['authors', 'history', 'keep', 'drop'] as const

/** A change to a part of Git data. */
export interface GitPartReport {
  /** What became of it; `clean` if nothing was found. */
  state: 'cleaned' | 'clean' | 'not searched' | 'left as it is' | 'left out'
  /** The number of different values found in it; of what was left out, the number of files or signatures. */
  values: number
  /** How many of its files were not searched; for names, how many folders. */
  notSearched: number
  /** How many of its files were left out, if any: those that cannot be read, or that Git does not use. */
  leftOut?: number
}

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
  /**
   * `scan` looks into texts, also within gzip, zip and office files, strips pictures of metadata, and replaces the contents of
   * files that it cannot read; `drop` replaces the contents of all files.
   */
  attachments?: (typeof ATTACHMENTS)[number] | undefined
  /** Paths of files whose contents are replaced, whatever becomes of the others. */
  dropFiles?: readonly string[] | undefined
  /** Keep the contents of files that cannot be read, such as PDF and video, also in a history that is rewritten. */
  keepUnread?: boolean | undefined
  /**
   * Git data: rewrite the `authors` and messages of commits and tags, which get new ids, and settings and notes; the `history` with names
   * and contents of files as well; `keep` all as it is; or `drop` it. Default `authors`.
   */
  git?: (typeof GIT)[number] | undefined
}

export const REDACT_SHAPES: Shapes<RedactOptions> = {
  ...SELECTION_SHAPES,
  what: listOf(oneOf(...WHAT)),
  mode: oneOf(...MODES),
  key: is('a Uint8Array', (value) => value instanceof Uint8Array),
  keepDomain: aFlag,
  keep: listOf(aText),
  also: listOf(aText),
  dropFiles: listOf(aText),
  attachments: oneOf(...ATTACHMENTS),
  keepUnread: aFlag,
  git: oneOf(...GIT),
  force: aFlag,
  report: aFunction,
  signal: aSignal,
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
  /** What was looked for. */
  what: What[]
  /** By type of value. */
  counts: Partial<Record<ValueType, number>>
  /** By kind and member, such as `users.emails[].address`. */
  members: Record<string, number>
  /** Changed records by table. */
  records: Record<string, number>
  /** The first thousand. */
  places: RedactedPlace[]
  /**
   * Values that may be something else, such as versions: they stayed. So many of them, `alsoRemoved`, were removed elsewhere: the
   * proof does not look for these, since it cannot tell the places apart.
   */
  doubtful: { count: number; alsoRemoved: number; places: RedactedPlace[] }
  /** Files except Git data. */
  files: {
    /** How contents were treated. */
    state: (typeof ATTACHMENTS)[number]
    changed: number
    dropped: number
    /** Whether there was an audit log, which is always left out. */
    auditLog: boolean
    /** Contents that were not read, also within zip files: how many of each type, and the first thousand paths. */
    unread: { count: number; types: Record<string, number>; paths: string[]; kept: boolean }
    /** Contents that the database does not have. */
    missing: number
  }
  /** Git data. */
  git: {
    state: 'kept' | 'dropped' | 'rewritten' | 'none'
    /** Commits and tags with a new id. */
    rewritten: number
    /** Different values by type, in all parts that were searched. */
    counts: Partial<Record<ValueType, number>>
    /**
     * Files of the history that cannot be read: how many of each type, the first thousand names, and whether they were kept. Else
     * their contents were replaced.
     */
    unread: { count: number; types: Record<string, number>; paths: string[]; kept: boolean }
    /** Repositories that were kept, and whose objects could not be searched, since some are missing or damaged. */
    unreadable: number
    /** Each part, if there is Git data. */
    parts: Partial<Record<GitPart, GitPartReport>>
  }
  /** Ways of writing a value in which it is not found, whatever the archive. */
  notUndone: readonly string[]
  /** IPv4 addresses that share their pseudonym with another. */
  collisions: number
  /** Whether the output, except Git objects, was searched for everything that was removed. */
  proved: boolean
}

/** Ways of writing a value in which it is not found, as the report names them. The guide has the same list. */
export const WAYS_NOT_UNDONE = [
  'dumps with columns, such as those of xxd',
  'lists of the numbers of bytes',
  'base32, base85 and uuencode',
  'text backwards or with exchanged letters, such as rot13',
  'strings that functions join, such as chr(64), or with different quotes',
  'zip in base64, and hexadecimal digits with spaces or colons between them',
  'letters of other alphabets that look alike, and text typed over itself, as in manual pages',
  'tokens with fewer than six characters before or after a line break',
  'passwords in arguments of programs, but for those named --password or --token and of the best known, and short values of cookies',
  'passwords in URLs that have brackets, quotes or, but for servers of databases, a slash, as they are or with escapes where the at sign has one as well',
  'passwords behind a space in tables, in lines of pgpass files with a port other than 5432, and behind the word pass and a colon without quotes',
  'passwords on another line than their name where each line begins with a sign, as in comments',
  'soft line breaks of mail within a value, in texts that have nothing else of mail',
  'addresses with comments other than beside the at sign',
  'addresses with spaces around the at sign, or with other words for it, such as #at#',
  'names with joined words or a middle name in full, or with an initial for a word',
  'names without their accents, with tags or members between their words, or with letters attached, as of another script',
  'addresses in words, names with an initial, and passwords and tokens behind a space, in names of branches and tags',
  'IPv4 addresses in names of hosts that do not begin with ec2- or ip-, in octal or hexadecimal numbers, or with two numbers',
  'IPv6 addresses in names of hosts',
  'metadata of pictures in base64 of 1 MiB or more',
  'pictures of text',
] as const

/** A file as it is in a tree. */
export interface FileState {
  readonly path: string
  readonly mode: string
  readonly oid: string
}

/** What became of a file: added, deleted, modified, its type changed, renamed. */
export interface Change {
  readonly status: 'A' | 'D' | 'M' | 'T' | 'R'
  /** Where it is now, or was if it was deleted. */
  readonly path: string
  readonly before: FileState | undefined
  readonly after: FileState | undefined
  /** Of a renamed file, how much of it is as it was, in percent. */
  readonly similarity?: number
}

/** What a change has in addition while it is compared: the path a byte a character, by which it is sorted. */
export type RawChange = Change & { readonly bytes: string }

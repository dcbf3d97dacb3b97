/** How far an archive was read, in bytes. */
export interface ReadProgress {
  /** Offset in the file. */
  file: number
  /** Offset in the tar. */
  length: number
  /** The end of the last complete entry in the tar. */
  endOfEntry: number
}

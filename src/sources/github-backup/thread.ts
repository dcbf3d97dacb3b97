import type { Unclaimed } from './named-files.ts'
import type { Repository } from './repository.ts'

/** A thread whose records are being made. */
export interface Thread {
  repository: Repository
  /** The member of other records that names it. */
  parent: 'issue' | 'pull_request' | 'discussion'
  url: string
  number: number
  entry: string
  created_at: string
  updated_at: string | null
  /** Its uploads that no text was found to link to. */
  uploads: Unclaimed
}

/** Where the number of a thread is told. */
export const NAME_OF_FILE = 'the name of the file'

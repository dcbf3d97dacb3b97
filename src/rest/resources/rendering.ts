import type { Viewer } from '../../reading/people/viewer.ts'
import type { IndexedReader } from '../../reading/reader.ts'

/** The data that a resource needs in addition to its row. */
export interface Rendering {
  readonly reader: IndexedReader
  /** The address before the path of every API address. */
  readonly base: string
  /** The same without `/api/v3`. */
  readonly origin: string
  readonly viewer: Viewer
}

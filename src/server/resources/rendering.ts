import type { Viewer } from '../catalog/permissions.ts'
import type { CatalogReader } from '../catalog/reader.ts'

/** The data that a resource needs in addition to its row. */
export interface Rendering {
  readonly reader: CatalogReader
  /** The address before the path of every API address. */
  readonly base: string
  /** The same without `/api/v3`. */
  readonly origin: string
  readonly viewer: Viewer
}

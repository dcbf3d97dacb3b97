import type { WrittenFolder } from '../written-folder.ts'
import type { LinkSources } from './folder-links.ts'

/** All functions that write files need this. */
export interface Writing extends LinkSources {
  readonly output: WrittenFolder
  readonly signal: AbortSignal | undefined
  /** Is called after every file. */
  readonly progress: () => void
}

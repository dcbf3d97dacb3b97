import type { Token } from '../access/accounts.ts'

/** What callers change. */
export interface State {
  /** A token that was made through the interface. */
  findToken(sha256: string): Token | undefined
  close(): void | Promise<void>
}

/** A state in which nothing was changed yet, and nothing can be. */
export const EMPTY_STATE: State = { findToken: () => undefined, close: () => {} }

import type { Caller } from '../access/caller.ts'

/** Whose requests are counted together: those of an account, or of an address of strangers. */
export const quotaKey = (caller: Caller | undefined, remoteAddress: string): string =>
  caller ? `account ${caller.login.toLowerCase()}` : `address ${remoteAddress}`

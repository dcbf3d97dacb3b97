/** How a derived column follows from others, in words of the records; the database says it in SQL. */
export type Derivation =
  | { readonly how: 'number-at-end'; readonly of: string }
  | { readonly how: 'last-part'; readonly of: string }
  | { readonly how: 'member'; readonly of: string; readonly member: string }
  | { readonly how: 'first-of'; readonly of: readonly string[] }
  | { readonly how: 'before-fragment'; readonly of: string }
  | { readonly how: 'repository-of-thread'; readonly of: string }
  | { readonly how: 'full-name'; readonly of: string }
  | {
      readonly how: 'word'
      readonly of: string
      readonly words: { readonly [value: number]: string }
    }
  | { readonly how: 'state'; readonly closed: string; readonly merged?: string }

/** `…/issues/12` → 12 */
export const numberAtEnd = (of: string): Derivation => ({ how: 'number-at-end', of })
/** `https://H/ada` → `ada` */
export const lastPart = (of: string): Derivation => ({ how: 'last-part', of })
/** A member of an object column. */
export const memberOf = (of: string, member: string): Derivation => ({ how: 'member', of, member })
/** The first of these columns that is not NULL. */
export const firstOf = (...of: readonly string[]): Derivation => ({ how: 'first-of', of })
/** `…/issues/12#issuecomment-5` → `…/issues/12`; `…/pull/3/files#r7` → `…/pull/3` */
export const beforeFragment = (of: string): Derivation => ({ how: 'before-fragment', of })
/** `https://H/o/r/issues/12` → `https://H/o/r` */
export const repositoryOfThread = (of: string): Derivation => ({ how: 'repository-of-thread', of })
/** `https://H/o/r` → `o/r` */
export const fullName = (of: string): Derivation => ({ how: 'full-name', of })
/** A word for each known integer. */
export const wordFor = (of: string, words: { readonly [value: number]: string }): Derivation => ({
  how: 'word',
  of,
  words,
})
/** `merged`, `closed` or `open`, by which dates are set. */
export const stateBy = (dates: { closed: string; merged?: string }): Derivation => ({
  how: 'state',
  ...dates,
})

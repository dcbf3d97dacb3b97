/** Tests that need what a machine may not have: programs, a browser, engines. */

import { env } from 'node:process'
import { describe } from 'vitest'

/** A variable that, set to `required` as in CI, makes a test fail where it would be skipped. */
export type Need = 'MARC_TOOLS' | 'MARC_BROWSER' | 'MARC_ENGINES' | 'MARC_BINARY'

/** Whether what is missing is a fault, and not a reason to skip tests. */
export const isRequired = (need: Need): boolean => env[need] === 'required'

/**
 * Describes tests, or skips them with a sentence.
 *
 * @param missing what this machine lacks, and how to get it; undefined if all is there
 */
export function describeWhere(
  name: string,
  need: Need,
  missing: string | undefined,
  tests: () => void,
): void {
  if (missing === undefined || isRequired(need)) describe(name, tests)
  else describe.skip(`${name}: ${missing}`, tests)
}

import { ArchiveError, type Place, type Report } from '../base/errors.ts'
import type { RuleCode } from '../base/rule-codes.ts'
import { isRefusing } from './rules.ts'

/** Decides whether a breach is thrown or reported. */
export type EnforceRule = (code: RuleCode, place: Place, message: string) => void

/** Throws a breach of a documented rule, or with `allowInvalid` reports it. Reports a breach of any other rule. */
export const createEnforcer =
  (allowInvalid: boolean, report: Report | undefined): EnforceRule =>
  (code, place, message) => {
    if (!allowInvalid && isRefusing(code)) throw new ArchiveError(code, message, place)
    report?.({ code, place, message })
  }

import { ArchiveError, type Place, type Report } from '../errors.ts'
import type { RuleCode } from '../rule-codes.ts'
import { isRefusing } from '../rules/rules.ts'

/** Decides whether a breach is thrown or reported. */
export type Judge = (code: RuleCode, place: Place, message: string) => void

/** Throws a breach of a documented rule, or with `allowInvalid` reports it. Reports a breach of any other rule. */
export const openJudge =
  (allowInvalid: boolean, report: Report | undefined): Judge =>
  (code, place, message) => {
    if (!allowInvalid && isRefusing(code)) throw new ArchiveError(code, message, place)
    report?.({ code, place, message })
  }

import { ArchiveError, type Place, type Report, type RuleCode } from '../errors.ts'
import { isRefusing } from '../rules/rules.ts'

/** Decides what becomes of a broken rule. */
export type Judge = (code: RuleCode, place: Place, message: string) => void

/** Throws what breaks a documented rule, or with `force` reports it. Reports what breaks a rule that is only seen to be kept. */
export const openJudge =
  (force: boolean, report: Report | undefined): Judge =>
  (code, place, message) => {
    if (!force && isRefusing(code)) throw new ArchiveError(code, message, place)
    report?.({ code, place, message })
  }

import { ArchiveError, type Place, type Report, type RuleCode } from '../errors.ts'

/** Decides what becomes of a broken rule. */
export type Judge = (code: RuleCode, place: Place, message: string) => void

/** Throws what breaks a rule, or with `force` reports it. */
export const openJudge =
  (force: boolean, report: Report | undefined): Judge =>
  (code, place, message) => {
    if (!force) throw new ArchiveError(code, message, place)
    report?.({ code, place, message })
  }

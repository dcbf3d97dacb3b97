import type { RuleCode } from '../base/rule-codes.ts'
import { fileRules } from './files.ts'
import { knownValueRules } from './known-values.ts'
import { listRules } from './lists.ts'
import { requiredMemberRules } from './members.ts'
import { nameRules } from './names.ts'
import { refNameRules } from './ref-names.ts'
import { referenceRules } from './references.ts'
import { describeBreach, type Rule, type Subject, severityOf } from './rule.ts'
import { typeRules } from './types.ts'
import { urlRules } from './urls.ts'
import { valueRules } from './values.ts'
import { wikiRules } from './wikis.ts'

/** The table of rules for archives, one per code. Check, build and export all run these. */
export const RULES: readonly Rule[] = [
  ...requiredMemberRules,
  ...typeRules,
  ...listRules,
  ...urlRules,
  ...nameRules,
  ...valueRules,
  ...knownValueRules,
  ...refNameRules,
  ...referenceRules,
  ...wikiRules,
  ...fileRules,
]

const REFUSING: ReadonlySet<string> = new Set(
  RULES.filter((rule) => severityOf(rule, 'gei') === 'error').map(({ code }) => code),
)

/** Whether build and export refuse to break the rule. Breaches of rules that are only observed are reported. */
export const isRefusing = (code: RuleCode): boolean => REFUSING.has(code)

/** Reports every breach of these rules by a record. */
export function testRecord(
  subject: Subject,
  report: (code: RuleCode, place: Subject['place'], message: string) => void,
  rules = RULES,
): void {
  for (const { code, test } of rules) {
    for (const breach of test?.(subject) ?? []) {
      const place = { ...subject.place, member: breach.member }
      report(code, place, describeBreach(subject, breach))
    }
  }
}

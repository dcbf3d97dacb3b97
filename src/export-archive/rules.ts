import type { Judge } from './judge.ts'
import { describeBreach, type Rule, type Subject } from './rule.ts'
import { MEMBER_RULES } from './rules/member-rules.ts'
import { RECORD_RULES } from './rules/record-rules.ts'
import { WORLD_RULES } from './rules/world-rules.ts'

/** The table of rules that records must keep to, one for each code. */
export const RULES: readonly Rule[] = [...RECORD_RULES, ...MEMBER_RULES, ...WORLD_RULES]

/** Tells the judge of every rule that a record breaks, of all or of those given. */
export function holdAgainstRules(subject: Subject, judge: Judge, rules = RULES): void {
  for (const { code, test } of rules) {
    for (const breach of test(subject)) {
      const place = { ...subject.place, member: breach.member }
      judge(code, place, describeBreach(subject, breach))
    }
  }
}

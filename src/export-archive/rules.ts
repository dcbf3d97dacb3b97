import type { Rule } from './rule.ts'
import { MEMBER_RULES } from './rules/member-rules.ts'
import { RECORD_RULES } from './rules/record-rules.ts'
import { WORLD_RULES } from './rules/world-rules.ts'

/** The table of rules that records must keep to, one for each code. */
export const RULES: readonly Rule[] = [...RECORD_RULES, ...MEMBER_RULES, ...WORLD_RULES]

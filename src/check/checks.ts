import { referenceChecks } from '../rules/references.ts'
import type { Check } from '../rules/rule.ts'
import { RULES } from '../rules/rules.ts'
import { containerChecks } from './container.ts'
import { entryChecks } from './entries.ts'
import { gitCommitChecks } from './git-commits.ts'
import { gitDataChecks } from './git-data.ts'
import { gitRefChecks } from './git-refs.ts'
import { limitChecks } from './limits.ts'
import { memberChecks } from './members.ts'
import { recordFileChecks } from './record-files.ts'
import { repositoryChecks } from './repositories.ts'
import { schemaChecks } from './schema-file.ts'
import { uploadChecks } from './uploads.ts'

/** The table of checks, from the outside of an archive to its inside. */
export const CHECKS: readonly Check[] = [
  ...containerChecks,
  ...limitChecks,
  ...entryChecks,
  ...recordFileChecks,
  ...schemaChecks,
  ...memberChecks,
  ...RULES,
  ...referenceChecks,
  ...repositoryChecks,
  ...gitDataChecks,
  ...gitRefChecks,
  ...gitCommitChecks,
  ...uploadChecks,
]

export const isCheckCode = (code: string): boolean => CHECKS.some((check) => check.code === code)

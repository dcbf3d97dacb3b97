import { referenceChecks } from '../../rules/references.ts'
import type { Check } from '../../rules/rule.ts'
import { RULES } from '../../rules/rules.ts'
import { containerChecks } from './container.ts'
import { entryChecks } from './entries.ts'
import { gitCommitChecks } from './git-commits.ts'
import { gitDataChecks } from './git-data.ts'
import { CHECK_GROUPS, gitFaultChecks } from './git-faults.ts'
import { gitRefChecks } from './git-refs.ts'
import { hostChecks } from './hosts.ts'
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
  ...hostChecks,
  ...referenceChecks,
  ...repositoryChecks,
  ...gitDataChecks,
  ...gitFaultChecks,
  ...gitRefChecks,
  ...gitCommitChecks,
  ...uploadChecks,
]

/** All codes of checks, and the names of groups of them. */
export const CHECK_NAMES: readonly string[] = [
  ...CHECKS.map(({ code }) => code),
  ...Object.keys(CHECK_GROUPS),
]

/** The codes of the checks with these names. */
export const codesOfChecks = (names: readonly string[]): string[] =>
  names.flatMap((name) => CHECK_GROUPS[name] ?? name)

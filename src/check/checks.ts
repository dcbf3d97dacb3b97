import { referenceChecks } from '../rules/references.ts'
import type { Check } from '../rules/rule.ts'
import { RULES } from '../rules/rules.ts'
import { attachmentChecks } from './attachments.ts'
import { containerChecks } from './container.ts'
import { entryChecks } from './entries.ts'
import { gitCommitChecks } from './git-commits.ts'
import { gitDataChecks } from './git-data.ts'
import { gitRefChecks } from './git-refs.ts'
import { limitChecks } from './limits.ts'
import { memberChecks } from './members.ts'
import { pullRequestChecks } from './pull-requests.ts'
import { recordFileChecks } from './record-files.ts'
import { repositoryChecks } from './repositories.ts'
import { reviewChecks } from './reviews.ts'
import { schemaChecks } from './schema-file.ts'
import { uploadContentChecks } from './upload-contents.ts'
import { uploadLinkChecks } from './upload-links.ts'

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
  ...pullRequestChecks,
  ...reviewChecks,
  ...gitDataChecks,
  ...gitRefChecks,
  ...gitCommitChecks,
  ...attachmentChecks,
  ...uploadContentChecks,
  ...uploadLinkChecks,
]

export const isCheckCode = (code: string): boolean => CHECKS.some((check) => check.code === code)

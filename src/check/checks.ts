import { attachmentChecks } from './attachments.ts'
import type { Check } from './check.ts'
import { containerChecks } from './container.ts'
import { entryChecks } from './entries.ts'
import { fileChecks } from './files.ts'
import { gitCommitChecks } from './git-commits.ts'
import { gitDataChecks } from './git-data.ts'
import { gitRefChecks } from './git-refs.ts'
import { limitChecks } from './limits.ts'
import { memberTypeChecks } from './member-types.ts'
import { memberChecks } from './members.ts'
import { pullRequestChecks } from './pull-requests.ts'
import { urlChecks } from './record-urls.ts'
import { refNameChecks } from './ref-names.ts'
import { referenceChecks } from './references.ts'
import { repositoryChecks } from './repositories.ts'
import { requiredMemberChecks } from './required-members.ts'
import { reviewChecks } from './reviews.ts'
import { schemaChecks } from './schema-file.ts'
import { shardChecks } from './shards.ts'
import { uploadContentChecks } from './upload-contents.ts'
import { uploadLinkChecks } from './upload-links.ts'
import { valueChecks } from './values.ts'

/** The table of checks, from the outside of an archive to its inside. */
export const CHECKS: readonly Check[] = [
  ...containerChecks,
  ...limitChecks,
  ...entryChecks,
  ...shardChecks,
  ...schemaChecks,
  ...memberTypeChecks,
  ...memberChecks,
  ...requiredMemberChecks,
  ...urlChecks,
  ...valueChecks,
  ...refNameChecks,
  ...referenceChecks,
  ...repositoryChecks,
  ...pullRequestChecks,
  ...reviewChecks,
  ...gitDataChecks,
  ...gitRefChecks,
  ...gitCommitChecks,
  ...attachmentChecks,
  ...fileChecks,
  ...uploadContentChecks,
  ...uploadLinkChecks,
]

export const isCheckCode = (code: string): boolean => CHECKS.some((check) => check.code === code)

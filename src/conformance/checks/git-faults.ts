import { CONTENT_FAULTS, type GitFaultCode } from '../../git/verify/verify-repository.ts'
import type { Check, Severity } from '../../rules/rule.ts'
import { PROBLEMS_WITH } from '../../rules/sql/record-select.ts'
import { GIT_FAULTS_WITH } from './verify-git.ts'

const gitFault = (
  code: GitFaultCode,
  severity: Severity,
  summary: string,
  source: string,
): Check => ({
  code,
  severity,
  summary,
  source,
  evidence: 'documented',
  ...(CONTENT_FAULTS.includes(code) && { needs: 'objects' }),
  run: (_, faults) => faults.addAll(GIT_FAULTS_WITH, code),
})

/** The faults that `marc repo fsck` finds. */
export const gitFaultChecks: readonly Check[] = [
  gitFault(
    'git-pack-missing',
    'error',
    'An index without its pack: all objects of the pack are lost',
    'git fsck; Git: gitformat-pack',
  ),
  gitFault(
    'git-pack-damaged',
    'error',
    'Git refuses a pack that does not match its checksum or whose objects cannot be read',
    'git verify-pack, git index-pack',
  ),
  gitFault(
    'git-index-damaged',
    'error',
    'Git finds no objects in a pack whose index is damaged or missing',
    'git verify-pack; Git: gitformat-pack',
  ),
  gitFault(
    'git-object-damaged',
    'error',
    'Git refuses an object that cannot be read or does not match its ID',
    'git fsck --full',
  ),
  gitFault(
    'git-object-malformed',
    'warning',
    'A server may refuse objects that git fsck calls errors; old history has some',
    'git fsck --full; Git: receive.fsckObjects',
  ),
  gitFault(
    'git-object-missing',
    'error',
    'A commit, folder or tag names an object that is nowhere: an import of Git data stops there',
    'git fsck --full',
  ),
  gitFault(
    'git-object-type',
    'error',
    'Git refuses an object that names one of another type than it says',
    'git fsck --full',
  ),
  gitFault(
    'git-ref-dangling',
    'error',
    'A branch or tag is lost if the object that it names is nowhere',
    'git fsck --full',
  ),
  gitFault(
    'git-ref-invalid',
    'error',
    'A ref that Git does not accept is lost',
    'git check-ref-format',
  ),
  gitFault(
    'git-refs-damaged',
    'error',
    'A ref that names no object, and a branch that names no commit, are lost',
    'git fsck; Git: gitrepository-layout',
  ),
  gitFault(
    'git-head-missing',
    'error',
    'Without a HEAD that names a branch or commit Git sees no repository',
    'git fsck; Git: gitrepository-layout',
  ),
  gitFault(
    'git-ref-conflict',
    'error',
    'A clone or push stops at a ref with the name of a folder of other refs',
    'git clone --mirror, git push --mirror',
  ),
  gitFault(
    'git-config-damaged',
    'error',
    'Git refuses a repository whose config it cannot read',
    'git fsck; Git: git-config',
  ),
  {
    ...gitFault(
      'git-unsupported',
      'error',
      'Importers accept only repositories with SHA-1 IDs and refs in files',
      'exporters whose archives were imported: IDs of commits have 40 digits',
    ),
    run(_, faults) {
      faults.addAll(PROBLEMS_WITH, 'git-unsupported')
      faults.addAll(GIT_FAULTS_WITH, 'git-unsupported')
    },
  },
  gitFault(
    'git-alternates',
    'error',
    'Objects that a repository borrows from another one are not in the archive',
    'Git: gitrepository-layout',
  ),
  gitFault(
    'git-head-unborn',
    'note',
    'HEAD names a branch that does not exist, as in an empty repository',
    'git fsck; Git: gitrepository-layout',
  ),
  gitFault(
    'git-partial-clone',
    'note',
    'A partial clone may lack objects that its remote promised: clone it whole',
    'Git: partial-clone',
  ),
  gitFault(
    'git-shallow',
    'note',
    'A shallow repository lacks the history before the commits at which it was cut off',
    'Git: gitrepository-layout; git clone --depth',
  ),
]

/** Names for several checks. */
export const CHECK_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'git-contents': CONTENT_FAULTS,
}

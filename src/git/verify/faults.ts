/** The faults that `verifyRepository` finds, by code. */
export const GIT_FAULTS = {
  'git-pack-missing': 'an index has no pack, so its objects are lost',
  'git-pack-damaged': 'a pack does not match its checksum, or objects in it cannot be read',
  'git-index-damaged': 'the index of a pack is damaged or missing, so objects cannot be found',
  'git-object-damaged':
    'an object in a file of its own cannot be read, or an object makes no sense',
  'git-object-malformed':
    'objects are not written as Git writes them, such as a commit without an author',
  'git-object-missing': 'an object references an object that does not exist',
  'git-object-type': 'an object has another type than its reference requires',
  'git-ref-dangling': 'a ref names an object that does not exist',
  'git-ref-invalid': 'a ref has a name or target that Git does not accept',
  'git-refs-damaged': 'a ref is no ref, or a branch names no commit',
  'git-head-missing': 'there is no HEAD, or it is neither on a branch nor at a commit',
  'git-ref-conflict':
    'a ref has the name of a folder of other refs, so Git can keep only one of them',
  'git-config-damaged': 'Git cannot read the config, so it refuses the repository',
  'git-unsupported': 'the repository has ids other than SHA-1, or refs in a reftable',
  'git-alternates':
    'objects are borrowed from another repository (alternates) that is not in the archive',
  'git-head-unborn': 'HEAD is on a branch that does not exist',
  'git-partial-clone': 'config names a remote that was to give objects when they are needed',
  'git-shallow': 'older history was cut off when the repository was cloned',
} as const satisfies Record<string, string>

/** The code of a fault in Git data. */
export type GitFaultCode = keyof typeof GIT_FAULTS

/** Notes: facts about a repository that are no faults. */
const NOTES: ReadonlySet<GitFaultCode> = new Set([
  'git-head-unborn',
  'git-partial-clone',
  'git-shallow',
])

/** Codes that are found only by reading the contents of packs and loose objects. */
export const CONTENT_FAULTS: readonly GitFaultCode[] = [
  'git-pack-damaged',
  'git-object-damaged',
  'git-object-malformed',
  'git-object-missing',
  'git-object-type',
]

/** A fault in the Git data of a repository. */
export interface GitFault {
  /** The name of the repository. */
  repository: string
  /** The code of the fault. `GIT_FAULTS` describes each. */
  code: GitFaultCode
  /** `error`, or `note` for what is worth knowing but no fault. */
  severity: 'error' | 'note'
  /** The file it is in. */
  entry: string | null
  /** The object it is about; of several, the first. */
  oid: string | null
  /** The description of the fault. */
  message: string
}

export type MakeFault = (
  code: GitFaultCode,
  message: string,
  place?: Partial<Pick<GitFault, 'entry' | 'oid'>>,
) => GitFault

/** Makes the faults of a repository. */
export const faultsOf =
  (repository: string): MakeFault =>
  (code, message, { entry = null, oid = null } = {}) => ({
    repository,
    code,
    severity: NOTES.has(code) ? 'note' : 'error',
    entry,
    oid,
    message,
  })

export type Tally = ReturnType<typeof createTally>

/** Counts faults of one sort and keeps the first. */
export function createTally(describe: (count: string) => string) {
  let count = 0
  let first: { oid: string; why: string } | undefined
  return {
    add(oid: string, why: string) {
      count++
      first ??= { oid, why }
    },
    oid: () => first?.oid,
    text: () =>
      first && `${describe(count.toLocaleString('en'))}, first ${first.oid}: ${first.why}`,
  }
}

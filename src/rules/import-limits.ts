const MIB = 2 ** 20
const GIB = 2 ** 30

/** The most bytes that importers accept, by the documentation of the host. */
export const IMPORT_LIMITS = {
  /** An archive, with Git data or with records; and the Git data of a repository. */
  archive: 40 * GIB,
  /** The same until 2024. */
  archiveUntil2024: 10 * GIB,
  /** The same on enterprise servers before 3.8. */
  archiveBefore38: 2 * GIB,
  /** The files of one commit, and a push. */
  commit: 2 * GIB,
  /** A file during a migration. */
  file: 400 * MIB,
  /** A file afterwards: what is larger is there, and cannot be pushed again. */
  fileAfterwards: 100 * MIB,
  /** The full name of a ref. */
  ref: 255,
} as const

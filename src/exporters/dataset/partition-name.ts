import { ArchiveError } from '../../base/errors.ts'
import { withoutEnding } from '../../files/safe-name.ts'

/** The most bytes in the name of a partition: file systems allow 255, and the folder has a prefix. */
const LONGEST = 200

// The characters that Hive escapes in the name of a partition, and those that are special on some file system.
const ESCAPED = /[\p{Cc}"#%'*/:=?\\{[\]^<>|]/gu

/**
 * The name of a partition: as given, or that of the archive without its ending.
 *
 * @throws `option-invalid` for a name that no folder can have
 */
export function partitionName(text: string): string {
  return checkName(withoutEnding(text) || text)
}

/** Throws `option-invalid` for a name that no folder can have. */
export function checkName(name: string): string {
  if (name === '' || name === '.' || name === '..') {
    throw new ArchiveError('option-invalid', `${JSON.stringify(name)} is no name for a partition`)
  }
  if (!name.isWellFormed()) {
    throw new ArchiveError('option-invalid', 'the name of the partition is not valid Unicode')
  }
  if (Buffer.byteLength(folderName(name)) > LONGEST) {
    const message = `the name of the partition has more than ${LONGEST} bytes`
    throw new ArchiveError('option-invalid', message)
  }
  return name
}

// Engines read the value of a column from the name of a folder, and take these names for NULL.
const NO_VALUE = /^(?:null|__HIVE_DEFAULT_PARTITION__)$/i

/** Throws `option-invalid` for the name of a new partition that engines would not see. */
export function checkNewName(name: string): void {
  if (!NO_VALUE.test(name)) return
  throw new ArchiveError('option-invalid', `engines take the name ${name} of a partition for NULL`)
}

/** The name as a folder has it, escaped as Hive does: `%2F` for a slash. */
export const folderName = (name: string): string =>
  name.replace(
    ESCAPED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  )

/** The name of the partition in a folder: the inverse of `folderName`. */
export const nameOfFolder = (folder: string): string =>
  folder.replace(/%([0-9A-F]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )

import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { UsageError } from '../command/usage-error.ts'

/** The output and its source in words. */
interface Made {
  noun: string
  /** An example of its name. */
  example: string
  source: string
  /** Endings of other forms, which would give the output a wrong name. */
  refused?: RegExp
}

const OTHER_FORMS = ['tar', 'zip', 'tbz2?', 'bz2', 'txz', 'xz', 'zst', '7z']

const endingIn = (...endings: readonly string[]) => new RegExp(`\\.(?:${endings.join('|')})$`, 'i')

const NO_ARCHIVE = endingIn('db', 'sqlite3?', ...OTHER_FORMS)
const NO_DATABASE = endingIn('gz', 'tgz', ...OTHER_FORMS)

/** An archive of records. */
export const ARCHIVE = { noun: 'an archive', example: 'name.tar.gz', refused: NO_ARCHIVE }

/** An archive if it ends in .tar.gz, else a database. */
export const ARCHIVE_OR_DATABASE = {
  noun: 'an archive or a database',
  refused: endingIn('(?<!\\.tar\\.)gz', ...OTHER_FORMS),
}

const DATABASE: Made = {
  noun: 'a database',
  example: 'name.db',
  source: 'the archive to load',
  refused: NO_DATABASE,
}

/**
 * Checks, before hours of work, that a file can be created at `output` and does not overwrite its own source. Throws
 * `UsageError` or `output-refused`.
 */
export async function checkOutput(
  output: string,
  sources: readonly string[],
  { noun, example, source: described, refused }: Made = DATABASE,
): Promise<void> {
  const place = { archive: output }
  if (output === '-') {
    const hint = `Name a file with: -o ${example}`
    throw new UsageError(`${noun} cannot go to standard output`, hint)
  }
  const folder = dirname(output)
  const parent = await stat(folder).catch(() => undefined)
  if (!parent?.isDirectory()) {
    const hint = parent
      ? 'Name another output with: -o'
      : `Make the folder with: mkdir -p ${folder}`
    throw new UsageError(
      `expected a folder ${folder}, found ${parent ? 'a file' : 'none'}`,
      hint,
      place,
    )
  }
  const existing = await stat(output).catch(() => undefined)
  if (existing?.isDirectory()) {
    const hint = `Name a file in it with: -o ${join(output, example)}`
    throw new UsageError(`expected the name of ${noun}, found a folder`, hint, place)
  }
  if (existing && !existing.isFile()) {
    const hint = 'Name another output with: -o'
    throw new UsageError(
      `expected the name of ${noun}, found something that is not a file`,
      hint,
      place,
    )
  }
  for (const source of sources) {
    if (source !== '-' && (await isWithin(output, source))) {
      const message = `the output is, or is inside, ${described}`
      throw new UsageError(message, 'Name another output with: -o', place)
    }
  }
  const [ending] = refused?.exec(output) ?? []
  if (ending !== undefined) {
    const message = `expected the name of ${noun}, found one that ends in ${ending}`
    throw new UsageError(message, `Name it with: -o ${example}`, place)
  }
  for (const path of existing ? [folder, output] : [folder]) {
    await access(path, constants.W_OK).catch((error: unknown) => {
      throw new ArchiveError('output-refused', 'there is no permission to write it', place, error)
    })
  }
}

async function isWithin(output: string, archive: string): Promise<boolean> {
  const read = await realpath(archive).catch(() => undefined)
  const written = await realpath(output).catch(async () => realpath(dirname(output)))
  return read !== undefined && `${written}${sep}`.startsWith(`${read}${sep}`)
}

/** The folder for the parts of an archive; it need not be there. Throws `UsageError`. */
export async function partsFolder(
  output: string | undefined,
  sources: readonly string[],
): Promise<string> {
  if (output === undefined || output === '-') {
    throw new UsageError('--split-by needs a folder', 'Name it with: -o parts')
  }
  const stats = await stat(output).catch(() => undefined)
  if ((stats && !stats.isDirectory()) || sources.includes(output)) {
    const message = 'expected a folder for the parts'
    throw new UsageError(message, 'Name another output with: -o', { archive: output })
  }
  return output
}

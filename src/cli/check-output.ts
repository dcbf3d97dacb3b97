import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { ArchiveError } from '../errors.ts'
import { UsageError } from './usage-error.ts'

/**
 * Makes sure, before hours of work, that a database can be made at `output` and that this takes nothing away
 * from the archives it is made of. Throws `UsageError` or `output-refused`.
 */
export async function checkOutput(output: string, archives: readonly string[]): Promise<void> {
  const place = { archive: output }
  if (output === '-') {
    throw new UsageError('a database cannot go to standard output', 'Name a file with: -o name.db')
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
    const hint = `Name a file in it with: -o ${join(output, 'name.db')}`
    throw new UsageError('expected the name of a database, found a folder', hint, place)
  }
  for (const archive of archives) {
    if (archive !== '-' && (await isWithin(output, archive))) {
      const message = 'the output is, or lies in, the archive that is to be loaded'
      throw new UsageError(message, 'Name another output with: -o', place)
    }
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

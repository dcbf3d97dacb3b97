import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import { findRef, readRefs } from '../refs/read-refs.ts'

const HEADER = '# pack-refs with: sorted \n'
const AT_ONCE = 64 * 2 ** 10

/**
 * Writes HEAD and all refs of a repository into `folder`. Refs that name objects go to packed-refs, where names do not depend
 * on the file system; tags are not peeled. Returns the number of refs, and those that could not be written.
 */
export function writeRefs(
  database: Database,
  repository: string,
  folder: string,
): { refs: number; head: string; failed: string[] } {
  const failed: string[] = []
  let refs = 0
  const packed = openSync(join(folder, 'packed-refs'), 'wx')
  try {
    let text = HEADER
    for (const { name, oid, target } of readRefs(database, repository)) {
      if (name === 'HEAD') continue
      if (target !== null) {
        if (writeSymbolic(join(folder, name), target)) refs++
        else failed.push(name)
      } else if (oid !== null) {
        text += `${oid} ${name}\n`
        refs++
        if (text.length > AT_ONCE) {
          writeSync(packed, text)
          text = ''
        }
      }
    }
    writeSync(packed, text)
    fsyncSync(packed)
  } finally {
    closeSync(packed)
  }
  const head = headOf(database, repository)
  writeFileSync(join(folder, 'HEAD'), `${head}\n`, { flag: 'wx' })
  return { refs, head, failed }
}

/** Writes a symbolic ref; false if the file system refuses its name, or it conflicts with another ref. */
function writeSymbolic(path: string, target: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, `ref: ${target}\n`, { flag: 'wx' })
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EEXIST', 'ENOTDIR', 'ENAMETOOLONG', 'EINVAL', 'EISDIR'].includes(code)) return false
    throw error
  }
}

/** The content of HEAD; without one, the default branch of GitHub. */
function headOf(database: Database, repository: string): string {
  const { target, oid } = findRef(database, repository, 'HEAD') ?? {}
  if (target) return `ref: ${target}`
  return oid ?? `ref: refs/heads/${repository.endsWith('.wiki') ? 'master' : 'main'}`
}

/** The configuration of a bare clone. The archived one is not used: it could run programs or contain secrets. */
export const BARE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'

/** The configuration of a clone with a work tree. */
export const WORK_TREE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'

/** Writes the file `shallow`, without which git would look for missing parents. */
export function writeShallow(folder: string, oids: Iterable<string>): void {
  let file: number | undefined
  try {
    for (const oid of oids) {
      file ??= openSync(join(folder, 'shallow'), 'wx')
      writeSync(file, `${oid}\n`)
    }
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

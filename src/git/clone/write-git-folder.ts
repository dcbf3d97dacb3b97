import { closeSync, fsyncSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Database } from '../../database/open-database.ts'
import { findRef, readRefs } from '../refs/read-refs.ts'

const HEADER = '# pack-refs with: sorted \n'
const AT_ONCE = 64 * 2 ** 10

/**
 * Writes HEAD and all refs of a repository into `folder`: those that name objects to packed-refs, which takes
 * any name, whatever the file system makes of it. What tags are peeled to is left for Git to find out. Returns
 * the number of refs, and those that could not be written.
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

/** False for a name that the file system, or another ref, has no room for. */
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

/** What HEAD says; where there is none, the branch that servers begin with. */
function headOf(database: Database, repository: string): string {
  const { target, oid } = findRef(database, repository, 'HEAD') ?? {}
  if (target) return `ref: ${target}`
  return oid ?? `ref: refs/heads/${repository.endsWith('.wiki') ? 'master' : 'main'}`
}

/** What says that a repository is bare, and nothing else: a found one may run programs or hold secrets. */
export const BARE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'

/** The same for a repository with its files beside it. */
export const WORK_TREE_CONFIG =
  '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n'

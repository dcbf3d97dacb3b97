import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { folderOf } from './folder.ts'
import { outputOf } from './run-program.ts'

/** Runs the git program, with nothing of this machine's settings. */
export function git(
  directory: string,
  args: readonly string[],
  input: string | Uint8Array = '',
): string {
  const { PATH } = process.env
  const env = { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  return outputOf('git', args, { cwd: directory, env, input }).toString()
}

const commitOn = (ref: string, text: string) => `commit ${ref}
committer Ada <ada@forge.example> 1714564800 +0000
data ${text.length}
${text}
M 100644 inline README
data ${text.length}
${text}
`

let made: Promise<Record<string, Buffer>> | undefined

/** A bare repository with loose objects and packs, loose refs and packed ones, which goes with the test. */
export async function bareRepository(): Promise<string> {
  made ??= makeRepository()
  return join(await folderOf(await made), 'kettle.git')
}

/** Its files and folders, made once: git takes longer than all that is done with them. */
async function makeRepository(): Promise<Record<string, Buffer>> {
  const folder = await folderOf()
  git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', 'kettle.git'])
  const directory = join(folder, 'kettle.git')
  const importing = ['-c', 'fastimport.unpackLimit=0', 'fast-import', '--quiet']
  git(directory, importing, commitOn('refs/heads/main', 'first'))
  git(directory, ['pack-refs', '--all'])
  const loosely = ['-c', 'fastimport.unpackLimit=100', 'fast-import', '--quiet']
  git(directory, loosely, commitOn('refs/heads/heißes/wasser', 'second'))
  git(directory, loosely, commitOn('refs/pull/2/head', 'third'))
  git(directory, ['tag', 'v1', 'main'])
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) => {
    const path = join(entry.parentPath, entry.name)
    const name = relative(folder, path)
    const isFolder = entry.isDirectory()
    return [isFolder ? `${name}/` : name, isFolder ? Buffer.alloc(0) : readFileSync(path)]
  })
  return Object.fromEntries(entries)
}

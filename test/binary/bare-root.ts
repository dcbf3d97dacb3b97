/** Roots of the file system in which there is one program. */

import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Makes a folder with a program, the libraries of the system that it is linked to, `/dev/null`, and some empty folders. */
export function makeBareRoot(program: string, path: string, folders: readonly string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'root-'))
  const copy = (file: string, inRoot: string) => {
    mkdirSync(join(root, dirname(inRoot)), { recursive: true })
    copyFileSync(file, join(root, inRoot))
    chmodSync(join(root, inRoot), 0o755)
  }
  chmodSync(root, 0o755)
  copy(program, path)
  const linked = execFileSync('ldd', [program], { encoding: 'utf8' })
  for (const [library] of linked.matchAll(/\/\S+(?= \()/g)) copy(library, library)
  for (const folder of [...folders, 'dev']) mkdirSync(join(root, folder), { recursive: true })
  // No device, but processes can be given it as their input.
  writeFileSync(join(root, 'dev/null'), '')
  return root
}

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadArchive } from '../../../src/load/load-archive.ts'
import { hostileWorld } from '../../support/hostile-repositories.ts'
import { helper, type Shell, serve } from './ways.ts'

/** Seconds within which a clone ends, well or not. */
const LONGEST = 60
/** MB of memory that no hostile repository passes. */
const MOST_MEMORY = 400

/** Git is content with what is in these, or was never asked: `names` has names that fsck tells of. */
const UNCHECKED = new Set(['names'])

/** Clones every hostile repository in every way. Returns what went wrong. */
export async function cloneHostile(shell: Shell): Promise<{ clones: number; faults: string[] }> {
  const world = hostileWorld()
  const database = join(world.root, 'it.db')
  await loadArchive(world.folder, database)
  const faults: string[] = []
  let clones = 0
  const ways = [
    await serve(shell, database, 'git'),
    await serve(shell, database, 'plain'),
    helper(shell, database),
  ]
  for (const way of ways) {
    for (const { name, isCloned, code } of world.repositories) {
      const said = `${code} ${name} over ${way.name}`
      const folder = shell.folderOf('clone')
      const address = way.addressOf(`ada/${name}`)
      const { code: exit, output } = await shell.run(
        'git',
        ['clone', '-q', '--bare', address, folder],
        LONGEST,
      )
      clones++
      if (exit === null) faults.push(`${said}: did not end`)
      else if ((exit === 0) !== isCloned) faults.push(`${said}: exit ${exit}: ${output}`)
      else if (exit !== 0 && !/fatal|error|marc: /.test(output))
        faults.push(`${said}: says nothing`)
      if (exit === 0 && !UNCHECKED.has(name)) {
        const checked = await shell.run('git', ['-C', folder, 'fsck', '--full'])
        if (checked.code !== 0) faults.push(`${said}: fsck: ${checked.output}`)
      }
      if (existsSync(world.witness)) faults.push(`${said}: something was run`)
    }
    if (way.peak() > MOST_MEMORY) faults.push(`${way.name}: ${way.peak()} MB of memory`)
    await way.close().catch((error: unknown) => faults.push(String(error)))
  }
  world.close()
  return { clones, faults }
}

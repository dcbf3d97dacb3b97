/**
 * Lets git and other clients of Git clone from a server and by the remote helper: hostile repositories, many commits, many
 * refs, and with `--big` a pack above 1 GB. Prints what each took beside `git clone file://` of the same.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cloneWithOthers } from './clients.ts'
import { cloneHostile } from './hostile.ts'
import { COMMITS, type Measured, measureClone, openSizes } from './sizes.ts'
import { Shell, type Way } from './ways.ts'

const isBig = process.argv.includes('--big')
// Large files do not belong in memory.
const folder = mkdtempSync(join(isBig ? '/var/tmp' : tmpdir(), 'marc-git-'))
const shell = new Shell(folder)
let faults = 0
const say = (text: string) => void process.stdout.write(`${text}\n`)
const fail = (text: string) => {
  faults++
  say(`FAILED: ${text}`)
}

/** Clones of the sizes in every way; plain files make no shallow and no partial clones. */
async function cloneSizes(ways: readonly Way[]): Promise<void> {
  const names = ['many', 'many', 'empty', 'wiki.wiki', ...(isBig ? ['large'] : [])]
  for (const way of ways) {
    const isPlain = way.name.includes('plain')
    const partial = isPlain ? [] : ['--depth=1', '--filter=blob:none']
    const results: Measured[] = []
    for (const name of names) results.push(await measureClone(shell, way, name))
    for (const option of partial) results.push(await measureClone(shell, way, 'many', [option]))
    for (const { what, cpu, milliseconds, fault } of results) {
      if (fault !== undefined) fail(`${what} over ${way.name}: ${fault}`)
      else {
        const wall = (milliseconds / 1000).toFixed(1)
        say(`${way.name}: ${what}: ${cpu.toFixed(2)} s of processor time, ${wall} s`)
      }
    }
    say(`${way.name}: its process peaked at ${way.peak().toFixed(0)} MB`)
  }
}

try {
  const hostile = await cloneHostile(shell)
  for (const fault of hostile.faults) fail(fault)
  say(`hostile repositories: ${hostile.clones} clones ended as they should, or are named above`)
  const { ways, close } = await openSizes(shell, isBig)
  await cloneSizes(ways)
  const [, http] = ways as readonly [Way, Way]
  const start = performance.now()
  const ten = await Promise.all(Array.from({ length: 10 }, () => measureClone(shell, http, 'many')))
  for (const { fault } of ten) if (fault !== undefined) fail(`ten at once: ${fault}`)
  say(`ten clones at once: ${((performance.now() - start) / 1000).toFixed(1)} s`)
  for await (const { name, said, isFault } of cloneWithOthers(shell, http, 'ada/many', COMMITS)) {
    if (isFault) fail(`${name}: ${said}`)
    else say(`${name}: ${said}`)
  }
  await close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = faults > 0 ? 1 : 0

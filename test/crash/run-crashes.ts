/**
 * Kills every operation many times: `npm run crash -- --kills 100 --seed 7 --only build`. Prints for each how often it
 * was killed, what was found, and how often it stood under its name neither old nor new, which should be never.
 */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random } from '../bench/random.ts'
import { ROOT } from '../support/run-command.ts'
import { type Kill, killAt, makeRoot, momentIn, rehearse } from './crash.ts'
import { OPERATIONS } from './operations.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    base: { type: 'string', default: join(ROOT, 'samples/organization.tar.gz') },
    more: { type: 'string', default: join(ROOT, 'samples/hello.tar.gz') },
  },
})

const random = new Random(Number(values.seed), 0, 0)
const root = makeRoot()
let failures = 0
const print = (line: string) => void process.stdout.write(`${line}\n`)
print(`seed ${values.seed}`)
for (const operation of OPERATIONS.filter(({ name }) => name.includes(values.only))) {
  // The first time Node.js compiles what it runs, which takes as long as all the rest.
  await rehearse(operation, root, values)
  const rehearsed = await rehearse(operation, root, values)
  const kills: Kill[] = []
  const faults: string[] = []
  for (let i = 0; i < Number(values.kills); i++) {
    try {
      kills.push(await killAt(rehearsed, momentIn(rehearsed, random.fraction()), root))
    } catch (error) {
      faults.push((error as Error).message)
    }
  }
  const count = (wanted: (kill: Kill) => boolean) => kills.filter(wanted).length
  const found = (['before', 'after', 'in between'] as const).map(
    (what) => `${count((kill) => kill.found === what)} ${what}`,
  )
  const leaving = count(({ left }) => left.length > 0)
  print(
    `${operation.name} (${Math.round(rehearsed.duration)} ms): killed ${count(({ killed }) => killed)} of ` +
      `${kills.length + faults.length}, found ${found.join(', ')}; ${leaving} left something that the next run ` +
      `removed; ${faults.length} failed`,
  )
  for (const fault of faults) print(`  ${fault}`)
  failures += faults.length
}
rmSync(root, { recursive: true })
process.exitCode = failures > 0 ? 1 : 0

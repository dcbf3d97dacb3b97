import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entriesOf, textOfFile } from './generate-records.ts'
import { makeWorld } from './world.ts'

/** Two repositories each. */
const WORLDS = 50
/** Kinds that all repositories share, and those that name files, which are not made here. */
const ONCE = ['organizations', 'teams', 'users', 'bots']
const WITH_FILES = ['attachments', 'repository_files', 'releases']

/** Writes an archive of so many records in 100 repositories of equal size, without files. */
export function writeManyRepositories(folder: string, archive: string, records: number): void {
  const entries = join(folder, 'many')
  mkdirSync(entries)
  const numbers = new Map<string, number>()
  for (let seed = 1; seed <= WORLDS; seed++) {
    const world = makeWorld(Math.ceil(records / WORLDS), seed)
    for (const file of entriesOf(world)) {
      const { kind } = file
      if (WITH_FILES.includes(kind) || (seed > 1 && ONCE.includes(kind))) continue
      const number = (numbers.get(kind) ?? 0) + 1
      numbers.set(kind, number)
      const text = textOfFile(world, file)
        .replaceAll('lanterns/telemetry', `lanterns/telemetry${seed}`)
        .replaceAll('"name": "telemetry', `"name": "telemetry${seed}`)
      writeFileSync(join(entries, `${kind}_${String(number).padStart(6, '0')}.json`), text)
    }
  }
  writeFileSync(join(entries, 'schema.json'), '{"version":"1.0.1"}')
  execFileSync('tar', ['czf', archive, '-C', entries, '.'])
  rmSync(entries, { recursive: true })
}

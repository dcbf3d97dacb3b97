import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readArchive } from '../../src/archive/read-archive.ts'
import { ArchiveError } from '../../src/base/errors.ts'
import { collect } from '../../src/base/streams.ts'
import { checkDatabase } from '../../src/conformance/checks/check-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { tarOf } from '../support/build-tar.ts'
import {
  type ArchiveFiles,
  type Damage,
  damaged,
  damageFiles,
  damageRecords,
} from '../support/damage-archive.ts'
import { folderOf } from '../support/folder.ts'
import { gitWorld } from '../support/git-world.ts'
import { inPiecesOf } from '../support/pieces.ts'
import { ROOT } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'
import { ACCEPTED } from './accepted-damage.ts'

async function filesOf(sample: string): Promise<ArchiveFiles> {
  const files: Record<string, Buffer> = {}
  const bytes = readFileSync(join(ROOT, 'samples', `${sample}.tar.gz`))
  for await (const { path, content } of readArchive(inPiecesOf(bytes))) {
    if (!path.endsWith('/')) files[path] = await collect(content)
  }
  return files
}

/** Repositories with packed and loose objects and refs, made by git. */
function repositories(): ArchiveFiles {
  const { folder, close } = gitWorld()
  const files: Record<string, Buffer> = { 'schema.json': Buffer.from('{"version":"1.0.1"}') }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) files[path.slice(folder.length + 1)] = readFileSync(path)
  }
  close()
  return files
}

/** The findings in an archive, or why it cannot be loaded. */
async function check(files: ArchiveFiles, skip: string[]): Promise<string[]> {
  const path = join(await folderOf(), 'it.db')
  const bytes = inPiecesOf(tarOf(files, { prefix: './', directories: true }))
  try {
    await loadArchive({ name: 'it.tar.gz', bytes }, path)
  } catch (error) {
    if (error instanceof ArchiveError) return [error.code]
    throw error
  }
  const database = openDatabase(path)
  try {
    const { findings } = await checkDatabase(database, { skip })
    return findings.flatMap(({ code, allPlaces }) =>
      [...allPlaces()].map(({ url, entry, message }) => `${code} ${url} ${entry} ${message}`),
    )
  } finally {
    database.close()
    await rm(path)
  }
}

/** Damage that leaves no finding that was not there before. */
async function silentOf(
  files: ArchiveFiles,
  damages: Iterable<Damage>,
  skip: string[] = [],
): Promise<string[]> {
  const before = new Set(await check(files, skip))
  const silent: string[] = []
  for (const damage of damages) {
    const found = await check(damaged(files, damage), skip)
    if (found.every((each) => before.has(each))) silent.push(`${damage.what}: ${damage.how}`)
  }
  return silent
}

const accepted = (isOurs: (what: string) => boolean) =>
  Object.values(ACCEPTED)
    .flatMap((silent) =>
      Object.entries(silent).flatMap(([what, ways]) => ways.map((how) => [what, how] as const)),
    )
    .filter(([what]) => isOurs(what))
    .map(([what, how]) => `${what}: ${how}`)
    .toSorted()

const isRecords = (what: string) => /^(?:a record|the file) of /.test(what)
describe('A check is silent only about damage that is accepted, with a reason', {
  ...THOROUGH,
  timeout: 3_600_000,
}, () => {
  test('of records and record files', async () => {
    const files = await filesOf('hello')
    const silent = await silentOf(files, damageRecords(files), ['git-contents'])
    expect([...new Set(silent)].toSorted()).toEqual(accepted(isRecords))
  })

  test('of other files', async () => {
    const silent = new Set<string>()
    for (const files of [await filesOf('hello'), repositories()]) {
      for (const each of await silentOf(files, damageFiles(files))) silent.add(each)
    }
    expect([...silent].toSorted()).toEqual(accepted((what) => !isRecords(what)))
  })
})

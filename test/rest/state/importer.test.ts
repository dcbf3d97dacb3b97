import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { asBytes, collect } from '../../../src/base/streams.ts'
import { buildArchive } from '../../../src/build/build-archive.ts'
import { openDatabase } from '../../../src/database/open-database.ts'
import { loadArchive } from '../../../src/load/load-archive.ts'
import type { State } from '../../../src/rest/state/state.ts'
import { openStateDatabase } from '../../../src/rest/state/state-database.ts'
import { openImporting } from '../../crash/import-archives.ts'
import { folderOf } from '../../support/folder.ts'
import { COMPILE_CACHE, ROOT } from '../../support/run-command.ts'
import { runProgram } from '../../support/run-program.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Imports, each in a process of its own. */
const LONG = { ...THOROUGH, timeout: 120_000 }

const HELLO = readFileSync('samples/hello.tar.gz')
const OF = { owner: 'ada', organization: 'target' }

/** Starts imports, of uploads with Git data and with records. */
async function start(state: State, repository: string, bytes: Uint8Array[] = [HELLO, HELLO]) {
  const imports = state.imports as NonNullable<State['imports']>
  const [git, metadata] = await Promise.all(
    bytes.map((each, i) => imports.uploads.store(OF, `${i}.tar.gz`, asBytes([each]))),
  )
  const source = imports.createSource({
    organization: 'target',
    name: 'old',
    url: null,
    type: 'GITHUB_ARCHIVE',
  })
  const options = {
    sourceUrl: 'https://github.com/mona-lindqvist/tea-timer',
    organizationUrl: 'https://forge.example/target',
    organizationLogin: 'target',
    git: git?.guid,
    metadata: metadata?.guid,
    visibility: 'public' as const,
    skipReleases: false,
  }
  const started = imports.start({ ...OF, repository, source, options })
  if (typeof started === 'string') throw new Error(started)
  return started.id
}

function opened(folder: string): State {
  const state = openImporting(folder)
  onTestFinished(() => state.close())
  return state
}

async function loadedFrom(bytes: Uint8Array) {
  const path = join(await folderOf(), 'it.db')
  await loadArchive({ name: 'it.tar.gz', bytes: asBytes([bytes]) }, path)
  const database = openDatabase(path)
  onTestFinished(() => void database.close())
  return database
}

const countsOf = (path: string) => {
  const database = openDatabase(path)
  try {
    return database
      .prepare(
        `SELECT full_name, (SELECT count(*) FROM issues) AS issues,
         (SELECT count(*) FROM refs) AS refs, (SELECT count(*) FROM discussions) AS discussions FROM repositories`,
      )
      .all()
  } finally {
    database.close()
  }
}

test(
  'Two imports at once are databases of their own, with the address of another host',
  LONG,
  async () => {
    const state = opened(join(await folderOf(), 'it.serve'))
    const ids = [await start(state, 'one'), await start(state, 'two')]
    await state.idle()
    expect(ids.map((id) => state.imports?.find(id)?.state)).toEqual(['SUCCEEDED', 'SUCCEEDED'])
    const [one, two] = (state.imports?.databases() ?? []).map(countsOf)
    expect(one).toEqual([
      { full_name: 'target/one', issues: 5, refs: expect.any(Number), discussions: 0 },
    ])
    expect(two).toEqual([{ ...(one as object[])[0], full_name: 'target/two' }])
  },
)

test(
  'Of two whole archives the Git data of the first and the records of the second count',
  LONG,
  async () => {
    const state = opened(join(await folderOf(), 'it.serve'))
    // The same archive in other bytes.
    const again = gzipSync(gunzipSync(HELLO), { level: 1 })
    const id = await start(state, 'one', [again, HELLO])
    await state.idle()
    expect(state.imports?.find(id)).toMatchObject({ state: 'SUCCEEDED', failure: undefined })
    const [path = ''] = state.imports?.databases() ?? []
    expect(countsOf(path)).toMatchObject([{ full_name: 'target/one', issues: 5 }])
  },
)

test('Halves with Git data and with records are one repository', LONG, async () => {
  const state = opened(join(await folderOf(), 'it.serve'))
  const database = await loadedFrom(HELLO)
  const halves: Uint8Array[] = []
  for (const part of ['git', 'metadata'] as const) {
    halves.push(await collect(buildArchive(database, { part })))
  }
  const id = await start(state, 'one', halves)
  await state.idle()
  expect(state.imports?.find(id)).toMatchObject({ state: 'SUCCEEDED', failure: undefined })
  const [path = ''] = state.imports?.databases() ?? []
  expect(countsOf(path)).toMatchObject([{ full_name: 'target/one', issues: 5 }])
})

test('An import whose database was removed before it was shown has failed', async () => {
  const folder = join(await folderOf(), 'it.serve')
  const before = openImporting(folder)
  const id = await start(before, 'one', [])
  await before.close()
  // A server was killed when the import was whole.
  const store = openStateDatabase(folder)
  store.database.exec("UPDATE imports SET state = 'IN_PROGRESS', database = 'gone.db'")
  store.close()
  const state = openImporting(folder, () => {}, false)
  onTestFinished(() => state.close())
  await state.idle()
  expect(state.imports?.find(id)).toMatchObject({
    state: 'FAILED',
    failure: 'the database of the import was removed',
    database: undefined,
  })
})

test.each(['taken', '100', '1500', '4000', 'imported'])(
  'A server that is killed at %s loses no import, and leaves nothing else',
  LONG,
  async (moment) => {
    const folder = join(await folderOf(), 'it.serve')
    const before = openImporting(folder)
    const id = await start(before, 'one')
    await before.close()
    const program = join(ROOT, 'test/crash/import-archives.ts')
    runProgram(process.execPath, [program, folder, moment], {
      env: { ...process.env, ...COMPILE_CACHE },
    })
    const state = opened(folder)
    await state.idle()
    expect(state.imports?.find(id)?.state).toBe('SUCCEEDED')
    const [path = ''] = state.imports?.databases() ?? []
    expect(countsOf(path)).toMatchObject([{ full_name: 'target/one', discussions: 0 }])
    const left = readdirSync(join(folder, 'imports'))
    expect(left.filter((name) => !name.endsWith('.partial')).sort()).toEqual(
      ['db', 'log'].map((end) => expect.stringMatching(new RegExp(`^[0-9a-f-]{36}\\.${end}$`))),
    )
  },
)

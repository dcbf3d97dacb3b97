import { copyFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { ArchiveError } from '../../src/base/errors.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { type IndexKeeper, keepIndex } from '../../src/reading/index/keep-index.ts'
import { type WatchOptions, watchLibrary } from '../../src/reading/watch-library.ts'
import { folderOf } from '../support/folder.ts'
import { opened } from '../support/load.ts'
import { KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'
import { THOROUGH } from '../support/thorough.ts'

const databases = shareDatabases({ repositories: [repository(KETTLE, { description: 'Old' })] })

async function watched(options: WatchOptions) {
  const [original = ''] = databases.paths
  const path = join(await folderOf(), 'it.db')
  copyFileSync(original, path)
  const library = watchLibrary([path], { lookEvery: 5, ...options })
  onTestFinished(() => library.close())
  const describe = () =>
    library.library.stores[0]?.get<{ description: string }>('SELECT description FROM repositories')
      ?.description
  return { path, library, describe }
}

test('A database that changes is opened anew, and the former connection is closed', async () => {
  const { path, library, describe } = await watched({})
  const [former] = library.library.stores
  expect(describe()).toBe('Old')
  // What was read keeps others from writing until this turn ends.
  await null
  opened(path).exec("UPDATE repositories SET description = 'New'")
  await expect.poll(() => former?.database.open, { interval: 5 }).toBe(false)
  expect(describe()).toBe('New')
})

test('While the index is made anew, the databases answer', async () => {
  const index = keepIndex({})
  // Making it lasts until the test is done.
  const { path, library, describe } = await watched({
    index: { ...index, make: () => new Promise((resolve) => onTestFinished(() => resolve())) },
  })
  await library.makeIndex()
  expect([library.status, library.library.index !== undefined]).toEqual(['ready', true])
  opened(path).exec("UPDATE repositories SET description = 'New'")
  await expect.poll(() => library.status, { interval: 5 }).toBe('busy')
  await expect.poll(describe, { interval: 5 }).toBe('New')
  expect([library.status, library.library.index]).toEqual(['busy', undefined])
})

test('A database that was locked and did not change stays open', async () => {
  const { path, library } = await watched({})
  const before = library.library
  const other = opened(path)
  other.exec('BEGIN EXCLUSIVE')
  await expect.poll(() => library.status, { interval: 5 }).toBe('busy')
  expect(() => before.stores[0]?.count('SELECT count(*) FROM issues')).toThrow(
    expect.objectContaining({ code: 'database-busy' }),
  )
  other.exec('ROLLBACK')
  await expect.poll(() => library.status, { interval: 5 }).toBe('ready')
  expect(library.library).toBe(before)
})

/** However busy the machine is. */
const SOON = { interval: 1, timeout: 20_000 }

/** Two databases, the second of which is added later, and an index that is made in this process, as `make` says. */
async function growing({
  make = (paths, write) => write(paths),
  lookEvery = 0,
}: {
  make?: (paths: readonly string[], write: (paths: readonly string[]) => void) => unknown
  lookEvery?: number
} = {}) {
  const [original = ''] = databases.paths
  const folder = await folderOf()
  const [first, second] = ['first', 'second'].map((name) => join(folder, `${name}.db`)) as [
    string,
    string,
  ]
  for (const path of [first, second]) copyFileSync(original, path)
  const keeper = keepIndex({})
  const write = (paths: readonly string[]) => {
    const opened = paths.map((path) => openDatabase(path))
    try {
      keeper.makeSmall(opened)
    } finally {
      for (const database of opened) database.close()
    }
  }
  const made: (readonly string[])[] = []
  const index: IndexKeeper = {
    ...keeper,
    async make(paths) {
      made.push(paths)
      await make(paths, write)
    },
  }
  const wanted = { paths: (): readonly string[] => [first] }
  const told: (string | undefined)[] = []
  const log = (fault: Error | undefined) => void told.push(fault?.message)
  const library = watchLibrary(() => wanted.paths(), { index, lookEvery, log })
  onTestFinished(() => library.close())
  await library.makeIndex()
  const { signal } = new AbortController()
  return {
    library,
    first,
    second,
    made,
    told,
    add: () => {
      wanted.paths = () => [first, second]
    },
    wanted,
    show: () => library.show(second, signal),
    change: () => opened(first).exec("UPDATE repositories SET description = 'New'"),
  }
}

const count = ({ library }: { library: ReturnType<typeof watchLibrary> }) =>
  library.library.stores.length

describe('A database that is added', () => {
  test('is shown when its index is made; meanwhile the other one answers', THOROUGH, async () => {
    const making = Promise.withResolvers<void>()
    const all = await growing({
      make: async (paths, write) => {
        await making.promise
        write(paths)
      },
    })
    all.add()
    const shown = all.show()
    expect([count(all), all.library.status]).toEqual([1, 'ready'])
    making.resolve()
    expect(await shown).toBe(true)
    expect([count(all), all.library.status, all.made.length]).toEqual([2, 'ready', 1])
  })

  test('while an index is made is shown by the next one', THOROUGH, async () => {
    const begun = Promise.withResolvers<void>()
    const making = Promise.withResolvers<void>()
    const all = await growing({
      make: async (paths, write) => {
        begun.resolve()
        await making.promise
        write(paths)
      },
    })
    all.change()
    const { signal } = new AbortController()
    const ready = all.library.show(all.first, signal)
    await begun.promise
    all.add()
    const shown = all.show()
    making.resolve()
    expect(await Promise.all([ready, shown])).toEqual([true, true])
    expect([all.library.status, all.made.map((paths) => paths.length)]).toEqual(['ready', [1, 2]])
  })

  test('comes with what another program has changed meanwhile', THOROUGH, async () => {
    const all = await growing({
      lookEvery: 5,
      make: (paths, write) => {
        write(paths)
        if (all.made.length === 1) all.change()
      },
    })
    all.add()
    expect(await all.show()).toBe(true)
    expect([all.library.status, all.library.fault]).toEqual(['ready', undefined])
    expect(all.told).toEqual(['it changed while its index was made', undefined])
    const [store] = all.library.library.stores
    expect(store?.get('SELECT description FROM repositories')).toEqual({ description: 'New' })
  })

  test('and is gone before it is opened leaves the other one as it is', THOROUGH, async () => {
    const all = await growing({
      lookEvery: 5,
      make: (paths, write) => {
        write(paths)
        if (all.made.length === 1) renameSync(all.second, `${all.second}.away`)
      },
    })
    all.add()
    const shown = all.show()
    await expect.poll(() => all.library.fault, SOON).toBeDefined()
    expect([count(all), all.library.status]).toEqual([1, 'ready'])
    renameSync(`${all.second}.away`, all.second)
    expect(await shown).toBe(true)
    expect([count(all), all.library.fault]).toEqual([2, undefined])
  })

  test('and is not wanted any more is not waited for', async () => {
    const all = await growing()
    expect(await all.show()).toBe(false)
  })

  test('is waited for until nobody waits, or all are closed', async () => {
    const all = await growing({
      make() {
        throw new Error('killed')
      },
    })
    all.add()
    const stop = new AbortController()
    const stopped = all.library.show(all.second, stop.signal)
    const closed = all.show()
    closed.catch(() => {})
    await expect.poll(() => all.library.fault, SOON).toMatchObject({ message: 'killed' })
    stop.abort()
    expect(await stopped).toBe(false)
    await all.library.close()
    await expect(closed).rejects.toMatchObject({ code: 'interrupted' })
  })

  test('may be asked for in vain: the next look asks again', THOROUGH, async () => {
    const all = await growing({ lookEvery: 5 })
    all.wanted.paths = () => {
      throw new ArchiveError('database-busy', 'the state is locked')
    }
    await expect.poll(() => all.told, SOON).toEqual(['the state is locked'])
    expect(all.library.status).toBe('ready')
    all.add()
    expect(await all.show()).toBe(true)
    expect(all.told).toEqual(['the state is locked', undefined])
  })
})

describe('An index that cannot be made', () => {
  afterEach(() => vi.useRealTimers())

  /** Looks every second. */
  async function failing(make: Parameters<typeof growing>[0] & object) {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    const all = await growing({ lookEvery: 1000, ...make })
    all.change()
    const seconds = async (n: number) => {
      for (let i = 0; i < n; i++) await vi.advanceTimersByTimeAsync(1000)
      return all.made.length
    }
    return { ...all, seconds }
  }

  test('is tried again after twice the time each time, and says why', THOROUGH, async () => {
    const all = await failing({
      make() {
        throw new Error('the process was ended by SIGKILL')
      },
    })
    expect(await all.seconds(1)).toBe(1)
    expect([all.library.status, all.library.fault?.message]).toEqual([
      'busy',
      'the process was ended by SIGKILL',
    ])
    expect([await all.seconds(1), await all.seconds(1)]).toEqual([1, 2])
    expect([await all.seconds(3), await all.seconds(1)]).toEqual([2, 3])
    expect(await all.seconds(600)).toBeLessThan(20)
    expect(all.told).toEqual(['the process was ended by SIGKILL'])
  })

  test('is tried again at the next look after a database has changed', THOROUGH, async () => {
    const all = await failing({
      make(paths, write) {
        if (all.made.length < 4) throw new Error('disk full')
        write(paths)
      },
    })
    expect(await all.seconds(10)).toBe(3)
    // The clock of files may not have moved on since the first change: another size tells as well.
    opened(all.first).exec('UPDATE repositories SET description = hex(zeroblob(20000))')
    expect(await all.seconds(1)).toBe(4)
    expect([all.library.status, all.told]).toEqual(['ready', ['disk full', undefined]])
  })

  test('or is written elsewhere does not start one process after the other', THOROUGH, async () => {
    const all = await failing({ make() {} })
    expect(await all.seconds(60)).toBeLessThan(7)
    expect([all.library.status, all.told]).toEqual([
      'busy',
      ['the index that was made of it is not found'],
    ])
  })
})

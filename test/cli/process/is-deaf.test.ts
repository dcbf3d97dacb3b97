import { truncateSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { isDeaf } from '../../../src/cli/process/is-deaf.ts'
import { inFolder } from '../../support/run-command.ts'

const io = { env: { XDG_CACHE_HOME: '.cache' }, stdin: Readable.from([]) }

describe('A command may be deaf to signals', () => {
  const large = (head: string) => {
    inFolder({ source: head })
    truncateSync('source', 2 ** 24)
    return { source: 'source' }
  }
  const DATABASE = 'SQLite format 3\0'

  test('if it works in SQLite on a large source', async () => {
    expect(await isDeaf({ works: 'in SQLite' }, large(DATABASE), io)).toBe(true)
    inFolder({ source: DATABASE })
    expect(await isDeaf({ works: 'in SQLite' }, { source: 'source' }, io)).toBe(false)
  })

  test('if its source is a folder that is not in the cache', async () => {
    inFolder({ 'source/schema.json': '', 'out/file': '' })
    const works = 'in SQLite' as const
    expect(await isDeaf({}, { source: 'source' }, io)).toBe(true)
    expect(await isDeaf({ works }, { source: 'source' }, io)).toBe(true)
    expect(await isDeaf({ works }, { source: 'source.db', folder: 'out' }, io)).toBe(false)
  })

  test('if it has to load a large archive first', async () => {
    expect(await isDeaf({}, large('archive'), io)).toBe(true)
    expect(await isDeaf({}, large(DATABASE), io)).toBe(false)
    expect(await isDeaf({ works: 'in turns' }, large('archive'), io)).toBe(false)
  })

  test('if it merges a large database with others', async () => {
    large(DATABASE)
    writeFileSync('other', DATABASE)
    expect(await isDeaf({}, { sources: ['source', 'other'] }, io)).toBe(true)
    expect(await isDeaf({}, { sources: ['source'], sql: 'SELECT 1' }, io)).toBe(false)
  })

  test('if it reads standard input, however small', async () => {
    expect(await isDeaf({ works: 'in SQLite' }, { archives: ['-'] }, io)).toBe(true)
    expect(await isDeaf({}, { source: '-' }, io)).toBe(true)
    expect(await isDeaf({ works: 'in turns' }, { source: '-' }, io)).toBe(false)
    expect(await isDeaf({}, { source: 'x.db', output: '-' }, io)).toBe(false)
    const terminal = Object.assign(Readable.from([]), { isTTY: true })
    expect(await isDeaf({}, { source: '-' }, { ...io, stdin: terminal })).toBe(false)
  })
})

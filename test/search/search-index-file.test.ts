import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { searchDatabase } from '../../src/search/search-database.ts'
import { isSearchIndex, writeSearchIndex } from '../../src/search/search-index-file.ts'
import { updateSearchIndex } from '../../src/search/update-search-index.ts'
import { folderOf } from '../support/folder.ts'
import { THOROUGH } from '../support/thorough.ts'
import { sharePages } from '../support/web.ts'

const samples = sharePages()

describe('An index in a file of its own', () => {
  test(
    'finds what an index in the database finds, and does not write the database',
    THOROUGH,
    async () => {
      const folder = await folderOf()
      const [path = ''] = samples.paths
      const before = readFileSync(path)
      const index = `${folder}/search.db`
      const seen: number[] = []
      writeSearchIndex(index, path, 'key', (done, total) => seen.push(done / total))
      expect(seen.at(-1)).toBeCloseTo(1, 1)
      expect(readFileSync(path).equals(before)).toBe(true)
      const [store] = samples.pages.library.stores
      if (!store) throw new Error('there is no database')
      const words = [
        'tea',
        'bell twice',
        'author:teo-park',
        'tea label:bug',
        '"cold tea" OR kettle',
      ]
      const aside = words.map((one) => [...searchDatabase(store.database, one, { index })])
      expect(() => [...searchDatabase(store.database, 'tea')]).toThrow('no index')
      expect(aside[0]?.length).toBeGreaterThan(3)

      const copy = `${folder}/copy.db`
      writeFileSync(copy, before)

      const own = openDatabase(copy)
      await updateSearchIndex(own)
      expect(words.map((one) => [...searchDatabase(own, one)])).toEqual(aside)
      own.close()
    },
  )

  test('is known by its key, and nothing else is one', async () => {
    const folder = await folderOf({ 'text.db': 'no database', 'empty.db': '' })
    const index = `${folder}/search.db`
    writeSearchIndex(index, samples.paths[0] ?? '', 'this')
    expect(isSearchIndex(index, 'this')).toBe(true)
    expect(isSearchIndex(index, 'that')).toBe(false)
    for (const name of ['text.db', 'empty.db', 'none.db', '']) {
      expect(isSearchIndex(`${folder}/${name}`, 'this'), name).toBe(false)
    }
    expect(isSearchIndex(samples.paths[0] ?? '', 'this')).toBe(false)
  })
})

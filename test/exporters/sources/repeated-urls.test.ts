import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RepeatedRecord } from '../../../src/exporters/sources/record-source.ts'
import { openRepeatedUrls } from '../../../src/exporters/sources/repeated-urls.ts'
import { folderOf } from '../../support/folder.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** Whether one of the URLs comes twice. At most so many are in memory. */
async function repeats(urls: readonly (readonly [url: string, space: number])[], most = 4) {
  const path = join(await folderOf(), 'urls')
  const repeated = openRepeatedUrls(path, most)
  try {
    for (const [i, [url, space]] of urls.entries()) {
      const bytes = Buffer.from(`"${url}"`)
      const isNew =
        i % 2 === 0
          ? repeated.add(url, space)
          : repeated.addBytes(bytes, 1, bytes.length - 1, space)
      if (!isNew) return true
    }
    repeated.finish()
    return false
  } catch (error) {
    expect(error).toBeInstanceOf(RepeatedRecord)
    return true
  } finally {
    repeated.close()
  }
}

test('A URL that comes twice is found, as by a Set, however many come between', async () => {
  const url = fc.tuple(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzé🦆'), fc.nat({ max: 3 }))
  const some = fc.oneof(
    fc.array(url, { maxLength: 40 }),
    fc.uniqueArray(url, { maxLength: 40, selector: (pair) => pair.join() }),
  )
  await fc.assert(
    fc.asyncProperty(some, async (urls) => {
      const isRepeated = new Set(urls.map((pair) => pair.join())).size < urls.length
      expect(await repeats(urls)).toBe(isRepeated)
    }),
    { numRuns: runs(60) },
  )
})

test('Many URLs go to a file, of which a part is read at a time', THOROUGH, async () => {
  const urls = Array.from({ length: 9000 }, (_, i) => [`https://H/o/r/issues/${i}`, 0] as const)
  expect(await repeats(urls, 1000)).toBe(false)
  expect(await repeats([...urls, ['https://H/o/r/issues/4000', 0]], 1000)).toBe(true)
  expect(await repeats([...urls, ['https://H/o/r/issues/4000', 1]], 1000)).toBe(false)
})

test('Few URLs need no file', async () => {
  const path = join(await folderOf(), 'urls')
  const repeated = openRepeatedUrls(path)
  expect(repeated.add('a')).toBe(true)
  expect(repeated.add('a')).toBe(false)
  repeated.finish()
  repeated.close()
  expect(existsSync(path)).toBe(false)
})

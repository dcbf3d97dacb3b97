import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { PageStore } from '../../../../src/exporters/targets/parquet/page-store.ts'

const pages = Array.from({ length: 12 }, () => randomBytes(50_000))

test('A store gives back pages, and keeps those beyond 256 KiB in a file', () => {
  const store = new PageStore()
  const stored = pages.map((page) => store.keep([page.subarray(0, 30), page.subarray(30)]))
  expect(stored.filter((page) => page instanceof Uint8Array)).toHaveLength(5)
  expect(stored.map((page) => Buffer.concat([...store.read(page)]))).toEqual(pages)
  store.close()
})

test('A store that was cleared has room for others', () => {
  const store = new PageStore()
  for (const page of pages) store.keep([page])
  store.clear()
  const [first, ...others] = [...pages]
    .reverse()
    .map((page) => store.keep([page.subarray(0, 30), page.subarray(30)]))
  expect(first).toBeInstanceOf(Uint8Array)
  expect(others.at(-1)).toEqual({ at: 300_000, length: 50_000 })
  store.close()
})

/** Entries and errors in a form that a test can compare at a glance. */

import type { ArchiveEntry, ReadOptions } from '../../src/archive/entry.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import type { Problem } from '../../src/base/errors.ts'
import { type Bytes, collect } from '../../src/base/streams.ts'

/** All items, in their order. */
export async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** `[path, content]` of each entry, in their order. */
export async function contentsOf(
  entries: AsyncIterable<Pick<ArchiveEntry, 'path' | 'content'>>,
): Promise<[path: string, content: string][]> {
  const contents: [string, string][] = []
  for await (const { path, content } of entries) {
    contents.push([path, (await collect(content)).toString()])
  }
  return contents
}

/** The paths alone, the contents left unread. */
export async function pathsOf(entries: AsyncIterable<{ path: string }>): Promise<string[]> {
  const paths: string[] = []
  for await (const { path } of entries) paths.push(path)
  return paths
}

/** All of an archive: its entries, and what was reported meanwhile. */
export async function readAll(archive: Bytes, options: ReadOptions = {}) {
  const problems: Problem[] = []
  const report = (problem: Problem) => void problems.push(problem)
  const entries = await contentsOf(readArchive(archive, { ...options, report }))
  return { entries, problems }
}

/** All that comes before something is thrown, and that. */
export async function untilError<T>(
  items: AsyncIterable<T>,
): Promise<{ items: T[]; error: unknown }> {
  const before: T[] = []
  try {
    for await (const item of items) before.push(item)
  } catch (error) {
    return { items: before, error }
  }
  throw new Error('expected an error, but there was none')
}

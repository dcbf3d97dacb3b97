import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseRecords } from '../../../src/exporters/markdown/chosen.ts'
import { exportMarkdown } from '../../../src/exporters/markdown/export-markdown.ts'
import { hashSource } from '../../../src/exporters/markdown/hash-source.ts'
import { openFrozenLibrary } from '../../../src/exporters/markdown/open-frozen-library.ts'
import { planFiles } from '../../../src/exporters/markdown/plan-files.ts'
import type { ThreadFile } from '../../../src/exporters/markdown/render-files.ts'
import { renderShare, type Share } from '../../../src/exporters/markdown/render-share.ts'
import { renderThreads } from '../../../src/exporters/markdown/render-threads.ts'
import { takeBatches } from '../../../src/exporters/markdown/take-batches.ts'
import { folderOf } from '../../support/folder.ts'
import { comment, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** So many that a second thread renders some of them. */
const MANY = 1000
const addresses = Array.from({ length: MANY }, (_, i) => `${KETTLE}/issues/${i + 1}`)
const shared = shareDatabases({
  users: [user('ada'), user('bob')],
  repositories: [repository(KETTLE)],
  issues: addresses.map((url, i) =>
    issue(url, { title: `Boil ${i}`, body: i === 7 ? 'hot '.repeat(2 ** 18) : `See #${i}.` }),
  ),
  issue_comments: addresses.slice(0, 99).map((url, i) => comment(url, i + 1)),
})

const counter = (taken = 0) => {
  const counts = new Int32Array(new SharedArrayBuffer(4))
  counts[0] = taken
  return counts
}

/** The files that a second thread renders when `taken` batches are taken already. */
async function shareOf(taken: number, changes: Partial<Share> = {}) {
  const databases = shared.paths
  const source = await hashSource(databases, undefined, undefined)
  const share = { databases, selection: undefined, source, taken: counter(taken), ...changes }
  const files: ThreadFile[] = []
  for await (const { value } of renderShare(share, new AbortController())) files.push(...value)
  return files
}

/** The text of each file, rendered in this thread. */
function textsOf(databases: readonly string[]): Map<string, string> {
  const library = openFrozenLibrary(databases)
  const chosen = chooseRecords(library, undefined)
  const plan = planFiles(library, chosen, undefined)
  try {
    return new Map(
      [...takeBatches(plan, counter())]
        .flatMap((batch) => [...renderThreads(batch, { library, plan, chosen })])
        .map(({ planned, pieces }) => [planned.file, [...pieces()].join('')]),
    )
  } finally {
    plan.close()
    library.close()
  }
}

describe('writeThreads', () => {
  test('writes in two threads what one renders', async () => {
    const folder = await folderOf()
    await exportMarkdown(shared.paths, folder)
    const texts = textsOf(shared.paths)
    expect(texts.size).toBe(MANY)
    for (const [file, text] of texts) expect(readFileSync(join(folder, file), 'utf8')).toBe(text)
  })

  test('stops in both threads when it is interrupted', THOROUGH, async () => {
    const stop = new AbortController()
    const folder = await folderOf()
    const progress = ({ files }: { files: number }) => files === 100 && stop.abort()
    const stopped = exportMarkdown(shared.paths, folder, { progress, signal: stop.signal })
    await expect(stopped).rejects.toThrow(expect.objectContaining({ code: 'interrupted' }))
    const count = readdirSync(folder, { recursive: true }).length
    expect(count).toBeLessThan(MANY / 2)
  })
})

describe('renderShare', () => {
  test('renders the batches that nobody has taken, but for large texts', THOROUGH, async () => {
    const texts = textsOf(shared.paths)
    const all = await shareOf(0)
    expect(all.map(({ planned }) => planned.file)).toEqual([...texts.keys()])
    for (const { file, content } of all) {
      const whole = texts.get(file) ?? ''
      expect(content && Buffer.from(content).toString()).toBe(
        whole.length > 2 ** 20 ? undefined : whole,
      )
    }
    const rest = await shareOf(2)
    expect(rest.length).toBeGreaterThan(0)
    expect(rest.length).toBeLessThan(all.length)
  })

  test('does nothing if the databases have changed meanwhile', async () => {
    expect(await shareOf(0, { source: 'of other bytes' })).toEqual([])
  })
})

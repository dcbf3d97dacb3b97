import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { writeSite } from '../../../src/pages/site/write-site.ts'
import { folderOf } from '../../support/folder.ts'
import '../../../src/pages/site/write-pages.ts'
import { comment, issue, KETTLE, repository, user } from '../../support/rest-world.ts'
import { THOROUGH } from '../../support/thorough.ts'
import { sharePages } from '../../support/web.ts'

const THREADS = 600
const urls = Array.from({ length: THREADS }, (_, i) => `${KETTLE}/issues/${i + 1}`)

/** Each text is long, and leads to others: a link that kept its text would show. */
const bodyOf = (i: number) => `See #${((i * 7) % THREADS) + 1}. ${`Word${i} `.repeat(60)}`

const samples = sharePages([
  {
    users: [user('ada'), user('bob')],
    repositories: [repository(KETTLE)],
    issues: urls.map((url, i) => issue(url, { title: `Issue ${i}`, body: bodyOf(i) })),
    issue_comments: urls.map((url, i) => comment(url, i, { body: `As in #${i + 1}` })),
  },
])

test('Memory does not grow with the pages of a site', THOROUGH, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held: { files: number; bytes: number }[] = []
  const progress = ({ files }: { files: number }) => {
    if (files < 100 * (held.length + 1)) return
    collect()
    held.push({ files, bytes: process.memoryUsage().heapUsed })
  }
  await writeSite(samples.paths, join(await folderOf(), 'site'), {
    git: false,
    search: false,
    progress,
  })
  const [first, last] = [held[1], held.at(-1)]
  if (!first || !last) throw new Error('there are too few pages')
  expect(last.files).toBeGreaterThan(THREADS)
  // Caches of fixed size still fill. A page has six thousand bytes.
  expect((last.bytes - first.bytes) / (last.files - first.files)).toBeLessThan(2_000)
})

import { expect } from 'vitest'
import { Library } from '../../../src/reading/library.ts'
import { findThread } from '../../../src/reading/threads/find-thread.ts'
import { issue, KETTLE, repository, worldRecords } from '../../support/rest-world.ts'
import { everyDay } from '../../support/thorough.ts'
import { sharePages } from '../../support/web.ts'

const world = sharePages([
  {
    repositories: [repository(KETTLE)],
    issues: [issue(`${KETTLE}/issues/2`), issue(`${KETTLE}/issues/3`)],
    pull_requests: worldRecords().pull_requests,
    discussions: [{ type: 'discussion', url: `${KETTLE}/discussions/2`, repository: KETTLE }],
  },
])

everyDay(2)([
  ['issues', 2, 'issues/2'],
  ['pull', 2, 'pull/2'],
  ['pulls', 2, 'pull/2'],
  ['discussions', 2, 'discussions/2'],
  [undefined, 2, 'issues/2'],
  ['pull', 3, 'issues/3'],
  ['issues', 4, undefined],
])('Of several threads with a number the word decides: %s %i', (word, number, expected) => {
  const library = Library.open(world.paths)
  try {
    const [kettle] = library.repositories()
    const found = kettle && findThread(kettle, number, word)
    expect(found?.url.slice(KETTLE.length + 1)).toBe(expected)
  } finally {
    library.close()
  }
})

import { expect, onTestFinished, test } from 'vitest'
import { Library } from '../../src/reading/library.ts'
import { readRepositoryRecord } from '../../src/reading/repository-record.ts'
import { HOST, issue, KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'
import { htmlOf, sharePages } from '../support/web.ts'

const LOST = `${HOST}/forge/lost`
const topics = [
  { topic_name: 'tea', state: 'created' },
  { topic_name: 'coffee', state: 'deleted' },
  { name: 'no topic', state: 'created' },
]
const world = {
  repositories: [
    repository(KETTLE, {
      repository_topics: topics,
      created_at: '2024-05-06T01:00:00+02:00',
      page: [],
    }),
  ],
  issues: [issue(`${LOST}/issues/1`)],
}
const databases = shareDatabases(world)
const pages = sharePages([world])

test('The record of a repository has its times in UTC, and the topics that were created', () => {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  const recordOf = (name: string) => {
    const found = library.repository(name)
    return found && readRepositoryRecord(found)
  }
  expect(recordOf('forge/kettle')).toMatchObject({
    topics: ['tea'],
    createdAt: '2024-05-05T23:00:00Z',
    hasPages: false,
  })
  expect(recordOf('forge/lost')).toBeUndefined()
})

test('The page of a repository shows its topics', async () => {
  const html = htmlOf(await pages.ask('/forge/kettle'))
  expect([...html.matchAll(/class="topic">(?:<bdi>)?([^<]*)/g)].map(([, name]) => name)).toEqual([
    'tea',
  ])
})

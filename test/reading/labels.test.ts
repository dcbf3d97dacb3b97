import { expect, onTestFinished, test } from 'vitest'
import {
  countLabelled,
  findLabel,
  listLabels,
  lostLabel,
  readLabel,
} from '../../src/reading/labels.ts'
import { Library, type Repository } from '../../src/reading/library.ts'
import { issue, KETTLE, repository } from '../support/rest-world.ts'
import { shareDatabases } from '../support/serve-world.ts'

const at = (name: string) => `${KETTLE}/labels/${name}`
const labels = [
  { url: at('bug'), name: 'bug', color: 'FF0000', description: 'It leaks' },
  { url: at('Bug'), name: 'Bug', color: 'red', description: null },
  { url: at('no%20name'), name: 5, color: '00ff00' },
  { name: 'nowhere', color: '00ff00' },
]
const databases = shareDatabases({
  repositories: [repository(KETTLE, { labels })],
  issues: [
    issue(`${KETTLE}/issues/1`, { labels: [at('bug'), at('lost')] }),
    issue(`${KETTLE}/issues/2`, { labels: [at('bug')], closed_at: '2024-05-06T00:00:00Z' }),
  ],
})

function kettle(): Repository {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return library.repository('forge/kettle') as Repository
}

test('Labels are listed in the order of the record, with their names and colors', () => {
  expect(listLabels(kettle())).toEqual([
    { url: at('bug'), name: 'bug', color: 'ff0000', description: 'It leaks' },
    { url: at('Bug'), name: 'Bug', color: null, description: null },
    { url: at('no%20name'), name: 'no name', color: '00ff00', description: null },
  ])
})

test('A label is found in any case; of two the one that is written so', () => {
  expect(findLabel(kettle(), 'BUG')?.name).toBe('bug')
  expect(findLabel(kettle(), 'Bug')?.name).toBe('Bug')
  expect(findLabel(kettle(), 'lost')).toBeUndefined()
})

test('A label without a record is named by its url, and counted', () => {
  expect(readLabel(kettle(), at('lost'))).toBeUndefined()
  expect(lostLabel(at('lost')).name).toBe('lost')
  expect([...countLabelled(kettle())]).toEqual([
    [at('bug'), 2],
    [at('lost'), 1],
  ])
})

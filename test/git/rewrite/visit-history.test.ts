import { expect, test } from 'vitest'
import { visitHistory } from '../../../src/git/rewrite/visit-history.ts'
import { gitHistory } from '../../support/git-history.ts'

test('All people, messages, names and files of a history are shown, and nothing is changed', async () => {
  const { database, close } = await gitHistory()
  const [people, texts, names] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let files = 0
  await visitHistory(database, 'ada/kettle', {
    files: 'all',
    personOf: (person) => {
      people.add(person.email)
      return { name: 'x', email: 'x' }
    },
    textOf: (text) => texts.add(text) && 'x',
    nameOf: (name) => names.add(name) && 'x',
    async fileOf() {
      files++
      return undefined
    },
  })
  expect(people).toContain('cy@forge.example')
  expect([...texts].join('')).toContain('Merge 水')
  expect([...names]).toEqual(expect.arrayContaining(['README.md', 'boil.c', 'späce and 水']))
  expect(files).toBeGreaterThan(30)
  expect(
    database.prepare('SELECT 1 FROM temp.sqlite_master WHERE name = ?').get('own_objects'),
  ).toBe(undefined)
  close()
})

import { expect, test } from 'vitest'
import { selectionOf } from '../../../src/cli/options/selection-options.ts'

test('Options become a selection', () => {
  expect(
    selectionOf({ repo: ['a/*'], until: '2024', where: ['issues = number > 1'], not: true }),
  ).toEqual({
    repositories: ['a/*'],
    until: new Date('2024-12-31T23:59:59.999Z'),
    where: [{ kind: 'issues', sql: ' number > 1' }],
    not: true,
  })
})

test.each([
  [{ not: true }, '--not needs a selection'],
  [{ where: ['issues'] }, '--where takes a kind and a condition, not "issues"'],
  [{ where: ['issues= '] }, '--where takes a kind and a condition, not "issues= "'],
  [{ since: 'soon' }, '--since takes a date, not "soon"'],
])('%j is refused', (typed, message) => {
  expect(() => selectionOf(typed)).toThrow(message)
})

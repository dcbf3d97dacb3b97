import { expect, test } from 'vitest'
import { readQueries, SHIPPED_QUERIES } from '../../src/query/saved-queries.ts'

test('The queries of the program are read with their names, in the order of these', () => {
  const queries = readQueries(SHIPPED_QUERIES)
  const names = queries.map(({ name }) => name)
  expect(names).toContain('reviewers')
  expect(names).toEqual(names.toSorted())
  expect(queries.every(({ summary }) => summary.endsWith('?'))).toBe(true)
})

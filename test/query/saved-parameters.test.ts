import { expect, test } from 'vitest'
import { parseSavedQuery } from '../../src/query/parse-saved-query.ts'
import { checkParameters, type Names, valuesOf } from '../../src/query/saved-parameters.ts'

const query = parseSavedQuery(`-- Anything?
-- :repo repository = null, only this repository
-- :days number = 60, days
-- :issue thread, its number
-- :word, any
SELECT 1`)

/** A source whose names are in capitals, with one thread. */
const names: Names = {
  resolve: async (_, text) => text.toUpperCase(),
  async checkThread(repository, number) {
    if (`${repository}#${number}` !== 'A/B#12') throw new Error('no such thread')
  },
}

const values = (given: Parameters<typeof valuesOf>[0]) => valuesOf(given, query, async () => names)

test('Values are those of the source, whole numbers stay whole, and others have their defaults', async () => {
  expect(await values({ repo: 'a/b', issue: '#12', word: '7' })).toEqual({
    repo: 'A/B',
    days: 60n,
    issue: 12n,
    word: 7n,
  })
  expect(await values({ repo: null, days: 7, issue: 3, word: '007' })).toEqual({
    repo: null,
    days: 7n,
    issue: 3n,
    word: '007',
  })
  await expect(values({ repo: 'a/b', issue: 13 })).rejects.toThrow('no such thread')
})

test('A text where a number is expected is refused', async () => {
  const error = { code: 'option-invalid', value: 'days' }
  await expect(values({ days: 'many' })).rejects.toMatchObject(error)
})

test('A parameter that is missing or not there is refused, with the one that was meant', () => {
  const check = (...given: string[]) => checkParameters(given, query)
  expect(() => check('issue', 'word', 'dayz')).toThrow(
    expect.objectContaining({
      message: 'the query has no parameter "dayz"',
      meant: 'days',
    }),
  )
  expect(() => check('colour')).toThrow(/no parameter "colour"; it has repo, days, issue, word$/)
  expect(() => check('issue')).toThrow(/needs the parameter word, any/)
  expect(() => check('issue', 'word')).not.toThrow()
})

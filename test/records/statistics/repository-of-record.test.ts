import { expect, test } from 'vitest'
import { repositoryOfRecord } from '../../../src/records/statistics/repository-of-record.ts'

const H = 'https://github.example:8443'

test.each([
  [{ repository: `${H}/o/r` }, 'o/r'],
  [{ issue: `${H}/o/r/issues/12` }, 'o/r'],
  [{ pull_request: `${H}/o/r.js/pull/3` }, 'o/r.js'],
  [{ issue: null, pull_request: `${H}/o/r/pull/3` }, 'o/r'],
  [{ repository: `${H}/o/r`, issue: `${H}/p/q/issues/1` }, 'o/r'],
  [{}, undefined],
  [{ repository: null }, undefined],
  [{ repository: 5, issue: ['x'] }, undefined],
  [{ repository: 'r' }, undefined],
  [{ issue: '12' }, undefined],
  [{ issue: '' }, undefined],
])('The repository of %j is %s', (record, repository) => {
  expect(repositoryOfRecord(record)).toBe(repository)
})

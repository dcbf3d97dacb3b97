import { expect, test } from 'vitest'
import {
  byFullName,
  repositoryOfRecord,
} from '../../../src/records/statistics/repository-of-record.ts'

const H = 'https://github.example:8443'

test.each([
  [{ repository: `${H}/o/r` }, `${H}/o/r`],
  [{ issue: `${H}/o/r/issues/12` }, `${H}/o/r`],
  [{ pull_request: `${H}/o/r.js/pull/3` }, `${H}/o/r.js`],
  [{ issue: null, pull_request: `${H}/o/r/pull/3` }, `${H}/o/r`],
  [{ repository: `${H}/o/r`, issue: `${H}/p/q/issues/1` }, `${H}/o/r`],
  [{}, undefined],
  [{ repository: null }, undefined],
  [{ repository: 5, issue: ['x'] }, undefined],
])('The repository of %j is %s', (record, repository) => {
  expect(repositoryOfRecord(record)).toBe(repository)
})

test('Repositories are counted by owner/name, and by URL where two hosts have one name', () => {
  const urls = [`${H}/o/r`, 'https://other.example/o/r', `${H}/o/one`, 'r', '12', '']
  const names = [`${H}/o/r`, 'https://other.example/o/r', 'o/one']
  expect(byFullName(new Map(urls.map((url) => [url, url]))).map(([name]) => name)).toEqual(names)
})

import { expect, test } from 'vitest'
import { plainSql } from '../../../src/database/schema/plain-sql.ts'

test.each([
  ['CREATE TABLE t (a -- one\n, b)', 'CREATE  TABLE t(a,b)'],
  ["SELECT '--'", "SELECT\n'--' -- text"],
])('plainSql finds %j and %j the same', (left, right) => {
  expect(plainSql(left)).toBe(plainSql(right))
})

test.each([
  ["SELECT ' a'", "SELECT 'a'"],
  ["SELECT '--a'", "SELECT '--b'"],
  ['SELECT "a b"', 'SELECT "a  b"'],
  ['SELECT a b', 'SELECT ab'],
])('plainSql tells %j from %j', (left, right) => {
  expect(plainSql(left)).not.toBe(plainSql(right))
})

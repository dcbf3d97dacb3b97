import { expect, test } from 'vitest'
import { expectLinear } from './cpu-time.ts'
import { THOROUGH } from './thorough.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

test('Work that holds each part against each other one is not linear', THOROUGH, () => {
  expectLinear((count) => () => numbers(count).filter((i) => i % 2), 12_000)
  expect(() =>
    expectLinear((count) => {
      const all = numbers(count)
      return () => all.filter((i) => !all.includes(-i - 1))
    }, 12_000),
  ).toThrow('less than 3')
})

import { expect, test } from 'vitest'
import { PROGRAMS } from '../src/programs.ts'

test.each(Object.entries(PROGRAMS))('the program %s is a function', async (_, load) => {
  expect(await load()).toBeTypeOf('function')
})

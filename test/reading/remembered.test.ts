import { expect, test } from 'vitest'
import { Memo, Remembered } from '../../src/reading/remembered.ts'

const names = new Memo<string | undefined>()

test('A value is made once, even if it is undefined', () => {
  const remembered = new Remembered()
  let made = 0
  const make = () => {
    made++
    return undefined
  }
  expect(remembered.remember(names, 'ada', make)).toBeUndefined()
  expect(remembered.remember(names, 'ada', make)).toBeUndefined()
  expect(made).toBe(1)
})

test('Parts of one room do not find the values of each other, and are forgotten together', () => {
  const all = new Remembered()
  const strangers = all.apart()
  all.remember(names, 'secret', () => 'Ada')
  expect(strangers.find(names, 'secret')).toBeUndefined()
  strangers.remember(names, 'public', () => 'Bob')
  all.forget()
  expect(strangers.find(names, 'public')).toBeUndefined()
})

test('Databases of one library share its room: what was not used for longest is forgotten first', () => {
  const large = new Memo<string>(() => 15 * 2 ** 20)
  const first = new Remembered()
  const second = first.apart()
  first.remember(large, 'a', () => 'a')
  second.remember(large, 'b', () => 'b')
  second.remember(large, 'c', () => 'c')
  expect(first.find(large, 'a')).toBeUndefined()
  expect(second.find(large, 'c')?.value).toBe('c')
})

import { expect, test } from 'vitest'
import { codeRanges } from '../../../src/reading/markdown/code-ranges.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** The text with each character of code as a dot. */
function dotted(text: string): string {
  const isCode = codeRanges(text)
  return [...text]
    .map((character, i) => (isCode(i) && character !== '\n' ? '.' : character))
    .join('')
}

test.each([
  ['a `b` c', 'a ... c'],
  ['a ``b ` c`` d', 'a ........... d'.replace('...........', '.'.repeat(9))],
  ['no ` span', 'no ` span'],
  ['x\n```js\ny\n```\nz `', 'x\n.....\n.\n...\nz `'],
  ['~~~\ny\n```\n~~~~\nz', '...\n.\n...\n....\nz'],
  ['a ` b\n```\nopen', 'a ` b\n...\n....'],
])('%j', (text, expected) => {
  expect(dotted(text)).toBe(expected)
})

test('Takes time linear in backticks', THOROUGH, () => {
  expectLinear((runs) => {
    const text = '``` '.repeat(runs) + '` `` '.repeat(runs)
    return () => codeRanges(text)(0)
  }, 50_000)
})

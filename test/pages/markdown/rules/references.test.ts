import { expect, test } from 'vitest'
import { NOWHERE } from '../../../../src/pages/markdown/markdown-context.ts'
import { linkText } from '../../../../src/pages/markdown/rules/references.ts'

test('Text that is not Markdown stays as it is, with links to what it refers to', () => {
  const context = {
    ...NOWHERE,
    reference: ({ kind, ...more }: { kind: string; number?: number }) =>
      kind === 'thread' && more.number === 4 ? '/o/r/issues/4' : undefined,
  }
  expect(String(linkText('Fix #4, *not* #5 <b> \u202e', context))).toBe(
    'Fix <a href="/o/r/issues/4">#4</a>, *not* #5 &lt;b&gt; <span class="hidden-char">U+202E</span>',
  )
})

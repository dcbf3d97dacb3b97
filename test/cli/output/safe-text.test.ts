import { expect, test } from 'vitest'
import { escapeControls } from '../../../src/cli/output/escape-controls.ts'
import { ownText, type SafeText, safe } from '../../../src/cli/output/safe-text.ts'
import { stylesFor } from '../../../src/cli/output/styles.ts'
import { type Piece, writeAll } from '../../../src/cli/output/write-all.ts'
import { collector } from '../../support/run-command.ts'

const { red } = stylesFor({ isTTY: true }, {})
const evil: string = 'evil \x1b[31m'

test('What was read is styled only with its own styles as escapes', () => {
  expect(red(escapeControls(evil))).toBe('\x1b[31mevil \\x1b[31m\x1b[39m')
  expect(safe`<${escapeControls(evil)}, ${5}>`).toBe('<evil \\x1b[31m, 5>')
})

// The marks are checked with the types of all sources: one that is not needed is an error.
test('The compiler refuses to print, style or put together what was read', async () => {
  const { stream, text } = collector()
  // @ts-expect-error a string may hold anything
  await writeAll(stream, [evil])
  // @ts-expect-error also in a text of ours
  const unsafe: SafeText = `of ours: ${evil}`
  // @ts-expect-error and within a safe one
  safe`of ours: ${evil}`
  // @ts-expect-error no style makes it safe
  red(evil)
  // @ts-expect-error nor does a place among safe texts
  const pieces: readonly Piece[] = [safe`a`, evil]
  // @ts-expect-error what is put in place of something counts as well
  const replaced: SafeText = safe`a`.replace('a', evil)
  const parts: SafeText = [safe`a`, escapeControls(evil)].join(', ').slice(0, 4).padEnd(9).trimEnd()
  expect([unsafe, pieces, replaced, parts, text()]).toHaveLength(5)
  expect(ownText('help')).toBe('help')
})

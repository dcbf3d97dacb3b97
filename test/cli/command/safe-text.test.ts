import { expect, test } from 'vitest'
import { ownText, type SafeText, safe } from '../../../src/cli/command/safe-text.ts'
import { escapeControls } from '../../../src/cli/output/escape-controls.ts'
import { stylesFor } from '../../../src/cli/output/styles.ts'
import { type Piece, writeAll } from '../../../src/cli/output/write-all.ts'
import { collector } from '../../support/run-command.ts'

const { red } = stylesFor({ isTTY: true }, {})
const evil: string = 'evil \x1b[31m'

test('Text that was read is styled with its own escape codes escaped', () => {
  expect(red(escapeControls(evil))).toBe('\x1b[31mevil \\x1b[31m\x1b[39m')
  expect(safe`<${escapeControls(evil)}, ${5}>`).toBe('<evil \\x1b[31m, 5>')
})

// An expected error that does not occur fails the type check.
test('The compiler refuses to print, style or join text that was read', async () => {
  const { stream, text } = collector()
  // @ts-expect-error a string may have control characters
  await writeAll(stream, [evil])
  // @ts-expect-error also in a template
  const unsafe: SafeText = `ours: ${evil}`
  // @ts-expect-error and after safe text
  safe`ours: ${evil}`
  // @ts-expect-error no style makes it safe
  red(evil)
  // @ts-expect-error joining does not make it safe
  const pieces: readonly Piece[] = [safe`a`, evil]
  // @ts-expect-error a replacement must be safe too
  const replaced: SafeText = safe`a`.replace('a', evil)
  const parts: SafeText = [safe`a`, escapeControls(evil)].join(', ').slice(0, 4).padEnd(9).trimEnd()
  expect([unsafe, pieces, replaced, parts, text()]).toHaveLength(5)
  expect(ownText('help')).toBe('help')
})

import { expect, test } from 'vitest'
import { safe } from '../../../src/cli/command/safe-text.ts'
import { type Environment, stylesFor } from '../../../src/cli/output/styles.ts'

test.each<[string, boolean, Environment, boolean]>([
  ['a terminal has colours', true, {}, true],
  ['a pipe has none', false, {}, false],
  ['NO_COLOR turns them off', true, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR does not', true, { NO_COLOR: '' }, true],
  ['CLICOLOR=0 turns them off', true, { CLICOLOR: '0' }, false],
  ['CLICOLOR=1 gives a pipe none', false, { CLICOLOR: '1' }, false],
  ['CLICOLOR_FORCE gives a pipe colours', false, { CLICOLOR_FORCE: '1' }, true],
  ['CLICOLOR_FORCE=0 does not', false, { CLICOLOR_FORCE: '0' }, false],
  ['CLICOLOR_FORCE wins over CLICOLOR', true, { CLICOLOR_FORCE: '1', CLICOLOR: '0' }, true],
  ['NO_COLOR wins over CLICOLOR_FORCE', true, { NO_COLOR: '1', CLICOLOR_FORCE: '1' }, false],
  ['a dumb terminal has none', true, { TERM: 'dumb' }, false],
])('%s', (_, isTTY, env, coloured) => {
  expect(stylesFor({ isTTY }, env).red(safe`x`)).toBe(coloured ? '\x1b[31mx\x1b[39m' : 'x')
})

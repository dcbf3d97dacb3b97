import { expect, test } from 'vitest'
import { COMMANDS, type CommandName, commandNamed } from '../../../src/cli/commands.ts'
import { exampleLine } from '../../../src/cli/help/example-line.ts'

const line = 'marc query samples/hello.tar.gz -f samples/queries/reviewers.sql'

test('Help shows an example as it runs where the samples are', () => {
  expect(exampleLine(line)).toBe(line)
})

test('Help of the package names no samples, because it has none', async () => {
  expect(exampleLine(line, false)).toBe('marc query hello.tar.gz -f reviewers.sql')
  for (const name of Object.keys(COMMANDS) as CommandName[]) {
    const { examples, notes = '' } = await commandNamed(name)
    const shown = [...examples.map(([example]) => exampleLine(example, false)), notes].join('\n')
    expect(shown).not.toContain('samples/')
  }
})

import { describe, expect, test } from 'vitest'
import { UsageError } from '../../src/cli/command/usage-error.ts'
import { findCommand, missingCommand } from '../../src/cli/find-command.ts'

const refusal = (words: readonly string[]) => {
  try {
    return JSON.stringify(findCommand(words))
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    const { message, advice } = error as UsageError
    return `${message} | ${advice ?? ''}`
  }
}

test.each([
  [['load', 'a', '--force'], { name: 'load', rest: ['a', '--force'] }],
  [['repo', 'log', '-n', '3'], { name: 'repo log', rest: ['-n', '3'] }],
  [['repo'], { group: 'repo', rest: [] }],
  [['repo', '--help'], { group: 'repo', rest: ['--help'] }],
])('%j names a command or a group, and the words after it', (words, found) => {
  expect(findCommand(words)).toEqual(found)
})

describe('A word that names none is refused, with the command that was probably meant:', () => {
  test.each([
    [['lod'], /there is no command "lod" \| Did you mean marc load\?/],
    [['clone', 'a.db'], /there is no command "clone" \| Did you mean marc repo clone\?$/],
    [['import', 'a.db'], /Did you mean marc migration import\?$/],
    [['extract'], /Did you mean marc attachments extract\?$/],
    [['repo', 'lgo'], /there is no command "repo lgo" \| Did you mean marc repo log\?/],
    [['--verion'], /there is no command "--verion"/],
    [
      ['repo', 'kettle'],
      /there is no command "repo kettle" \| Expected one of .*\blog\b.*marc repo --help/,
    ],
    [['kettle-boil'], /there is no command "kettle-boil" \| $/],
    [['__proto__'], /there is no command "__proto__"/],
    [['constructor'], /there is no command "constructor"/],
    [[], /there is no command ""/],
  ])('%j', (words, expected) => {
    expect(refusal(words)).toMatch(expected)
  })

  test('an option before the command is told its place', () => {
    expect(refusal(['--force', 'load'])).toContain('Options come after the command')
    expect(missingCommand('repo', ['--json', 'log']).message).toBe(
      'there is no command "repo --json"',
    )
    expect(missingCommand('repo', []).message).toBe('which command of repo?')
  })
})

import { expect, test } from 'vitest'
import { describeOption } from '../../../src/cli/help/describe-option.ts'

test('An option with a value is shown with its placeholder, or its own name', () => {
  expect(describeOption('keep', { value: '<file>', describe: 'Values' })).toEqual([
    'keep <file>',
    'Values',
  ])
  expect(describeOption('profile', { describe: 'Importer' })[0]).toBe('profile <profile>')
  expect(describeOption('force', { type: 'boolean' })[0]).toBe('force')
})

test('An option that is on by default is shown as the one that turns it off', () => {
  expect(describeOption('files', { type: 'boolean', default: true })[0]).toBe('no-files')
})

test('The default comes last, after the choices', () => {
  const choices = ['keep', 'drop']
  expect(describeOption('git', { choices, default: 'keep', describe: 'Git data' })[1]).toBe(
    'Git data: keep, drop [keep]',
  )
  expect(describeOption('state', { choices, describe: 'Only these [all]' })[1]).toBe(
    'Only these: keep, drop [all]',
  )
  expect(describeOption('mode', { describe: 'A mask such as [email], or nothing' })[1]).toBe(
    'A mask such as [email], or nothing',
  )
})

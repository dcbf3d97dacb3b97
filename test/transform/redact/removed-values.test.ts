import { expect, test } from 'vitest'
import { createRemovedValues } from '../../../src/transform/redact/removed-values.ts'
import { createKnownSecretFinder } from '../../../src/transform/redact/secret-forms/known-secrets.ts'

test('A password that may be a word is looked for with the text before it', () => {
  const removed = createRemovedValues()
  const add = (text: string, value: string) => {
    const start = text.indexOf(value)
    removed.add({ type: 'secret', start, end: start + value.length, value }, text)
  }
  add('postgres://root:kettle@db/x', 'kettle')
  add('?token=a1b2c3d4e5f6a1', 'a1b2c3d4e5f6a1')
  expect([...removed].map(({ value }) => value)).toEqual(['://root:kettle@', 'a1b2c3d4e5f6a1'])
})

test('A password with escapes is known as it was written', () => {
  const removed = createRemovedValues()
  const text = 'amqp://svc:S%C3%A9cret9@mq.example/x'
  const [start, end] = [text.indexOf('S%'), text.indexOf('@')]
  removed.add({ type: 'secret', start, end, value: 'Sécret9' }, text)
  const [found] = createKnownSecretFinder(removed.secrets)(`see ${text}`)
  expect(found).toMatchObject({ start: start + 4, end: end + 4 })
})

test('Doubtful values are known apart, and members are looked for if they are addresses, logins or full names', () => {
  const removed = createRemovedValues()
  removed.add({ type: 'ip', start: 1, end: 8, value: '1.0.0.0', doubtful: true }, 'v1.0.0.0')
  removed.addWhole('email', 'ada@forge.example')
  removed.addLogin('ada', ['forge.example'])
  for (const name of ['Ada', 'Ada Kettle', 'Ada (Bo) Kettle']) removed.addWhole('name', name)
  expect([...removed].map(({ value }) => value)).toEqual([
    'ada@forge.example',
    '@ada',
    'forge.example/ada',
    'Ada Kettle',
  ])
  expect([...removed.doubtful]).toEqual(['1.0.0.0'])
})

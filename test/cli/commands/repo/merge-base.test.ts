import { expect, test } from 'vitest'
import { run, shareSamples } from '../../../support/run-command.ts'

shareSamples()

const command = ['repo', 'merge-base', 'samples/organization.tar.gz']

test('marc repo merge-base prints the last common commit of two histories', async () => {
  const { code, stdout } = await run([...command, 'harbour-lights/tidewatch', 'main', 'v1.0.0'])
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: '2070a4d0207f63bd11e6ca37141e63223df04f50\n',
  })
})

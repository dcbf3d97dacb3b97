import { expect, test } from 'vitest'
import { gatherFaults } from '../../../src/conformance/checks/gather-faults.ts'
import { BARE, loaded } from '../../support/load.ts'

test('D5: a fault whose message quotes NULL says so', async () => {
  const { database } = await loaded(BARE)
  const faults = gatherFaults(database)
  faults.addAll("SELECT 'issues' AS kind, 'there is no tag ' || NULL AS message")
  const { places } = faults.gather(() => 1, 20)
  expect(places).toMatchObject([
    { kind: 'issues', url: null, message: 'a value is NULL that this check quotes' },
  ])
})

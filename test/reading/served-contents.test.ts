import { expect, test } from 'vitest'
import { describeContents } from '../../src/reading/served-contents.ts'
import { worldRecords } from '../support/rest-world.ts'
import { shareCatalog } from '../support/serve-world.ts'

const catalog = shareCatalog([worldRecords()])

test('Databases are counted as one, and records that are not served are reported', async () => {
  const contents = describeContents(catalog().read())
  expect(contents).toMatchObject({ repositories: 3, shadowed: 1, unserved: 0 })
})

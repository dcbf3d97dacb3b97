import { expect, test } from 'vitest'
import { worldRecords } from '../../../support/rest-world.ts'
import { accountsOf, as, shareServer } from '../../../support/serve-world.ts'
import { expectShape, userShape } from '../../../support/shapes.ts'

const ask = shareServer([worldRecords()], {
  accounts: accountsOf({ ada: ['repo'], bob: ['repo'], dave: ['repo'], carol: ['user'] }, [
    { login: 'forge', sso: false, members: [{ login: 'carol', role: 'admin' }] },
  ]),
})
const logins = async (path: string, headers = {}) =>
  (await ask<{ login: string }[]>(path, headers)).body.map(({ login }) => login)

test('Assignees are who is assigned; for those who may push, also who else may', async () => {
  const { body } = await ask<object[]>('/repos/forge/kettle/assignees')
  for (const each of body) expectShape(each, userShape)
  expect(await logins('/repos/forge/kettle/assignees')).toEqual(['bob'])
  expect(await logins('/repos/forge/kettle/assignees', as('ada'))).toEqual(['ada', 'bob', 'carol'])
  // Her token sees nothing private, such as who belongs to an organization.
  expect(await logins('/repos/forge/kettle/assignees', as('carol'))).toEqual(['bob'])
  // Bob may read.
  expect(await logins('/repos/forge/secret/assignees', as('bob'))).toEqual([])
  expect(await logins('/repos/forge/secret/assignees', as('dave'))).toEqual([
    'ada',
    'carol',
    'dave',
  ])
})

test('Whether somebody can be assigned follows', async () => {
  const status = async (login: string, headers = {}) =>
    (await ask(`/repos/forge/kettle/assignees/${login}`, headers)).status
  expect(await status('BOB')).toBe(204)
  expect(await status('ada')).toBe(404)
  expect(await status('ada', as('ada'))).toBe(204)
  expect(await status('ghost')).toBe(404)
})

import { expect, onTestFinished, test } from 'vitest'
import {
  isProtected,
  listProtections,
  readProtection,
} from '../../../src/reading/git/protections.ts'
import { Library } from '../../../src/reading/library.ts'
import { boardWith, projectsOf } from '../../../src/reading/threads/projects.ts'
import { HOST, KETTLE, repository } from '../../support/rest-world.ts'
import { shareDatabases } from '../../support/serve-world.ts'

const rule = (name: string, more: object) => ({
  type: 'protected_branch',
  url: `${KETTLE}/settings/branches/${name}`,
  repository_url: KETTLE,
  name,
  ...more,
})

const databases = shareDatabases({
  repositories: [repository(KETTLE)],
  protected_branches: [
    rule('main', {
      pull_request_reviews_enforcement_level: 'everyone',
      required_status_checks_enforcement_level: 'off',
      required_status_checks: ['build', { context: 'test' }],
      block_force_pushes_enforcement_level: 2,
      authorized_actors_only: true,
      authorized_user_urls: [`${HOST}/ada`, 7],
      authorized_team_urls: [],
    }),
    rule('v*', {
      required_status_checks_enforcement_level: 'non_admins',
      required_status_checks: ['build', { context: 'test' }],
    }),
  ],
  projects: [
    {
      type: 'project',
      url: `${KETTLE}/projects/1`,
      name: 'Board',
      columns: [{ name: 'Doing', cards: [{ issue: `${KETTLE}/issues/12` }] }],
    },
  ],
})

function kettle() {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  const found = library.repository('forge/kettle')
  if (!found) throw new Error('no repository')
  return found
}

test('A rule says what its levels and lists mean', () => {
  const found = readProtection(kettle(), 'main')
  expect(found).toMatchObject({
    blocksForcePushes: true,
    allowsForcePushes: false,
    reviews: { approvals: 1, dismissers: undefined },
    checks: undefined,
    pushers: { users: [`${HOST}/ada`], teams: [] },
  })
})

test('Rules are listed by name, those for patterns as well', () => {
  expect(listProtections(kettle()).map(({ name, checks }) => [name, checks])).toEqual([
    ['main', undefined],
    ['v*', ['build', 'test']],
  ])
  expect(['main', 'v1', 'v*'].map((name) => isProtected(kettle(), name))).toEqual([
    true,
    false,
    true,
  ])
})

test('A board is found by a thread that a card names as a whole', () => {
  const found = kettle()
  expect(projectsOf(found).map(({ name }) => name)).toEqual(['Board'])
  expect(boardWith(found, `${KETTLE}/issues/12`)).toEqual({
    project: `${KETTLE}/projects/1`,
    column: 'Doing',
  })
  expect(boardWith(found, `${KETTLE}/issues/1`)).toBeUndefined()
})

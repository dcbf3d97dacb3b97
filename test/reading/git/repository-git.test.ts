import { expect, onTestFinished, test } from 'vitest'
import {
  defaultRevision,
  findRef,
  gitPlace,
  loginOfEmail,
  openGit,
  openReadableGit,
  refsOf,
} from '../../../src/reading/git/repository-git.ts'
import { Library, type Repository } from '../../../src/reading/library.ts'
import { COMMITS, ODD_FILES, ODD_RECORDS } from '../../faces/odd-repository.ts'
import { shareDatabases } from '../../support/serve-world.ts'

const databases = shareDatabases({ records: ODD_RECORDS, files: ODD_FILES })

function open(name: string): { library: Library; repository: Repository } {
  const library = Library.open(databases.paths)
  onTestFinished(() => library.close())
  return { library, repository: library.repository(name) as Repository }
}

test('The Git data of a repository that was renamed have the name that its record tells', () => {
  const { repository } = open('forge/kettle')
  expect(openGit(repository)?.name).toBe('old/teapot')
  expect(gitPlace(repository).name).toBe('old/teapot')
  expect(gitPlace(repository, true).name).toBe('forge/kettle.wiki')
})

test('A repository begins with the branch of its record, unless that is gone', () => {
  const { repository } = open('ada/notes')
  const git = openGit(repository)
  expect(git && defaultRevision(repository, git)?.oid).toBe(COMMITS.second)
})

test('Refs are listed by prefix and found by full name', () => {
  const { repository } = open('forge/kettle')
  expect(refsOf(repository, 'refs/tags/').count).toBe(2)
  expect(findRef(repository, 'refs/heads/topic')?.oid).toBe(COMMITS.topic)
  expect(findRef(repository, 'refs/heads/nothing')).toBeUndefined()
})

test('A repository whose Git data have no commit has no refs', () => {
  const { repository } = open('ada/empty')
  expect(refsOf(repository, 'refs/').count).toBe(0)
  const git = openReadableGit(repository)
  expect(git && defaultRevision(repository, git)).toBeUndefined()
})

test('An address of the host is that of a person with a page', () => {
  const { library, repository } = open('forge/kettle')
  const loginOf = (email: string) => loginOfEmail(library, repository, email)
  expect(loginOf('bob@users.noreply.forge.example')).toBe('bob')
  expect(loginOf('cy@users.noreply.elsewhere.example')).toBeUndefined()
  expect(loginOf('nobody@users.noreply.forge.example')).toBeUndefined()
})

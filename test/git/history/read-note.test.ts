import { afterAll, beforeAll, expect, test } from 'vitest'
import { readNote } from '../../../src/git/history/read-note.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { type GitHistory, gitHistory, gitText } from '../../support/git-history.ts'
import { run } from '../../support/run-command.ts'

let history: GitHistory

beforeAll(async () => {
  history = await gitHistory((directory) => {
    const oidOf = (revision: string) => gitText(directory, ['rev-parse', revision]).trim()
    const [flat, fanned] = [oidOf('main'), oidOf('main~1')]
    const note = (path: string, text: string) =>
      `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    const commit = `commit refs/notes/commits
committer Ada <ada@forge.example> 1714564800 +0000
data 5
notes
${note(flat, 'Reviewed-by: Bo\n\nTwice.\n')}${note(`${fanned.slice(0, 2)}/${fanned.slice(2)}`, 'In a folder\n')}
`
    gitText(directory, ['fast-import', '--quiet', '--force'], commit)
  })
})

afterAll(() => history.close())

test.each(['main', 'main~1'])('readNote reads the note of %s as git does', (revision) => {
  const repository = openRepository(history.database, 'ada/kettle')
  const theirs = gitText(history.directory, ['notes', 'show', revision])
  expect(readNote(repository, repository.resolve(revision))).toBe(theirs)
})

test('readNote returns undefined for a commit without a note', () => {
  const repository = openRepository(history.database, 'ada/kettle')
  expect(readNote(repository, repository.resolve('main~2'))).toBeUndefined()
})

test('marc repo show prints a note after the message', async () => {
  const { stdout } = await run(['repo', 'show', history.path, 'ada/kettle', 'main'])
  expect(stdout).toContain('\n\nNotes:\n    Reviewed-by: Bo\n\n    Twice.\n')
})

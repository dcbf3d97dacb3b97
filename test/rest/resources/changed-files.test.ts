import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/database/open-database.ts'
import { openGit } from '../../../src/git/open-git.ts'
import { changesBetween, compareFiles } from '../../../src/reading/git/changes.ts'
import { createFileDescriber } from '../../../src/rest/resources/changed-files.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { KETTLE, repository, SHA } from '../../support/rest-world.ts'
import { shareCatalog, shareDatabases } from '../../support/serve-world.ts'
import { changedFileShape, expectShape } from '../../support/shapes.ts'

const LONG = 'line\n'.repeat(60_000)
const blob = (text: string) => oidOf('blob', text)
const OLD = treeOf(
  ['100644', 'gone', blob('a\n')],
  ['100644', 'kind', blob('a\n')],
  ['100644', 'old name', blob('b\n')],
)
const NEW = treeOf(
  ['100644', 'broken', SHA],
  ['120000', 'kind', blob('a\n')],
  ['100644', 'long', blob(LONG)],
  ['100644', 'new name', blob('b\n')],
  ['100644', 'zero', blob('\0\n')],
)
const files = repositoryOf('forge/kettle', {
  ...looseOf('tree', OLD),
  ...looseOf('tree', NEW),
  ...Object.assign({}, ...['a\n', 'b\n', LONG, '\0\n'].map((text) => looseOf('blob', text))),
})
const records = { repositories: [repository(KETTLE)] }
const catalog = shareCatalog([records])
const { paths } = shareDatabases({ records, files })

describe('A changed file', () => {
  const described = new Map<string, Readonly<Record<string, unknown>>>()
  beforeAll(async () => {
    const database = openDatabase(paths[0] ?? '')
    const git = openGit(database, 'forge/kettle')
    if (!git) throw new Error('there are no Git data')
    const reader = catalog().read()
    const home = reader.repositories.findByName('forge/kettle')
    if (!home) throw new Error('there is no repository')
    const rendering = { reader, base: 'http://h', origin: 'http://h', viewer: undefined }
    const describeFile = createFileDescriber(rendering, home, git.objects)
    const changes = changesBetween(git, oidOf('tree', OLD), oidOf('tree', NEW))
    for await (const change of compareFiles(git, changes.files)) {
      const file = describeFile(change, SHA)
      described.set(String(file.filename), file)
    }
    database.close()
  })

  test.each([
    ['gone', { status: 'removed', additions: 0, deletions: 1, patch: '@@ -1 +0,0 @@\n-a' }],
    ['new name', { status: 'renamed', previous_filename: 'old name', changes: 0 }],
    ['kind', { status: 'changed', additions: 1, deletions: 1, changes: 2 }],
    ['long', { status: 'added', additions: 60_000 }],
    ['zero', { status: 'added', additions: 0 }],
    ['broken', { status: 'added', additions: 0, sha: SHA }],
  ])('%s is %j', (name, expected) => {
    const file = described.get(name)
    expectShape(file, changedFileShape)
    expect(file).toMatchObject(expected)
    // No patch of a binary or broken file, of a long one, or of one that only has another name.
    expect('patch' in (file ?? {})).toBe('patch' in expected)
  })
})

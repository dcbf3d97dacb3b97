import { describe, expect, test } from 'vitest'
import { commitOf, looseOf, oidOf, repositoryOf, treeOf } from '../../../support/build-pack.ts'
import { worldRecords } from '../../../support/rest-world.ts'
import { shareServer } from '../../../support/serve-world.ts'
import { contributorShape, expectShape } from '../../../support/shapes.ts'

const blob = oidOf('blob', 'x')
const tree = oidOf('tree', treeOf(['100644', 'a', blob]))
const by = (author: string, parent?: string) =>
  commitOf(tree, 'A commit\n', ...(parent === undefined ? [] : [parent])).replace(
    'author Ada <ada@forge.example>',
    `author ${author}`,
  )

/** One commit after the other, the first of which has no parent. */
const commits: string[] = []
const AUTHORS = [
  'Ada <ADA@forge.example>',
  'Nobody <nobody@forge.example>',
  'Bob <18+bob@users.noreply.forge.example>',
  'Ada <ada@forge.example>',
  'Nobody <nobody@forge.example>',
  'Ada <ada@forge.example>',
]
for (const author of AUTHORS) {
  const parent = commits.at(-1)
  commits.push(by(author, parent === undefined ? undefined : oidOf('commit', parent)))
}

const ask = shareServer(
  [worldRecords()],
  {},
  repositoryOf('forge/kettle', {
    ...looseOf('blob', 'x'),
    ...looseOf('tree', treeOf(['100644', 'a', blob])),
    ...Object.assign({}, ...commits.map((commit) => looseOf('commit', commit))),
    'refs/heads/main': `${oidOf('commit', commits.at(-1) ?? '')}\n`,
  }),
)
const list = async (path: string) => (await ask<Record<string, unknown>[]>(path)).body
const R = '/repos/forge/kettle/contributors'

describe('Contributors', () => {
  test('are the accounts that wrote the default branch, the busiest first', async () => {
    const found = await list(R)
    for (const each of found) expectShape(each, contributorShape)
    expect(found).toMatchObject([
      { login: 'ada', contributions: 3 },
      { login: 'bob', contributions: 1 },
    ])
    expect(await list(`${R}?per_page=1&page=2`)).toMatchObject([{ login: 'bob' }])
  })

  test('without an account are listed if they are asked for', async () => {
    expect(await list(`${R}?anon=1`)).toMatchObject([
      { login: 'ada' },
      { name: 'Nobody', email: 'nobody@forge.example', type: 'Anonymous', contributions: 2 },
      { login: 'bob' },
    ])
  })

  test('are nobody without Git data', async () => {
    expect(await list('/repos/ada/notes/contributors')).toEqual([])
  })
})

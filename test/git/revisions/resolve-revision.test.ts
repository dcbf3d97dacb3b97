import { beforeAll, describe, expect, test } from 'vitest'
import { openRepository, type Repository } from '../../../src/git/open-repository.ts'
import { readRefs } from '../../../src/git/refs/read-refs.ts'
import { commitsOfRefs, createRefNames, peel } from '../../../src/git/revisions/resolve-revision.ts'
import { commitOf, looseOf, oidOf, treeOf } from '../../support/build-pack.ts'
import { expectLinear } from '../../support/cpu-time.ts'
import { repositorySet } from '../../support/repository-set.ts'

const tree = treeOf()
const root = commitOf(oidOf('tree', tree), 'Boil water\n')
const side = commitOf(oidOf('tree', tree), 'Warm the pot\n')
const merge = commitOf(
  oidOf('tree', tree),
  'Merge the pot\n',
  oidOf('commit', root),
  oidOf('commit', side),
)
const oid = {
  tree: oidOf('tree', tree),
  root: oidOf('commit', root),
  side: oidOf('commit', side),
  merge: oidOf('commit', merge),
}

const tagOf = (object: string, type: string) =>
  `object ${object}\ntype ${type}\ntag it\ntagger Ada <ada@x> 1 +0000\n\nA tag\n`

/** Tags of tags: the last one names the one before, the first one the merge. */
function chainOf(length: number): string[] {
  const tags = [tagOf(oid.merge, 'commit')]
  while (tags.length < length) tags.push(tagOf(oidOf('tag', tags.at(-1) as string), 'tag'))
  return tags
}
const chain = chainOf(102)
const idOfTag = (length: number) => oidOf('tag', chain[length - 1] as string)

const MISSING = 'd'.repeat(40)

const repositories = repositorySet()
const name = repositories.put({
  ...looseOf('tree', tree),
  ...Object.assign({}, ...[root, side, merge].map((commit) => looseOf('commit', commit))),
  ...Object.assign({}, ...chain.map((tag) => looseOf('tag', tag))),
  'refs/heads/main': `${oid.merge}\n`,
  'refs/heads/side': `${oid.side}\n`,
  'refs/heads/twice': `${oid.root}\n`,
  'refs/heads/lost': `${MISSING}\n`,
  'refs/tags/twice': `${oid.side}\n`,
  'refs/tags/v1.0': `${idOfTag(1)}\n`,
  'refs/tags/tree': `${oid.tree}\n`,
  [`refs/heads/${oid.side}`]: `${oid.root}\n`,
})

let repository: Repository
const refs = () => [...readRefs(repositories.database(), name)]

beforeAll(() => {
  repository = openRepository(repositories.database(), name)
})

describe('A revision', () => {
  test.each([
    ['@', 'merge'],
    ['@~1', 'root'],
    ['main^', 'root'],
    ['main^2', 'side'],
    ['main^0', 'merge'],
    ['main~0', 'merge'],
    ['refs/heads/side', 'side'],
    // As in Git, a tag goes before a branch of the same name, and an id before both.
    ['twice', 'side'],
    ['heads/twice', 'root'],
    [oid.side, 'side'],
    [oid.side.toUpperCase(), 'side'],
    ['v1.0', undefined],
    ['v1.0^{}', 'merge'],
    ['v1.0^2', 'side'],
    ['main^{tree}', 'tree'],
    [':/pot', 'merge'],
    [':/!-pot', 'root'],
    ['main^{/Boil}', 'root'],
  ] as const)('%s is the %s', (revision, name) => {
    expect(repository.resolve(revision)).toBe(name === undefined ? idOfTag(1) : oid[name])
  })

  test.each([
    ['', 'there is no such ref or object'],
    ['~', 'there is no such ref or object'],
    ['main^3', 'there is nothing at ^3'],
    ['main~2', 'there is nothing at ~2'],
    ['main^~1~1', 'there is nothing at ~1'],
    ['main^{blob}', 'it is not a blob'],
    ['main^{/kettle}', 'no message matches this'],
    [':/kettle', 'no message matches this'],
    ['v1.0-3-gabcdef0', 'there is no such ref or object'],
    ['main^{', 'there is no such ref or object'],
    ['main~x', 'there is no such ref or object'],
  ])('%j is not found: %s', (revision, message) => {
    expect(() => repository.resolve(revision)).toThrow(
      expect.objectContaining({
        code: 'git-revision-not-found',
        value: revision,
        message: `${JSON.stringify(revision)}: ${message}`,
      }),
    )
  })

  test('of the wanted type is peeled, and refused if it cannot be', () => {
    expect(repository.resolve('v1.0', 'commit')).toBe(oid.merge)
    expect(repository.resolve('v1.0', 'tree')).toBe(oid.tree)
    expect(repository.resolve(':/pot', 'tree')).toBe(oid.tree)
    expect(() => repository.resolve('tree', 'commit')).toThrow('"tree": it is not a commit')
  })

  test.each([
    ['', '~'],
    ['', '^'],
    ['', '~1'],
    ['', '^{/a}'],
    ['~', '1'],
  ])(
    'of 50,000 characters is refused in time that grows with its length alone: %s%s…',
    (first, unit) => {
      expectLinear((length) => {
        const steps = first + unit.repeat(length / unit.length)
        return () => expect(() => repository.resolve(`main${steps}x`)).toThrow()
      }, 50_000)
    },
  )
})

describe('A chain of tags', () => {
  test('is followed through a hundred', () => {
    expect(peel(repository.objects, idOfTag(100), 'commit')?.oid).toBe(oid.merge)
  })

  test('leads nowhere if it is longer: it is an attack', () => {
    expect(peel(repository.objects, idOfTag(101), 'commit')).toBeUndefined()
  })
})

test('The tips of refs are commits, each once; refs to other and missing objects have none', () => {
  expect(commitsOfRefs(repository.objects, refs()).sort()).toEqual(
    [oid.root, oid.side, oid.merge].sort(),
  )
})

test('A commit has the names of its refs: HEAD with its branch first, tags marked', () => {
  const namesOf = createRefNames(repository.objects, refs())
  expect(namesOf(oid.merge)).toEqual(['HEAD -> main', 'tag: v1.0'])
  expect(namesOf(oid.side)).toEqual(['side', 'tag: twice'])
  expect(namesOf(MISSING)).toEqual(['lost'])
  expect(namesOf('e'.repeat(40))).toEqual([])
})

import { expect, test } from 'vitest'
import { pullRangeOf } from '../../../src/reading/git/pull-requests.ts'
import { commitOf, looseOf, oidOf, repositoryOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const EMPTY = oidOf('tree', '')
const commit = (message: string, ...parents: string[]) => {
  const content = commitOf(EMPTY, message, ...parents)
  return { oid: oidOf('commit', content), files: looseOf('commit', content) }
}
const root = commit('root\n')
const base = commit('base\n', root.oid)
const head = commit('head\n', root.oid)
const other = commit('other\n')
const HOST = 'https://host.example'

const pull = (number: number, base_sha: string | null, head_sha: string | null) => ({
  type: 'pull_request',
  url: `${HOST}/ada/kettle/pull/${number}`,
  repository: `${HOST}/ada/kettle`,
  user: `${HOST}/ada`,
  title: 'It',
  body: null,
  base: { ref: 'main', sha: base_sha, user: HOST, repo: `${HOST}/ada/kettle` },
  head: { ref: 'topic', sha: head_sha, user: HOST, repo: `${HOST}/ada/kettle` },
})

async function world() {
  const objects = { ...root.files, ...base.files, ...head.files, ...other.files }
  const refs = {
    'refs/heads/main': `${base.oid}\n`,
    'refs/heads/other': `${other.oid}\n`,
    'refs/pull/2/head': `${head.oid}\n`,
  }
  const pulls = [
    pull(1, base.oid, head.oid),
    pull(2, base.oid, 'f'.repeat(40)),
    pull(3, base.oid, 'e'.repeat(40)),
    pull(4, base.oid, other.oid),
  ]
  const { database } = await loaded({
    ...repositoryOf('ada/kettle', { ...objects, ...refs }),
    'pull_requests_000001.json': pulls,
  })
  const find = async (number: number) => pullRangeOf(database, `${HOST}/ada/kettle/pull/${number}`)
  return find
}

test('A pull request is compared from where its branch left the recorded base', async () => {
  const find = await world()
  expect(await find(1)).toMatchObject({ base: root.oid, head: head.oid })
})

test('A recorded head that is not in the repository is replaced by the ref of the pull request', async () => {
  const find = await world()
  expect(await find(2)).toMatchObject({ base: root.oid, head: head.oid })
})

test('A pull request without a head has no range, and one without common history no base', async () => {
  const find = await world()
  expect(await find(3)).toBe(undefined)
  expect(await find(4)).toMatchObject({ base: undefined, before: undefined, head: other.oid })
})

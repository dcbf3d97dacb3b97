import { expect, test } from 'vitest'
import { describePatches } from '../../../src/cli/reports/describe-patch.ts'
import { createLineDiffer } from '../../../src/git/diff/diff-lines.ts'
import { diffTreesWith } from '../../../src/git/diff/diff-trees.ts'
import { openRepository } from '../../../src/git/open-repository.ts'
import { looseOf, oidOf, repositoryOf, treeOf } from '../../support/build-pack.ts'
import { loaded } from '../../support/load.ts'

const before = 'caf\xe9\nold\n'
const after = 'caf\xe9\nnew \x1b[31m\n'
const bytes = (text: string) => Buffer.from(text, 'latin1')
const treeWith = (text: string) => treeOf(['100644', 'menu.txt', oidOf('blob', bytes(text))])

async function shown(isTTY: boolean): Promise<string> {
  const files = {
    ...looseOf('blob', bytes(before)),
    ...looseOf('blob', bytes(after)),
    ...looseOf('tree', treeWith(before)),
    ...looseOf('tree', treeWith(after)),
  }
  const { database } = await loaded(repositoryOf('ada/kettle', files))
  const { objects } = openRepository(database, 'ada/kettle')
  const [from, to] = [before, after].map((text) => oidOf('tree', treeWith(text)))
  const patches = diffTreesWith(createLineDiffer(), objects, from, to)
  const io = { stdout: { isTTY }, env: { FORCE_COLOR: '1' } }
  const pieces = describePatches(patches, objects, {}, io as never)
  return Buffer.concat([...pieces].map((piece) => Buffer.from(piece))).toString('latin1')
}

test('A patch in a pipe has the bytes of the files', async () => {
  expect(await shown(false)).toContain('@@ -1,2 +1,2 @@\n caf\xe9\n-old\n+new \x1b[31m\n')
})

test('A patch on a terminal has colours, and shows Latin-1 and control characters', async () => {
  const utf8 = Buffer.from('café').toString('latin1')
  expect(await shown(true)).toContain(
    `\x1b[36m@@ -1,2 +1,2 @@\x1b[39m\n ${utf8}\n\x1b[31m-old\x1b[39m\n\x1b[32m+new \\x1b[31m\x1b[39m\n`,
  )
})

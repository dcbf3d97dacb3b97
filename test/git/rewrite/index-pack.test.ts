import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { indexPack } from '../../../src/git/rewrite/index-pack.ts'
import { folderOf } from '../../support/folder.ts'
import { outputOf } from '../../support/run-program.ts'
import { everyDay } from '../../support/thorough.ts'

const asFile = (pack: Buffer) => ({
  path: 'it.pack',
  size: pack.length,
  read: (at: number, length: number) => pack.subarray(at, at + length),
})

/** A repository whose files hardly change, so that its pack has chains of deltas, and one large file. */
async function packed(...words: string[]) {
  const folder = await folderOf()
  const git = (args: string[], input?: string) =>
    outputOf('git', args, { cwd: folder, input: input ?? '' })
  git(['init', '--quiet', '--initial-branch=main'])
  const lines = Array.from({ length: 400 }, (_, i) => `line ${(i * 7919) % 1000}`)
  const large = Buffer.alloc(9 * 2 ** 20, 'tea ')
  let stream = ''
  for (let n = 0; n < 12; n++) {
    lines[n * 30] = `changed ${n}`
    const text = `${lines.join('\n')}\n`
    stream += `commit refs/heads/main\ncommitter a <a@example.org> ${1e9 + n} +0000\ndata 1\nx\nM 100644 inline lines.txt\ndata ${text.length}\n${text}\n`
  }
  git(['fast-import', '--quiet'], stream)
  writeFileSync(join(folder, 'large.txt'), large)
  const oid = git(['hash-object', '-w', 'large.txt']).toString()
  const objects = git(['rev-list', '--objects', '--all'])
    .toString()
    .split('\n')
    .map((line) => line.slice(0, 40))
  const pack = git(['pack-objects', '--stdout', '--quiet', ...words], `${objects.join('\n')}${oid}`)
  writeFileSync(join(folder, 'it.pack'), pack)
  git(['index-pack', '--index-version=2', '-o', 'it.idx', 'it.pack'])
  return { pack, index: readFileSync(join(folder, 'it.idx')) }
}

let byDistance: ReturnType<typeof packed> | undefined

/** A pack whose deltas name their bases by distance. */
const packedByDistance = () => {
  byDistance ??= packed('--delta-base-offset')
  return byDistance
}

everyDay(1)([
  ['by distance', packedByDistance],
  ['by id', packed],
])('The index of a pack whose deltas name their bases %s is that of Git', async (_, makePack) => {
  const { pack, index } = await makePack()
  const made = await indexPack(asFile(pack), undefined)
  expect(Buffer.concat([...made.index()]).equals(index)).toBe(true)
  expect(made.name).toBe(pack.subarray(-20).toString('hex'))
})

test('git-object-damaged: a pack that is cut, changed, or says another number of objects', async () => {
  const { pack } = await packedByDistance()
  const broken = [
    pack.subarray(0, 5),
    pack.subarray(0, pack.length - 21),
    Buffer.concat([pack, pack.subarray(-20)]),
  ]
  for (const at of [3, 11, 40, pack.length >> 1, pack.length - 3]) {
    const changed = Buffer.from(pack)
    changed[at] = (changed[at] as number) ^ 0x55
    broken.push(changed)
  }
  const many = Buffer.from(pack)
  many.writeUInt32BE(2 ** 31, 8)
  for (const bytes of [...broken, many]) {
    await expect(indexPack(asFile(bytes), undefined)).rejects.toMatchObject({
      code: 'git-object-damaged',
    })
  }
})

import { expect, it } from 'vitest'
import { renameHeader } from '../../../src/archive/tar/rename-header.ts'
import { sealHeader, tarHeader } from '../../../src/archive/tar/tar-header.ts'

const long = `repositories/acme/tools.git/refs/heads/${'l'.repeat(120)}`
const memberOf = (name: string) => ({
  name,
  size: 40,
  mode: 0o600,
  modifiedAt: new Date(1_600_000_000_000),
})

/** The headers of a member with a long name, of which the first has another owner and mode. */
const headersOf = (name: string) => {
  const head = tarHeader(memberOf(name))
  const link = head.subarray(0, 512)
  link.write('0000640', 100)
  link.write('root', 265)
  sealHeader(link)
  return head
}

it('A long name is replaced in all headers of a member, and nothing else, there and back', () => {
  const head = headersOf(long)
  const there = renameHeader(head, (name) => name.replace('acme', 'emca-of-old'))
  expect(there?.toString('latin1')).toContain(long.replace('acme', 'emca-of-old'))
  expect(there?.toString('latin1')).toContain('root')
  expect(renameHeader(there as Buffer, (name) => name.replace('emca-of-old', 'acme'))).toEqual(head)
})

it('A name that is short then comes back as a long one', () => {
  const head = headersOf(long)
  const there = renameHeader(head, () => 'short')
  expect(renameHeader(there as Buffer, () => long)).toEqual(head)
})

/** A header of ustar with a path in two parts, and an owner of its own. */
function ustarOf(prefix: string, name: string): Buffer {
  const head = tarHeader(memberOf(name))
  head.write('ustar\x0000', 257, 'latin1')
  head.fill(0, 345, 500).write(prefix, 345)
  head.write('somebody', 265)
  return sealHeader(head)
}

/** The path of a header of ustar. */
const pathIn = (head: Buffer | undefined) =>
  [head?.toString('utf8', 345, 500), head?.toString('utf8', 0, 100)].map((part) =>
    part?.replace(/\0.*$/s, ''),
  )

it('A path that ustar has in two parts is divided at the same place, there and back', () => {
  const head = ustarOf('repositories/acme', 'tools.git/HEAD')
  const there = renameHeader(head, (name) => name.replace('acme', 'emca-of-old'))
  expect(pathIn(there)).toEqual(['repositories/emca-of-old', 'tools.git/HEAD'])
  expect(there?.toString('latin1')).toContain('somebody')
  expect(renameHeader(there as Buffer, (name) => name.replace('emca-of-old', 'acme'))).toEqual(head)
})

it('A path that fits ustar only before is left alone, and one that fits elsewhere is divided there', () => {
  const head = ustarOf('a', `${'b'.repeat(90)}/c`)
  expect(pathIn(renameHeader(head, () => `a/${'b'.repeat(120)}/c`))).toEqual([
    `a/${'b'.repeat(120)}`,
    'c',
  ])
  expect(renameHeader(head, () => `a/${'b'.repeat(160)}/c`)).toBeUndefined()
})

it('The path of an extended header is replaced, with its length, there and back', () => {
  const records = (path: string) => {
    const rest = ` path=${path}\n`
    const length = rest.length + String(rest.length + 2).length
    return Buffer.from(`${length}${rest}28 mtime=1600000000.1234567\n`)
  }
  const headersWith = (path: string) => {
    const content = records(path)
    const padding = Buffer.alloc(-content.length & 511)
    const before = tarHeader({ ...memberOf('PaxHeaders/it'), size: content.length })
    before.write('x', 156)
    const block = tarHeader(memberOf(path.slice(0, 99)))
    return Buffer.concat([sealHeader(before), content, padding, block])
  }
  const [old, now] = [`repositories/acme/${'x'.repeat(100)}`, `repositories/e/${'x'.repeat(100)}`]
  const there = renameHeader(headersWith(old), () => now)
  expect(there).toEqual(headersWith(now))
  expect(renameHeader(there as Buffer, () => old)).toEqual(headersWith(old))
})

it('Headers of another form are left alone', () => {
  const bad = tarHeader({ ...memberOf('PaxHeaders/it'), size: 12 })
  bad.write('x', 156)
  const content = Buffer.concat([Buffer.from('99 path=a/b\n'), Buffer.alloc(500)])
  const damaged = Buffer.concat([sealHeader(bad), content, tarHeader(memberOf('a/b'))])
  expect(renameHeader(damaged, () => 'x')).toBeUndefined()
  expect(renameHeader(headersOf(long).subarray(0, 1000), () => 'x')).toBeUndefined()
  expect(renameHeader(Buffer.alloc(0), () => 'x')).toBeUndefined()
})

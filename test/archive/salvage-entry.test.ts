import { describe, expect, test } from 'vitest'
import { intactContent, salvageEntry } from '../../src/archive/salvage-entry.ts'
import { ArchiveError, type Problem } from '../../src/base/errors.ts'
import { type Bytes, collect } from '../../src/base/streams.ts'

const damage = new ArchiveError('gzip-damaged', 'wrong checksum')
const fault = new Error('a fault of ours')

/** Content that ends with an error. */
async function* failing(error: unknown): Bytes {
  yield Buffer.from('abc')
  throw error
}

const entryOf = (content: Bytes) => ({
  path: 'attachments/1/x',
  size: 9,
  mode: 0o644,
  modifiedAt: new Date(0),
  content,
})

describe('An entry', () => {
  const salvaged = async (error: unknown) => {
    const problems: Problem[] = []
    await salvageEntry(
      entryOf(failing(error)),
      (problem) => problems.push(problem),
      async ({ content }) => void (await collect(content)),
    )
    return problems
  }

  test('that is damaged is reported, with how much of it could be read', async () => {
    expect(await salvaged(damage)).toEqual([
      {
        code: 'entry-lost',
        place: { entry: 'attachments/1/x' },
        message: 'only 3 of 9 bytes could be read; it was skipped',
      },
    ])
  })

  test.each([
    ['a fault of ours', fault],
    ['a limit', new ArchiveError('limit-expansion', 'too much')],
    ['an interrupt', new ArchiveError('interrupted', 'interrupted')],
  ])('is not skipped because of %s', async (_, error) => {
    await expect(salvaged(error)).rejects.toBe(error)
  })
})

describe('Content up to a damage', () => {
  test('ends there, and the damage is thrown after what was made of it', async () => {
    const { bytes, orThrow } = intactContent(failing(damage), true)
    const read = orThrow(bytes)[Symbol.asyncIterator]()
    expect((await read.next()).value).toEqual(Buffer.from('abc'))
    await expect(read.next()).rejects.toBe(damage)
  })

  test('that has none is read to its end', async () => {
    const whole = (async function* () {
      yield Buffer.from('abc')
    })()
    const { bytes, orThrow } = intactContent(whole, true)
    expect((await collect(orThrow(bytes))).toString()).toBe('abc')
  })

  test('does not hide a fault of ours', async () => {
    await expect(collect(intactContent(failing(fault), true).bytes)).rejects.toBe(fault)
  })

  test('is as it is without salvage', async () => {
    const { bytes } = intactContent(failing(damage), false)
    await expect(collect(bytes)).rejects.toBe(damage)
  })
})

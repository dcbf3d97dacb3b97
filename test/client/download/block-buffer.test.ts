import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockBuffer } from '../../../src/client/download/block-buffer.ts'
import { runs } from '../../support/property-runs.ts'

const BLOCK = 2 ** 18

describe('BlockBuffer', () => {
  it('passes on every byte in order, in blocks of one size, whatever the pieces', async () => {
    const sizes = fc.array(fc.nat({ max: 3 * BLOCK }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(sizes, async (lengths) => {
        const pieces = lengths.map((length, i) => Buffer.alloc(length, i + 1))
        const blocks: Uint8Array[] = []
        const buffer = new BlockBuffer(async (block) => void blocks.push(block))
        for (const piece of pieces) {
          const memory = Buffer.from(piece)
          await buffer.add(memory)
          memory.fill(0) // the sender may use it again
        }
        await buffer.flush()
        expect(Buffer.concat(blocks).equals(Buffer.concat(pieces))).toBe(true)
        expect(blocks.slice(0, -1).every(({ length }) => length === BLOCK)).toBe(true)
      }),
      { numRuns: runs(20) },
    )
  })

  it('uses one block after the other, while the next one fills', async () => {
    let inUse = 0
    let most = 0
    const buffer = new BlockBuffer(async () => {
      most = Math.max(most, ++inUse)
      await new Promise(setImmediate)
      inUse--
    })
    await buffer.add(Buffer.alloc(BLOCK))
    expect(inUse).toBe(1)
    await buffer.add(Buffer.alloc(2.5 * BLOCK))
    await buffer.flush()
    expect({ most, inUse }).toEqual({ most: 1, inUse: 0 })
  })

  it('throws what went wrong with a block at the next call', async () => {
    const buffer = new BlockBuffer(() => Promise.reject(new Error('full')))
    await buffer.add(Buffer.alloc(BLOCK))
    await expect(buffer.add(Buffer.alloc(BLOCK))).rejects.toThrow('full')
    await expect(buffer.flush()).rejects.toThrow('full')
  })
})
